/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What rank prints: the cases of each workload in order, and what is asked of them.
 */
#ifndef RY_CLI_RANK_PRINT_H
#define RY_CLI_RANK_PRINT_H

#include "cli/rank_mix.h"
#include "cli/rank_more.h"
#include "cli/rank_prove.h"
#include "cli/work.h"

/** Cases in order, and what is said more of each. */
struct ry_ranking {
    struct ry_arena *arena;
    struct ry_rank_ask ask;
    const char *weights_text; /**< as given; NULL: by one objective */
    bool explain, prove;      /**< origins, and the proof, are asked for */
    size_t top;               /**< designs of a workload shown to people */
    size_t n;
    struct ry_case **cases;    /**< [n] by workload, then by rank */
    struct ry_rank_more *more; /**< [n] */
    size_t unseen;             /**< left by an interruption */
    struct ry_work *work;
    struct ry_rank_proof proof;
    struct ry_weights weights; /**< n 0: by one objective */
    struct ry_mix_ask mix;
    struct ry_mixed mixed;           /**< n 0: not asked for */
    const struct ry_plan_cases *all; /**< as made */
};

/** All cases, with columns for what is asked. */
struct ry_table *ry_ranking_table(const struct ry_ranking *ranking);

/** Print it.  @return as ry_table_print(). */
RY_MUST_USE enum ry_err ry_ranking_print(const struct ry_ranking *ranking,
                                         enum ry_table_format format,
                                         struct ry_diag *diag);

#endif
