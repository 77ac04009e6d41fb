/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Which unknown decides: each at its P10 and P90, all others at their best estimate.
 *
 * Tells nothing of two unknowns together; the rank correlation over the Monte Carlo's
 * draws (Spearman, GSL) is the check: a bar that is long and not correlated is not alone.
 */
#ifndef RY_UNCERTAINTY_TORNADO_H
#define RY_UNCERTAINTY_TORNADO_H

#include "uncertainty/confidence.h"

struct ry_bar {
    const struct ry_unknown *unknown;
    double factor_p10, factor_p90; /**< of the unknown on its best estimate */
    double at_p10, at_p90;         /**< the objective there */
    /** how much better than the rival, as a share of it: 0.02 is 2 %; NAN without one */
    double lead_p10, lead_p90;
    bool decides;            /**< the lead changes sign between P10 and P90 */
    double rank_correlation; /**< with the lead (with the objective when alone) */
};

struct ry_tornado {
    size_t n;
    struct ry_bar *bars; /**< [n] that matter, longest first; ties by name */
    double objective;    /**< at the best estimates */
    double lead;
};

/** Of a study's designs: which, against which. */
struct ry_duel {
    size_t mine;
    size_t rival; /**< cases_n or more: none */
};

/**
 * Make it.  Bars are as long as the lead changes; without a rival, as the objective does.
 * @param draws evaluated, for the correlation; NULL: NAN.
 */
RY_MUST_USE enum ry_err ry_tornado_make(struct ry_arena *arena,
                                        const struct ry_study *study, struct ry_duel duel,
                                        const struct ry_draws *draws,
                                        struct ry_tornado *tornado, struct ry_diag *diag);

#endif
