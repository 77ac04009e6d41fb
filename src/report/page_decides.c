/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/number.h"
#include "report/page_part.h"

#include <math.h>

enum { ROWS_MOST = 15, NAMED_MOST = 3 };

static bool has_lead(const struct ry_page *page)
{
    return !isnan(page->tornado.lead);
}

/* "−10 %", "+17.8 %" on the best estimate. */
static const char *change(const struct ry_page *page, double factor)
{
    return ry_page_fmt(page, "%s%s", factor < 1.0 ? "\xe2\x88\x92" : "+",
                       ry_said(page->arena, RY_SAY_FRACTION, fabs(factor - 1.0)));
}

static const char *percent(const struct ry_page *page, double frac)
{
    return ry_said(page->arena, RY_SAY_FRACTION, frac);
}

static size_t deciding(const struct ry_page *page)
{
    size_t n = 0;

    for (size_t i = 0; has_lead(page) && i < page->tornado.n; i++)
        n += page->tornado.bars[i].decides;
    return n;
}

static void put_names(const struct ry_page *page, FILE *out)
{
    const size_t all = deciding(page);
    size_t n = 0;

    for (size_t i = 0; i < page->tornado.n && n < NAMED_MOST; i++) {
        const struct ry_bar *bar = &page->tornado.bars[i];
        if (bar->decides)
            ry_html(out, "%s%s",
                    n++ == 0   ? ": "
                    : n == all ? " and "
                               : ", ",
                    bar->unknown->name);
    }
    if (all > n)
        ry_html(out, " and %s more", ry_say_small(page->arena, all - n));
}

static void put_heading(const struct ry_page *page, FILE *out)
{
    const struct ry_tornado *t = &page->tornado;
    const size_t n = deciding(page);

    (void)fputs("<section id=\"decides\"><header><p class=\"q\">What decides?</p><h2>",
                out);
    if (!has_lead(page)) {
        ry_html(out, "What moves it most: %s", t->bars[0].unknown->name);
    } else if (n > 0) {
        ry_html(out, "%s input%s alone can change the answer",
                ry_say_small(page->arena, n), n == 1 ? "" : "s");
        put_names(page, out);
    } else {
        ry_html(out, "No input alone changes the answer; most depends on the %s",
                t->bars[0].unknown->name);
    }
    (void)fputs(
        "</h2><p>Each bar moves one input from its P10 to its P90 and keeps the rest. ",
        out);
    if (has_lead(page))
        ry_html(out,
                "The lead is how much better %s is than the next design (%s) in what is "
                "ranked by, now %s. At zero the answer changes.",
                page->at[0].name, ry_page_rival(page)->name, percent(page, t->lead));
    (void)fputs("</p></header>\n", out);
}

static void put_number_cell(const struct ry_page *page, enum ry_say say, double value,
                            FILE *out)
{
    (void)fputs("<td class=\"n\" data-v=\"", out);
    ry_page_exact(out, value);
    ry_html(out, "\">%s</td>", ry_said(page->arena, say, value));
}

static void put_row(const struct ry_page *page, const struct ry_bar *bar, FILE *out)
{
    const enum ry_say say = ry_page_objective_say(page);

    ry_html(out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td>",
            bar->unknown->name, change(page, bar->factor_p10));
    if (has_lead(page))
        put_number_cell(page, RY_SAY_FRACTION, bar->lead_p10, out);
    put_number_cell(page, say, bar->at_p10, out);
    ry_html(out, "<td class=\"n\">%s</td>", change(page, bar->factor_p90));
    if (has_lead(page))
        put_number_cell(page, RY_SAY_FRACTION, bar->lead_p90, out);
    put_number_cell(page, say, bar->at_p90, out);
    if (has_lead(page))
        ry_html(out, "<td>%s</td>", bar->decides ? "decides" : "\xe2\x80\x93");
    (void)fputs("</tr>\n", out);
}

static void put_table(const struct ry_page *page, FILE *out)
{
    const char *lead = has_lead(page) ? "<th scope=\"col\" class=\"n\">Lead</th>" : "";

    (void)fprintf(
        out,
        "<table id=\"tornado-table\"><thead><tr><th scope=\"col\">Input</th>"
        "<th scope=\"col\" class=\"n\">P10</th>%s"
        "<th scope=\"col\" class=\"n\">First design</th>"
        "<th scope=\"col\" class=\"n\">P90</th>%s"
        "<th scope=\"col\" class=\"n\">First design</th>%s</tr></thead><tbody>\n",
        lead, lead, has_lead(page) ? "<th scope=\"col\">Alone</th>" : "");
    for (size_t i = 0; i < page->tornado.n && i < ROWS_MOST; i++)
        put_row(page, &page->tornado.bars[i], out);
    (void)fputs("</tbody></table></div></details>", out);
}

static void put_switch(const struct ry_page *page, FILE *out)
{
    if (has_lead(page))
        (void)fputs(
            "<div class=\"seg\" id=\"tor-unit\" role=\"group\" aria-label=\"Quantity\">"
            "<button type=\"button\" aria-pressed=\"true\" data-v=\"lead\">Lead over next"
            "</button><button type=\"button\" aria-pressed=\"false\" data-v=\"at\">First "
            "design</button></div>",
            out);
    (void)fputs("</div><div class=\"chart\" id=\"c-tor\" aria-label=\"Tornado of inputs "
                "and how far "
                "each moves the result; numbers below\"></div><details class=\"more\">",
                out);
}

void ry_page_decides(const struct ry_page *page, FILE *out)
{
    const size_t shown = page->tornado.n < ROWS_MOST ? page->tornado.n : ROWS_MOST;

    put_heading(page, out);
    (void)fputs(
        "<figure><div class=\"fighead\"><h3>Sensitivity<small>Light: input at its P10. "
        "Dark: at its P90. Changes are on the best estimate.</small></h3>",
        out);
    if (page->charts.bytes > 0)
        put_switch(page, out);
    else
        (void)fputs("</div><details class=\"more keep\" open>", out);
    (void)fputs("<summary>The numbers</summary><div class=\"scroll\" tabindex=\"0\">",
                out);
    put_table(page, out);
    ry_html(
        out,
        "<figcaption>The %zu that move it most of %zu inputs that matter; the same as "
        "<code>railyard sensitivity</code>.</figcaption></figure></section>\n",
        shown, page->tornado.n);
}

static void put_bar(const struct ry_page *page, const struct ry_bar *bar, FILE *out)
{
    const enum ry_say say = ry_page_objective_say(page);

    (void)fputs("{\"name\":", out);
    ry_html_json_text(out, bar->unknown->name);
    (void)fputs(",\"lo_t\":", out);
    ry_html_json_text(out, change(page, bar->factor_p10));
    (void)fputs(",\"hi_t\":", out);
    ry_html_json_text(out, change(page, bar->factor_p90));
    if (has_lead(page)) {
        ry_page_put_said(page, out, "lead_lo", RY_SAY_FRACTION, bar->lead_p10);
        ry_page_put_said(page, out, "lead_hi", RY_SAY_FRACTION, bar->lead_p90);
    }
    ry_page_put_said(page, out, "at_lo", say, bar->at_p10);
    ry_page_put_said(page, out, "at_hi", say, bar->at_p90);
    (void)fputs("}", out);
}

void ry_page_tornado_data(const struct ry_page *page, FILE *out)
{
    const struct ry_tornado *t = &page->tornado;

    if (t->n == 0)
        return;
    (void)fprintf(out, ",\"tornado\":{\"has_lead\":%s",
                  has_lead(page) ? "true" : "false");
    ry_page_put_said(page, out, "lead", RY_SAY_FRACTION, t->lead);
    ry_page_put_said(page, out, "at", ry_page_objective_say(page), t->objective);
    (void)fputs(",\"bars\":[", out);
    for (size_t i = 0; i < t->n && i < RY_PAGE_INPUTS_MOST; i++) {
        (void)fputs(i ? ",\n" : "\n", out);
        put_bar(page, &t->bars[i], out);
    }
    (void)fputs("]}", out);
}
