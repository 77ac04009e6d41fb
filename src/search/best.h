/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The best strategy of a space on one machine, proven by branch and bound.
 *
 * One worker of search/pick.h does all of the space; ties go to the first of it, so the
 * answer is the same for any way of running it.
 */
#ifndef RY_SEARCH_BEST_H
#define RY_SEARCH_BEST_H

#include "base/arena.h"
#include "base/err.h"
#include "plan/workload.h"
#include "search/pick.h"
#include "search/space.h"
#include "sim/machine.h"
#include "sim/step.h"

enum { RY_WHY_BYTES = 240 };

struct ry_best {
    bool found;
    struct ry_strategy strategy; /**< the best that fits; else the one nearest to it */
    struct ry_step step;
    struct ry_search_found at; /**< found: where in the space */
    double figure;             /**< what it was chosen by: s, or the aim's */
    uint64_t evaluated;        /**< time computed */
    uint64_t pruned;           /**< excluded by a bound on the figure */
    double pruned_least;       /**< the least of those bounds, INFINITY: none */
    uint64_t infeasible;       /**< memory does not fit, of those looked at */
    uint64_t uncut;            /**< the model cannot be cut that way */
    char why[RY_WHY_BYTES];    /**< nothing fits: why the nearest one does not */
};

/**
 * The best by @p aim, of a problem made ready; @p known as of ry_pick().
 * @return RY_OK, also when nothing fits, or nothing that fits is allowed: `found` is
 *         false, and `why` is empty in the second case.
 */
RY_MUST_USE enum ry_err ry_best_pick(struct ry_picker *picker, const struct ry_aim *aim,
                                     const struct ry_search_found *known,
                                     struct ry_best *best);

/**
 * The same from what was found before: `found`, `at`, the counts and `why` are known, the
 * strategy is timed again.
 * @return RY_OK; RY_ERR_SYNTAX: @p best is not of this problem, or other models made it.
 */
RY_MUST_USE enum ry_err ry_best_recall(const struct ry_search_problem *problem,
                                       struct ry_best *best, struct ry_diag *diag);

#endif
