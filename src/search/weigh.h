/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Several objectives as one: the weighted mean of each figure over the best of it.
 *
 * A design that is the best in everything has 1; one that costs 10 % more and is the best
 * in all else has 1.05 at equal weights.  The figures stay those of the designs' own
 * strategies (the fastest), so a weight says what a ratio is worth, not a dollar.
 */
#ifndef RY_SEARCH_WEIGH_H
#define RY_SEARCH_WEIGH_H

#include "search/rank.h"

struct ry_weights {
    size_t n; /**< 0: none */
    enum ry_objective by[RY_OBJECTIVES];
    double weight[RY_OBJECTIVES]; /**< [n] above 0, as given */
};

/**
 * Read "cost_per_token=2,days=1".
 * @return RY_OK or RY_ERR_RANGE with the name that is unknown or given twice, or the
 *         weight that is none.
 */
RY_MUST_USE enum ry_err ry_weights_parse(const char *text, struct ry_weights *weights,
                                         struct ry_diag *diag);

/**
 * Set the score of each case; NAN where a figure is missing or a lower bound, or where
 * nothing fits.
 * @param cases [n] of one workload.
 */
void ry_weigh(const struct ry_weights *weights, struct ry_case *const cases[], size_t n);

/** The best figure of an objective among cases; NAN: none is compared. */
double ry_weigh_best(enum ry_objective by, struct ry_case *const cases[], size_t n);

/** A case's figure over the best of it, 1 or more; NAN: not compared. */
double ry_weigh_ratio(enum ry_objective by, const struct ry_case *c, double best);

#endif
