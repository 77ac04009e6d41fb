/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_run.h"
#include "cli/step_print.h"

#include "io/strategy_file.h"

#include <math.h>

static const char *const zero_choices[] = {"0", "1", "2", "3", "fsdp", NULL};
static const char *const truth_choices[] = {"no", "yes", NULL};
enum { ZERO_FSDP = 4 };

struct step_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    bool quiet;
    size_t tp, pp, vpp, dp, cp, ep, etp, micro_batch; /* 0: searched */
    int zero, recompute, schedule, sequence_parallel; /* -1: searched */
    double offload_optimizer, offload_activations;    /* NAN: searched */
    bool explain;
    const char *plot, *trace;
    int format;
};

static void fix(struct ry_set *set, size_t value)
{
    if (value > 0)
        *set = (struct ry_set){.n = 1, .at = {(unsigned)value}};
}

static void fix_choice(struct ry_set *set, int value)
{
    if (value >= 0)
        *set = (struct ry_set){.n = 1, .at = {(unsigned)value}};
}

static void fix_share(struct ry_fractions *shares, double value)
{
    if (!isnan(value))
        *shares = (struct ry_fractions){.n = 1, .at = {value}};
}

/* What the command line fixes; the rest is searched within the workload's bounds. */
static void narrow(const struct step_options *o, struct ry_bounds *b)
{
    fix(&b->tp, o->tp);
    fix(&b->pp, o->pp);
    fix(&b->vpp, o->vpp);
    fix(&b->dp, o->dp);
    fix(&b->cp, o->cp);
    fix(&b->ep, o->ep);
    fix(&b->etp, o->etp);
    fix(&b->micro_batch, o->micro_batch);
    fix_choice(&b->recompute, o->recompute);
    fix_choice(&b->schedule, o->schedule);
    fix_choice(&b->sequence_parallel, o->sequence_parallel);
    fix_share(&b->offload_optimizer, o->offload_optimizer);
    fix_share(&b->offload_activations, o->offload_activations);
    if (o->zero < 0)
        return;
    fix_choice(&b->zero, o->zero == ZERO_FSDP ? 3 : o->zero);
    fix_choice(&b->fsdp, o->zero == ZERO_FSDP);
}

static enum ry_err step(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct step_options *o = given;
    const struct ry_constraints none = ry_no_constraints();
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases cases;

    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    for (size_t i = 0; i < session->files.workloads_n; i++)
        narrow(o, &session->files.workloads[i]->bounds);
    RY_TRY(ry_plan_cases_make(session, &cases, diag));
    cases.quiet = o->quiet;
    RY_TRY(ry_plan_cases_run(session, &none, &cases, diag));
    if ((o->plot || o->trace) && cases.n > 0)
        RY_TRY(ry_step_draw(arena, &cases.at[0], o->plot, o->trace, diag));
    RY_TRY(
        ry_step_print(arena, &cases, o->explain, (enum ry_table_format)o->format, diag));
    for (size_t i = 0; i < cases.n; i++) {
        if (!cases.at[i].has_result)
            return ry_fail(diag, RY_ERR_INFEASIBLE, cases.at[i].design->name, "%s",
                           cases.at[i].why);
    }
    return RY_OK;
}

static const struct step_options defaults = {
    .zero = -1,
    .recompute = -1,
    .schedule = -1,
    .sequence_parallel = -1,
    .offload_optimizer = NAN,
    .offload_activations = NAN,
};

#define FIELD(field) offsetof(struct step_options, field)
#define DEGREE(field, option, text)                                                      \
    {                                                                                    \
        .kind = RY_OPT_COUNT, .offset = FIELD(field), .name = option, .value = "N",      \
        .help = text                                                                     \
    }
#define CHOICE(field, option, list, text)                                                \
    {                                                                                    \
        .kind = RY_OPT_CHOICE, .offset = FIELD(field), .name = option, .value = "HOW",   \
        .choices = list, .help = text                                                    \
    }

static const struct ry_opt opts[] = {
    RY_OPT_WORKLOADS(struct step_options),
    DEGREE(tp, "tp", "tensor parallel; what is not given is searched"),
    DEGREE(pp, "pp", "pipeline stages"),
    DEGREE(vpp, "vpp", "chunks a stage"),
    DEGREE(dp, "dp", "replicas"),
    DEGREE(cp, "cp", "context parallel"),
    DEGREE(ep, "ep", "expert parallel"),
    DEGREE(etp, "etp", "expert-tensor parallel"),
    DEGREE(micro_batch, "micro-batch", "sequences of a micro-batch"),
    CHOICE(zero, "zero", zero_choices, "states split over replicas"),
    CHOICE(recompute, "recompute", ry_recompute_choices, "activations made again"),
    CHOICE(schedule, "schedule", ry_schedule_choices, "order of micro-batches"),
    CHOICE(sequence_parallel, "sequence-parallel", truth_choices,
           "norms and dropout split over TP"),
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_FRACTION,
     .most = 1,
     .offset = FIELD(offload_optimizer),
     .name = "offload-optimizer",
     .value = "SHARE",
     .help = "of the states, 0 to 1"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_FRACTION,
     .most = 1,
     .offset = FIELD(offload_activations),
     .name = "offload-activations",
     .value = "SHARE",
     .help = "of what is kept, 0 to 1"},
    {.kind = RY_OPT_FLAG,
     .offset = FIELD(explain),
     .name = "explain",
     .help = "say where every figure came from"},
    {.kind = RY_OPT_STRING,
     .offset = FIELD(plot),
     .name = "plot",
     .value = "FILE",
     .help = "draw the first case to a .svg, .pdf or .png file too"},
    {.kind = RY_OPT_STRING,
     .offset = FIELD(trace),
     .name = "trace",
     .value = "FILE",
     .help = "its timeline as JSON that chrome://tracing and Perfetto read"},
    RY_OPTS_CATALOG(struct step_options, catalog),
    RY_OPT_QUIET(struct step_options),
    RY_OPT_FORMAT(struct step_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_step = {
    .name = "step",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Break a training step down: time by part, memory by part",
    .example = "railyard step examples/h100-32-ndr-rail.json "
               "--workload examples/workloads/llama3-70b-pretrain.json --tp 8",
    .opts = opts,
    .options_bytes = sizeof(struct step_options),
    .defaults = &defaults,
    .run = step,
};
