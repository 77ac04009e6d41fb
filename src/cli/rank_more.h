/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How sure a ranking is, and its Pareto front: for rank and sensitivity.
 */
#ifndef RY_CLI_RANK_MORE_H
#define RY_CLI_RANK_MORE_H

#include "cli/rank_table.h"

/** Of a ranking, the first so many designs are drawn; the others cannot be the best. */
enum { RY_RANK_DRAWN_MOST = 64 };

struct ry_rank_ask {
    enum ry_objective objective;
    size_t draws; /**< 0: no Monte Carlo */
    size_t seed;
    struct ry_pareto pareto; /**< n == 0: no front */
};

/** A study of the feasible cases at the head of a ranking, drawn. */
struct ry_drawn {
    struct ry_study study;
    struct ry_draws draws;
    struct ry_confidence *confidence; /**< [study.cases_n] */
};

/**
 * Study and draw.
 * @param cases [n] of one workload by rank, the feasible ones first.
 * @param drawn study.cases_n is 0 when none is feasible.
 */
RY_MUST_USE enum ry_err ry_rank_draw(struct ry_arena *arena,
                                     struct ry_case *const cases[], size_t n,
                                     const struct ry_rank_ask *ask,
                                     struct ry_drawn *drawn, struct ry_diag *diag);

/** The same of all @p n cases, which have a result, whether within the limits or not. */
RY_MUST_USE enum ry_err ry_cases_draw(struct ry_arena *arena,
                                      struct ry_case *const cases[], size_t n,
                                      const struct ry_rank_ask *ask,
                                      struct ry_drawn *drawn, struct ry_diag *diag);

/** Fill @p more [n] with what is asked of the cases of one workload. */
RY_MUST_USE enum ry_err ry_rank_more_make(struct ry_arena *arena,
                                          struct ry_case *const cases[], size_t n,
                                          const struct ry_rank_ask *ask,
                                          struct ry_rank_more more[],
                                          struct ry_diag *diag);

/** For people: P10 to P90 of each figure, and how often each design is the best. */
struct ry_table *ry_confidence_table(struct ry_arena *arena,
                                     struct ry_case *const cases[],
                                     const struct ry_rank_more more[], size_t n);

/** For people: which designs are told apart, in a line or a few. */
void ry_confidence_print(struct ry_arena *arena, struct ry_case *const cases[],
                         const struct ry_rank_more more[], size_t n,
                         const struct ry_rank_ask *ask);

#endif
