/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Kept searches and rankings, for runs list, show and diff with --results.
 */
#ifndef RY_CLI_RUNS_RESULTS_H
#define RY_CLI_RUNS_RESULTS_H

#include "cli/cmd.h"
#include "store/jobs.h"

/** The number of a run or a kept result; RY_ERR_SYNTAX when @p text is none. */
RY_MUST_USE enum ry_err ry_run_id(const char *text, long long *id, struct ry_diag *diag);

/** A line a search or ranking: when, what, how far, its best. */
RY_MUST_USE enum ry_err ry_results_list(struct ry_store *store, struct ry_arena *arena,
                                        int format, struct ry_diag *diag);

/** The rows of the answer of one; RY_ERR_NO while it is not finished. */
RY_MUST_USE enum ry_err ry_results_show(struct ry_store *store, struct ry_arena *arena,
                                        long long job, int format, struct ry_diag *diag);

/** What two are compared by. */
struct ry_results_diff {
    long long before, after;
    double tolerance_frac; /**< a step that is longer by more is slower */
    bool all;              /**< also designs that are the same in both */
    int format;
};

/** Design by design, the best strategy of each; RY_ERR_NO when a design became slower. */
RY_MUST_USE enum ry_err ry_results_diff(struct ry_store *store, struct ry_arena *arena,
                                        const struct ry_results_diff *diff,
                                        struct ry_diag *diag);

#endif
