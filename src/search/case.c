/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/case.h"

#include "base/hash.h"
#include "sim/bound.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void refuse(struct ry_case *out, const char *fmt, ...) RY_PRINTF(2, 3);

static void refuse(struct ry_case *out, const char *fmt, ...)
{
    va_list args;

    out->feasible = false;
    va_start(args, fmt);
    (void)vsnprintf(out->why, sizeof(out->why), fmt, args);
    va_end(args);
}

static void check_constraints(const struct ry_constraints *limits, struct ry_case *out)
{
    const struct ry_result *r = &out->result;
    const double facility_w = out->site->premises->facility_max_w;

    if (out->site->premises->refusal)
        refuse(out, "%s", out->site->premises->refusal);
    else if (r->capex.unpriced > 0 && isfinite(limits->capex_usd))
        refuse(out,
               "capex has %zu parts without a price: it cannot be held against a budget",
               r->capex.unpriced);
    else if (r->capex.usd > limits->capex_usd)
        refuse(out, "capex %.4g M$ is over the budget of %.4g M$", r->capex.usd / 1e6,
               limits->capex_usd / 1e6);
    else if (isfinite(limits->facility_w) && isnan(facility_w))
        refuse(out, "%s has no power figure: it cannot be held against a limit",
               out->design->node->part.name);
    else if (facility_w > limits->facility_w)
        refuse(out, "%.4g kW at nameplate with PUE is over %.4g kW", facility_w / 1e3,
               limits->facility_w / 1e3);
    else if (r->days > limits->days)
        refuse(out, "%.4g days are over the deadline of %.4g", r->days, limits->days);
    else if (r->racks > limits->racks)
        refuse(out, "%g racks are over %g", r->racks, limits->racks);
}

static enum ry_err case_site(struct ry_arena *arena, const struct ry_catalog *catalog,
                             struct ry_case *out, struct ry_diag *diag)
{
    const struct ry_design *design = out->design;
    const struct ry_models *models = &out->models;

    if (!models->compute)
        return ry_fail(diag, RY_ERR_NOTFOUND, design->name,
                       "no compute model for the GPU %s", design->gpu->part.name);
    if (!(ry_peak_flop_per_s(models->compute, out->workload->base.precision) > 0.0))
        return ry_fail(diag, RY_ERR_INFEASIBLE, design->name,
                       "%s does not compute in the workload's precision",
                       design->gpu->part.name);
    return out->premises && out->premises->made
               ? ry_site_of(out->premises, models, out->site, diag)
               : ry_site_make(arena, catalog, design, models, out->site, diag);
}

static struct ry_space_limits limits_of(const struct ry_design *design)
{
    const size_t gpus = ry_design_gpus(design);

    return (struct ry_space_limits){
        .gpus = gpus < UINT_MAX ? (unsigned)gpus : UINT_MAX,
        .tensor_most = (unsigned)design->domain_gpus,
    };
}

enum ry_err ry_case_prepare(struct ry_arena *arena, const struct ry_catalog *catalog,
                            struct ry_case *out, struct ry_space *space,
                            struct ry_diag *diag)
{
    const struct ry_space_limits limits = limits_of(out->design);

    RY_TRY(case_site(arena, catalog, out, diag));
    RY_TRY(ry_space_create(arena, out->workload, &limits, space, diag));
    out->strategies = space->n;
    return RY_OK;
}

/* ---- the strategy by what the designs are ranked by ---- */

/* Of one case: for struct ry_aim. */
struct goal {
    const struct ry_case *c;
    double days_most;
};

static double figure_of(const struct goal *goal, const struct ry_result *result)
{
    return result->days > goal->days_most ? (double)INFINITY
                                          : ry_objective_of(goal->c->objective, result);
}

/* The figures that strategies are chosen by are times a step, as goodput and the power
 * of GPUs at idle do not depend on it: those of one second say those of any. */
static struct ry_aim_least least(const void *ctx, double gpus)
{
    const struct goal *goal = ctx;
    struct ry_result second;

    ry_plan_floor(goal->c->site, goal->c->workload, gpus, 1.0, &second);
    return (struct ry_aim_least){
        .per_s = ry_objective_of(goal->c->objective, &second),
        .longest_s = goal->days_most / second.days * (1.0 + RY_BOUND_ROUNDING),
    };
}

static double figure(const void *ctx, const struct ry_strategy *strategy,
                     const struct ry_step *step)
{
    const struct goal *goal = ctx;
    struct ry_result result = {.strategy = *strategy, .step = *step};

    ry_plan_finish(goal->c->site, goal->c->workload, &result);
    return figure_of(goal, &result);
}

/* The fastest, found once for all cases that share. */
static enum ry_err fastest(struct ry_case_share *share, struct ry_best *best)
{
    if (!share->has_fastest)
        RY_TRY(ry_best_pick(share->picker, NULL, NULL, &share->fastest));
    share->has_fastest = true;
    *best = share->fastest;
    return RY_OK;
}

static enum ry_err choose(struct ry_case_share *share, double days_most,
                          struct ry_case *out)
{
    const struct goal goal = {out, days_most};
    const struct ry_aim aim = {.ctx = &goal, .least = least, .figure = figure};

    RY_TRY(fastest(share, &out->best));
    if (!ry_objective_chooses(out->objective) || !out->best.found ||
        !out->site->premises->laid_out)
        return RY_OK;
    RY_TRY(ry_best_pick(share->picker, &aim, &share->fastest.at, &out->best));
    out->chosen = out->best.found;
    /* none in time, or no figure (a part without a price): the fastest says so */
    return out->chosen ? RY_OK : fastest(share, &out->best);
}

static enum ry_err prepare_problem(struct ry_arena *arena, struct ry_case_share *share,
                                   const struct ry_case *c, struct ry_diag *diag)
{
    const struct ry_space_limits limits = limits_of(c->design);

    if (share->problem.space)
        return RY_OK;
    RY_TRY(ry_space_create(arena, c->workload, &limits, &share->space, diag));
    share->problem = (struct ry_search_problem){.machine = &c->site->built.machine,
                                                .arch = &c->workload->arch,
                                                .traits = &c->workload->traits,
                                                .space = &share->space};
    return RY_OK;
}

static enum ry_err prepare_share(struct ry_arena *arena, struct ry_case_share *share,
                                 const struct ry_case *c, struct ry_diag *diag)
{
    if (share->picker)
        return RY_OK;
    RY_TRY(prepare_problem(arena, share, c, diag));
    share->picker = ry_picker_create(arena, &share->problem);
    return share->picker ? RY_OK
                         : ry_fail(diag, RY_ERR_NOMEM, c->design->name,
                                   "costs of %zu shapes", share->space.shapes_n);
}

static void fails(struct ry_case *out, enum ry_err err, const struct ry_diag *diag)
{
    const bool other = out->premises && out->premises->err == err &&
                       strcmp(diag->where, out->design->name) != 0;

    out->err = err;
    refuse(out, "%s%s%s", other ? diag->where : "", other ? ": " : "", diag->text);
}

/* The result of a case whose strategy is known. */
static void finish(const struct ry_constraints *constraints, const struct ry_diag *diag,
                   struct ry_case *out)
{
    if (out->err != RY_OK) {
        fails(out, out->err, diag);
        return;
    }
    if (!out->best.found) {
        refuse(out, "%s", out->best.why);
        return;
    }
    out->feasible = true;
    out->has_result = true;
    out->result =
        (struct ry_result){.strategy = out->best.strategy, .step = out->best.step};
    ry_plan_finish(out->site, out->workload, &out->result);
    check_constraints(constraints, out);
}

void ry_case_choose(struct ry_arena *arena, struct ry_case_share *share,
                    const struct ry_constraints *constraints, struct ry_case *out)
{
    struct ry_diag diag = {0};

    out->err = prepare_share(arena, share, out, &diag);
    if (out->err == RY_OK) {
        out->strategies = share->space.n;
        out->err = choose(share, constraints->days, out);
    }
    finish(constraints, &diag, out);
}

void ry_case_recall(struct ry_arena *arena, struct ry_case_share *share,
                    const struct ry_constraints *constraints,
                    const struct ry_case_found *known, struct ry_case *out)
{
    struct ry_diag diag = {0};

    out->best = known->best;
    out->chosen = known->chosen;
    out->err = prepare_problem(arena, share, out, &diag);
    if (out->err == RY_OK) {
        out->strategies = share->space.n;
        out->err = ry_best_recall(&share->problem, &out->best, &diag);
    }
    finish(constraints, &diag, out);
}

bool ry_case_site_or_why(struct ry_arena *arena, const struct ry_catalog *catalog,
                         struct ry_case *out)
{
    struct ry_diag diag = {0};
    const enum ry_err err = case_site(arena, catalog, out, &diag);

    if (err != RY_OK)
        fails(out, err, &diag);
    return err == RY_OK;
}

void ry_case_evaluate(struct ry_arena *scratch, const struct ry_catalog *catalog,
                      const struct ry_constraints *constraints, struct ry_case *out)
{
    struct ry_case_share share = {0};

    if (ry_case_site_or_why(scratch, catalog, out))
        ry_case_choose(scratch, &share, constraints, out);
}

enum ry_err ry_case_prove(struct ry_arena *arena,
                          const struct ry_constraints *constraints,
                          const struct ry_case *c, struct ry_proof *proof,
                          struct ry_diag *diag)
{
    const struct goal goal = {c, constraints->days};
    const struct ry_aim aim = {.ctx = &goal, .least = least, .figure = figure};
    const struct ry_pick pick = {.found = c->best.found, .best = c->best.at};
    struct ry_case_share share = {0};

    RY_TRY(prepare_share(arena, &share, c, diag));
    ry_pick_prove(share.picker, c->chosen ? &aim : NULL, &pick, proof);
    return RY_OK;
}

/* ---- cases that share ---- */

/* The machine without the address of its network. */
static struct ry_machine machine_of(const struct ry_case *c)
{
    struct ry_machine machine = c->site->built.machine;

    machine.net = NULL;
    return machine;
}

uint64_t ry_case_key(const struct ry_case *c)
{
    const struct ry_machine machine = machine_of(c);
    const struct ry_space_limits limits = limits_of(c->design);
    uint64_t key = ry_hash(RY_HASH_START, c->workload->name, strlen(c->workload->name));

    key = ry_hash(key, &limits, sizeof(limits));
    key = ry_hash(key, &machine, sizeof(machine));
    return ry_hash(key, &c->site->built.net, sizeof(c->site->built.net));
}

bool ry_case_alike(const struct ry_case *a, const struct ry_case *b)
{
    const struct ry_machine x = machine_of(a);
    const struct ry_machine y = machine_of(b);
    const struct ry_space_limits l = limits_of(a->design);
    const struct ry_space_limits m = limits_of(b->design);

    /* Padding that differs only costs a search.
     * NOLINTBEGIN(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    return ry_workload_same(a->workload, b->workload) &&
           a->workload->base.global_batch == b->workload->base.global_batch &&
           memcmp(&l, &m, sizeof(l)) == 0 && memcmp(&x, &y, sizeof(x)) == 0 &&
           memcmp(&a->site->built.net, &b->site->built.net, sizeof(a->site->built.net)) ==
               0;
    /* NOLINTEND(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
}
