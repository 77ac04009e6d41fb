/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/rank.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const ry_objective_choices[] = {
#define X(code, name, field, smaller, money) name,
#include "search/objectives.def"
#undef X
    NULL,
};

struct ry_constraints ry_no_constraints(void)
{
    return (struct ry_constraints){INFINITY, INFINITY, INFINITY, INFINITY};
}

double ry_objective_of(enum ry_objective objective, const struct ry_result *result)
{
    switch (objective) {
#define X(code, name, field, smaller, money)                                                    \
    case code:                                                                           \
        return result->field;
#include "search/objectives.def"
#undef X
    case RY_OBJECTIVES:
        break;
    }
    return NAN;
}

bool ry_objective_smaller(enum ry_objective objective)
{
    static const bool smaller[] = {
#define X(code, name, field, is_smaller, money) is_smaller,
#include "search/objectives.def"
#undef X
    };

    return smaller[objective];
}

bool ry_objective_is_money(enum ry_objective objective)
{
    static const bool money[] = {
#define X(code, name, field, smaller, is_money) is_money,
#include "search/objectives.def"
#undef X
    };

    return money[objective];
}

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
        refuse(out, "capex has %zu parts without a price: it cannot be held against a budget",
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

enum ry_err ry_case_prepare(struct ry_arena *arena, const struct ry_catalog *catalog,
                            struct ry_case *out, struct ry_space *space,
                            struct ry_diag *diag)
{
    const struct ry_design *design = out->design;
    const struct ry_models *models = &out->models;
    const size_t gpus = ry_design_gpus(design);
    const struct ry_space_limits limits = {
        .gpus = gpus < UINT_MAX ? (unsigned)gpus : UINT_MAX,
        .tensor_most = (unsigned)design->domain_gpus,
    };

    if (!models->compute)
        return ry_fail(diag, RY_ERR_NOTFOUND, design->name,
                       "no compute model for the GPU %s", design->gpu->part.name);
    if (!(ry_peak_flop_per_s(models->compute, out->workload->base.precision) > 0.0))
        return ry_fail(diag, RY_ERR_INFEASIBLE, design->name,
                       "%s does not compute in the workload's precision",
                       design->gpu->part.name);
    RY_TRY(out->premises && out->premises->made
               ? ry_site_of(out->premises, models, out->site, diag)
               : ry_site_make(arena, catalog, design, models, out->site, diag));
    RY_TRY(ry_space_create(arena, out->workload, &limits, space, diag));
    out->strategies = space->n;
    return RY_OK;
}

static enum ry_err evaluate(struct ry_arena *scratch, const struct ry_catalog *catalog,
                            struct ry_case *out, struct ry_diag *diag)
{
    struct ry_space space;

    RY_TRY(ry_case_prepare(scratch, catalog, out, &space, diag));
    return ry_best_find(scratch, &out->site->built.machine, out->workload, &space,
                        &out->best, diag);
}

void ry_case_evaluate(struct ry_arena *scratch, const struct ry_catalog *catalog,
                      const struct ry_constraints *constraints, struct ry_case *out)
{
    struct ry_diag diag = {0};

    out->err = evaluate(scratch, catalog, out, &diag);
    if (out->err != RY_OK) {
        const bool other = out->premises && out->premises->err == out->err &&
                           strcmp(diag.where, out->design->name) != 0;
        refuse(out, "%s%s%s", other ? diag.where : "", other ? ": " : "", diag.text);
        return;
    }
    if (!out->best.found) {
        refuse(out, "%s", out->best.why);
        return;
    }
    out->feasible = true;
    out->has_result = true;
    out->result = (struct ry_result){.strategy = out->best.strategy,
                                     .step = out->best.step};
    ry_plan_finish(out->site, out->workload, &out->result);
    check_constraints(constraints, out);
}

/* Order of two cases of one workload. */
static int compare(const struct ry_case *a, const struct ry_case *b,
                   enum ry_objective objective)
{
    if (a->feasible != b->feasible)
        return a->feasible ? -1 : 1;
    if (a->feasible && ry_objective_is_money(objective)) {
        const bool unpriced = a->result.tco.unpriced > 0;
        if (unpriced != (b->result.tco.unpriced > 0))
            return unpriced ? 1 : -1; /* a lower bound does not win */
    }
    if (a->feasible) {
        const double x = ry_objective_of(objective, &a->result);
        const double y = ry_objective_of(objective, &b->result);
        if (x < y || x > y || isnan(x) != isnan(y)) {
            if (isnan(x) || isnan(y))
                return isnan(y) ? -1 : 1;
            return (x < y) == ry_objective_smaller(objective) ? -1 : 1;
        }
    }
    const int name = strcmp(a->design->name, b->design->name);
    return name ? name : strcmp(a->design->choice, b->design->choice);
}

/* Merge sort, as qsort() has no context. */
static void merge(struct ry_case *const from[], struct ry_case *to[],
                  const size_t bounds[3], enum ry_objective objective)
{
    size_t a = bounds[0];
    size_t b = bounds[1];

    for (size_t i = bounds[0]; i < bounds[2]; i++) {
        const bool left =
            a < bounds[1] &&
            (b >= bounds[2] || compare(from[a], from[b], objective) <= 0);
        to[i] = left ? from[a++] : from[b++];
    }
}

void ry_cases_sort(struct ry_case *cases[], struct ry_case *spare[], size_t n,
                   enum ry_objective objective)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            const size_t middle = i + width < n ? i + width : n;
            const size_t end = i + 2 * width < n ? i + 2 * width : n;
            merge(cases, spare, (const size_t[3]){i, middle, end}, objective);
        }
        memcpy(cases, spare, n * sizeof(cases[0]));
    }
}
