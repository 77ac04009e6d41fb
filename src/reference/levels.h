/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The all-reduce of textbooks and of other simulators: rings by levels, and all to all.
 * Published arithmetic, worked by hand in tests; predictions are comm/net.h's, which
 * knows protocols, channels and sharing.  Times in s, rates in B/s, `bytes` the buffer of
 * a rank. Source: Thakur, Rabenseifner and Gropp 2005 (doi:10.1177/1094342005051521) for
 * the ring and for reduce-scatter with all-gather; ASTRA-sim's analytical network for the
 * levels.
 */
#ifndef RY_REFERENCE_LEVELS_H
#define RY_REFERENCE_LEVELS_H

#include <stddef.h>

/** One level of a plain hierarchy: n members, a ring of alpha a step and a rate. */
struct ry_net_level {
    size_t members;
    double step_s;
    double bytes_per_s;
};

/**
 * All-reduce by levels: reduce-scatter up, all-gather down, each level a ring on what
 * the level below left.  Equal levels in any order give the same time.
 * @param levels [n] innermost first.
 */
double ry_levels_all_reduce_s(const struct ry_net_level levels[], size_t n, double bytes);

/** All-reduce where each rank sends its piece to every other at once: two steps. */
double ry_direct_all_reduce_s(const struct ry_net_level *level, double bytes);

#endif
