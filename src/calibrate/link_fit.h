/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Fit time = alpha + bytes / bandwidth, in pieces, to measured sizes.
 *
 * Robust (bisquare) lines on relative errors, breakpoints by dynamic programming over
 * the measured sizes, as many pieces as the Bayesian criterion pays for, three points a
 * piece at least.  Pieces need not join: a real step or dip stays.  Spikes and a few bad
 * points change nothing.
 */
#ifndef RY_CALIBRATE_LINK_FIT_H
#define RY_CALIBRATE_LINK_FIT_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { RY_LINK_PIECES_MOST = 6, RY_LINK_PIECE_POINTS = 3, RY_LINK_SIZES_MOST = 96 };

struct ry_link_point {
    double bytes;
    double time_s;
};

/** A value with its 90 % interval; an open side is INFINITY or 0. */
struct ry_estimate {
    double value, lo90, hi90;
};

struct ry_link_piece {
    double from_bytes; /**< the first begins at 0 */
    struct ry_estimate alpha_s;
    struct ry_estimate bytes_per_s;
    size_t points;
    double median_error, worst_error; /**< relative, absolute value */
    bool alpha_open; /**< alpha is 0 at its limit: only its upper end is known */
    bool rate_open;  /**< flat: bandwidth is the fastest seen, only a lower limit */
};

struct ry_link_fit {
    size_t pieces;
    struct ry_link_piece piece[RY_LINK_PIECES_MOST];
    double smallest_bytes, largest_bytes; /**< of the sizes used */
    size_t points;                        /**< sizes used */
    size_t dropped; /**< points that no piece explains (over 50 % off) */
    double median_error, worst_error; /**< over points that were not dropped */
    bool alpha_known;                 /**< false: the smallest size is over 64 KiB */
    double alpha0_s; /**< median of sizes up to 4 KiB, or of the smallest three */
    bool rate_known; /**< false: even the largest sizes are start-up */
    double rate_inf_bytes_per_s; /**< weighted median within 4 times of the largest */
};

/**
 * Fit one curve.
 * @param arena  scratch.
 * @param points [n] in any order; equal sizes are put together by their median.
 * @param n      how many.
 * @param fit    set on RY_OK.
 * @param diag   nullable.
 * @return RY_OK; RY_ERR_DEGENERATE with fewer than three sizes; RY_ERR_RANGE for a size
 * or time that is not over 0 and finite; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_link_fit(struct ry_arena *arena,
                                    const struct ry_link_point points[], size_t n,
                                    struct ry_link_fit *fit, struct ry_diag *diag);

/** Seconds of a fit at a size. */
double ry_link_fit_s(const struct ry_link_fit *fit, double bytes);

#endif
