"use strict";
document.documentElement.classList.add("script");
const $ = (s, r = document) => r.querySelector(s), $$ = (s, r = document) => [...r.querySelectorAll(s)];
const data = JSON.parse($("#data").textContent), byId = Object.fromEntries(data.designs.map(d => [d.id, d]));
const esc = s => String(s).replace(/[&<>"']/g, c => "&#" + c.charCodeAt(0) + ";");
const v = n => `var(--${n})`;                       // colours stay CSS variables: theme and print need no redraw
const say = s => { $("#live").textContent = s; };
const feasible = data.designs.filter(d => d.fits), good = feasible.filter(d => d.meets);

/* ---- theme, print ---- */
const themes = ["Auto", "Light", "Dark"]; let theme = 0;
$("#theme").onclick = e => {
  theme = (theme + 1) % 3; const t = themes[theme];
  if (theme) document.documentElement.dataset.theme = t.toLowerCase(); else delete document.documentElement.dataset.theme;
  e.target.textContent = t; e.target.setAttribute("aria-label", "Colour theme: " + t);
};
$("#print").onclick = () => print();

/* ---- charts: one function gives the options, one places them ---- */
let printing = false; // paper is narrower than some phones and is not one
const font = "Inter Railyard, system-ui, sans-serif", narrow = () => !printing && innerWidth < 600;
const txt = (c = "ink-2", size = 12, weight = 400) => ({ color: v(c), fontFamily: font, fontSize: size, fontWeight: weight });
const axis = (name, { axisLabel = {}, ...extra } = {}) => ({
  name, nameLocation: "middle", nameTextStyle: txt("ink-3"), axisLabel: { ...txt("ink-3"), hideOverlap: true, ...axisLabel },
  axisLine: { show: true, lineStyle: { color: v("rule-2") } }, axisTick: { show: false }, splitLine: { show: false }, ...extra });
const tipBox = { backgroundColor: v("paper"), borderColor: v("rule-2"), borderWidth: 1, padding: [8, 12], textStyle: txt("ink"), confine: true, className: "tip", transitionDuration: 0, extraCssText: "box-shadow:0 6px 22px rgb(0 0 0/.16);border-radius:6px" };
const tip = (title, rows, note = "") => `<h4>${esc(title)}</h4><dl>${rows.map(([a, b]) => `<dt>${esc(a)}</dt><dd>${esc(b)}</dd>`).join("")}</dl>${note ? `<p>${esc(note)}</p>` : ""}`;
const charts = {}, redraw = [];
const short = (s, n = 24) => s.length > n ? s.slice(0, n - 1) + "…" : s;
function chart(id, height, build) {
  const el = $("#" + id);
  if (!el || !data.charts) return () => {};
  const draw = width => {
    printing = !!width;
    const c = charts[id] ||= echarts.init(el, null, { renderer: "svg", height: height() });
    c.resize({ height: height() * (width ? .74 : 1), width: width || el.clientWidth });
    const opt = build();
    c.setOption({ animation: false, textStyle: txt(), aria: { enabled: false }, ...opt }, true);
    const svg = $("svg", el); svg.setAttribute("viewBox", `0 0 ${c.getWidth()} ${c.getHeight()}`); svg.setAttribute("aria-hidden", "true");
    el.stops = opt.series.flatMap((s, i) => s.tooltip?.show === false || s.silent ? [] : s.data.map((_, k) => [i, k]));
  };
  redraw.push(draw); el.tabIndex = 0; el.setAttribute("role", "img"); let at = -1, w = 0;
  const hide = () => { charts[id]?.dispatchAction({ type: "hideTip" }); at = -1; }; // not drawn yet: nothing to hide
  const show = k => { at = k; const [seriesIndex, dataIndex] = el.stops[k]; charts[id].dispatchAction({ type: "showTip", seriesIndex, dataIndex }); say($(".tip", el)?.innerText || ""); };
  el.addEventListener("keydown", e => {
    const d = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (d && !charts[id]) draw(); // a key may come before the first frame
    const n = el.stops?.length;
    if (d && n) { e.preventDefault(); show(((at < 0 && d < 0 ? 0 : at) + d + n) % n); }
    if (e.key === "Escape") hide();
  });
  el.addEventListener("blur", hide);
  const fit = () => { if (el.clientWidth !== w && !matchMedia("print").matches) { w = el.clientWidth; draw(); } };
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(el); // within the callback it would resize what it watches
  return draw;
}
const seg = (id, fn) => { const b = $$("#" + id + " button"); b.forEach(x => x.onclick = () => { b.forEach(y => y.setAttribute("aria-pressed", y === x)); fn(x.dataset.v); }); };
const tone = d => d.rank === 1 ? "accent" : d.rank === 2 ? "ink" : "ink-3";
/* ticks: the only numbers that are made here */
const nice = x => { const p = 10 ** Math.floor(Math.log10(x)), m = x / p; return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * p; };
const si = x => { const a = Math.abs(x), [d, u] = a >= 1e12 ? [1e12, "T"] : a >= 1e9 ? [1e9, "B"] : a >= 1e6 ? [1e6, "M"] : a >= 1e3 ? [1e3, "k"] : [1, ""]; return +(x / d).toPrecision(3) + (u ? "\u00a0" + u : ""); };
const num = x => x >= 100 ? Math.round(x).toLocaleString("en-US") : x >= 10 ? x.toFixed(1) : x.toFixed(2);

/* Pareto: cost against useful throughput */
const POINTS_MOST = 500, LABELS_MOST = 40, low = x => x.lo ?? x.v, high = x => x.hi ?? x.v; // what was not drawn has no range
let paretoAll = good.length < 2;
const inPareto = () => { const all = (paretoAll ? feasible : good).filter(d => d.tco.v > 0); return all.length > POINTS_MOST ? all.filter((d, i) => d.front || i < POINTS_MOST) : all; };
const drawPareto = chart("c-pareto", () => narrow() ? 380 : 440, () => {
  const list = inPareto(), phone = narrow(), G = { left: phone ? 50 : 62, right: phone ? 52 : 76, top: 30, bottom: 48 };
  const X = list.flatMap(d => [low(d.tco), high(d.tco)]), Y = list.flatMap(d => [low(d.tput), high(d.tput)]);
  const log = Math.max(...X) / Math.min(...X) > 8 || Math.max(...Y) / Math.min(...Y) > 8;
  let x0, x1, y0, y1, gap;
  if (log) [x0, x1, y0, y1] = [Math.min(...X) / 1.9, Math.max(...X) * 1.9, Math.min(...Y) / 1.5, Math.max(...Y) * 1.5];
  else {
    const step = nice((Math.max(...X) - Math.min(...X)) / 5 || Math.max(...X) / 5), up = nice(Math.max(...Y) / 5);
    gap = step; x0 = Math.max(0, Math.floor(Math.min(...X) / step - .4) * step); x1 = Math.ceil(Math.max(...X) / step + .4) * step; y0 = 0; y1 = Math.ceil(Math.max(...Y) / up + .2) * up;
  }
  const front = list.filter(d => d.front).sort((a, b) => a.tco.v - b.tco.v), k = data.cost_slope;
  const costs = []; // USD per 1e12 tokens = k * cost / throughput: rays of equal cost
  if (k) { const best = Math.min(...list.map(d => d.cpt.v)), first = nice(best); for (const f of log ? [.5, 1, 2, 4] : [.6, 1, 1.6, 2.5]) costs.push(+(first * f).toPrecision(2)); }
  const iso = costs.map(c => {
    const p = x => [x, k * x / c], xe = Math.min(x1, c * y1 / k), xs = Math.max(x0, c * y0 / k);
    return { type: "line", silent: true, symbol: "none", data: xs < xe ? [p(xs), p(xe)] : [], lineStyle: { color: v("rule"), width: 1, type: "solid" }, z: 0, tooltip: { show: false },
      endLabel: { show: true, formatter: "$" + si(c), ...txt("ink-3", 11), offset: xe < x1 ? [-14, -9] : [2, 0] } };
  });
  const ranges = { type: "custom", silent: true, tooltip: { show: false }, z: 2, data: list.map(d => [low(d.tco), d.tco.v, high(d.tco), low(d.tput), d.tput.v, high(d.tput)]), encode: { x: [0, 1, 2], y: [3, 4, 5] },
    renderItem: (p, api) => {
      const d = list[p.dataIndex], P = (x, y) => api.coord([x, y]), st = { stroke: v(tone(d)), lineWidth: 5, opacity: .2, lineCap: "round" };
      const [a, b] = P(low(d.tco), d.tput.v), [c] = P(high(d.tco), d.tput.v), [m, lo] = P(d.tco.v, low(d.tput)), [, hi] = P(d.tco.v, high(d.tput));
      return { type: "group", children: [{ type: "line", shape: { x1: a, y1: b, x2: c, y2: b }, style: st }, { type: "line", shape: { x1: m, y1: lo, x2: m, y2: hi }, style: st }] };
    } };
  // labels of points that crowd stand together, below and to the right of the crowd; shiftY stacks them
  const W = charts["c-pareto"].getWidth() - G.left - G.right, H = charts["c-pareto"].getHeight() - G.top - G.bottom;
  const px = (a, lo, hi, n) => n * (log ? Math.log(a / lo) / Math.log(hi / lo) : (a - lo) / (hi - lo));
  const at = d => [G.left + px(d.tco.v, x0, x1, W), G.top + H - px(d.tput.v, y0, y1, H)];
  const labelled = (d, i) => list.length <= LABELS_MOST || d.front || i < 5;
  const place = p => {
    const d = list[p.dataIndex], [x, y] = at(d), near = list.map(at).filter(([a, b]) => Math.abs(a - x) < 90 && Math.abs(b - y) < 40);
    const left = x > G.left + W * .6;
    return left ? { x: Math.min(...near.map(n => n[0])) - 14, y: Math.max(...near.map(n => n[1])) + 10, align: "right", verticalAlign: "top", moveOverlap: "shiftY" }
                : { x: Math.max(...near.map(n => n[0])) + 16, y: Math.max(...near.map(n => n[1])) + 10, align: "left", verticalAlign: "top", moveOverlap: "shiftY" };
  };
  return {
    grid: G, tooltip: { trigger: "item", ...tipBox },
    xAxis: axis(data.tco_title + ", USD", { type: log ? "log" : "value", min: x0, max: x1, interval: gap, nameGap: 30, axisLabel: { showMinLabel: !log, showMaxLabel: !log, formatter: si } }),
    yAxis: axis("", { type: log ? "log" : "value", min: y0, max: y1, axisLabel: { showMinLabel: !log, showMaxLabel: !log, formatter: si } }),
    series: [...iso,
      { type: "line", step: "end", silent: true, symbol: "none", z: 1, tooltip: { show: false }, data: front.length ? [...front.map(d => [d.tco.v, d.tput.v]), [x1, front.at(-1).tput.v]] : [], lineStyle: { color: v("ink-3"), width: 1.25, type: [4, 3] } }, ranges,
      { type: "scatter", z: 4, symbolSize: 12, labelLayout: place, labelLine: { show: true, length2: 4, lineStyle: { color: v("rule-2"), width: 1 } }, emphasis: { disabled: true },
        data: list.map((d, i) => ({ value: [d.tco.v, d.tput.v], itemStyle: { opacity: 1, color: d.meets ? v(tone(d)) : v("paper"), borderColor: v(tone(d)), borderWidth: d.meets ? 0 : 1.5 },
          label: { show: labelled(d, i), formatter: () => short(d.name), position: "right", distance: 10, lineHeight: 17, textBorderColor: v("paper"), textBorderWidth: 4, ...txt(d.rank && d.rank <= 2 ? tone(d) : "ink-2", 12, d.rank === 1 ? 650 : 500) } })),
        tooltip: { formatter: p => { const d = list[p.dataIndex]; return tip(d.name, [["Rank", d.rank || "not ranked"], ["Cost per T tokens", d.cpt.t], ["P10 to P90", d.cpt.r], [data.tco_title, d.tco.t], ["Useful tokens a second", d.tput.t], ["Time to train", d.days.t], ...(d.best ? [["Best in", d.best]] : [])], d.front ? "On the front: no design is both cheaper and faster." : d.reason || ""); } } }] };
});
seg("pareto-scope", x => { paretoAll = x === "all"; drawPareto(); });

/* Bars: one a design, the first on top */
const bars = (phone, list) => axis("", { type: "category", data: list.map(d => short(d.name)), axisLine: { show: false }, z: 9,
  axisLabel: phone ? { inside: true, verticalAlign: "bottom", padding: [0, 0, 17, -8], textBorderColor: v("paper"), textBorderWidth: 3, ...txt("ink", 12, 500), hideOverlap: false } : { ...txt("ink", 12, 500), hideOverlap: false } });

/* Step time */
// seconds of sizes far apart cannot be read on one axis
const stepTimes = good.filter(d => d.parts).map(d => d.step.v);
let stepUnit = Math.max(...stepTimes) > 8 * Math.min(...stepTimes) ? "gpu" : "s";
const inStep = () => (stepUnit === "s" && good.length ? good : feasible).filter(d => d.parts);
const drawStep = chart("c-step", () => 44 + 52 * inStep().length, () => {
  const list = inStep().reverse(), phone = narrow(), unit = { s: "s", share: "%", gpu: "GPU·s" }[stepUnit];
  const f = d => stepUnit === "s" ? 1 : stepUnit === "share" ? 100 / d.step.v : d.gpus / d.tokens_per_step * 1e6;
  const end = d => stepUnit === "gpu" ? num(d.step.v * f(d)) + (phone ? "" : "\u00a0GPU·s") : stepUnit === "share" || phone ? d.step.t : `${d.step.t} · MFU ${d.mfu.t}`;
  return { grid: { left: phone ? 4 : 172, right: stepUnit === "share" ? 70 : phone ? 58 : 132, top: phone ? 12 : 4, bottom: 34 }, tooltip: { trigger: "item", ...tipBox },
    xAxis: axis("", { type: "value", min: 0, max: stepUnit === "share" ? 100 : undefined, interval: stepUnit === "share" ? 25 : undefined, splitLine: { show: true, lineStyle: { color: v("rule") } }, axisLine: { show: false }, axisLabel: { formatter: x => num(x).replace(/\.0+$/, "") + "\u00a0" + unit } }),
    yAxis: bars(phone, list),
    series: data.parts.map((p, i) => ({ type: "bar", stack: "s", name: p.name, barWidth: phone ? 17 : 24, itemStyle: { color: v(p.color), borderColor: v("paper"), borderWidth: .75 }, emphasis: { disabled: true }, data: list.map(d => ({ value: d.parts[i].v * f(d) })),
      tooltip: { formatter: q => { const d = list[q.dataIndex]; return tip(`${p.name}: ${d.parts[i].t}`, [["Share of the step", (100 * d.parts[i].v / d.step.v).toFixed(1) + "\u00a0%"], ["Design", d.name], ["Whole step", d.step.t]], p.what); } },
      ...(i === data.parts.length - 1 ? { label: { show: true, position: "right", distance: 8, formatter: q => end(list[q.dataIndex]), textBorderColor: v("paper"), textBorderWidth: 4, ...txt("ink", 12, 500) } } : {}) })) };
});
$$("#step-unit button").forEach(b => b.setAttribute("aria-pressed", b.dataset.v === stepUnit));
seg("step-unit", x => { stepUnit = x; drawStep(); });

/* Memory */
const withMemory = data.designs.filter(d => d.mem);
chart("c-mem", () => 40 + 44 * withMemory.length, () => {
  const list = withMemory.slice().reverse(), phone = narrow(), GB = x => x / 1e9;
  const max = Math.max(...list.map(d => d.mem_cap.v)) * 1.2 / 1e9, step = nice(max / 5), h = phone ? 11 : 14;
  return { grid: { left: phone ? 4 : 172, right: phone ? 14 : 24, top: phone ? 12 : 4, bottom: 34 }, tooltip: { trigger: "item", ...tipBox },
    xAxis: axis("", { type: "value", min: 0, max: Math.ceil(max / step) * step, interval: step, splitLine: { show: true, lineStyle: { color: v("rule") } }, axisLine: { show: false }, axisLabel: { formatter: x => x + "\u00a0GB" } }),
    yAxis: bars(phone, list),
    series: [...data.memparts.map((p, i) => ({ type: "bar", stack: "m", name: p.name, barWidth: phone ? 13 : 18, itemStyle: { color: v(p.color), borderColor: v("paper"), borderWidth: .75 }, emphasis: { disabled: true }, data: list.map(d => ({ value: GB(d.mem[i].v) })), clip: true,
      tooltip: { formatter: q => { const d = list[q.dataIndex]; return tip(`${p.name}: ${d.mem[i].t}`, [["Design", d.name], ["All of it", d.mem_total.t], ["The GPU has", d.mem_cap.t]], d.fits ? "" : d.reason); } } })),
      { type: "custom", silent: true, tooltip: { show: false }, z: 6, data: list.map((d, i) => [GB(d.mem_cap.v), i]), renderItem: (p, api) => {
        const d = list[p.dataIndex], [x, y] = api.coord([api.value(0), api.value(1)]);
        return { type: "group", children: [{ type: "line", shape: { x1: x, x2: x, y1: y - h, y2: y + h }, style: { stroke: v(d.mem_total.v > d.mem_cap.v ? "bad" : "ink"), lineWidth: 2 } },
          ...(d.mem_total.v > d.mem_cap.v ? [] : [{ type: "text", x: x + 6, y, style: { text: d.mem_cap.t, fill: v("ink-3"), stroke: v("paper"), lineWidth: 4, font: `400 11px ${font}`, textVerticalAlign: "middle" } }])] };
      } }] };
});

/* Scaling */
let scaleKey = "per_gpu";
const scaled = data.designs.filter(d => d.scales.length);
const drawScale = chart("c-scale", () => narrow() ? 340 : 380, () => {
  const phone = narrow(), per = scaleKey === "per_gpu", all = scaled.flatMap(d => d.scales.map(s => s.gpus));
  const mk = d => {
    const pts = d.scales, val = p => p[scaleKey], w = d.rank === 1 ? 2.5 : 1.5, quiet = { silent: true, symbol: "none", lineStyle: { width: 0 }, tooltip: { show: false }, stack: "b" + d.id, type: "line", stackStrategy: "all" };
    const band = per && d.rank && d.rank <= 2 ? [{ ...quiet, data: pts.map(p => [p.gpus, val(p).lo]) },
      { ...quiet, areaStyle: { color: v(tone(d)), opacity: d.rank === 1 ? .14 : .1 }, data: pts.map(p => [p.gpus, val(p).hi - val(p).lo]) }] : [];
    return [...band, { type: "line", name: d.name, z: d.rank === 1 ? 5 : 4, symbol: "circle", symbolSize: (_, q) => pts[q.dataIndex].planned ? 10 : 4, showAllSymbol: true, data: pts.map(p => [p.gpus, val(p).v]), lineStyle: { color: v(tone(d)), width: w, type: !d.rank || d.rank > 2 ? [d.rank === 3 ? 6 : 2, 3] : "solid" }, itemStyle: { color: v(tone(d)) }, emphasis: { disabled: true },
      endLabel: { show: !phone, formatter: () => short(d.name, 20), lineHeight: 16, ...txt(d.rank && d.rank <= 2 ? tone(d) : "ink-2", 12, d.rank === 1 ? 650 : 500), distance: 8 }, labelLayout: p => ({ x: p.labelRect.x, y: p.labelRect.y, align: "left", verticalAlign: "top", moveOverlap: "shiftY" }),
      tooltip: { formatter: q => { const p = pts[q.dataIndex]; return tip(d.name, [["GPUs", p.gpus], ["Tokens/s per GPU", p.per_gpu.t], ["", p.per_gpu.r], ["Time to train", p.days.t]], p.planned ? "The planned size." : ""); } } }];
  };
  return { grid: { left: phone ? 46 : 62, right: phone ? 14 : 170, top: 18, bottom: 48 }, tooltip: { trigger: "item", ...tipBox },
    xAxis: axis("GPUs", { type: "log", logBase: 2, min: Math.min(...all), max: Math.max(...all), nameGap: 30, axisLabel: { formatter: x => Math.round(x).toLocaleString("en-US") } }),
    yAxis: axis("", { type: per ? "value" : "log", min: per ? 0 : undefined, splitLine: { show: true, lineStyle: { color: v("rule") } }, axisLine: { show: false }, axisLabel: { formatter: si } }), series: scaled.flatMap(mk) };
});
seg("scale-unit", x => { scaleKey = x; $("#scale-y").textContent = x === "per_gpu" ? "Tokens a second per GPU" : "Days to train, log scale"; drawScale(); });

/* Tornado: how far each input moves the lead, or the first design */
let torKey = data.tornado?.has_lead ? "lead" : "at";
const TOR_MOST = 10, torList = () => data.tornado.bars.filter(t => t[torKey + "_lo"].v !== t[torKey + "_hi"].v).map(t => [Math.abs(t[torKey + "_hi"].v - t[torKey + "_lo"].v), t]).sort((a, b) => b[0] - a[0]).slice(0, TOR_MOST).map(t => t[1]).reverse();
const drawTor = data.tornado ? chart("c-tor", () => 62 + (narrow() ? 46 : 36) * torList().length, () => {
  const list = torList(), phone = narrow(), base = data.tornado[torKey], lead = torKey === "lead", at = (t, side) => t[torKey + "_" + side];
  const all = list.flatMap(t => [at(t, "lo").v, at(t, "hi").v]), a = Math.min(...all, lead ? 0 : base.v), b = Math.max(...all, base.v), r = b - a || 1, pad = phone ? .24 : .13;
  const bar = (side, color) => ({ type: "bar", name: side, barGap: "-100%", barWidth: phone ? 14 : 18, itemStyle: { color: v(color) }, emphasis: { disabled: true },
    data: list.map(t => { const x = at(t, side).v; return { value: x - base.v, label: { show: x !== base.v, position: x < base.v ? "left" : "right", formatter: () => t[side + "_t"], textBorderColor: v("paper"), textBorderWidth: 3, ...txt("ink-2", 11) } }; }),
    tooltip: { formatter: q => { const t = list[q.dataIndex]; return tip(t.name, [["Input", t[side + "_t"]], [lead ? "Lead becomes" : "First design becomes", at(t, side).t], ["Now", base.t]], side === "lo" ? "At its P10." : "At its P90."); } } });
  const line = (x, label, color, type) => ({ xAxis: x, lineStyle: { color: v(color), type, width: 1.25 }, label: { show: true, formatter: () => label, position: "start", distance: 6, ...txt(color, 11, 600) } });
  const marks = [line(0, "now " + base.t, "ink", "solid")];
  if (lead && Math.abs(base.v) > .08 * r) marks.push(line(-base.v, phone ? "0" : "0: the answer changes", "bad", [4, 3]));
  else if (lead) marks.push({ ...line(-base.v, "", "bad", [4, 3]), label: { show: false } });
  return { grid: { left: phone ? 6 : 290, right: phone ? 6 : 20, top: phone ? 20 : 8, bottom: 46 }, tooltip: { trigger: "item", ...tipBox },
    xAxis: axis(lead ? "Lead over the next design" : "First design, in what is ranked by", { type: "value", min: a - base.v - r * (lead && a === 0 ? .06 : pad), max: b - base.v + r * pad, nameGap: 28, axisLabel: { show: false } }),
    yAxis: axis("", { type: "category", data: list.map(t => t.name), axisLine: { show: false }, z: 9, axisLabel: { hideOverlap: false, formatter: x => short(x, 46), ...(phone ? { inside: true, verticalAlign: "bottom", padding: [0, 0, 17, -8], textBorderColor: v("paper"), textBorderWidth: 3 } : {}), ...txt("ink", 12, 500) } }),
    series: [{ ...bar("lo", "o2"), markLine: { silent: true, symbol: "none", animation: false, data: marks } }, bar("hi", "o1")] };
}) : () => {};
seg("tor-unit", x => { torKey = x; drawTor(); });

/* ---- ranking table: rows are in the page; the script sorts, filters, hides ---- */
const table = $("#rank"), tb = table.tBodies[0], rows = [...tb.rows].filter(r => r.dataset.id);
const cell = (r, k) => $(`[data-k="${k}"]`, r);
const val = (r, k) => { const x = cell(r, k)?.dataset.v; return x === undefined || x === "" ? null : k === "name" ? x.toLowerCase() : +x; };
let sortKey = "rank", sortDir = 1, scope = "all";
function arrange() {
  const q = $("#q").value.trim().toLowerCase();
  rows.sort((a, b) => { const x = val(a, sortKey), y = val(b, sortKey); if (x === null || y === null) return (x === null) - (y === null) || a.dataset.i - b.dataset.i; return (x < y ? -1 : x > y ? 1 : a.dataset.i - b.dataset.i) * sortDir; }).forEach(r => tb.append(r));
  let n = 0; rows.forEach(r => { const d = byId[r.dataset.id], hit = (scope === "all" || (scope === "meets" ? d.meets : d.front)) && r.textContent.toLowerCase().includes(q); r.hidden = !hit; n += hit; });
  $("#none").hidden = n > 0; tb.append($("#none")); $("#count").textContent = `${n} of ${rows.length} designs`;
  $$("thead th", table).forEach(th => { const b = $("button", th); if (b.dataset.s === sortKey) th.setAttribute("aria-sort", sortDir > 0 ? "ascending" : "descending"); else th.removeAttribute("aria-sort"); $(".ar", th).textContent = sortDir > 0 ? "↑" : "↓"; });
}
$$("thead button", table).forEach(b => b.onclick = () => { sortDir = sortKey === b.dataset.s ? -sortDir : +b.dataset.first || 1; sortKey = b.dataset.s; arrange(); say(`Sorted by ${b.innerText.trim()}, ${sortDir > 0 ? "ascending" : "descending"}`); });
$("#q").oninput = () => { arrange(); say($("#count").textContent); }; seg("scope", x => { scope = x; arrange(); });
$$("#cols input").forEach(c => c.onchange = () => $$(`[data-k="${c.value}"]`, table).forEach(x => x.hidden = !c.checked));
$("#clear").onclick = () => { $("#q").value = ""; $("#scope button").click(); arrange(); $("#q").focus(); };
document.addEventListener("click", e => $$("details.menu[open]").forEach(m => m.contains(e.target) || (m.open = false)));
document.addEventListener("keydown", e => { if (e.key === "Escape") $$("details.menu[open]").forEach(m => { m.open = false; $("summary", m).focus(); }); });

/* ---- one design for the sections below ---- */
const pick = $("#pick"), showDesign = id => { if (![...pick.options].some(o => o.value === id)) return false; pick.value = id; $(".printname").textContent = byId[id].name; $$(".panel").forEach(p => p.hidden = p.dataset.id !== id); return true; };
pick.onchange = () => { showDesign(pick.value); say("Showing " + byId[pick.value].name); };
$$(".rank tbody .name button").forEach(b => b.onclick = () => { if (showDesign(b.closest("tr").dataset.id)) $("#buy").scrollIntoView(); });

/* ---- contents list, print ---- */
const links = new Map($$(".toc a").map(a => [a.hash.slice(1), a]));
const spy = new IntersectionObserver(es => es.forEach(e => { if (e.isIntersecting) links.forEach((a, id) => id === e.target.id ? a.setAttribute("aria-current", "true") : a.removeAttribute("aria-current")); }), { rootMargin: "-20% 0px -75% 0px" });
$$("section[id]").forEach(s => spy.observe(s));
let opened = [];
addEventListener("beforeprint", () => { redraw.forEach(f => f(688)); opened = $$(".bom details:not([open])"); opened.forEach(d => d.open = true); });
addEventListener("afterprint", () => { redraw.forEach(f => f()); opened.forEach(d => d.open = false); });
arrange();
