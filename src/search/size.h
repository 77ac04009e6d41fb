/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The inverse question: how many nodes of a design?
 *
 * With a deadline: the fewest nodes that train all tokens in time.  Without: the nodes
 * within budget, power and racks that train fastest (of equally fast ones the fewest).
 *
 * Counts below FLOP / (peak x deadline) cannot meet it whatever the strategy, and are not
 * looked at.  Above, the answer is bracketed by doubling and halved.  That is exact as
 * long as the fabric is alike: a strategy of n nodes is also one of n to 2 n - 1 nodes
 * (fewer than half of the GPUs may idle, search/space.h), so what is in time with n is in
 * time up to 2 n - 1, doubling cannot step over it, and between a count that is too few
 * and its double the answers are no, ..., no, yes, ..., yes.  A fabric that changes (one
 * more tier, another fill of the leaves) can break this, so the RY_SIZE_SCAN counts below
 * the answer are then looked at one by one, again after each smaller answer:
 * `scanned_from` says how far down that went.
 */
#ifndef RY_SEARCH_SIZE_H
#define RY_SEARCH_SIZE_H

#include "search/rank.h"

enum { RY_SIZE_SCAN = 48, RY_SIZE_NODES_MOST = 1 << 20 };

struct ry_size_ask {
    const struct ry_catalog *catalog;
    const struct ry_design *design; /**< whose `nodes` does not matter */
    const struct ry_workload *workload;
    struct ry_models models;
    struct ry_constraints limits; /**< at least one is finite */
};

struct ry_size {
    bool found;
    struct ry_case answer; /**< found; else the fastest or largest, with its `why` */
    bool has_other;
    struct ry_case other; /**< what binds: one node fewer (deadline) or more (limits) */
    size_t nodes_least;   /**< below it the peak of the GPUs excludes the deadline */
    size_t scanned_from;  /**< from here to the answer every count was looked at */
    size_t looked_at;     /**< strategy searches */
};

/**
 * Answer.
 * @param arena owns the designs and sites of the cases in @p size.
 * @return RY_OK, also when nothing is found; RY_ERR_USAGE without a limit; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_size_find(struct ry_arena *arena,
                                     const struct ry_size_ask *ask, struct ry_size *size,
                                     struct ry_diag *diag);

#endif
