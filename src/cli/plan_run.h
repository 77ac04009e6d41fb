/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Evaluate the cases of a plan: threads, and processes that share them.
 */
#ifndef RY_CLI_PLAN_RUN_H
#define RY_CLI_PLAN_RUN_H

#include "cli/plan_cases.h"
#include "par/ranks.h"

/** How cases are shared among processes, and what is told of each; see cli/work.h. */
struct ry_plan_sharing {
    const struct ry_ranks *ranks;
    const bool *left_out;               /**< [n] not of this shard: never looked at */
    const struct ry_case_found **known; /**< [n] from before, or NULL: to be found */
    /** On the first rank, of each case that was found; one call at a time. */
    void (*take)(void *ctx, size_t case_i, const struct ry_case_found *found);
    void *ctx;
};

/**
 * Evaluate all, on as many threads as OpenMP gives; the same for any number.  An
 * interruption (Ctrl-C) keeps what was found: `unseen` counts the rest.  With more
 * ranks only the first has all results.
 */
RY_MUST_USE enum ry_err ry_plan_cases_run(struct ry_plan_session *session,
                                          const struct ry_constraints *constraints,
                                          struct ry_plan_cases *cases,
                                          struct ry_diag *diag);

#endif
