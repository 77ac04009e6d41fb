/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a worker keeps of a problem: the costs of layers, layouts and stages once
 * computed, and those of the shape at hand.  Internal to search.
 */
#ifndef RY_SEARCH_COSTS_H
#define RY_SEARCH_COSTS_H

#include "search/search.h"
#include "search/variants.h"
#include "sim/bound.h"

/** What is known of an option once its memory is. */
enum ry_look_is { RY_LOOK_UNCUT, RY_LOOK_TOO_LARGE, RY_LOOK_FITS };

/** One option of the shape at hand; `in` points into the look and the cache. */
struct ry_look {
    size_t of[RY_VARIANTS];
    double missing_bytes; /**< too large: what lacks */
    struct ry_strategy strategy;
    struct ry_step_inputs in;
};

/** Make shape @p s the one at hand, without costs.  False: no option can be cut. */
bool ry_costs_cut(struct ry_search_cache *cache, size_t s);

/** Load the costs of a shape that can be cut. */
void ry_costs_load(struct ry_search_cache *cache, size_t s);

/** Look at option @p o of the shape at hand. */
enum ry_look_is ry_costs_look(struct ry_search_cache *cache, size_t s, size_t o,
                              struct ry_look *look);

/** Seconds of a step of an option that fits; fills in what `in` lacks. */
double ry_costs_time_s(struct ry_search_cache *cache, struct ry_look *look);

/** No option of shape @p s, which can be cut, is faster, s: sim/bound.h. */
double ry_costs_least_s(struct ry_search_cache *cache, size_t s);

/** Count a strategy that the model cannot be cut for, or that memory does not hold. */
void ry_tally_indivisible(struct ry_search_tally *tally, uint64_t index);
void ry_tally_too_large(struct ry_search_tally *tally, double missing_bytes,
                        uint64_t index);

/** The problem that a cache was made for. */
const struct ry_search_problem *ry_costs_problem(const struct ry_search_cache *cache);

#endif
