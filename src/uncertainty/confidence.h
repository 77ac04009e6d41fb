/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How sure a ranking is: Monte Carlo over what is not known exactly.
 *
 * Unknown are: every parameter of a GPU's compute model that has a standard deviation;
 * the times of the network inside and between domains (rel_sigma, alpha_sigma); what the
 * step model itself leaves (the width of a step's 90 % interval beyond these, shared out
 * to the framework, the GPU's kernels and the network); the price of every part that has
 * a range; and what the program assumed for the design (electricity, failures,
 * maintenance, ...: design->ranges).  What the user stated is taken as exact.
 *
 * What two designs share (a GPU model, a kind of network, a price row, a framework) has
 * one key and is drawn once a draw, so that the comparison is of what differs.  Each
 * draw evaluates the real model.  The strategy stays the design's best at the best
 * estimates: a buyer could choose another after measuring, so this is a little too
 * wide, never too narrow.
 */
#ifndef RY_UNCERTAINTY_CONFIDENCE_H
#define RY_UNCERTAINTY_CONFIDENCE_H

#include "search/rank.h"
#include "uncertainty/unknown.h"

enum ry_metric {
    RY_METRIC_STEP_TIME,
    RY_METRIC_CAPEX,
    RY_METRIC_TCO,
    RY_METRIC_PER_TOKEN, /**< USD a trillion tokens */
    RY_METRIC_DAYS,
    RY_METRIC_OBJECTIVE, /**< what the ranking is by */
    RY_METRICS
};

/** A design's share of a study: which unknowns touch it, and how. */
struct ry_study_case;

/** The cases that are compared and what is unknown of them. */
struct ry_study {
    enum ry_objective objective;
    size_t cases_n;
    struct ry_study_case *cases; /**< [cases_n] in the order given */
    size_t unknowns_n;
    struct ry_unknown *unknowns; /**< [unknowns_n] in the order of first use */
};

/**
 * Collect the unknowns of feasible cases of one workload, in the order of their rank.
 * @param arena owns the study; the cases and their sites must outlive it.
 * @param cases [n], each feasible, with its result.
 */
RY_MUST_USE enum ry_err ry_study_create(struct ry_arena *arena,
                                        struct ry_case *const cases[], size_t n,
                                        enum ry_objective objective,
                                        struct ry_study *study, struct ry_diag *diag);

/** A design that is varied: one a thread. */
struct ry_study_scratch;
struct ry_study_scratch *ry_study_scratch_create(struct ry_arena *arena);

/**
 * The result of case @p i with every unknown at a factor.
 * @param scratch one of the caller's, from ry_study_scratch_create(); not shared.
 * @param factor  [unknowns_n]
 */
struct ry_result ry_study_result(const struct ry_study *study, size_t i,
                                 const double factor[], struct ry_study_scratch *scratch);

/** Draws: the numbers u, and what came out. */
struct ry_draws {
    size_t n;
    uint64_t seed;
    double *u;              /**< [unknowns_n][n] */
    double *at[RY_METRICS]; /**< [cases_n][n] each */
};

/** Draw the numbers u of every unknown, and make room for what comes out. */
RY_MUST_USE enum ry_err ry_draws_create(struct ry_arena *arena,
                                        const struct ry_study *study, size_t n,
                                        uint64_t seed, struct ry_draws *draws,
                                        struct ry_diag *diag);

/**
 * Evaluate draws [@p first, @p last) of all cases; ranges may run at the same time.
 * @param factor [unknowns_n] storage of the caller, not shared.
 */
void ry_draws_evaluate(const struct ry_study *study, struct ry_draws *draws, size_t first,
                       size_t last, double factor[], struct ry_study_scratch *scratch);

struct ry_spread {
    double p10, p50, p90;
};

struct ry_confidence {
    struct ry_spread of[RY_METRICS];
    double best_in_frac;    /**< draws in which it is the best; k equal ones share a draw;
                                 NAN: money with unpriced parts, not compared */
    double beats_next_frac; /**< draws in which it is better than the next of the ranking;
                                 a tie is half; NAN: the last, or not compared */
};

/** The share of draws from which on two designs are told apart. */
#define RY_TOLD_APART_FRAC 0.9

/**
 * Sum up.
 * @param out [cases_n]
 */
RY_MUST_USE enum ry_err ry_draws_summary(struct ry_arena *arena,
                                         const struct ry_study *study,
                                         const struct ry_draws *draws,
                                         struct ry_confidence out[],
                                         struct ry_diag *diag);

/** Whether the i-th design of the ranking is not told apart from the next one. */
bool ry_confidence_is_open(const struct ry_confidence *confidence);

#endif
