/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The tables of rank, step and diff: one description of each, printed in any format.
 */
#ifndef RY_CLI_RANK_TABLE_H
#define RY_CLI_RANK_TABLE_H

#include "report/table.h"
#include "search/pareto.h"
#include "search/rank.h"
#include "uncertainty/confidence.h"

/** The ranking of some cases, in their order. */
struct ry_table *ry_rank_table(struct ry_arena *arena, struct ry_case *const cases[],
                               size_t n);

/** What a ranking may say more of a case; NULL: nothing. */
struct ry_rank_more {
    const struct ry_confidence *confidence;
    const struct ry_stand *stand; /**< on the Pareto front or not */
    const char *stand_text;       /**< "front", "beaten by X", "front, equal to X" */
};

/**
 * The same with columns for what is asked for.
 * @param more  [n]
 * @param asked whether confidence and the Pareto front have columns
 */
struct ry_table *ry_rank_table_more(struct ry_arena *arena, struct ry_case *const cases[],
                                    const struct ry_rank_more more[], size_t n,
                                    const bool asked[2]);

/** Parts of a step: seconds, share, hidden traffic.  They sum to the last row. */
struct ry_table *ry_parts_table(struct ry_arena *arena, const struct ry_step *step);

/** Memory of one GPU by part, with the sum and what is usable. */
struct ry_table *ry_memory_table(struct ry_arena *arena, const struct ry_step *step);

/** In which currency money of these cases is shown: that of their catalog; NULL:
 * dollars. */
const struct ry_currency *ry_cases_currency(struct ry_case *const cases[], size_t n);

/** Money as people read it: "$4.5 M", "~$4.5 M" (estimated prices are in it), ">= $4.5 M"
 * (a part has no price), "no price"; in dollars where @p in is NULL. */
const char *ry_money_text(struct ry_arena *arena, const struct ry_money *money,
                          const struct ry_currency *in);

/** Days as people read them; what takes less than one in hours or less. */
const char *ry_days_text(struct ry_arena *arena, double days);

/** A part of a step, or 0 when it is less than 1e-9 of it: noise of the sums. */
double ry_part_shown_s(double part_s, double step_s);

#endif
