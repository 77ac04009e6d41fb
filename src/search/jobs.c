/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/jobs.h"

#include "search/case.h"

#include <math.h>

/* Its tiers as a job sees them that has a share of the nodes below each. */
static void spread(struct ry_net *net, double share, bool busy)
{
    for (size_t t = 0; t < net->fabric.tiers; t++) {
        struct ry_net_tier *tier = &net->fabric.tier[t];
        const double gpus = floor((double)tier->gpus * share);
        tier->gpus = gpus > 1.0 ? (size_t)gpus : 1;
        if (!busy)
            tier->oversubscription = fmax(tier->oversubscription * share, 1.0);
    }
}

static enum ry_err spread_step(struct ry_site *copy, const struct ry_job *job, bool busy,
                               double *step_s)
{
    const struct ry_design *design = job->packed.design;
    struct ry_result result;

    *copy = *job->packed.site;
    copy->built.machine.net = &copy->built.net;
    spread(&copy->built.net, (double)job->nodes / (double)design->nodes, busy);
    RY_TRY(ry_plan(copy, job->workload, &job->packed.result.strategy, &result, NULL));
    *step_s = result.step.step_time_s;
    return RY_OK;
}

/* Traffic of the kinds that may leave a domain, hidden or not, over the step. */
static double between_frac(const struct ry_step *step)
{
    static const enum ry_step_part parts[] = {RY_PART_CP, RY_PART_EP, RY_PART_PP,
                                              RY_PART_DP};
    double s = 0.0;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        s += step->part_s[parts[i]] + step->hidden_s[parts[i]];
    return s / step->step_time_s;
}

static enum ry_err plan_one(struct ry_arena *arena, const struct ry_catalog *catalog,
                            const struct ry_case *ask, struct ry_job *job)
{
    const struct ry_constraints none = ry_no_constraints();
    struct ry_design *design = RY_NEW(arena, struct ry_design, 1);
    struct ry_site *site = RY_NEW(arena, struct ry_site, 1);
    struct ry_site *copy = RY_NEW(arena, struct ry_site, 1);

    if (!design || !site || !copy)
        return RY_ERR_NOMEM;
    *design = *ask->design;
    design->spare_nodes = design->nodes - job->nodes;
    job->packed = *ask;
    job->packed.design = design;
    job->packed.workload = ry_workload_on(arena, job->workload, ry_design_gpus(design));
    if (!job->packed.workload)
        return RY_ERR_NOMEM;
    job->workload = job->packed.workload;
    job->packed.site = site;
    job->packed.premises = NULL;
    job->quiet_s = job->busy_s = (double)NAN;
    ry_case_evaluate(arena, catalog, &none, &job->packed);
    if (job->packed.err == RY_ERR_NOMEM || !job->packed.has_result)
        return job->packed.err == RY_ERR_NOMEM ? RY_ERR_NOMEM : RY_OK;
    const size_t unit = site->network.nodes_per_leaf;
    job->whole_leaves = site->network.tiers < 2 || (unit > 0 && job->nodes % unit == 0);
    job->between_frac = between_frac(&job->packed.result.step);
    RY_TRY(spread_step(copy, job, false, &job->quiet_s));
    return spread_step(copy, job, true, &job->busy_s);
}

enum ry_err ry_jobs_plan(struct ry_arena *arena, const struct ry_catalog *catalog,
                         const struct ry_case *ask, struct ry_job jobs[], size_t n,
                         struct ry_diag *diag)
{
    const struct ry_design *design = ask->design;
    size_t nodes = design->spare_nodes;

    for (size_t i = 0; i < n; i++)
        nodes += jobs[i].nodes;
    if (nodes > design->nodes)
        return ry_fail(diag, RY_ERR_RANGE, "--nodes",
                       "%zu nodes with %zu spare ones, %s has %zu", nodes,
                       design->spare_nodes, design->name, design->nodes);
    for (size_t i = 0; i < n; i++) {
        const enum ry_err err = plan_one(arena, catalog, ask, &jobs[i]);
        if (err != RY_OK)
            return ry_fail(diag, err, design->name, "job %zu", i + 1);
    }
    return RY_OK;
}
