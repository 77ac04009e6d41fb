/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cost_tables.h"

#include "cli/facility_cmd.h"
#include "cli/sections.h"

#include <math.h>

static const struct ry_column capital_columns[] = {
    {.key = "category", .title = "category"},
    {.key = "usd", .title = "priced", .show = RY_SHOW_USD},
    {.key = "share_frac", .title = "share", .show = RY_SHOW_FRACTION},
    {.key = "remark", .title = "remark"},
};
enum { CAPITAL_COLUMNS = sizeof(capital_columns) / sizeof(capital_columns[0]) };

static const struct ry_column line_columns[] = {
    {.key = "kind", .title = "paid"},
    {.key = "line", .title = "line"},
    {.key = "usd", .title = "USD", .show = RY_SHOW_USD},
    {.key = "low_usd", .title = "low", .show = RY_SHOW_USD},
    {.key = "high_usd", .title = "high", .show = RY_SHOW_USD},
    {.key = "total_usd", .title = "present value", .show = RY_SHOW_USD},
    {.key = "source", .title = "by"},
    {.key = "currency_rate"},
};
enum { LINE_COLUMNS = sizeof(line_columns) / sizeof(line_columns[0]) };

static const char *kind_text(struct ry_arena *arena, const struct ry_tco_line *line)
{
    switch (line->kind) {
    case RY_TCO_CAPITAL:
        return "at start";
    case RY_TCO_RUNNING:
        return "a year";
    case RY_TCO_LATER:
        return ry_kept(arena, "after %g years", line->at_years);
    case RY_TCO_RETURN:
        return "at end";
    }
    return "";
}

struct ry_table *ry_cost_capital(struct ry_arena *arena,
                                 const struct ry_currency *currency,
                                 const struct ry_bom_sums *sums)
{
    struct ry_table *table =
        ry_table_in(ry_table_create(arena, capital_columns, CAPITAL_COLUMNS), currency);

    for (int c = 0; c < RY_BOM_CATEGORIES; c++) {
        const bool lacking = sums->category_without_price[c];
        if (!(sums->by_category_usd[c] > 0.0) && !lacking)
            continue;
        ry_table_row(
            table,
            (struct ry_cell[]){
                RY_TEXT(ry_bom_category_name((enum ry_bom_category)c)),
                sums->by_category_usd[c] > 0.0 ? RY_NUM(sums->by_category_usd[c])
                                               : RY_NUM_AS((double)NAN, "no price"),
                RY_NUM(sums->by_category_usd[c] / sums->usd),
                RY_TEXT(lacking ? "a lower bound: some lines have no price" : "")});
    }
    return table;
}

struct ry_table *ry_cost_lines(struct ry_arena *arena, const struct ry_currency *currency,
                               const struct ry_tco *tco)
{
    struct ry_table *table =
        ry_table_in(ry_table_create(arena, line_columns, LINE_COLUMNS), currency);
    const char *rate = ry_currency_said(arena, currency);

    for (size_t i = 0; i < tco->n; i++) {
        const struct ry_tco_line *line = &tco->at[i];
        ry_table_row(
            table,
            (struct ry_cell[]){
                RY_TEXT(kind_text(arena, line)), RY_TEXT(line->name),
                isnan(line->usd) ? RY_NUM_AS(line->usd, "no price") : RY_NUM(line->usd),
                RY_NUM(line->low_usd), RY_NUM(line->high_usd), RY_NUM(line->total_usd),
                RY_TEXT(line->source), RY_TEXT(rate)});
    }
    return table;
}

static void add_totals(struct ry_arena *arena, struct ry_table *t,
                       const struct ry_tco_input *in, const struct ry_tco *tco)
{
    const bool bound = tco->unknown + tco->not_given > 0 || in->unpriced > 0.0;

    ry_figure(
        arena, t, "capital_usd", tco->capital_usd, RY_SHOW_USD,
        ry_kept(arena, "%s a GPU%s", ry_money_said(arena, t, tco->capital_usd / in->gpus),
                in->unpriced > 0.0 ? "; parts without a price: a lower bound" : ""));
    ry_figure(arena, t, "network_usd", in->network_usd.value, RY_SHOW_USD,
              tco->capital_usd > 0.0
                  ? ry_kept(arena, "%.1f %% of the capital",
                            100.0 * in->network_usd.value / tco->capital_usd)
                  : "");
    ry_figure(arena, t, "running_usd_per_year", tco->running_usd_per_year, RY_SHOW_USD,
              "");
    ry_figure(arena, t, "tco_usd", tco->total_usd, RY_SHOW_USD,
              ry_kept(arena, "present value over %.1f years at %.1f %% a year%s",
                      in->years, 100.0 * in->discount_frac,
                      bound ? "; some of it is not known: a lower bound" : ""));
    ry_figure(arena, t, "tco_low_usd", tco->low_usd, RY_SHOW_USD, "all ranges low");
    ry_figure(arena, t, "tco_high_usd", tco->high_usd, RY_SHOW_USD, "all ranges high");
    ry_figure(arena, t, "cash_usd", tco->nominal_usd, RY_SHOW_USD, "not discounted");
    ry_figure(arena, t, "usd_per_gpu_hour", tco->usd_per_gpu_hour, RY_SHOW_USD,
              ry_kept(arena, "of a useful hour, utilisation %.0f %%; %s to %s",
                      100.0 * in->utilisation_frac,
                      ry_money_said(arena, t, tco->usd_per_gpu_hour_low),
                      ry_money_said(arena, t, tco->usd_per_gpu_hour_high)));
    ry_figure(arena, t, "financing_usd_per_year", tco->financing_usd_per_year,
              RY_SHOW_USD, "level payment for the capital");
    ry_figure(arena, t, "depreciation_usd_per_year", tco->depreciation_usd_per_year,
              RY_SHOW_USD,
              ry_kept(arena, "straight line over %.1f years; book value at the end %s",
                      in->depreciation_years,
                      ry_money_said(arena, t, tco->book_value_end_usd)));
}

static void add_renting(struct ry_arena *arena, struct ry_table *t,
                        const struct ry_tco_input *in, const struct ry_tco *tco)
{
    const double price = in->rent_usd_per_gpu_hour.value;

    ry_figure(arena, t, "rent_usd_per_year", tco->rent_usd_per_year, RY_SHOW_USD,
              isnan(price) ? "no price: the catalog has no rent of this GPU; give --rent"
                           : ry_kept(arena, "the same useful hours at %s: %s",
                                     ry_money_said(arena, t, price),
                                     in->rent_usd_per_gpu_hour.source));
    ry_figure(arena, t, "break_even_months", tco->break_even_months, RY_SHOW_NUMBER,
              isnan(tco->break_even_months) ? "no price to compare with"
              : isinf(tco->break_even_months)
                  ? "renting never costs more than owning"
                  : "until what is paid for it is paid back by the rent saved");
}

static void add_footprint(struct ry_arena *arena, struct ry_table *t,
                          const struct ry_tco_input *in, const struct ry_tco *tco)
{
    ry_figure(arena, t, "kwh_per_year", tco->kwh_per_year, RY_SHOW_COUNT,
              ry_kept(arena, "%.1f kW of IT x PUE %.2f, all hours", in->energy_w / 1e3,
                      in->pue));
    ry_figure(arena, t, "kg_co2_per_year", tco->kg_co2_per_year, RY_SHOW_COUNT,
              ry_kept(arena, "%.2f kg/kWh: %s", in->kg_co2_per_kwh.value,
                      in->kg_co2_per_kwh.source));
    ry_figure(arena, t, "litres_per_year", tco->litres_per_year, RY_SHOW_COUNT,
              ry_kept(arena, "%.1f L a kWh of IT: %s", in->litres_per_kwh.value,
                      in->litres_per_kwh.source));
    add_renting(arena, t, in, tco);
}

struct ry_table *ry_cost_figures(struct ry_arena *arena,
                                 const struct ry_currency *currency,
                                 const struct ry_tco_input *in, const struct ry_tco *tco)
{
    struct ry_table *table = ry_table_in(
        ry_table_create(arena, ry_figure_columns, RY_FIGURE_COLUMNS), currency);

    add_totals(arena, table, in, tco);
    add_footprint(arena, table, in, tco);
    return table;
}

struct ry_table *ry_cost_training_table(struct ry_arena *arena,
                                        const struct ry_currency *currency,
                                        const struct ry_cost_training *training,
                                        const struct ry_tco_input *in,
                                        const struct ry_tco *tco)
{
    struct ry_table *t = ry_table_in(
        ry_table_create(arena, ry_figure_columns, RY_FIGURE_COLUMNS), currency);

    if (!training->name)
        return t;
    const struct ry_training_bill bill = ry_training_bill(
        in, tco, training->tokens, training->tokens_per_s, training->goodput_frac);
    ry_figure(arena, t, "days", bill.days, RY_SHOW_NUMBER,
              ry_kept(arena, "%s: %.3g tokens at %.0f tokens/s, goodput %.1f %%%s%s",
                      training->name, training->tokens, training->tokens_per_s,
                      100.0 * training->goodput_frac, training->strategy[0] ? "; " : "",
                      training->strategy));
    ry_figure(arena, t, "gpu_hours", bill.gpu_hours, RY_SHOW_COUNT, "");
    ry_figure(arena, t, "training_usd", bill.usd, RY_SHOW_USD,
              ry_kept(arena, "%s to %s", ry_money_said(arena, t, bill.usd_low),
                      ry_money_said(arena, t, bill.usd_high)));
    ry_figure(arena, t, "usd_per_trillion_tokens", bill.usd_per_trillion_tokens,
              RY_SHOW_USD, "");
    ry_figure(arena, t, "training_kwh", bill.kwh, RY_SHOW_COUNT, "");
    ry_figure(arena, t, "training_kg_co2", bill.kg_co2, RY_SHOW_COUNT, "");
    ry_figure(arena, t, "training_litres", bill.litres, RY_SHOW_COUNT, "");
    return t;
}
