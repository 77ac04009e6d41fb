/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include "design/design.h"
#include "report/number.h"
#include "search/remarks.h"

#include <stddef.h>

/* A column: where its figure stands in a result, or in the draws, how it is said. */
struct column {
    const char *key, *title, *note;
    enum ry_say say;
    int first;  /* 1: small first when sorted by it; -1: large first */
    bool shown; /* without being asked for */
    size_t offset;
};

#define AT(field) offsetof(struct ry_result, field)
#define BEST_IN ((size_t)-1) /* of no result */

static const struct column columns[] = {
    {"cpt", "Cost per trillion tokens", "USD, P10 to P90", RY_SAY_USD, 1, true,
     AT(usd_per_trillion_tokens)},
    {"best", "Best in", "share of draws", RY_SAY_FRACTION, -1, true, BEST_IN},
    {"days", "Time to train", "after failures", RY_SAY_DAYS, 1, true, AT(days)},
    {"tput", "Tokens a second", "before failures", RY_SAY_SCALED, -1, true,
     AT(tokens_per_s)},
    {"mfu", "MFU", "all GPUs", RY_SAY_FRACTION, -1, true, AT(mfu_frac)},
    {"tco", NULL, "USD", RY_SAY_USD, 1, true, AT(tco.usd)},
    {"capex", "Purchase", "USD", RY_SAY_USD, 1, true, AT(capex.usd)},
    {"fac", "Power", "mean, with cooling", RY_SAY_WATTS, 1, true, AT(facility_w)},
    {"racks", "Racks", "", RY_SAY_COUNT, 1, true, AT(racks)},
    {"step", "Step", "", RY_SAY_SECONDS, 1, false, AT(step.step_time_s)},
    {"gpus", "GPUs", "", RY_SAY_COUNT, 1, false, AT(gpus)},
    {"good", "Effective time", "", RY_SAY_FRACTION, -1, false, AT(goodput_frac)},
    {"jpt", "Energy per token", "", RY_SAY_JOULES, 1, false, AT(joules_per_token)},
    {"gph", "Per GPU-hour", "USD", RY_SAY_USD, 1, false, AT(usd_per_gpu_hour)},
    {"run", "Cost of the run", "USD", RY_SAY_USD, 1, false, AT(usd_to_train)},
    {"head", "Memory left", "a GPU", RY_SAY_BYTES, -1, false, AT(headroom_bytes)},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static double value_of(const struct ry_page *page, const struct column *column,
                       const struct ry_page_design *d)
{
    if (column->offset == BEST_IN)
        return d->sure && d->meets && page->usable > 1 ? d->sure->best_in_frac
                                                       : (double)NAN;
    return *(const double *)(const void *)((const char *)&d->c->result + column->offset);
}

static const char *title_of(const struct ry_page *page, const struct column *column)
{
    return column->title ? column->title : ry_page_tco_title(page);
}

static void put_tools(const struct ry_page *page, FILE *out)
{
    size_t front = 0;

    for (size_t i = 0; i < page->n; i++)
        front += page->at[i].front;
    ry_html(
        out,
        "<div class=\"tools-row needs-script\"><div class=\"seg\" id=\"scope\" "
        "role=\"group\" "
        "aria-label=\"Which designs\"><button type=\"button\" aria-pressed=\"true\" "
        "data-v=\"all\">All %zu</button><button type=\"button\" aria-pressed=\"false\" "
        "data-v=\"meets\">Meet limits %zu</button><button type=\"button\" "
        "aria-pressed=\"false\" data-v=\"front\">On the front %zu</button></div><span "
        "class=\"grow\"></span><label class=\"sr\" for=\"q\">Filter "
        "designs</label><input "
        "id=\"q\" type=\"search\" placeholder=\"Filter by name or fabric\"><details "
        "class=\"menu\" id=\"cols\"><summary>Columns</summary><div class=\"pop\">\n",
        page->n, page->usable, front);
    for (size_t k = 0; k < COLUMNS; k++) {
        ry_html(out, "<label><input type=\"checkbox\" value=\"%s\"", columns[k].key);
        (void)fputs(columns[k].shown ? " checked>" : ">", out);
        ry_html(out, "%s</label>\n", title_of(page, &columns[k]));
    }
    (void)fputs("</div></details></div>\n", out);
}

static void put_head(const struct ry_page *page, FILE *out)
{
    (void)fputs(
        "<thead><tr><th scope=\"col\" data-k=\"rank\" aria-sort=\"ascending\"><button "
        "type=\"button\" data-s=\"rank\" data-first=\"1\"><span class=\"sr\">Rank</span>#"
        "<span class=\"ar\" aria-hidden=\"true\">\xe2\x86\x91</span></button></th>"
        "<th scope=\"col\" class=\"name\" data-k=\"name\"><button type=\"button\" "
        "data-s=\"name\" data-first=\"1\">Design<span class=\"ar\" aria-hidden=\"true\">"
        "\xe2\x86\x91</span></button></th>\n",
        out);
    for (size_t k = 0; k < COLUMNS; k++) {
        const struct column *c = &columns[k];
        ry_html(out, "<th scope=\"col\" class=\"n\" data-k=\"%s\"", c->key);
        (void)fputs(c->shown ? ">" : " hidden>", out);
        ry_html(out, "<button type=\"button\" data-s=\"%s\" data-first=\"", c->key);
        (void)fprintf(out, "%d", c->first);
        ry_html(
            out,
            "\"><span class=\"ar\" aria-hidden=\"true\">\xe2\x86\x91</span>%s</button>",
            title_of(page, c));
        if (c->note[0] != '\0')
            ry_html(out, "<small>%s</small>", c->note);
        (void)fputs("</th>\n", out);
    }
    (void)fputs("</tr></thead>", out);
}

/* The scale that all cost ranges share. */
struct scale {
    double low, high;
};

static struct scale cost_scale(const struct ry_page *page)
{
    struct scale scale = {INFINITY, 0.0};

    for (size_t i = 0; i < page->n; i++) {
        double low;
        double high;
        ry_page_spread(&page->at[i], RY_METRIC_PER_TOKEN, &low, &high);
        if (isnan(low))
            continue;
        scale.low = low < scale.low ? low : scale.low;
        scale.high = high > scale.high ? high : scale.high;
    }
    return scale;
}

static void put_interval(const struct ry_page *page, const struct ry_page_design *d,
                         const struct scale *scale, FILE *out)
{
    const double span = scale->high - scale->low;
    double low;
    double high;

    ry_page_spread(d, RY_METRIC_PER_TOKEN, &low, &high);
    if (!(span > 0.0) || !isfinite(span) || !isfinite(low + high))
        return;
    ry_html(out, "<span class=\"iv\" title=\"P10 to P90: %s\" style=\"",
            ry_said_range(page->arena, RY_SAY_USD, low, high));
    (void)fprintf(out, "--l:%.1f%%;--r:%.1f%%;--m:%.1f%%\"><i></i><b></b></span>",
                  100.0 * (low - scale->low) / span, 100.0 * (scale->high - high) / span,
                  100.0 * (d->c->result.usd_per_trillion_tokens - scale->low) / span);
}

/* "over 180 days" at the figure that passes a limit. */
static void put_tag(const struct ry_page *page, const struct column *column,
                    const struct ry_page_design *d, FILE *out)
{
    const struct ry_constraints *l = &page->limits;
    const struct ry_result *r = &d->c->result;
    const char *limit = NULL;

    if (column->offset == AT(days) && r->days > l->days)
        limit = ry_said(page->arena, RY_SAY_DAYS, l->days);
    else if (column->offset == AT(capex.usd) && r->capex.usd > l->capex_usd)
        limit = ry_said(page->arena, RY_SAY_USD, l->capex_usd);
    else if (column->offset == AT(facility_w) &&
             r->max_w * d->c->design->facility.pue > l->facility_w)
        limit = ry_page_fmt(page, "%s at nameplate",
                            ry_said(page->arena, RY_SAY_WATTS, l->facility_w));
    else if (column->offset == AT(racks) && r->racks > l->racks)
        limit = ry_said(page->arena, RY_SAY_COUNT, l->racks);
    if (limit)
        ry_html(out, "<span class=\"tag warn blk\">over %s</span>", limit);
}

static bool is_money(const struct column *column)
{
    return column->say == RY_SAY_USD;
}

static void put_cell(const struct ry_page *page, const struct column *column,
                     const struct ry_page_design *d, const struct scale *scale, FILE *out)
{
    const struct ry_result *r = &d->c->result;
    const size_t unpriced =
        column->offset == AT(capex.usd) ? r->capex.unpriced : r->tco.unpriced;
    const bool bound = is_money(column) && unpriced > 0;
    const bool none = bound && !(r->capex.usd > 0.0);
    const double value = value_of(page, column, d);

    ry_html(out, "<td class=\"n\" data-k=\"%s\" data-v=\"", column->key);
    ry_page_exact(out, none ? (double)NAN : value);
    (void)fputs(column->shown ? "\">" : "\" hidden>", out);
    ry_html_text(out, none ? "no price"
                      : column->offset == BEST_IN
                          ? ry_page_share(page, value)
                          : ry_said(page->arena, column->say, value));
    if (bound && !none)
        ry_html(out, "<span class=\"sub\">without %zu of no price</span>", unpriced);
    else if (column->offset == AT(usd_per_trillion_tokens))
        put_interval(page, d, scale, out);
    put_tag(page, column, d, out);
    (void)fputs("</td>\n", out);
}

static void put_name(const struct ry_page *page, const struct ry_page_design *d,
                     FILE *out)
{
    char remarks[RY_REMARKS_BYTES];

    ry_html(
        out,
        "<tr data-id=\"%s\" data-i=\"%zu\" class=\"%s\"><td data-k=\"rank\" data-v=\"",
        ry_page_id(page, d), (size_t)(d - page->at),
        d->rank == 1 ? "win"
        : d->meets   ? ""
                     : "out");
    if (d->rank > 0)
        ry_html(out, "%zu\">%zu</td>", d->rank, d->rank);
    else
        (void)fputs("\">\xe2\x80\x93</td>", out);
    ry_html(out,
            "<th scope=\"row\" class=\"name\" data-k=\"name\" data-v=\"%s\"><button "
            "type=\"button\" title=\"Show what to buy for this "
            "design\"><bdi>%s</bdi></button>"
            "<span class=\"sub\">%s</span>",
            d->name, d->name, ry_page_subtitle(page->arena, d->c->design));
    ry_case_remarks(d->c, remarks);
    if (remarks[0] != '\0')
        ry_html(out, "<span class=\"sub\"><b>Note:</b> %s</span>", remarks);
    (void)fputs("</th>\n", out);
}

static void put_row(const struct ry_page *page, const struct ry_page_design *d,
                    const struct scale *scale, FILE *out)
{
    put_name(page, d, out);
    if (d->fits) {
        for (size_t k = 0; k < COLUMNS; k++)
            put_cell(page, &columns[k], d, scale, out);
    } else {
        ry_html(
            out,
            "<td class=\"why\" colspan=\"%zu\"><span><span class=\"tag bad\">%s</span> "
            "%s</span></td>",
            (size_t)COLUMNS,
            d->c->best.step.usable_bytes > 0.0 ? "does not fit" : "cannot run",
            d->c->why);
    }
    (void)fputs("</tr>\n", out);
}

static void put_heading(const struct ry_page *page, FILE *out)
{
    const char *heading = "Every design, with what it costs and gives";

    if (ry_page_rival(page)) {
        const struct ry_result *a = &page->at[0].c->result;
        const struct ry_result *b = &ry_page_rival(page)->c->result;
        const bool faster = a->tokens_per_s >= b->tokens_per_s;
        const bool dearer = a->tco.usd > b->tco.usd;
        if (page->objective == RY_BY_COST_PER_TOKEN)
            heading = faster && dearer ? "It is faster by more than it is dearer"
                      : faster         ? "It is faster, and no dearer"
                                       : "It is cheaper by more than it is slower";
    }
    ry_html(out,
            "<section id=\"why\"><header><p class=\"q\">Why this one?</p><h2>%s</h2><p>",
            heading);
    if (page->usable == page->n)
        (void)fputs("Every design meets the limits", out);
    else if (page->usable == 0)
        (void)fputs("None meets every limit", out);
    else
        ry_html(out, "%zu of %zu designs meet every limit", page->usable, page->n);
    ry_html(out, ". Each is shown with %s.</p></header>\n",
            ry_objective_chooses(page->objective)
                ? "the strategy that is its best by this objective"
                : "the fastest strategy that fits it");
}

static void put_pareto(const struct ry_page *page, FILE *out)
{
    if (page->charts.bytes == 0 || page->usable < 2)
        return;
    (void)fputs(
        "<figure><div class=\"fighead\"><h3>Cost against throughput<small>Useful tokens "
        "a "
        "second, after failures. Soft bars: P10 to P90. Grey rays: equal cost per "
        "trillion tokens.</small></h3><div class=\"seg\" id=\"pareto-scope\" "
        "role=\"group\" aria-label=\"Designs in the chart\"><button type=\"button\" "
        "aria-pressed=\"true\" data-v=\"good\">Meet limits</button><button "
        "type=\"button\" "
        "aria-pressed=\"false\" data-v=\"all\">All that fit</button></div></div><div "
        "class=\"chart\" id=\"c-pareto\" aria-label=\"Scatter of cost to own against "
        "throughput; the same numbers are in the ranking "
        "table\"></div><figcaption>Dashed: "
        "the front, where no design is both cheaper and faster. Up and to the left is "
        "better.</figcaption></figure>\n",
        out);
}

void ry_page_ranking(const struct ry_page *page, FILE *out)
{
    const struct scale scale = cost_scale(page);

    put_heading(page, out);
    put_tools(page, out);
    (void)fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                "aria-label=\"Ranking, scrolls "
                "sideways\"><table class=\"rank\" id=\"rank\"><caption "
                "class=\"sr\">Designs in the "
                "order of the ranking</caption>",
                out);
    put_head(page, out);
    (void)fputs("<tbody>\n", out);
    for (size_t i = 0; i < page->n; i++)
        put_row(page, &page->at[i], &scale, out);
    ry_html(
        out,
        "<tr id=\"none\" hidden><td colspan=\"%zu\" class=\"empty\">No design matches. "
        "<button type=\"button\" id=\"clear\">Clear the filter</button></td></tr></tbody>"
        "</table></div><p class=\"legend-note\"><span id=\"count\">%zu of %zu "
        "designs</span>. Bar under the cost: P10 to P90 on one scale. Select a name to "
        "see what to buy for it.</p>\n",
        (size_t)COLUMNS + 2, page->n, page->n);
    if (page->charts.bytes == 0)
        (void)fputs(
            "<p class=\"note\">This Railyard was built without the chart library: tables "
            "stand in for the charts.</p>\n",
            out);
    put_pareto(page, out);
    (void)fputs("</section>\n", out);
}
