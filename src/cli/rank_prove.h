/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * rank --prove: what the bounds excluded, and every strategy timed to check it.
 */
#ifndef RY_CLI_RANK_PROVE_H
#define RY_CLI_RANK_PROVE_H

#include "cli/plan_cases.h"
#include "search/pick.h"

/** Strategies timed one by one at most; of more, designs evenly spaced. */
enum { RY_PROVE_MOST = 4000000 };

/** Counts over all cases, and what timing all strategies of some of them said. */
struct ry_rank_proof {
    double strategies, evaluated, pruned, too_large, uncut; /**< the last four add up */
    size_t cases, checked; /**< of the cases that have strategies */
    double timed;          /**< one by one, of those that are checked */
    size_t wrong;          /**< checked cases whose best is another, or a bound failed */
    double tightest_frac;  /**< bound / fastest of a shape, the most of all checked */
};

/** Count, and check as many cases as RY_PROVE_MOST allows. */
RY_MUST_USE enum ry_err ry_rank_prove(const struct ry_constraints *limits,
                                      struct ry_case *const cases[], size_t n,
                                      struct ry_rank_proof *proof, struct ry_diag *diag);

/** The bound of each of the first @p rows designs, then the counts and the check. */
void ry_rank_prove_print(struct ry_arena *arena, struct ry_case *const cases[],
                         size_t rows, const struct ry_rank_proof *proof);

/** The same as a member "proof" of a JSON object, with a comma before it. */
void ry_rank_prove_json(const struct ry_rank_proof *proof);

/** RY_OK, or RY_ERR_INFEASIBLE when the check found a mistake. */
RY_MUST_USE enum ry_err ry_rank_prove_verdict(const struct ry_rank_proof *proof,
                                              struct ry_diag *diag);

#endif
