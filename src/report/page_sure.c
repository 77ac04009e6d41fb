/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include <math.h>

/* Designs with a smaller share of the draws are summed up. */
enum { NAMED_MOST = 6, PLACES_MOST = 3 };

/* What the first of a ranking by each objective is, and how its figure is said. */
static const struct {
    const char *superlative;
    enum ry_say say;
} objectives[RY_OBJECTIVES] = {
#define X(code, name, figure, traits, superlative, say)                                  \
    [code] = {superlative, RY_SAY_##say},
#include "search/objectives.def"
#undef X
};

const char *ry_page_superlative(const struct ry_page *page)
{
    return objectives[page->objective].superlative;
}

enum ry_say ry_page_objective_say(const struct ry_page *page)
{
    return objectives[page->objective].say;
}

void ry_page_spread(const struct ry_page_design *d, enum ry_metric metric, double *low,
                    double *high)
{
    *low = d->sure ? d->sure->of[metric].p10 : (double)NAN;
    *high = d->sure ? d->sure->of[metric].p90 : (double)NAN;
}

const char *ry_page_share(const struct ry_page *page, double frac)
{
    if (isnan(frac))
        return "\xe2\x80\x93";
    if (!(frac > 0.0))
        return "never";
    if (frac > 0.999)
        return "over 99.9\xc2\xa0%";
    if (frac < 0.001)
        return "under 0.1\xc2\xa0%";
    return ry_said(page->arena, RY_SAY_FRACTION, frac);
}

const char *ry_page_draws(const struct ry_page *page, double frac)
{
    if (frac >= 1.0)
        return ry_page_fmt(page, "each of %s draws",
                           ry_said(page->arena, RY_SAY_COUNT, (double)page->draws));
    return ry_page_fmt(page, "%.0f of 100 draws", floor(100.0 * frac + 1e-9));
}

static bool is_compared(const struct ry_page_design *d)
{
    return d->meets && d->sure && !isnan(d->sure->best_in_frac);
}

bool ry_page_contends(const struct ry_page *page, const struct ry_page_design *d)
{
    const double worth_naming = (1.0 - RY_TOLD_APART_FRAC) / 2.0;

    return is_compared(d) && (d == page->at || d->sure->best_in_frac >= worth_naming);
}

size_t ry_page_contenders(const struct ry_page *page)
{
    size_t n = 0;

    if (page->usable == 0 || !is_compared(page->at))
        return 0;
    if (page->at[0].sure->best_in_frac >= RY_TOLD_APART_FRAC)
        return 1;
    for (size_t i = 0; i < page->usable; i++)
        n += ry_page_contends(page, &page->at[i]);
    return n > 1 ? n : 2; /* another one is the best in most draws */
}

/* The designs that are named in the bar, and the share of the others. */
struct shares {
    size_t n, others;
    const struct ry_page_design *at[NAMED_MOST];
    double rest_frac;
};

static struct shares shares_of(const struct ry_page *page)
{
    struct shares s = {0};

    for (size_t i = 0; i < page->usable; i++) {
        const struct ry_page_design *d = &page->at[i];
        if (!is_compared(d))
            continue;
        if (s.n < NAMED_MOST && (i < 3 || d->sure->best_in_frac >= 0.001)) {
            s.at[s.n++] = d;
        } else {
            s.others++;
            s.rest_frac += d->sure->best_in_frac;
        }
    }
    return s;
}

static const char *colour_of(const struct ry_page_design *d)
{
    return d->rank == 1 ? "accent" : d->rank == 2 ? "ink-3" : "rule-2";
}

static void put_piece(double frac, const char *colour, FILE *out)
{
    if (frac > 0.0)
        (void)fprintf(out, "<i style=\"flex-grow:%.4f;background:var(--%s)\"></i>", frac,
                      colour);
}

static void put_bar(const struct ry_page *page, const struct shares *s, FILE *out)
{
    ry_html(
        out,
        "<div class=\"sure\"><h3>How often each design %s, in %s draws of what is not "
        "known exactly</h3><div class=\"bar\" aria-hidden=\"true\">",
        ry_page_superlative(page),
        ry_said(page->arena, RY_SAY_COUNT, (double)page->draws));
    for (size_t i = 0; i < s->n; i++)
        put_piece(s->at[i]->sure->best_in_frac, colour_of(s->at[i]), out);
    put_piece(s->rest_frac, "rule", out);
    (void)fputs("</div><div class=\"key\" id=\"shares\">", out);
    for (size_t i = 0; i < s->n; i++)
        ry_html(out, "<span><i style=\"--c:var(--%s)\"></i><bdi>%s</bdi> %s</span>",
                colour_of(s->at[i]), s->at[i]->name,
                ry_page_share(page, s->at[i]->sure->best_in_frac));
    if (s->others > 0)
        ry_html(out, "<span><i style=\"--c:var(--rule)\"></i>%s more %s</span>",
                ry_say_small(page->arena, s->others), ry_page_share(page, s->rest_frac));
    (void)fputs("</div></div>\n", out);
}

/* Places after the first that the draws leave open. */
static void put_open(const struct ry_page *page, FILE *out)
{
    static const char *const places[PLACES_MOST] = {"First", "Second", "Third"};

    for (size_t i = 0; i + 1 < page->usable && i < PLACES_MOST; i++) {
        const struct ry_page_design *a = &page->at[i];
        const struct ry_page_design *b = &page->at[i + 1];
        if (!is_compared(a) || !is_compared(b) || !ry_confidence_is_open(a->sure))
            continue;
        const bool equal = fabs(a->sure->beats_next_frac - 0.5) < 1e-12;
        ry_html(out,
                "<p class=\"note%s\"><b>%s place is open.</b> <bdi>%s</bdi> %s <bdi>%s"
                "</bdi>%s%s.</p>\n",
                i == 0 ? " warn" : "", places[i], a->name, equal ? "equals" : "beats",
                b->name, equal ? ", or each is better in half of the draws" : " in only ",
                equal ? "" : ry_page_draws(page, a->sure->beats_next_frac));
    }
}

void ry_page_confidence(const struct ry_page *page, FILE *out)
{
    const struct shares s = shares_of(page);

    if (page->usable < 2)
        return;
    if (s.n == 0) {
        (void)fputs(
            "<p class=\"note warn\"><b>How sure the order is cannot be said</b>: parts "
            "without a price are in it. Give prices with <code>--prices</code>.</p>\n",
            out);
        return;
    }
    put_bar(page, &s, out);
    put_open(page, out);
}
