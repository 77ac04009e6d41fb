/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include "base/names.h"
#include "design/design.h"

#include <string.h>

/* A line of the table: an input, what was used, where it is from, of which kind. */
struct source {
    const char *what, *value, *from, *kind, *date;
};

/* One of the six kinds of input, from what its origin says. */
static const char *kind_of(const char *from)
{
    if (strncmp(from, "catalog/", 8) == 0)
        return strstr(from, "general knowledge") || strstr(from, "assumption")
                   ? "estimate"
                   : "published";
    if (strncmp(from, "default", 7) == 0 || strncmp(from, "assumed", 7) == 0)
        return "estimate";
    if (strncmp(from, "not given", 9) == 0)
        return "left out";
    if (strncmp(from, "models/", 7) == 0)
        return strstr(from, "; product rate fit") ? "measured" : "published";
    return "yours";
}

static const char *tone_of(const char *kind)
{
    if (strcmp(kind, "measured") == 0)
        return "ok";
    return strcmp(kind, "estimate") == 0 || strcmp(kind, "old") == 0 ||
                   strcmp(kind, "no price") == 0
               ? "warn"
               : "muted";
}

static void put_source(const struct source *s, FILE *out)
{
    ry_html(out,
            "<tr><td>%s</td><td class=\"n wrap\" data-l=\"Value\">%s</td><td "
            "data-l=\"Source\">%s</td><td class=\"nb num\" data-l=\"Date\">%s</td><td "
            "data-l=\"Kind\"><span><span class=\"tag %s\">%s</span></span></td></tr>\n",
            s->what, s->value, s->from, s->date ? s->date : "\xe2\x80\x93",
            tone_of(s->kind), s->kind);
}

static void open_group(const char *title, FILE *out)
{
    ry_html(
        out,
        "<tbody><tr><th scope=\"rowgroup\" colspan=\"5\" class=\"group\">%s</th></tr>\n",
        title);
}

static void put_workload(const struct ry_page *page, FILE *out)
{
    const struct ry_workload *w = page->workload;

    open_group("Workload", out);
    for (size_t i = 0; i < w->origins_n; i++)
        put_source(&(struct source){w->origins[i].what, w->origins[i].value,
                                    w->origins[i].from, kind_of(w->origins[i].from),
                                    NULL},
                   out);
    (void)fputs("</tbody>\n", out);
}

static size_t shown(const struct ry_page *page)
{
    return page->n < RY_PAGE_SITES_MOST ? page->n : RY_PAGE_SITES_MOST;
}

static void put_speed(const struct ry_page *page, FILE *out)
{
    open_group("Speed", out);
    for (size_t i = 0; i < shown(page); i++) {
        const struct ry_case *c = page->at[i].c;
        bool told = false;
        for (size_t k = 0; k < i; k++)
            told = told || page->at[k].c->design->gpu == c->design->gpu;
        if (told)
            continue;
        const double sigma = c->models.compute_sigma_rel;
        put_source(
            &(struct source){
                ry_page_fmt(page, "%s kernels", c->design->gpu->part.name),
                sigma > 0.0 ? ry_page_fmt(page, "\xc2\xb1%s",
                                          ry_said(page->arena, RY_SAY_FRACTION, sigma))
                            : "\xe2\x80\x93",
                c->models.compute_from ? c->models.compute_from : "no model",
                sigma > 0.0 || !c->models.compute_from ? "estimate"
                                                       : kind_of(c->models.compute_from),
                NULL},
            out);
    }
    (void)fputs("</tbody>\n", out);
}

static bool same_origin(const struct ry_input_origin *a, const struct ry_input_origin *b)
{
    return strcmp(a->what, b->what) == 0 && strcmp(a->value, b->value) == 0 &&
           strcmp(a->from, b->from) == 0;
}

/* Whether an earlier design has the same input. */
static bool is_told(const struct ry_page *page, size_t before,
                    const struct ry_input_origin *origin)
{
    for (size_t i = 0; i < before; i++) {
        const struct ry_design *d = page->at[i].c->design;
        for (size_t k = 0; k < d->origins_n; k++)
            if (same_origin(&d->origins[k], origin))
                return true;
    }
    return false;
}

/* "gpu_mtbf" as "gpu mtbf". */
static const char *words(const struct ry_page *page, const char *name)
{
    char *text = ry_strdup(page->arena, name);

    for (char *c = text; c && *c != '\0'; c++)
        *c = *c == '_' ? ' ' : *c;
    return text ? text : "";
}

static void put_designs(const struct ry_page *page, FILE *out)
{
    open_group("Designs, room and money", out);
    for (size_t i = 0; i < shown(page); i++) {
        const struct ry_design *d = page->at[i].c->design;
        for (size_t k = 0; k < d->origins_n; k++) {
            const struct ry_input_origin *o = &d->origins[k];
            if (is_told(page, i, o))
                continue;
            put_source(&(struct source){words(page, o->what), o->value,
                                        page->n > 1
                                            ? ry_page_fmt(page, "%s (first in %s)",
                                                          o->from, page->at[i].name)
                                            : o->from,
                                        kind_of(o->from), NULL},
                       out);
        }
    }
    (void)fputs("</tbody>\n", out);
}

static const char *price_kind(const struct ry_page *page, const struct ry_price *price)
{
    const double year = price->row ? price->row->price_year : (double)NAN;
    const bool old = year > 0.0 && (page->year - (int)year) * 12 + page->month - 12 > 12;

    switch (price->kind) {
    case RY_PRICE_NONE:
        return "no price";
    case RY_PRICE_QUOTE:
        return "yours";
    case RY_PRICE_LISTED:
        return old ? "old" : "published";
    case RY_PRICE_ESTIMATE:
        break;
    }
    return "estimate";
}

static const char *price_date(const struct ry_page *page, const struct ry_price *price)
{
    if (!price->row)
        return NULL;
    if (price->row->price_date[0] != '\0')
        return price->row->price_date;
    return price->row->price_year > 0.0
               ? ry_page_fmt(page, "%.0f", price->row->price_year)
               : NULL;
}

static bool is_priced_before(const struct ry_page *page, size_t design, size_t line,
                             const char *part)
{
    for (size_t i = 0; i <= design; i++) {
        const struct ry_bill *bill = &page->at[i].c->site->bill;
        for (size_t k = 0; k < (i == design ? line : bill->n); k++)
            if (strcmp(bill->line[k].part, part) == 0)
                return true;
    }
    return false;
}

static void put_prices(const struct ry_page *page, FILE *out)
{
    open_group("Prices", out);
    for (size_t i = 0; i < shown(page); i++) {
        const struct ry_bill *bill = &page->at[i].c->site->bill;
        for (size_t k = 0; k < bill->n; k++) {
            const struct ry_bill_line *line = &bill->line[k];
            char origin[RY_PRICE_ORIGIN_BYTES];
            if (is_priced_before(page, i, k, line->part))
                continue;
            put_source(
                &(struct source){
                    line->part,
                    line->price.kind == RY_PRICE_NONE
                        ? "no price"
                        : ry_said_range(page->arena, RY_SAY_USD, line->price.low_usd,
                                        line->price.high_usd),
                    ry_page_fmt(page, "%s", ry_price_origin(&line->price, origin)),
                    price_kind(page, &line->price), price_date(page, &line->price)},
                out);
        }
    }
    (void)fputs("</tbody>\n", out);
}

static void put_limits(const struct ry_page *page, FILE *out)
{
    const struct ry_constraints *l = &page->limits;
    const char *separator = "Limits: at most ";

    if (isfinite(l->days)) {
        ry_html(out, "%s%s", separator, ry_said(page->arena, RY_SAY_DAYS, l->days));
        separator = ", ";
    }
    if (isfinite(l->facility_w)) {
        ry_html(out, "%s%s at nameplate with PUE", separator,
                ry_said(page->arena, RY_SAY_WATTS, l->facility_w));
        separator = ", ";
    }
    if (isfinite(l->capex_usd)) {
        ry_html(out, "%s%s purchase", separator,
                ry_said(page->arena, RY_SAY_USD, l->capex_usd));
        separator = ", ";
    }
    if (isfinite(l->racks)) {
        ry_html(out, "%s%s racks", separator,
                ry_said(page->arena, RY_SAY_COUNT, l->racks));
        separator = ", ";
    }
    (void)fputs(separator[0] == 'L' ? "No limit was given." : ".", out);
}

static void put_model(const struct ry_page *page, FILE *out)
{
    const struct ry_workload *w = page->workload;
    struct ry_arena *arena = page->arena;

    ry_html(out,
            "<figure><h3>Workload</h3><p class=\"small\">%s (%zu layers, hidden %s, %zu "
            "heads, "
            "%zu KV heads, vocabulary %s), sequence %s, %s sequences a step, %s tokens. ",
            w->model, (size_t)w->arch.layers,
            ry_said(arena, RY_SAY_COUNT, w->arch.hidden), (size_t)w->arch.heads,
            (size_t)w->arch.kv_heads, ry_said(arena, RY_SAY_COUNT, w->arch.vocab),
            ry_said(arena, RY_SAY_COUNT, w->base.seq),
            ry_said(arena, RY_SAY_COUNT, w->base.global_batch),
            ry_said(arena, RY_SAY_SCALED, w->tokens));
    put_limits(page, out);
    (void)fputs("</p></figure>", out);
}

void ry_page_sources(const struct ry_page *page, FILE *out)
{
    (void)fputs(
        "<section id=\"sources\"><header><p class=\"q\">What is this built on?</p>"
        "<h2>Assumptions and sources</h2><p>Anything marked estimate or old is worth "
        "replacing before an order.</p></header>\n<div class=\"scroll\" "
        "tabindex=\"0\"><table class=\"stack sources\"><thead><tr><th "
        "scope=\"col\">Input</th><th scope=\"col\" class=\"n\">Value or range</th><th "
        "scope=\"col\">Source</th><th scope=\"col\">Date</th><th "
        "scope=\"col\">Kind</th></tr></thead>\n",
        out);
    put_speed(page, out);
    put_prices(page, out);
    put_designs(page, out);
    put_workload(page, out);
    (void)fputs(
        "</table></div><figure><h3>What this does not model</h3><ul class=\"small\">"
        "<li>Taxes, currency, and what is sold at the end unless the design says "
        "so.</li><li>Jobs that share the cluster; the network is this job\xe2\x80\x99s "
        "alone.</li><li>Loss curves: every design trains the same tokens at the same "
        "batch "
        "size.</li></ul></figure>\n",
        out);
    put_model(page, out);
    (void)fputs("</section>\n", out);
}
