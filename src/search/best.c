/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/best.h"

#include "search/search.h"

/* The strategy whose step is shown: the fastest, else the nearest to fit, else any. */
static uint64_t shown(const struct ry_search_tally *tally)
{
    if (tally->best_n > 0)
        return tally->best[0].index;
    return tally->too_large > 0 ? tally->least_missing_index
                                : tally->first_indivisible_index;
}

enum ry_err ry_best_find(struct ry_arena *arena, const struct ry_machine *machine,
                         const struct ry_workload *workload, const struct ry_space *space,
                         struct ry_best *best, struct ry_diag *diag)
{
    const struct ry_search_problem problem = {.machine = machine,
                                              .arch = &workload->arch,
                                              .traits = &workload->traits,
                                              .space = space};
    struct ry_search_cache *cache = ry_search_cache_create(arena, &problem);
    struct ry_search_tally tally = {0};

    if (!cache)
        return ry_fail(diag, RY_ERR_NOMEM, workload->name, "costs of %zu shapes",
                       space->shapes_n);
    ry_search_evaluate(cache, 0, space->shapes_n, &tally);
    *best = (struct ry_best){.found = tally.best_n > 0,
                             .evaluated = tally.evaluated,
                             .infeasible = tally.too_large,
                             .uncut = tally.indivisible};
    ry_search_why_not(&problem, &tally, best->why, sizeof(best->why));
    const uint64_t index = shown(&tally);
    const enum ry_err err =
        ry_search_step(&problem, index, &best->strategy, &best->step, NULL);
    return err == RY_ERR_INFEASIBLE ? RY_OK : err;
}
