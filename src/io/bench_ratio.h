/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * busbw / algbw of a run, as far as its printed digits tell: which collectives it can be,
 * and over how many ranks.
 */
#ifndef RY_IO_BENCH_RATIO_H
#define RY_IO_BENCH_RATIO_H

#include "io/bench_draft.h"

/** Between which values the ratio is. */
struct ry_bench_ratio {
    double lo, hi;
    bool known; /**< false: no row tells it */
};

enum ry_ratio_class {
    RY_RATIO_UNKNOWN,
    RY_RATIO_ZERO,  /**< one rank */
    RY_RATIO_SHARE, /**< (n - 1) / n */
    RY_RATIO_ONE,   /**< 1, and all-reduce of two ranks */
    RY_RATIO_TWICE, /**< 2 (n - 1) / n */
};

/** What the row of the largest size tells, narrowed by all that agree with it. */
struct ry_bench_ratio ry_ratio_of_run(const struct ry_draft_run *run);

enum ry_ratio_class ry_ratio_class_of(struct ry_bench_ratio ratio);

#endif
