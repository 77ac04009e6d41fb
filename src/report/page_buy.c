/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page_part.h"

#include "cost/bill.h"

#include <math.h>

/* Groups of a bill as people order them. */
static const struct {
    const char *title;
    unsigned categories; /* bits of enum ry_bom_category */
} parts[] = {
    {"Compute", 1u << RY_BOM_NODE},
    {"Network", 1u << RY_BOM_SWITCH | 1u << RY_BOM_NIC | 1u << RY_BOM_CABLE |
                    1u << RY_BOM_TRANSCEIVER},
    {"Storage and management", 1u << RY_BOM_STORAGE | 1u << RY_BOM_MANAGEMENT},
    {"Racks and power", 1u << RY_BOM_RACK | 1u << RY_BOM_POWER},
    {"Cooling", 1u << RY_BOM_COOLING},
    {"Power and cooling plant", 1u << RY_BOM_PLANT},
    {"Installation", 1u << RY_BOM_SERVICE},
};

static bool in_group(size_t group, const struct ry_bom_line *line)
{
    return parts[group].categories >> line->category & 1u;
}

/* Months that a price of that year is old at least; the month is not known. */
static int least_age_months(const struct ry_page *page, int year)
{
    return year > 0 ? (page->year - year) * 12 + page->month - 12 : 0;
}

/* What it is and which part; a node or a switch goes by its part. */
static void put_part(const struct ry_page *page, const struct ry_bom_line *line,
                     FILE *out)
{
    struct ry_arena *arena = page->arena;
    const bool by_part = line->category == RY_BOM_NODE || line->category == RY_BOM_SWITCH;

    ry_html(out,
            "<tr><td>%s%s%s<span class=\"sub\">%s</span></td><td class=\"n\" "
            "data-l=\"Need\">%s</td><td class=\"n\" data-l=\"Spare\">%s</td>",
            by_part ? line->part : line->description, isnan(line->length_m) ? "" : ", ",
            isnan(line->length_m) ? "" : ry_said(arena, RY_SAY_METRES, line->length_m),
            by_part ? line->description : line->part,
            ry_said(arena, RY_SAY_COUNT, line->quantity),
            line->spares > 0.0 ? ry_said(arena, RY_SAY_COUNT, line->spares)
                               : "\xe2\x80\x93");
}

static void put_line(const struct ry_page *page, const struct ry_bom_line *line,
                     FILE *out)
{
    struct ry_arena *arena = page->arena;
    const struct ry_bom_price *price = &line->price;
    const int age = least_age_months(page, price->year);
    const double usd = ry_bom_line_usd(line);

    put_part(page, line, out);
    if (isnan(usd))
        (void)fputs(
            "<td class=\"n\" data-l=\"Unit price\">no price</td><td class=\"n\" "
            "data-l=\"Total\">no price</td><td data-l=\"Price from\">\xe2\x80\x93</td>",
            out);
    else {
        ry_html(out,
                "<td class=\"n\" data-l=\"Unit price\">%s</td><td class=\"n\" "
                "data-l=\"Total\" data-v=\"",
                ry_said(arena, RY_SAY_USD_FULL, price->usd));
        ry_page_exact(out, usd);
        ry_html(out, "\">%s</td><td data-l=\"Price from\"><span>%s%s",
                ry_said(arena, RY_SAY_USD_FULL, usd),
                price->year ? ry_page_fmt(page, "%d, ", price->year) : "", price->basis);
        if (line->owned > 0.0)
            ry_html(out, ", %s owned already", ry_said(arena, RY_SAY_COUNT, line->owned));
        if (age > 12)
            ry_html(out, " <span class=\"tag warn\">over %zu months old</span>",
                    (size_t)age);
        (void)fputs("</span></td>", out);
    }
    ry_html(out, "<td class=\"n\" data-l=\"Lead time\">%s</td></tr>\n",
            isnan(line->lead_time_weeks)
                ? "\xe2\x80\x93"
                : ry_page_fmt(page, "%s\xc2\xa0weeks",
                              ry_said(arena, RY_SAY_COUNT, line->lead_time_weeks)));
}

static void put_group(const struct ry_page *page, const struct ry_bom *bom, size_t group,
                      FILE *out)
{
    size_t lines = 0, unpriced = 0;
    double sum = 0.0;

    for (size_t i = 0; i < bom->n; i++) {
        if (!in_group(group, &bom->at[i]))
            continue;
        const double usd = ry_bom_line_usd(&bom->at[i]);
        lines++;
        unpriced += isnan(usd) ? 1 : 0;
        sum += isnan(usd) ? 0.0 : usd;
    }
    if (lines == 0)
        return;
    (void)fputs(group < 2 ? "<details open>" : "<details>", out);
    ry_html(out,
            "<summary><b>%s</b><span class=\"muted\">%zu "
            "%s</span><span>%s</span></summary><div class=\"scroll\" "
            "tabindex=\"0\"><table class=\"stack\"><thead><tr><th "
            "scope=\"col\">Part</th><th scope=\"col\" class=\"n\">Need</th><th "
            "scope=\"col\" class=\"n\">Spare</th><th scope=\"col\" class=\"n\">Unit "
            "price</th><th scope=\"col\" class=\"n\">Total</th><th scope=\"col\">Price "
            "from</th><th scope=\"col\" class=\"n\">Lead time</th></tr></thead><tbody>\n",
            parts[group].title, lines, lines == 1 ? "line" : "lines",
            unpriced == lines ? "no price" : ry_said(page->arena, RY_SAY_USD, sum));
    for (size_t i = 0; i < bom->n; i++)
        if (in_group(group, &bom->at[i]))
            put_line(page, &bom->at[i], out);
    (void)fputs("</tbody></table></div></details>\n", out);
}

void ry_page_buy(const struct ry_page *page, const struct ry_page_design *d, FILE *out)
{
    const struct ry_bom *bom = &d->bill->bom;
    const struct ry_bom_sums sums = ry_bom_sums(bom);

    (void)fputs("<div class=\"bom\">", out);
    for (size_t g = 0; g < sizeof(parts) / sizeof(parts[0]); g++)
        put_group(page, bom, g, out);
    ry_html(out, "<div class=\"tot\"><div>Purchase%s</div><span>%s</span></div></div>",
            sums.without_price ? ", without the lines of no price" : "",
            ry_said(page->arena, RY_SAY_USD, sums.usd));
    for (size_t i = 0; i < d->bill->notes_n; i++)
        ry_html(out, "<p class=\"legend-note\">Not in it: %s.</p>", d->bill->notes[i]);
}
