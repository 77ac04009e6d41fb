/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cost_tables.h"
#include "cli/facility_cmd.h"
#include "cli/sections.h"
#include "cli/trained.h"
#include "cost/bill.h"
#include "cost/owning.h"
#include "facility/reliability.h"
#include "io/strategy_file.h"

struct cost_options {
    struct ry_facility_cmd facility;
    const char *workload;
    double tax_frac;
    double rent_usd_per_gpu_hour;
    double tokens, tokens_per_s, goodput_frac;
    int format;
};

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
                                 struct ry_cost_training *training, struct ry_diag *diag)
{
    const struct ry_case *found = NULL;

    *training = (struct ry_cost_training){
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
    struct ry_cost_training training;
    struct ry_tco tco;
    struct ry_table *notes =
        ry_table_create(arena, ry_finding_columns, RY_FINDING_COLUMNS);

    RY_TRY(find_training(planned, options, &training, diag));
    RY_TRY(
        ry_site_bill(arena, &planned->catalog, &planned->layout.facility, &bill, diag));
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
        {"lines", "Cost", ry_cost_lines(arena, in, &tco)},
        {"capital", "Capital by part", ry_cost_capital(arena, in, &sums)},
        {"figures", "Figures", ry_cost_figures(arena, in, &owning.tco, &tco)},
        {"training", "Training",
         ry_cost_training_table(arena, in, &training, &owning.tco, &tco)},
        {"notes", "Notes, and what is not counted", notes},
        {"currency", NULL, ry_currency_table(arena, in)},
    };
    RY_TRY(ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]),
                             (enum ry_table_format)options->format, diag));
    return verdict;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    const struct cost_options *given = options;

    if ((given->tokens > 0.0) != (given->tokens_per_s > 0.0))
        return ry_fail(diag, RY_ERR_USAGE, "--tokens",
                       "--tokens and --tokens-per-s go together");
    if (given->workload && given->tokens > 0.0)
        return ry_fail(diag, RY_ERR_USAGE, "--workload",
                       "it says tokens and speed; drop --tokens");
    return ry_planned_run(arena, &given->facility, args->at[0],
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
