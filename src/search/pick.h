/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The best strategy of a space by branch and bound: what a lower bound excludes is not
 * timed.
 *
 * The shapes are taken in the order of their bound (sim/bound.h).  A strategy is passed
 * over only when the bound of its shape, or its own, is above the best figure found, so
 * none of those passed over can be the best: the answer is that of looking at all, ties
 * going to the first of the space.  Where nothing fits, all of the space is looked at.
 */
#ifndef RY_SEARCH_PICK_H
#define RY_SEARCH_PICK_H

#include "search/search.h"

/** What excludes steps on so many GPUs whatever the strategy. */
struct ry_aim_least {
    double per_s;     /**< the figure is at least so much times the step time */
    double longest_s; /**< steps that are longer are not allowed; INFINITY: all are */
};

/** What a strategy is chosen by where it is not the step time: the less the better. */
struct ry_aim {
    const void *ctx;
    struct ry_aim_least (*least)(const void *ctx, double gpus);
    /** The figure of a step; INFINITY: not allowed. */
    double (*figure)(const void *ctx, const struct ry_strategy *strategy,
                     const struct ry_step *step);
};

/** What was seen; the five counts add up to the space. */
struct ry_pick {
    bool found;
    struct ry_search_found best;  /**< the first of those with the least figure */
    double figure;                /**< of it; its step time without an aim */
    uint64_t evaluated;           /**< time computed */
    uint64_t pruned;              /**< a bound is above the best figure */
    double pruned_least;          /**< the least of those bounds; INFINITY: none pruned */
    uint64_t indivisible;         /**< the model cannot be cut that way */
    uint64_t too_large;           /**< memory does not hold it, as far as looked at */
    struct ry_search_tally tally; /**< what ry_search_why_not() reads */
};

/** A problem made ready for picking: costs, and shapes in the order of their bounds. */
struct ry_picker;

/** NULL when out of memory; the costs stay good for any number of picks. */
struct ry_picker *ry_picker_create(struct ry_arena *arena,
                                   const struct ry_search_problem *problem);

/**
 * Find the best by @p aim (NULL: the shortest step).
 * @param known a strategy of the space that fits, to begin with; NULL: none.  It is
 *              looked at again in its place, so the counts are of the whole space.
 */
void ry_pick(struct ry_picker *picker, const struct ry_aim *aim,
             const struct ry_search_found *known, struct ry_pick *pick);

/** What looking at every strategy says of a pick. */
struct ry_proof {
    uint64_t evaluated;   /**< strategies timed */
    uint64_t below_bound; /**< shapes with a strategy faster than their bound: 0 */
    double tightest_frac; /**< bound / fastest of its shape, the most; below 1 */
    bool same;            /**< the best of all is the pick */
};

/** Time every strategy and hold bounds and pick against it. */
void ry_pick_prove(struct ry_picker *picker, const struct ry_aim *aim,
                   const struct ry_pick *pick, struct ry_proof *proof);

/** The problem of a picker. */
const struct ry_search_problem *ry_picker_problem(const struct ry_picker *picker);

#endif
