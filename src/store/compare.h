/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Two runs of the same collective, size by size: what became slower.
 */
#ifndef RY_STORE_COMPARE_H
#define RY_STORE_COMPARE_H

#include "io/bench.h"

/** One size that both runs have. */
struct ry_run_change {
    double bytes;
    enum ry_bench_place place;
    double before_s, after_s; /**< times; where a tool gives rates, bytes / rate */
    double ratio;             /**< after / before: over 1 is slower */
};

struct ry_run_compare {
    size_t n;
    struct ry_run_change *changes;  /**< [n] by size */
    size_t only_before, only_after; /**< valid rows without a partner */
    /** Medians of the ratios; NAN when no size is in the class. */
    double small_ratio; /**< up to 64 KiB: start-up */
    double large_ratio; /**< from 1 MiB: bandwidth */
    double worst_ratio, worst_bytes;
};

/**
 * Compare the valid rows; sizes that repeat are taken by their median.
 * @return RY_OK, RY_ERR_DEGENERATE (no size in common) or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_run_compare(struct ry_arena *arena,
                                       const struct ry_bench_run *before,
                                       const struct ry_bench_run *after,
                                       struct ry_run_compare *compare,
                                       struct ry_diag *diag);

#endif
