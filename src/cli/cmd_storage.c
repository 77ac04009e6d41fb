/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/facility_cmd.h"
#include "cli/sections.h"
#include "cli/trained.h"

#include "cost/owning.h"
#include "facility/reliability.h"
#include "facility/storage.h"
#include "sim/goodput.h"
#include "workload/arch.h"

#include <stdio.h>

struct storage_options {
    struct ry_catalog_sources catalog;
    const char *workload;
    size_t member;
    double save_limit_s, bytes_per_param, dataset_bytes, bytes_per_token, detect_s;
    double checkpoints_kept;
    int format;
};

static const struct ry_column tier_columns[] = {
    {.key = "tier", .title = "tier"},
    {.key = "system_write_bytes_per_s", .title = "write", .show = RY_SHOW_BYTES_PER_S},
    {.key = "system_read_bytes_per_s", .title = "read", .show = RY_SHOW_BYTES_PER_S},
    {.key = "node_write_bytes_per_s", .title = "a node", .show = RY_SHOW_BYTES_PER_S},
    {.key = "save_s", .title = "save", .show = RY_SHOW_SECONDS},
    {.key = "interval_s", .title = "every", .show = RY_SHOW_SECONDS},
    {.key = "effective_frac", .title = "effective", .show = RY_SHOW_FRACTION},
    {.key = "effective_low_frac", .title = "low", .show = RY_SHOW_FRACTION},
    {.key = "effective_high_frac", .title = "high", .show = RY_SHOW_FRACTION},
    {.key = "days", .title = "days", .show = RY_SHOW_NUMBER},
    {.key = "days_low", .title = "least", .show = RY_SHOW_NUMBER},
    {.key = "days_high", .title = "most", .show = RY_SHOW_NUMBER},
};
enum { TIER_COLUMNS = sizeof(tier_columns) / sizeof(tier_columns[0]) };

/* What every row is computed from. */
struct plan {
    struct ry_arena *arena;
    const struct storage_options *options;
    const struct ry_case *trained;
    const struct ry_catalog *catalog;
    struct ry_rated gpu_mtbf_h, restart_s, repair_days, state_bytes;
    double params, nodes, gpus, mtbf_s;
    struct ry_storage_guide guide;
    struct ry_storage_plan need;
};

static struct ry_goodput goodput(const struct plan *p, double gpu_mtbf_h,
                                 double restart_s, double save_s)
{
    return ry_goodput(&(struct ry_goodput_inputs){
        .mtbf_s = ry_job_mtbf_s(gpu_mtbf_h * 3600.0, p->gpus),
        .checkpoint_s = save_s,
        .detect_s = p->options->detect_s,
        .restart_s = restart_s,
    });
}

static void add_tier(const struct plan *p, struct ry_table *table, const char *name,
                     const struct ry_storage_guidance *have)
{
    const double bytes = p->need.checkpoint_bytes;
    const double nodes_bytes_per_s = have->node_write_bytes_per_s * p->nodes;
    const double rate = fmin(have->system_write_bytes_per_s, nodes_bytes_per_s);
    const double save_s = ry_checkpoint_write_s(bytes, rate);
    const struct ry_goodput mean =
        goodput(p, p->gpu_mtbf_h.value, p->restart_s.value, save_s);
    const struct ry_goodput worst =
        goodput(p, ry_rated_low(&p->gpu_mtbf_h), ry_rated_high(&p->restart_s), save_s);
    const struct ry_goodput best =
        goodput(p, ry_rated_high(&p->gpu_mtbf_h), ry_rated_low(&p->restart_s), save_s);
    const double days = p->trained->result.days;

    ry_table_row(table, (struct ry_cell[]){
                            RY_TEXT(name), RY_NUM(have->system_write_bytes_per_s),
                            RY_NUM(have->system_read_bytes_per_s),
                            RY_NUM(have->node_write_bytes_per_s), RY_NUM(save_s),
                            RY_NUM(mean.interval_s), RY_NUM(mean.effective_frac),
                            RY_NUM(worst.effective_frac), RY_NUM(best.effective_frac),
                            RY_NUM(days / mean.effective_frac),
                            RY_NUM(days / best.effective_frac),
                            RY_NUM(days / worst.effective_frac)});
}

static struct ry_table *tier_table(const struct plan *p)
{
    struct ry_table *table = ry_table_create(p->arena, tier_columns, TIER_COLUMNS);
    const double own = p->trained->design->storage_write_bytes_per_s;

    for (int i = 0; i < RY_STORAGE_TIERS; i++) {
        const enum ry_storage_tier tier = (enum ry_storage_tier)i;
        const struct ry_storage_guidance have =
            ry_storage_guidance(&p->guide, tier, p->nodes);
        add_tier(p, table, ry_storage_tier_name(tier), &have);
    }
    if (own > 0.0)
        add_tier(p, table, "the design's",
                 &(struct ry_storage_guidance){(double)INFINITY, (double)INFINITY,
                                               (double)NAN, own});
    return table;
}

static void add_needs(const struct plan *p, struct ry_table *t)
{
    const struct ry_storage_plan *need = &p->need;
    struct ry_arena *arena = p->arena;

    ry_figure(arena, t, "checkpoint_bytes", need->checkpoint_bytes, RY_SHOW_BYTES,
              ry_kept(arena, "%.4g parameters x %.0f bytes: %s", p->params,
                      p->state_bytes.value, p->state_bytes.source));
    ry_figure(arena, t, "checkpoint_bytes_per_node", need->checkpoint_bytes_per_node,
              RY_SHOW_BYTES, "");
    ry_figure(arena, t, "write_bytes_per_s", need->write_bytes_per_s, RY_SHOW_BYTES_PER_S,
              ry_kept(arena, "to save in %.0f s while training stands (--save-limit)",
                      p->options->save_limit_s));
    ry_figure(arena, t, "write_background_bytes_per_s",
              need->write_background_bytes_per_s, RY_SHOW_BYTES_PER_S,
              "when saves are staged in memory and drained meanwhile");
    ry_figure(arena, t, "tier", (double)need->tier, RY_SHOW_COUNT,
              need->tier_meets
                  ? ry_kept(arena, "'%s' of the DGX SuperPOD guidance suffices",
                            ry_storage_tier_name(need->tier))
                  : "not even 'best' of the DGX SuperPOD guidance suffices: stage saves");
    ry_figure(arena, t, "dataset_read_bytes_per_s", need->dataset_read_bytes_per_s,
              RY_SHOW_BYTES_PER_S,
              ry_kept(arena, "%.3g tokens/s x %.0f bytes",
                      p->trained->result.tokens_per_s, p->options->bytes_per_token));
    ry_figure(arena, t, "stage_ram_bytes_per_node", need->stage_ram_bytes_per_node,
              RY_SHOW_BYTES,
              isnan(need->stage_fits_ram)  ? "two copies; the node's memory is unknown"
              : need->stage_fits_ram > 0.0 ? "two copies: they fit the node's memory"
                                           : "two copies: more than the node's memory");
    ry_figure(arena, t, "capacity_bytes", need->capacity_bytes, RY_SHOW_BYTES,
              ry_kept(arena, "%.0f checkpoints and the dataset, a fifth kept free",
                      p->options->checkpoints_kept));
}

static void add_failures(const struct plan *p, struct ry_table *t)
{
    struct ry_arena *arena = p->arena;
    const double per_s = 1.0 / p->mtbf_s;
    const double repair_s = p->repair_days.value * 86400.0;

    ry_figure(arena, t, "mtbf_s", p->mtbf_s, RY_SHOW_SECONDS,
              ry_kept(arena, "of %.0f GPUs; %.0f to %.0f GPU-hours each: %s", p->gpus,
                      ry_rated_low(&p->gpu_mtbf_h), ry_rated_high(&p->gpu_mtbf_h),
                      p->gpu_mtbf_h.source));
    ry_figure(arena, t, "failures_per_day", 86400.0 * per_s, RY_SHOW_NUMBER, "");
    ry_figure(arena, t, "loss_for_90_s", ry_goodput_loss_allowed_s(p->mtbf_s, 0.9),
              RY_SHOW_SECONDS,
              "what a failure may cost on average for 90 % effective time");
    ry_figure(arena, t, "nodes_down", ry_expected_down(per_s, repair_s), RY_SHOW_NUMBER,
              ry_kept(arena, "if each takes a node for %.0f days: %s",
                      p->repair_days.value, p->repair_days.source));
    ry_figure(arena, t, "spares_mean", ry_spares_mean(per_s, repair_s), RY_SHOW_COUNT,
              "cover the mean");
    ry_figure(arena, t, "spares_95", ry_spares_for(per_s, repair_s, 0.95), RY_SHOW_COUNT,
              ry_kept(arena, "suffice 95 %% of the time; the design has %zu",
                      p->trained->design->spare_nodes));
    ry_figure(arena, t, "restart_s", p->restart_s.value, RY_SHOW_SECONDS,
              p->restart_s.source);
}

static struct ry_table *figure_table(const struct plan *p)
{
    struct ry_table *table =
        ry_table_create(p->arena, ry_figure_columns, RY_FIGURE_COLUMNS);

    add_needs(p, table);
    add_failures(p, table);
    return table;
}

static struct ry_storage_plan sized(const struct plan *p)
{
    const struct storage_options *options = p->options;
    const struct ry_node *node = p->trained->design->node;
    const double mean_interval_s =
        ry_checkpoint_interval_s(p->mtbf_s, options->save_limit_s);

    const struct ry_storage_need need = {
        .nodes = p->nodes,
        .gpus_per_node = p->gpus / p->nodes,
        .params = p->params,
        .bytes_per_param = p->state_bytes.value,
        .save_limit_s = options->save_limit_s,
        .interval_s = mean_interval_s,
        .checkpoints_kept = options->checkpoints_kept,
        .tokens_per_s = p->trained->result.tokens_per_s,
        .bytes_per_token = options->bytes_per_token,
        .dataset_bytes = options->dataset_bytes > 0.0
                             ? options->dataset_bytes
                             : p->trained->workload->tokens * options->bytes_per_token,
        .host_ram_bytes_per_node = node->ram_bytes,
        .nvme_bytes_per_node = node->nvme_bytes,
    };
    return ry_storage_plan(&p->guide, &need);
}

static struct ry_rated rate(const struct plan *p, const char *name)
{
    return ry_rate_of(p->arena, p->catalog, name, 1.0);
}

static enum ry_err print(struct ry_arena *arena, const void *given,
                         const struct ry_strings *args, struct ry_diag *diag)
{
    const struct storage_options *options = given;
    const char *design = args->at[0];
    struct plan p = {.arena = arena, .options = options};
    struct ry_catalog catalog;

    RY_TRY(ry_catalog_opened(arena, &options->catalog, &catalog, diag));
    RY_TRY(ry_trained(arena,
                      &(struct ry_trained_input){&options->catalog, design,
                                                 options->workload, options->member},
                      &p.trained, diag));
    p.catalog = &catalog;
    p.guide = ry_storage_guide(&catalog);
    p.gpu_mtbf_h = rate(&p, "reliability:GPU-hours between unplanned interruptions");
    p.restart_s = rate(&p, "reliability:restart and reload");
    p.repair_days = rate(&p, "reliability:node repair");
    p.state_bytes = options->bytes_per_param > 0.0
                        ? (struct ry_rated){options->bytes_per_param, (double)NAN,
                                            (double)NAN, "--bytes-per-param"}
                        : rate(&p, "storage:checkpoint bytes per parameter");
    p.params =
        ry_arch_params(&p.trained->workload->arch, p.trained->workload->arch.vocab).total;
    p.nodes = (double)(p.trained->design->nodes - p.trained->design->spare_nodes);
    p.gpus = p.trained->result.gpus_used;
    p.mtbf_s = ry_job_mtbf_s(p.gpu_mtbf_h.value * 3600.0, p.gpus);
    p.need = sized(&p);
    const struct ry_section sections[] = {
        {"tiers", "Storage by tier, saves that stop training", tier_table(&p)},
        {"figures", "Needs", figure_table(&p)},
    };
    return ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]),
                             (enum ry_table_format)options->format, diag);
}

static const struct storage_options defaults = {
    .member = 1,
    .save_limit_s = 30.0,
    .bytes_per_token = 4.0,
    .checkpoints_kept = 3.0,
    .detect_s = 60.0,
};

#define OPTIONS struct storage_options
static const struct ry_opt opts[] = {
    RY_OPTS_CATALOG(OPTIONS, catalog),
    {.kind = RY_OPT_STRING,
     .letter = 'w',
     .offset = offsetof(OPTIONS, workload),
     .name = "workload",
     .value = "FILE",
     .help = "what is trained"},
    {.kind = RY_OPT_COUNT,
     .offset = offsetof(OPTIONS, member),
     .name = "member",
     .value = "N",
     .help = "of a file with {\"any\": ...} (default the first)"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_SECONDS,
     .above_0 = true,
     .offset = offsetof(OPTIONS, save_limit_s),
     .name = "save-limit",
     .value = "TIME",
     .help = "longest stop for a save (default 30 s)"},
    {.kind = RY_OPT_NUMBER,
     .above_0 = true,
     .offset = offsetof(OPTIONS, bytes_per_param),
     .name = "bytes-per-param",
     .value = "N",
     .help = "that a checkpoint holds (default 14)"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_BYTES,
     .above_0 = true,
     .offset = offsetof(OPTIONS, dataset_bytes),
     .name = "dataset",
     .value = "SIZE",
     .help = "default: the tokens"},
    {.kind = RY_OPT_NUMBER,
     .above_0 = true,
     .offset = offsetof(OPTIONS, bytes_per_token),
     .name = "bytes-per-token",
     .value = "N",
     .help = "of the dataset (default 4)"},
    {.kind = RY_OPT_NUMBER,
     .least = 1,
     .offset = offsetof(OPTIONS, checkpoints_kept),
     .name = "checkpoints",
     .value = "N",
     .help = "kept (default 3)"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_SECONDS,
     .offset = offsetof(OPTIONS, detect_s),
     .name = "detect",
     .value = "TIME",
     .help = "until a failure is seen (default 60 s)"},
    RY_OPT_FORMAT(OPTIONS),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_storage = {
    .name = "storage",
    .args = "DESIGN",
    .min_args = 1,
    .max_args = 1,
    .summary = "Size storage for checkpoints and data; failures, spares, effective time",
    .example = "railyard storage examples/h100-32-ndr-rail.json --workload "
               "examples/workloads/llama3-70b-pretrain.json",
    .opts = opts,
    .options_bytes = sizeof(struct storage_options),
    .defaults = &defaults,
    .run = print,
};
