/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/facility_cmd.h"
#include "cli/sections.h"
#include "cli/trained.h"
#include "cost/bill.h"
#include "cost/owning.h"
#include "facility/reliability.h"
#include "io/strategy_file.h"

#include <stdio.h>

struct cost_options {
    struct ry_facility_cmd facility;
    const char *workload;
    double tax_frac;
    double rent_usd_per_gpu_hour;
    double tokens, tokens_per_s, goodput_frac;
    int format;
};

/* What is trained, how fast, and what IT draws meanwhile. */
struct training {
    const char *name; /* NULL: nothing is trained */
    double tokens, tokens_per_s;
    double it_w; /* NAN: not simulated */
    double goodput_frac;
    const char *strategy;
};

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

static struct ry_table *capital_table(struct ry_arena *arena,
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

static struct ry_table *line_table(struct ry_arena *arena, const struct ry_currency *currency,
                                   const struct ry_tco *tco)
{
    struct ry_table *table =
        ry_table_in(ry_table_create(arena, line_columns, LINE_COLUMNS), currency);
    const char *rate = ry_currency_said(arena, currency);

    for (size_t i = 0; i < tco->n; i++) {
        const struct ry_tco_line *line = &tco->at[i];
        ry_table_row(
            table, (struct ry_cell[]){RY_TEXT(kind_text(arena, line)), RY_TEXT(line->name),
                                      isnan(line->usd) ? RY_NUM_AS(line->usd, "no price")
                                                       : RY_NUM(line->usd),
                                      RY_NUM(line->low_usd), RY_NUM(line->high_usd),
                                      RY_NUM(line->total_usd), RY_TEXT(line->source),
                                      RY_TEXT(rate)});
    }
    return table;
}

static void add_totals(struct ry_arena *arena, struct ry_table *t,
                       const struct ry_tco_input *in, const struct ry_tco *tco)
{
    const bool bound = tco->unknown + tco->not_given > 0 || in->unpriced > 0.0;

    ry_figure(arena, t, "capital_usd", tco->capital_usd, RY_SHOW_USD,
              ry_kept(arena, "%s a GPU%s",
                      ry_money_said(arena, t, tco->capital_usd / in->gpus),
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
                                     ry_money_said(arena, t, price), in->rent_usd_per_gpu_hour.source));
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

static struct ry_table *figure_table(struct ry_arena *arena,
                                     const struct ry_currency *currency,
                                     const struct ry_tco_input *in,
                                     const struct ry_tco *tco)
{
    struct ry_table *table = ry_table_in(
        ry_table_create(arena, ry_figure_columns, RY_FIGURE_COLUMNS), currency);

    add_totals(arena, table, in, tco);
    add_footprint(arena, table, in, tco);
    return table;
}

static struct ry_table *training_table(struct ry_arena *arena,
                                       const struct ry_currency *currency,
                                       const struct training *training,
                                       const struct ry_tco_input *in,
                                       const struct ry_tco *tco)
{
    struct ry_table *t = ry_table_in(
        ry_table_create(arena, ry_figure_columns, RY_FIGURE_COLUMNS), currency);

    if (!training->name)
        return t;
    const struct ry_training_bill bill =
        ry_training_bill(in, tco, training->tokens, training->tokens_per_s,
                         training->goodput_frac);
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

static void add_notes(struct ry_table *table, const struct ry_site_bill *bill,
                      const struct ry_owning_input *owning)
{
    for (size_t i = 0; i < owning->notes_n; i++)
        ry_finding(table, false, "cost", owning->notes[i]);
    for (size_t i = 0; i < bill->notes_n; i++)
        ry_finding(table, false, "bill", bill->notes[i]);
}

/* As given, or what interruptions leave of the time: as in a ranking. */
static double goodput_frac(const struct ry_design *design,
                           const struct cost_options *options, double gpus)
{
    return isnan(options->goodput_frac)
               ? ry_goodput_frac(gpus, design->reliability.gpu_mtbf_s,
                                 design->reliability.loss_s)
               : options->goodput_frac;
}

/* By the workload's best strategy, or by the options. */
static enum ry_err find_training(struct ry_planned *planned,
                                 const struct cost_options *options,
                                 struct training *training, struct ry_diag *diag)
{
    const struct ry_case *found = NULL;

    *training = (struct training){
        .it_w = (double)NAN,
        .strategy = "",
        .goodput_frac = goodput_frac(&planned->design, options,
                                     (double)ry_design_gpus(&planned->design)),
    };
    if (options->tokens > 0.0) {
        training->name = "--tokens";
        training->tokens = options->tokens;
        training->tokens_per_s = options->tokens_per_s;
    }
    if (!options->workload)
        return RY_OK;
    RY_TRY(ry_trained(planned->arena,
                      &(struct ry_trained_input){&options->facility.catalog,
                                                 planned->design.file, options->workload,
                                                 options->facility.member},
                      &found, diag));
    training->name = found->workload->name;
    training->tokens = found->workload->tokens;
    training->tokens_per_s = found->result.tokens_per_s;
    training->it_w = found->result.it_w;
    training->goodput_frac =
        goodput_frac(&planned->design, options, found->result.gpus_used);
    char strategy[256];
    ry_strategy_text(&found->result.strategy, strategy, sizeof(strategy));
    training->strategy = ry_kept(planned->arena, "%s", strategy);
    return RY_OK;
}

static enum ry_err print(struct ry_planned *planned, const void *ctx,
                         struct ry_diag *diag)
{
    const struct cost_options *options = ctx;
    const struct ry_power_plan *power = &planned->layout.facility.power;
    struct ry_arena *arena = planned->arena;
    struct ry_site_bill bill;
    struct ry_owning_input owning;
    struct training training;
    struct ry_tco tco;
    struct ry_table *notes = ry_table_create(arena, ry_finding_columns, RY_FINDING_COLUMNS);

    RY_TRY(find_training(planned, options, &training, diag));
    RY_TRY(ry_site_bill(arena, &planned->catalog, &planned->layout.facility, &bill, diag));
    const struct ry_bom_sums sums = ry_bom_sums(&bill.bom);
    RY_TRY(ry_owning_input(
        arena,
        &(struct ry_owning){
            .design = &planned->design,
            .catalog = &planned->catalog,
            .bill = &sums,
            .max_w = power->it_max_w,
            .energy_w = isnan(training.it_w) ? power->it_energy_w : training.it_w,
            .facility_max_w = power->facility_w,
            .tax_frac = options->tax_frac,
            .rent_usd_per_gpu_hour = options->rent_usd_per_gpu_hour,
        },
        &owning, diag));
    ry_tco(&owning.tco, &tco);
    const struct ry_currency *in = planned->catalog.shown;
    const enum ry_err verdict = ry_planned_faults(planned, notes);
    if (verdict == RY_ERR_NOMEM)
        return ry_fail(diag, verdict, "cost", "cannot verify the site");
    ry_currency_note(arena, notes, in);
    add_notes(notes, &bill, &owning);
    const struct ry_section sections[] = {
        {"lines", "Cost", line_table(arena, in, &tco)},
        {"capital", "Capital by part", capital_table(arena, in, &sums)},
        {"figures", "Figures", figure_table(arena, in, &owning.tco, &tco)},
        {"training", "Training", training_table(arena, in, &training, &owning.tco, &tco)},
        {"notes", "Notes, and what is not counted", notes},
        {"currency", NULL, ry_currency_table(arena, in)},
    };
    RY_TRY(ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]),
                             (enum ry_table_format)options->format, diag));
    return verdict;
}

static enum ry_err run(const void *options, const struct ry_strings *args,
                       struct ry_diag *diag)
{
    const struct cost_options *given = options;

    if ((given->tokens > 0.0) != (given->tokens_per_s > 0.0))
        return ry_fail(diag, RY_ERR_USAGE, "--tokens",
                       "--tokens and --tokens-per-s go together");
    if (given->workload && given->tokens > 0.0)
        return ry_fail(diag, RY_ERR_USAGE, "--workload",
                       "it says tokens and speed; drop --tokens");
    return ry_planned_run(&given->facility, args->at[0],
                          &(struct ry_planned_work){print, given}, diag);
}

static const struct cost_options defaults = {
#include "cli/facility_defaults.def"
    .rent_usd_per_gpu_hour = (double)NAN,
    .goodput_frac = (double)NAN,
};

#define OPTIONS struct cost_options
static const struct ry_opt opts[] = {
#include "cli/facility_opts.def"
    RY_OPT_CURRENCY(OPTIONS, facility.catalog),
    {.kind = RY_OPT_STRING,
     .letter = 'w',
     .offset = offsetof(OPTIONS, workload),
     .name = "workload",
     .value = "FILE",
     .help = "what is trained: its step gives power and speed"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_FRACTION,
     .most = 1,
     .offset = offsetof(OPTIONS, tax_frac),
     .name = "tax",
     .value = "FRAC",
     .help = "sales tax and duty on what is bought (default: not counted)"},
    {.kind = RY_OPT_NUMBER,
     .offset = offsetof(OPTIONS, rent_usd_per_gpu_hour),
     .name = "rent",
     .value = "USD",
     .help = "of the cloud, a GPU-hour (default: catalog)"},
    {.kind = RY_OPT_NUMBER,
     .above_0 = true,
     .offset = offsetof(OPTIONS, tokens),
     .name = "tokens",
     .value = "N",
     .help = "to train: what the run costs"},
    {.kind = RY_OPT_NUMBER,
     .above_0 = true,
     .offset = offsetof(OPTIONS, tokens_per_s),
     .name = "tokens-per-s",
     .value = "N",
     .help = "of the whole cluster"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_FRACTION,
     .above_0 = true,
     .most = 1,
     .offset = offsetof(OPTIONS, goodput_frac),
     .name = "goodput",
     .value = "FRAC",
     .help = "share of the time that makes progress (default: by the design's failures)"},
    RY_OPT_FORMAT(OPTIONS),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_cost = {
    .name = "cost",
    .args = "DESIGN",
    .min_args = 1,
    .max_args = 1,
    .summary = "What a design costs to own, line by line, and what renting would",
    .example = "railyard cost examples/h100-32-ndr-rail.json",
    .opts = opts,
    .options_bytes = sizeof(struct cost_options),
    .defaults = &defaults,
    .run = run,
};
