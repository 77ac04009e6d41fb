/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Every strategy of a space, timed: the best of them, and why the others are not.
 *
 * The work is a range of the space's shapes, so that threads, processes and machines
 * can share it; what they find merges to the same result in any order.  A worker holds
 * one struct ry_search_cache, in which the costs of a layer and of a layout are kept
 * once computed.  Evaluation allocates nothing.
 */
#ifndef RY_SEARCH_SEARCH_H
#define RY_SEARCH_SEARCH_H

#include "base/arena.h"
#include "base/err.h"
#include "search/space.h"
#include "sim/machine.h"
#include "sim/step.h"

#include <stdint.h>

struct ry_search_problem {
    const struct ry_machine *machine;
    const struct ry_arch *arch;
    const struct ry_traits *traits;
    const struct ry_space *space;
};

/** A strategy and its time. */
struct ry_search_found {
    uint64_t index; /**< in the space: ry_space_at() */
    double step_time_s;
};

enum { RY_SEARCH_KEPT = 64 };

/** What a search has seen.  Zero it before use; merging is associative. */
struct ry_search_tally {
    uint64_t evaluated;   /**< time computed */
    uint64_t indivisible; /**< the model cannot be cut that way */
    uint64_t too_large;   /**< memory does not hold it */
    size_t best_n;
    struct ry_search_found
        best[RY_SEARCH_KEPT]; /**< [best_n] fastest first, ties by index */
    /** of those too large, the one that lacks least: missing bytes, and its index */
    double least_missing_bytes;
    uint64_t least_missing_index;
    uint64_t first_indivisible_index; /**< to say why, when nothing else can be said */
};

struct ry_search_cache;

/** Room for one worker, about 8 MiB of @p arena, of which it touches what it needs; NULL
 * when out of memory. */
struct ry_search_cache *ry_search_cache_create(struct ry_arena *arena,
                                               const struct ry_search_problem *problem);

/**
 * Time every strategy of the shapes [@p first, @p last) and add them to @p tally.
 * @param cache of one worker, made for the same problem.
 */
void ry_search_evaluate(struct ry_search_cache *cache, size_t first, size_t last,
                        struct ry_search_tally *tally);

/** Add what @p other has seen. */
void ry_search_merge(struct ry_search_tally *tally, const struct ry_search_tally *other);

/** The whole step of the @p index -th strategy, as a search times it. */
RY_MUST_USE enum ry_err ry_search_step(const struct ry_search_problem *problem,
                                       uint64_t index, struct ry_strategy *strategy,
                                       struct ry_step *step, struct ry_diag *diag);

/**
 * Whether a tally from elsewhere (a file, another process) can be of this problem: its
 * strategies are in the space, fit, and take the time it says.
 * @return RY_OK or RY_ERR_SYNTAX with the first that is not so.
 */
RY_MUST_USE enum ry_err ry_search_recognise(const struct ry_search_problem *problem,
                                            const struct ry_search_tally *tally,
                                            struct ry_diag *diag);

/**
 * Why nothing was found: the memory line of the strategy that lacks least, or the
 * reason why the model cannot be cut.  "" when something was found.
 */
void ry_search_why_not(const struct ry_search_problem *problem,
                       const struct ry_search_tally *tally, char *text, unsigned size);

#endif
