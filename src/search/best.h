/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The fastest strategy of a space on one machine, every strategy looked at.
 *
 * One worker of search/search.h does all of the space; ties go to the first of it, so
 * the answer is the same for any way of running it.
 */
#ifndef RY_SEARCH_BEST_H
#define RY_SEARCH_BEST_H

#include "base/arena.h"
#include "base/err.h"
#include "plan/workload.h"
#include "search/space.h"
#include "sim/machine.h"
#include "sim/step.h"

enum { RY_WHY_BYTES = 240 };

struct ry_best {
    bool found;
    struct ry_strategy strategy; /**< the fastest that fits; else the one nearest to it */
    struct ry_step step;
    uint64_t evaluated;          /**< time computed */
    uint64_t infeasible;         /**< memory does not fit */
    uint64_t uncut;              /**< the model cannot be cut that way */
    char why[RY_WHY_BYTES];      /**< nothing fits: why the nearest one does not */
};

/**
 * Look at all of @p space.
 * @param arena scratch: holds the costs, and may be destroyed after.
 * @return RY_OK, also when nothing fits; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_best_find(struct ry_arena *arena,
                                     const struct ry_machine *machine,
                                     const struct ry_workload *workload,
                                     const struct ry_space *space, struct ry_best *best,
                                     struct ry_diag *diag);

#endif
