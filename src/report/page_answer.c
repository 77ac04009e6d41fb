/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include "catalog/parts.h"
#include "design/design.h"

#include <string.h>

static const char *percent(const struct ry_page *page, double frac)
{
    return ry_said(page->arena, RY_SAY_FRACTION, fabs(frac));
}

static void put_question(const struct ry_page *page, FILE *out)
{
    static const char *const verbs[] = {"pre-train", "fine-tune", "fine-tune (LoRA)"};
    const struct ry_workload *w = page->workload;

    ry_html(out, "<p class=\"q0\">%s %s %s on %s tokens?</p>\n",
            page->n == 1 ? "Can this cluster" : "Which cluster should",
            verbs[w->base.task], w->model,
            ry_said(page->arena, RY_SAY_SCALED, w->tokens));
}

/* How far over its limits a design is: 1.2 is 20 % over the worst one; how many. */
static double excess(const struct ry_page *page, const struct ry_page_design *d,
                     size_t *limits)
{
    const struct ry_result *r = &d->c->result;
    const struct ry_constraints *l = &page->limits;
    const double over[] = {r->capex.usd / l->capex_usd,
                           r->max_w * d->c->design->facility.pue / l->facility_w,
                           r->days / l->days, r->racks / l->racks};
    double worst = 0.0;

    *limits = 0;
    for (size_t i = 0; i < sizeof(over) / sizeof(over[0]); i++) {
        worst = over[i] > worst ? over[i] : worst;
        *limits += over[i] > 1.0 ? 1 : 0;
    }
    return worst;
}

static void put_nothing_usable(const struct ry_page *page, FILE *out)
{
    const struct ry_page_design *nearest = NULL;
    double least = INFINITY;
    size_t passed = 0;

    (void)fputs("<h1>No design meets every limit.</h1>\n", out);
    for (size_t i = 0; i < page->n; i++) {
        size_t limits = 0;
        const double over =
            page->at[i].fits ? excess(page, &page->at[i], &limits) : least;
        if (over < least) {
            nearest = &page->at[i];
            least = over;
            passed = limits;
        }
    }
    if (nearest)
        ry_html(out, "<p class=\"lede\">The nearest is <b>%s</b>: %s.%s</p>",
                nearest->name, ry_page_reason(page, nearest),
                passed == 1 ? " With that one limit relaxed so far it would be usable."
                            : "");
    else
        ry_html(out, "<p class=\"lede\">None can run the model. %s: %s.</p>",
                page->at[0].name, page->at[0].c->why);
}

/* "It finishes in", or the shares of those that may be the best. */
static void put_subject(const struct ry_page *page, FILE *out)
{
    const struct ry_page_design *first = &page->at[0];

    (void)fputs("<p class=\"lede\">", out);
    if (ry_page_contenders(page) < 2) {
        (void)fputs("It finishes in ", out);
        return;
    }
    ry_html(out, "By the best estimates <b>%s</b> %s, and does so in <b>%s</b>. ",
            first->name, ry_page_superlative(page),
            ry_page_draws(page, first->sure->best_in_frac));
    if (page->tornado.n > 0)
        ry_html(out, "What would settle it first: the <b>%s</b>. ",
                page->tornado.bars[0].unknown->name);
    (void)fputs("It finishes in ", out);
}

static void put_lede(const struct ry_page *page, FILE *out)
{
    const struct ry_result *r = &page->at[0].c->result;
    const struct ry_page_design *next = ry_page_rival(page);
    const double estimated = r->capex.estimate_usd / r->capex.usd;

    put_subject(page, out);
    ry_html(out, "<b>%s</b>", ry_said(page->arena, RY_SAY_DAYS, r->days));
    if (r->capex.usd > 0.0)
        ry_html(out, " at <b>%s per trillion tokens</b>",
                ry_said(page->arena, RY_SAY_USD, r->usd_per_trillion_tokens));
    if (next && r->capex.usd > 0.0) {
        const double than =
            r->usd_per_trillion_tokens / next->c->result.usd_per_trillion_tokens - 1.0;
        ry_html(out, ", %s %s the next design%s", percent(page, than),
                than < 0.0 ? "below" : "above", page->rival > 1 ? " that differs" : "");
    }
    (void)fputs(".", out);
    if (r->capex.unpriced > 0)
        ry_html(out, " <b>%zu parts have no price</b> and are not in it.",
                r->capex.unpriced);
    if (estimated > 0.0)
        ry_html(out, " %s of its purchase price rests on <b>estimates, not quotes</b>.",
                estimated > 0.9995 ? "All" : percent(page, estimated));
    if (page->at[0].c->models.compute_sigma_rel > 0.0)
        ry_html(
            out,
            " Its GPU was <b>not measured</b>: the speed is carried over from another "
            "model, %s either way.",
            percent(page, page->at[0].c->models.compute_sigma_rel));
    (void)fputs("</p>\n", out);
}

struct figure {
    const char *title, *value, *range, *note;
};

static void put_figure(FILE *out, const struct figure *f)
{
    ry_html(out, "<div><dt>%s</dt><dd class=\"v\">%s</dd>", f->title, f->value);
    if (f->range && f->range[0] != '\0')
        ry_html(out, "<dd class=\"r\">%s</dd>", f->range);
    if (f->note)
        ry_html(out, "<dd class=\"r\">%s</dd>", f->note);
    (void)fputs("</div>\n", out);
}

static const char *against_next(const struct ry_page *page, enum ry_say kind,
                                double value)
{
    return ry_page_rival(page)
               ? ry_page_fmt(page, "next design %s", ry_said(page->arena, kind, value))
               : NULL;
}

static const char *limit_note(const struct ry_page *page, enum ry_say kind, double limit,
                              const char *otherwise)
{
    return isfinite(limit)
               ? ry_page_fmt(page, "limit %s", ry_said(page->arena, kind, limit))
               : otherwise;
}

static void put_cost_figure(const struct ry_page *page, FILE *out)
{
    const struct ry_result *r = &page->at[0].c->result;
    const struct ry_result *next =
        ry_page_rival(page) ? &ry_page_rival(page)->c->result : r;
    double low;
    double high;

    ry_page_spread(&page->at[0], RY_METRIC_PER_TOKEN, &low, &high);
    put_figure(
        out,
        &(struct figure){
            "Cost per trillion tokens",
            r->capex.usd > 0.0
                ? ry_said(page->arena, RY_SAY_USD, r->usd_per_trillion_tokens)
                : "no price",
            r->capex.usd > 0.0 ? ry_said_range(page->arena, RY_SAY_USD, low, high) : NULL,
            against_next(page, RY_SAY_USD, next->usd_per_trillion_tokens)});
}

static void put_figures(const struct ry_page *page, FILE *out)
{
    struct ry_arena *arena = page->arena;
    const struct ry_page_design *first = &page->at[0];
    const struct ry_result *r = &first->c->result;
    const struct ry_result *next =
        ry_page_rival(page) ? &ry_page_rival(page)->c->result : r;
    char pue[RY_SAY_BYTES_MOST];
    double low;
    double high;

    (void)fputs("<dl class=\"kpi\">\n", out);
    put_cost_figure(page, out);
    ry_page_spread(first, RY_METRIC_DAYS, &low, &high);
    put_figure(out,
               &(struct figure){"Time to train", ry_said(arena, RY_SAY_DAYS, r->days),
                                ry_said_range(arena, RY_SAY_DAYS, low, high),
                                limit_note(page, RY_SAY_DAYS, page->limits.days,
                                           against_next(page, RY_SAY_DAYS, next->days))});
    ry_page_spread(first, RY_METRIC_STEP_TIME, &low, &high);
    put_figure(out, &(struct figure){
                        "Tokens a second", ry_said(arena, RY_SAY_SCALED, r->tokens_per_s),
                        ry_said_range(arena, RY_SAY_SCALED, r->step.tokens / high,
                                      r->step.tokens / low),
                        against_next(page, RY_SAY_SCALED, next->tokens_per_s)});
    ry_page_spread(first, RY_METRIC_TCO, &low, &high);
    put_figure(out,
               &(struct figure){
                   ry_page_tco_title(page), ry_page_money(arena, &r->tco),
                   ry_said_range(arena, RY_SAY_USD, low, high),
                   ry_page_fmt(page, "purchase %s", ry_page_money(arena, &r->capex))});
    put_figure(
        out,
        &(struct figure){
            "Facility power", ry_said(arena, RY_SAY_WATTS, r->facility_w),
            ry_page_fmt(page, "mean, PUE %s",
                        ry_say(RY_SAY_PLAIN, first->c->design->facility.pue, pue)),
            limit_note(page, RY_SAY_WATTS, page->limits.facility_w,
                       ry_page_fmt(page, "nameplate %s",
                                   ry_said(arena, RY_SAY_WATTS,
                                           r->max_w * first->c->design->facility.pue)))});
    (void)fputs("</dl><p class=\"legend-note\">Large number: from the best estimates. "
                "Small range: 80 of "
                "100 draws lie inside (P10 to P90).</p>\n",
                out);
}

static void put_why(const struct ry_page *page, FILE *out)
{
    struct ry_arena *arena = page->arena;
    const struct ry_result *a = &page->at[0].c->result;
    const struct ry_page_design *rival = ry_page_rival(page);
    const struct ry_result *b = rival ? &rival->c->result : NULL;

    (void)fputs("<div><h3>Why</h3><ul>", out);
    if (b) {
        ry_html(out,
                "<li>It trains <b>%s</b> tokens a second against %s on %zu and %zu "
                "GPUs.</li>",
                ry_said(arena, RY_SAY_SCALED, a->tokens_per_s),
                ry_said(arena, RY_SAY_SCALED, b->tokens_per_s), (size_t)a->gpus,
                (size_t)b->gpus);
        const double dearer = a->tco.usd / b->tco.usd - 1.0;
        const double sooner = a->days / b->days - 1.0;
        ry_html(out,
                "<li>It costs %s %s to own and takes <b>%s %s</b> time than %s.</li>",
                percent(page, dearer), dearer < 0.0 ? "less" : "more",
                percent(page, sooner), sooner < 0.0 ? "less" : "more", rival->name);
    }
    ry_html(out, "<li>Its best strategy of %s: <b>%s</b>, MFU %s.</li>",
            ry_said(arena, RY_SAY_COUNT, (double)page->at[0].c->strategies),
            page->at[0].strategy, ry_said(arena, RY_SAY_FRACTION, a->mfu_frac));
    if (a->gpus_used < a->gpus)
        ry_html(out,
                "<li>%s of its %s GPUs do not train: no faster split uses them.</li>",
                ry_said(arena, RY_SAY_COUNT, a->gpus - a->gpus_used),
                ry_said(arena, RY_SAY_COUNT, a->gpus));
    (void)fputs("</ul></div>\n", out);
}

static void put_change(const struct ry_page *page, FILE *out)
{
    struct ry_arena *arena = page->arena;
    const struct ry_page_design *a = &page->at[0];
    const struct ry_result *r = &a->c->result;
    const struct ry_page_design *rival = ry_page_rival(page);
    const struct ry_result *next = rival ? &rival->c->result : NULL;

    if (!next || page->objective != RY_BY_COST_PER_TOKEN || r->tco.unpriced > 0 ||
        next->tco.unpriced > 0)
        return;
    const double room = next->usd_per_trillion_tokens / r->usd_per_trillion_tokens - 1.0;
    (void)fputs("<div><h3>It would change if</h3><ul>", out);
    if (isfinite(a->node_break_even_usd))
        ry_html(out, "<li>a %s costs more than <b>%s</b> (assumed %s);</li>",
                a->c->design->node->part.name,
                ry_said(arena, RY_SAY_USD, a->node_break_even_usd),
                ry_said(arena, RY_SAY_USD, a->c->site->bill.line[0].price.usd));
    ry_html(
        out,
        "<li>its step is more than <b>%s</b> slower than predicted, at the same power, "
        "and the others\xe2\x80\x99 are not;</li>",
        percent(page, room));
    ry_html(out,
            "<li>its cost to own is more than <b>%s</b> higher, and the "
            "others\xe2\x80\x99 is "
            "not.</li></ul></div>\n",
            percent(page, room));
}

/* The line of a bill that holds most of the estimated money. */
static const struct ry_bill_line *largest_estimate(const struct ry_bill *bill)
{
    const struct ry_bill_line *most = NULL;
    double usd = 0.0;

    for (size_t i = 0; i < bill->n; i++) {
        const struct ry_bill_line *line = &bill->line[i];
        const double total = line->price.usd * (line->count - line->owned);
        if (line->price.kind == RY_PRICE_ESTIMATE && total > usd) {
            usd = total;
            most = line;
        }
    }
    return most;
}

/* The input whose range moves the lead most. */
static void put_first_input(const struct ry_page *page, FILE *out)
{
    const struct ry_bar *bar = &page->tornado.bars[0];

    ry_html(
        out,
        "<li>Narrow the <b>%s</b> first: between its P10 and P90 the lead goes from %s "
        "to %s.</li>",
        bar->unknown->name, ry_said(page->arena, RY_SAY_FRACTION, bar->lead_p10),
        ry_said(page->arena, RY_SAY_FRACTION, bar->lead_p90));
}

static void put_order(const struct ry_page *page, FILE *out)
{
    const struct ry_page_design *a = &page->at[0];
    const struct ry_bill *bill = &a->c->site->bill;
    const struct ry_bill_line *most = largest_estimate(bill);
    size_t named = 0;

    (void)fputs("<div><h3>Before you order</h3><ul>", out);
    if (most)
        ry_html(
            out,
            "<li>Get a dated quote for <b>%s</b>: %s of the purchase is its estimated "
            "price.</li>",
            most->part,
            percent(page,
                    most->price.usd * (most->count - most->owned) / bill->total.usd));
    for (size_t i = 0; i < bill->n; i++)
        if (bill->line[i].price.kind == RY_PRICE_NONE)
            ry_html(out, "<li>No price yet: <b>%s</b>.</li>", bill->line[i].part);
    if (page->tornado.n > 0 && !isnan(page->tornado.lead))
        put_first_input(page, out);
    ry_html(out, "<li>Run <code>railyard calibrate</code> on one rented %s node.</li>",
            a->c->design->gpu->part.name);
    for (size_t i = page->usable; i < page->n && named < 4; i++, named++)
        ry_html(out, "<li>Not usable: <b>%s</b>, %s.</li>", page->at[i].name,
                ry_page_reason(page, &page->at[i]));
    (void)fputs("</ul></div>\n", out);
}

/* Which design, and how sure. */
static void put_decision(const struct ry_page *page, FILE *out)
{
    const struct ry_page_design *first = &page->at[0];
    const struct ry_page_design *other = first + 1;
    const size_t contenders = ry_page_contenders(page);

    while (contenders == 2 && other < page->at + page->usable - 1 &&
           !ry_page_contends(page, other))
        other++;
    if (page->usable == 1)
        ry_html(out,
                "<h1><bdi>%s</bdi> is the only one of %s designs that meets every "
                "limit.</h1>\n",
                first->name, ry_say_small(page->arena, page->n));
    else if (contenders == 0)
        ry_html(out, "<h1><bdi>%s</bdi> %s of %s designs.</h1>\n", first->name,
                ry_page_superlative(page), ry_say_small(page->arena, page->n));
    else if (contenders == 1)
        ry_html(out, "<h1><bdi>%s</bdi> %s in %s.</h1>\n", first->name,
                ry_page_superlative(page),
                ry_page_draws(page, first->sure->best_in_frac));
    else if (contenders == 2)
        ry_html(out, "<h1><bdi>%s</bdi> and <bdi>%s</bdi> cannot be told apart.</h1>\n",
                first->name, other->name);
    else
        ry_html(out, "<h1>The first %s of %s designs cannot be told apart.</h1>\n",
                ry_say_small(page->arena, contenders),
                ry_say_small(page->arena, page->n));
}

void ry_page_answer(const struct ry_page *page, FILE *out)
{
    (void)fputs("<section id=\"answer\">", out);
    put_question(page, out);
    if (page->usable == 0) {
        put_nothing_usable(page, out);
        (void)fputs("</section>\n", out);
        return;
    }
    const struct ry_page_design *first = &page->at[0];
    if (page->n == 1)
        ry_html(out, "<h1><bdi>%s</bdi> trains it in %s.</h1>\n", first->name,
                ry_said(page->arena, RY_SAY_DAYS, first->c->result.days));
    else
        put_decision(page, out);
    put_lede(page, out);
    put_figures(page, out);
    ry_page_confidence(page, out);
    (void)fputs("<div class=\"three\">", out);
    put_why(page, out);
    put_change(page, out);
    put_order(page, out);
    (void)fputs("</div></section>\n", out);
}
