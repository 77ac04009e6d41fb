"use strict";
/* What a reader does, and whether the page follows. */
/* A hasty reader: keys, switches and the printer before the first frame has drawn a chart. */
for (const c of $$(".chart")) {
  for (const key of ["Escape", "ArrowLeft", "Escape"]) c.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  c.dispatchEvent(new FocusEvent("blur"));
}
dispatchEvent(new Event("beforeprint")); dispatchEvent(new Event("afterprint"));
for (const b of $$(".seg button")) b.click();
for (const s of $$(".seg")) $("button", s).click();
setTimeout(async () => {
  const lines = [], ok = (what, good, why = "") => lines.push((good ? "ok " : "not ok ") + what + (good || !why ? "" : " (" + why + ")"));
  const tick = ms => new Promise(done => setTimeout(done, ms));
  const until = async what => { for (let i = 0; i < 400 && !what(); i++) await tick(20); return !!what(); }; // however slow the machine
  const ready = c => $$("svg path, svg text", c).length > 5;
  const visible = () => rows.filter(r => !r.hidden);
  try {
    // themes
    const [theme, width] = location.hash.slice(1).split("-");
    ok("the page is as wide as asked for", innerWidth === +width, innerWidth);
    if (theme === "dark") { $("#theme").click(); $("#theme").click(); }
    const ground = getComputedStyle(document.body).backgroundColor;
    ok("the theme is the one chosen", ground === (theme === "dark" ? "rgb(18, 20, 22)" : "rgb(255, 255, 255)"), ground);

    // layout
    await until(() => !data.charts || $$(".chart").every(ready));
    ok("nothing makes the page scroll sideways", document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollWidth + " of " + innerWidth);

    // sorting: both directions of every column, rows without a value last
    let wrong = [];
    for (const b of $$("#rank thead button")) {
      for (let turn = 0; turn < 2; turn++) {
        b.click();
        const key = b.dataset.s, dir = b.closest("th").getAttribute("aria-sort") === "ascending" ? 1 : -1;
        const got = [...tb.rows].filter(r => r.dataset.id).map(r => val(r, key)), has = got.filter(x => x !== null);
        const sorted = has.every((x, i) => i === 0 || (dir > 0 ? has[i - 1] <= x : has[i - 1] >= x));
        if (!sorted || got.indexOf(null) >= 0 && got.indexOf(null) < has.length) wrong.push(key + dir);
      }
    }
    ok("every column sorts in both directions", wrong.length === 0, wrong.join(" "));
    $("#rank thead button").click();

    // filter, columns, scope
    const type = text => { $("#q").value = text; $("#q").dispatchEvent(new Event("input")); };
    type(data.designs[0].name.slice(0, 6)); const some = visible().length;
    type("no design is called that"); const none = visible().length, said = !$("#none").hidden;
    $("#clear").click();
    ok("the filter finds, finds nothing, and is cleared", some > 0 && none === 0 && said && visible().length === rows.length);
    const box = $("#cols input[value=step]"); box.click();
    const shown = $$("[data-k=step]", table).every(x => !x.hidden); box.click();
    ok("a column is shown and hidden", shown && $$("[data-k=step]", table).every(x => x.hidden));
    $("#scope [data-v=meets]").click();
    ok("only designs that meet the limits", visible().length === good.length); $("#scope [data-v=all]").click();

    // one design
    const last = $("#pick").options[$("#pick").options.length - 1].value;
    $("#pick").value = last; $("#pick").dispatchEvent(new Event("change"));
    ok("another design's bill, room and network", $$(".panel").every(p => p.hidden === (p.dataset.id !== last)) && $$(".panel:not([hidden])").length === 3);
    showDesign(data.designs[0].id);

    // charts
    const drawn = $$(".chart");
    ok("charts are drawn", !data.charts || drawn.length > 1 && drawn.every(ready));
    const silent = [];
    for (const c of drawn) {
      c.focus();
      c.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      const text = () => $$(".tip", c).map(t => t.innerText.trim()).join("");
      await until(text);
      const tips = text();
      if (!tips || !$("#live").textContent) silent.push(c.id);
      c.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    }
    ok("every chart has a tooltip by keyboard", silent.length === 0, silent.join(" "));
    const bar = $("#c-step svg path[fill='var(--c1)']");
    if (bar) {
      bar.scrollIntoView({ block: "center", behavior: "instant" }); await tick(60);
      await until(() => { const b = bar.getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight; });
      const r = bar.getBoundingClientRect(), at = { clientX: r.x + r.width / 2, clientY: r.y + r.height / 2, bubbles: true };
      const target = document.elementFromPoint(at.clientX, at.clientY);
      const told = () => $("#c-step .tip")?.innerText.includes(data.parts[0].name);
      target?.dispatchEvent(new MouseEvent("mousemove", at)); await until(told);
      ok("a tooltip by mouse says the part and its text", told());
    }
    for (const b of $$(".seg button")) b.click();
    await until(() => $$(".chart").every(c => $("svg", c)));
    ok("every switch of every chart works", $$(".chart").every(c => $("svg", c)));
    dispatchEvent(new Event("beforeprint")); await tick(60); const paper = !narrow(); dispatchEvent(new Event("afterprint"));
    ok("paper is not drawn as a phone", !data.charts || paper);

    // how sure: the shares of the bar are the column's, and every bar of the tornado is said
    const shares = $$("#shares span").map(s => s.textContent.trim()), best = rows.map(r => cell(r, "best")).filter(Boolean).map(c => c.textContent);
    ok("the shares of draws are those of the table", shares.length === 0 || data.designs.slice(0, shares.length).every((d, i) => !d.best || shares[i].endsWith(d.best) || shares[i].includes(" more ")), shares.join(" | "));
    ok("the first place is said with its share", good.length < 2 || shares.length > 0 && best.length > 0);
    const inputs = $$("#tornado-table tbody th").map(t => t.textContent);
    ok("the tornado has the inputs of the table", !data.tornado || inputs.every((n, i) => data.tornado.bars[i].name === n) && inputs.length > 0);

    // quiet and alone
    const fetched = performance.getEntriesByType("resource").map(e => e.name).filter(u => !u.startsWith("data:"));
    ok("nothing was requested", fetched.length === 0, fetched.join(" ").slice(0, 200));
    ok("names are text", !$("main script, main img, #data ~ img"));
  } catch (e) { ok("the test runs to its end", false, e.message); }
  ok("nothing is said on the console", trouble.length === 0, trouble.join(" | ").replace(/\s+/g, " ").slice(0, 300));
  parent.postMessage(lines.join("\n"), "*");
}, 400);
