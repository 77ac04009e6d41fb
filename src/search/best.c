/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/best.h"

/* The strategy whose step is shown: the best, else the nearest to fit, else any. */
static uint64_t shown(const struct ry_pick *pick)
{
    if (pick->found)
        return pick->best.index;
    return pick->too_large > 0 ? pick->tally.least_missing_index
                               : pick->tally.first_indivisible_index;
}

enum ry_err ry_best_pick(struct ry_picker *picker, const struct ry_aim *aim,
                         const struct ry_search_found *known, struct ry_best *best)
{
    const struct ry_search_problem *problem = ry_picker_problem(picker);
    struct ry_pick pick;

    ry_pick(picker, aim, known, &pick);
    *best = (struct ry_best){.found = pick.found,
                             .at = pick.best,
                             .figure = pick.figure,
                             .evaluated = pick.evaluated,
                             .pruned = pick.pruned,
                             .pruned_least = pick.pruned_least,
                             .infeasible = pick.too_large,
                             .uncut = pick.indivisible};
    ry_search_why_not(problem, &pick.tally, best->why, sizeof(best->why));
    if (!pick.found && pick.evaluated > 0)
        return RY_OK;
    const enum ry_err err =
        ry_search_step(problem, shown(&pick), &best->strategy, &best->step, NULL);
    return err == RY_ERR_INFEASIBLE ? RY_OK : err;
}

enum ry_err ry_best_recall(const struct ry_search_problem *problem, struct ry_best *best,
                           struct ry_diag *diag)
{
    const struct ry_search_tally tally = {.evaluated = best->evaluated,
                                          .too_large = best->infeasible,
                                          .indivisible = best->uncut,
                                          .best_n = best->found,
                                          .best = {best->at}};

    RY_TRY(ry_search_recognise(problem, &tally, diag));
    return best->found ? ry_search_step(problem, best->at.index, &best->strategy,
                                        &best->step, diag)
                       : RY_OK;
}
