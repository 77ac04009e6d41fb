/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include "design/design.h"
#include "report/number.h"

static void put_text(FILE *out, const char *key, const char *text)
{
    (void)fprintf(out, ",\"%s\":", key);
    ry_html_json_text(out, text);
}

static void put_number(FILE *out, const char *key, double value)
{
    (void)fprintf(out, ",\"%s\":", key);
    ry_json_put_number(out, value);
}

struct ranged {
    const char *key;
    enum ry_say kind;
    double value, low, high;
};

/* The same with ,"lo":..,"hi":..,"r":"1–2 s". */
static void put_ranged(const struct ry_page *page, FILE *out, struct ranged r)
{
    (void)fprintf(out, ",\"%s\":{\"v\":", r.key);
    ry_json_put_number(out, r.value);
    put_text(out, "t", ry_said(page->arena, r.kind, r.value));
    put_number(out, "lo", r.low);
    put_number(out, "hi", r.high);
    put_text(out, "r", ry_said_range(page->arena, r.kind, r.low, r.high));
    (void)fputs("}", out);
}

static void put_list(const struct ry_page *page, FILE *out, const char *key,
                     enum ry_say kind, const double value[], size_t n)
{
    (void)fprintf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        (void)fputs(i ? ",{\"v\":" : "{\"v\":", out);
        ry_json_put_number(out, value[i]);
        put_text(out, "t", value[i] == 0.0 ? "0" : ry_said(page->arena, kind, value[i]));
        (void)fputs("}", out);
    }
    (void)fputs("]", out);
}

struct spread {
    const char *key;
    enum ry_say kind;
    enum ry_metric metric;
    double value;
};

/* A figure with its P10 and P90. */
static void put_spread(const struct ry_page *page, const struct ry_page_design *d,
                       FILE *out, struct spread s)
{
    double low;
    double high;

    ry_page_spread(d, s.metric, &low, &high);
    put_ranged(page, out, (struct ranged){s.key, s.kind, s.value, low, high});
}

static void put_result(const struct ry_page *page, const struct ry_page_design *d,
                       FILE *out)
{
    const struct ry_result *r = &d->c->result;
    const double useful = r->tokens_per_s * r->goodput_frac;
    double low;
    double high;

    put_spread(page, d, out,
               (struct spread){"cpt", RY_SAY_USD, RY_METRIC_PER_TOKEN,
                               r->usd_per_trillion_tokens});
    put_spread(page, d, out,
               (struct spread){"days", RY_SAY_DAYS, RY_METRIC_DAYS, r->days});
    put_spread(page, d, out,
               (struct spread){"tco", RY_SAY_USD, RY_METRIC_TCO, r->tco.usd});
    put_spread(page, d, out,
               (struct spread){"step", RY_SAY_SECONDS, RY_METRIC_STEP_TIME,
                               r->step.step_time_s});
    ry_page_spread(d, RY_METRIC_DAYS, &low,
                   &high); /* days are tokens over useful tokens/s */
    put_ranged(page, out,
               (struct ranged){"tput", RY_SAY_SCALED, useful, useful * r->days / high,
                               useful * r->days / low});
    if (d->sure && d->meets)
        put_text(out, "best", ry_page_share(page, d->sure->best_in_frac));
    ry_page_put_said(page, out, "mfu", RY_SAY_FRACTION, r->mfu_frac);
    put_number(out, "gpus", r->gpus);
}

static void put_memory(const struct ry_page *page, const struct ry_step *step, FILE *out)
{
    double sum[RY_PAGE_MEMORY_GROUPS];

    if (!(step->usable_bytes > 0.0))
        return;
    ry_page_memory_groups(step, sum);
    put_list(page, out, "mem", RY_SAY_BYTES, sum, RY_PAGE_MEMORY_GROUPS);
    ry_page_put_said(page, out, "mem_total", RY_SAY_BYTES, step->peak_bytes);
    ry_page_put_said(page, out, "mem_cap", RY_SAY_BYTES, step->usable_bytes);
}

static void put_scale(const struct ry_page *page, const struct ry_page_scale *s,
                      FILE *out)
{
    const double gpus = (double)s->gpus;

    (void)fprintf(out, "{\"gpus\":%zu,\"planned\":%s", s->gpus,
                  s->planned ? "true" : "false");
    put_ranged(page, out,
               (struct ranged){"per_gpu", RY_SAY_SCALED, s->tokens_per_s / gpus,
                               s->lo / gpus, s->hi / gpus});
    put_ranged(page, out,
               (struct ranged){"days", RY_SAY_DAYS, s->days,
                               s->days * s->tokens_per_s / s->hi,
                               s->days * s->tokens_per_s / s->lo});
    (void)fputs("}", out);
}

static void put_scales(const struct ry_page *page, const struct ry_page_design *d,
                       FILE *out)
{
    const char *comma = "";

    (void)fputs(",\"scales\":[", out);
    for (size_t i = 0; i < d->scales_n; i++) {
        if (!d->scales[i].fits)
            continue;
        (void)fputs(comma, out);
        put_scale(page, &d->scales[i], out);
        comma = ",";
    }
    (void)fputs("]", out);
}

static void put_design(const struct ry_page *page, const struct ry_page_design *d,
                       FILE *out)
{
    double sum[RY_PAGE_STEP_GROUPS];

    (void)fputs("{\"id\":", out);
    ry_html_json_text(out, ry_page_id(page, d));
    put_text(out, "name", d->name);
    (void)fprintf(out, ",\"rank\":%zu,\"fits\":%s,\"meets\":%s,\"front\":%s", d->rank,
                  d->fits ? "true" : "false", d->meets ? "true" : "false",
                  d->front ? "true" : "false");
    if (!d->meets)
        put_text(out, "reason", ry_page_reason(page, d));
    const bool bars = d - page->at < RY_PAGE_BARS_MOST;
    if (d->fits)
        put_result(page, d, out);
    if (d->fits && bars) {
        ry_page_step_groups(&d->c->result.step, sum);
        put_list(page, out, "parts", RY_SAY_SECONDS, sum, RY_PAGE_STEP_GROUPS);
        put_number(out, "tokens_per_step", d->c->result.step.tokens);
    }
    if (bars)
        put_memory(page, &d->c->best.step, out);
    put_scales(page, d, out);
    (void)fputs("}", out);
}

static void put_keys(const char *name, const struct ry_page_key *(*key)(size_t), size_t n,
                     FILE *out)
{
    (void)fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        (void)fputs(i ? ",{\"name\":" : "{\"name\":", out);
        ry_html_json_text(out, key(i)->name);
        put_text(out, "color", key(i)->colour);
        put_text(out, "what", key(i)->what);
        (void)fputs("}", out);
    }
    (void)fputs("]", out);
}

/* USD per 1e12 tokens = slope x cost to own / useful tokens a second; NAN: it differs. */
static double cost_slope(const struct ry_page *page)
{
    double slope = NAN;

    for (size_t i = 0; i < page->n; i++) {
        const struct ry_result *r = &page->at[i].c->result;
        if (!page->at[i].fits || !(r->tco.usd > 0.0))
            continue;
        const double own =
            r->usd_per_trillion_tokens * r->tokens_per_s * r->goodput_frac / r->tco.usd;
        if (!isnan(slope) && fabs(own / slope - 1.0) > 1e-9)
            return (double)NAN;
        slope = own;
    }
    return slope;
}

void ry_page_data(const struct ry_page *page, FILE *out)
{
    (void)fprintf(out, "{\"charts\":%s", page->charts.bytes > 0 ? "true" : "false");
    put_number(out, "cost_slope", cost_slope(page));
    put_text(out, "tco_title", ry_page_tco_title(page));
    ry_page_tornado_data(page, out);
    put_keys("parts", ry_page_step_key, RY_PAGE_STEP_GROUPS, out);
    put_keys("memparts", ry_page_memory_key, RY_PAGE_MEMORY_GROUPS, out);
    (void)fputs(",\"designs\":[", out);
    for (size_t i = 0; i < page->n; i++) {
        (void)fputs(i ? ",\n" : "\n", out);
        put_design(page, &page->at[i], out);
    }
    (void)fputs("]}", out);
}
