/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The Pareto front: designs that no other is at least as good as in every objective and
 * better in one.  Equal designs are on the front together.
 */
#ifndef RY_SEARCH_PARETO_H
#define RY_SEARCH_PARETO_H

#include "search/rank.h"

enum { RY_PARETO_MOST = 3 };

struct ry_pareto {
    size_t n;                             /**< 2 or 3 */
    enum ry_objective by[RY_PARETO_MOST]; /**< [n] */
};

/** How one case stands. */
struct ry_stand {
    bool compared; /**< feasible, and every objective has a figure (not a bound) */
    bool front;
    size_t beaten_by; /**< not on the front: a case of it that is better, the first */
    size_t equal_to;  /**< the first other case that equals it in all; n: none */
};

/**
 * Read "step_time,tco" or three names.
 * @return RY_OK or RY_ERR_RANGE with the name that is unknown or given twice.
 */
RY_MUST_USE enum ry_err ry_pareto_parse(const char *text, struct ry_pareto *pareto,
                                        struct ry_diag *diag);

/**
 * Mark the front.
 * @param cases [n] of one workload.
 * @param out   [n]
 */
void ry_pareto_mark(const struct ry_pareto *pareto, struct ry_case *const cases[],
                    size_t n, struct ry_stand out[]);

#endif
