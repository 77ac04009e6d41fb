/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * rank --weights and --mix: several objectives, several workloads on one cluster.
 */
#ifndef RY_CLI_RANK_MIX_H
#define RY_CLI_RANK_MIX_H

#include "cli/plan_cases.h"
#include "report/table.h"
#include "search/weigh.h"

enum { RY_MIX_MOST = 32 };

/** How often each workload is trained; n 0: not asked for. */
struct ry_mix_ask {
    size_t n;
    double runs[RY_MIX_MOST];
};

/** Read "2,1".  RY_ERR_RANGE with what is not a number above 0. */
RY_MUST_USE enum ry_err ry_mix_parse(const char *text, struct ry_mix_ask *ask,
                                     struct ry_diag *diag);

/** Designs with all of their workloads, in order. */
struct ry_mixed {
    size_t n;
    struct ry_case **at; /**< [n] */
};

/**
 * Each design with all workloads, in order of the objective; infeasible ones last.
 * @param all cases as made: by workload, then by design; every design with every
 * workload.
 * @param out in @p arena.
 * @return RY_ERR_USAGE: other numbers of workloads than runs, designs of own workloads,
 * or an objective without a meaning for several; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_mix_make(struct ry_arena *arena,
                                    const struct ry_plan_cases *all,
                                    const struct ry_mix_ask *ask,
                                    enum ry_objective objective, struct ry_mixed *out,
                                    struct ry_diag *diag);

struct ry_table *ry_mix_table(struct ry_arena *arena, struct ry_case *const cases[],
                              size_t n);

/** A heading: "2 x llama3-70b, 1 x mixtral on one cluster, one after the other". */
void ry_mix_heading(const struct ry_plan_cases *all, const struct ry_mix_ask *ask);

/** Past the last case of the workload of case @p i: cases [n] are in order of
 * workloads. */
size_t ry_workload_end(struct ry_case *const cases[], size_t n, size_t i);

/**
 * How the scores of the first @p rows of @p n cases come about: each figure over the best
 * of all cases of its workload.  NULL: out of memory.
 */
struct ry_table *ry_weights_table(struct ry_arena *arena,
                                  const struct ry_weights *weights,
                                  struct ry_case *const cases[], size_t rows, size_t n);

#endif
