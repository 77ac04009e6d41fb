/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page.h"
#include "report/page_part.h"

#include "base/names.h"
#include "design/design.h"
#include "report/number.h"

#include <stdarg.h>
#include <string.h>

enum { FMT_BYTES = 1024 };

const char *ry_page_fmt(const struct ry_page *page, const char *fmt, ...)
{
    char text[FMT_BYTES];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    const char *kept = ry_strdup(page->arena, text);
    return kept ? kept : "";
}

void ry_page_exact(FILE *out, double value)
{
    char text[RY_NUMBER_BYTES];

    if (isfinite(value))
        (void)fputs(ry_number_exact(value, text), out);
}

void ry_page_put_said(const struct ry_page *page, FILE *out, const char *key,
                      enum ry_say kind, double value)
{
    (void)fprintf(out, ",\"%s\":{\"v\":", key);
    ry_json_put_number(out, value);
    (void)fputs(",\"t\":", out);
    ry_html_json_text(out, ry_said(page->arena, kind, value));
    (void)fputs("}", out);
}

const struct ry_page_design *ry_page_rival(const struct ry_page *page)
{
    return page->rival < page->usable ? &page->at[page->rival] : NULL;
}

const char *ry_page_id(const struct ry_page *page, const struct ry_page_design *d)
{
    return ry_page_fmt(page, "d%zu", (size_t)(d - page->at));
}

const char *ry_page_money(struct ry_arena *arena, const struct ry_money *money)
{
    return money->unpriced > 0 && !(money->usd > 0.0)
               ? "no price"
               : ry_said(arena, RY_SAY_USD, money->usd);
}

const char *ry_page_tco_title(const struct ry_page *page)
{
    const double years = page->at[0].c->design->finance.years;
    char number[RY_SAY_BYTES_MOST];

    for (size_t i = 1; i < page->n; i++)
        if (page->at[i].c->design->finance.years != years)
            return "Cost to own";
    const bool whole = years == floor(years) && years >= 1.0 && years <= 12.0;
    char *title = ry_strfmt(page->arena, "%s-year cost",
                            whole ? ry_say_small(page->arena, (size_t)years)
                                  : ry_say(RY_SAY_PLAIN, years, number));
    if (title && title[0] >= 'a' && title[0] <= 'z')
        title[0] = (char)(title[0] - 'a' + 'A');
    return title ? title : "Cost to own";
}

const char *ry_page_subtitle(struct ry_arena *arena, const struct ry_design *design)
{
    const struct ry_fabric_inputs *fabric = &design->fabric;
    char ratio[RY_SAY_BYTES_MOST];
    const char *network = "one NVLink domain";

    if (fabric->technology != RY_FABRIC_NONE)
        network =
            ry_strfmt(arena, "%s %s:1", ry_fabric_technology_text(fabric->technology),
                      ry_say(RY_SAY_COUNT, fabric->oversubscription, ratio));
    else if (design->local_link != RY_LOCAL_SWITCHED)
        network = ry_local_link_text(design->local_link);
    const char *text = ry_strfmt(arena, "%zu GPUs \xc2\xb7 %zu \xc3\x97 %s \xc2\xb7 %s",
                                 ry_design_gpus(design), design->nodes,
                                 design->node->part.name, network ? network : "");
    return text ? text : "";
}

const char *ry_page_reason(const struct ry_page *page, const struct ry_page_design *d)
{
    const struct ry_result *r = &d->c->result;
    const struct ry_constraints *l = &page->limits;
    const double nameplate_w = r->max_w * d->c->design->facility.pue;
    enum ry_say say = RY_SAY_DAYS;
    double value = r->days;
    double limit = l->days;

    if (!d->fits || (r->capex.unpriced > 0 && isfinite(l->capex_usd)))
        return d->c->why;
    if (r->capex.usd > l->capex_usd)
        say = RY_SAY_USD, value = r->capex.usd, limit = l->capex_usd;
    else if (nameplate_w > l->facility_w)
        say = RY_SAY_WATTS, value = nameplate_w, limit = l->facility_w;
    else if (r->racks > l->racks)
        return ry_page_fmt(page, "%g racks against %g", r->racks, l->racks);
    return value > limit
               ? ry_page_fmt(page, "%s against %s", ry_said(page->arena, say, value),
                             ry_said(page->arena, say, limit))
               : d->c->why;
}

/* Useful tokens a second, of which more is better, and cost, of which less is. */
static bool beats(const struct ry_result *a, const struct ry_result *b)
{
    const double fast_a = a->tokens_per_s * a->goodput_frac;
    const double fast_b = b->tokens_per_s * b->goodput_frac;

    return fast_a >= fast_b && a->tco.usd <= b->tco.usd &&
           (fast_a > fast_b || a->tco.usd < b->tco.usd);
}

static bool on_front(const struct ry_page *page, const struct ry_page_design *d)
{
    for (size_t i = 0; d->meets && i < page->n; i++)
        if (page->at[i].meets && beats(&page->at[i].c->result, &d->c->result))
            return false;
    return d->meets;
}

void ry_page_place(struct ry_page *page)
{
    page->usable = 0;
    for (size_t i = 0; i < page->n; i++) {
        struct ry_page_design *d = &page->at[i];
        d->fits = d->c->has_result;
        d->meets = d->c->feasible;
        if (d->meets)
            page->usable++;
        d->rank = d->meets ? page->usable : 0;
    }
    page->rival = 1 < page->usable ? 1 : page->usable;
    for (size_t i = 0; i < page->n; i++)
        page->at[i].front = on_front(page, &page->at[i]);
}
