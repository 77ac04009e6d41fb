/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * One thing that is not known exactly, as a factor on its best estimate.
 *
 * A draw is a number u in (0, 1) and the factor is the distribution's quantile at u, so
 * a draw and "at its P10" are the same function.  The numbers u of an unknown come from
 * GSL's mt19937, seeded by the study's seed and the unknown's key alone: the n-th draw
 * is the same whatever else is compared, in any order, on any number of threads.
 */
#ifndef RY_UNCERTAINTY_UNKNOWN_H
#define RY_UNCERTAINTY_UNKNOWN_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum ry_spread_shape {
    RY_SPREAD_NORMAL,       /**< the factor's logarithm is normal: median 1 */
    RY_SPREAD_TRIANGLE,     /**< from low to high, most likely 1 */
    RY_SPREAD_TRIANGLE_LOG, /**< the same of the logarithm: ranges over a factor of 4 */
};

struct ry_unknown {
    const char *key;  /**< identity: what has the same key is drawn once */
    const char *name; /**< for people */
    enum ry_spread_shape shape;
    double sigma;     /**< of RY_SPREAD_NORMAL */
    double low, high; /**< of the others, low <= 1 <= high */
};

/** Normal logarithm of that standard deviation. */
struct ry_unknown ry_unknown_normal(const char *key, const char *name, double sigma);

/**
 * A range about a best estimate, all > 0; a triangle, of logarithms when high / low > 4.
 * A triangle's mean is (low + best + high) / 3, its variance (l2 + b2 + h2 - lb - lh -
 * bh) / 18.
 */
struct ry_unknown ry_unknown_range(const char *key, const char *name, double low,
                                   double best, double high);

/** Whether it has any width. */
int ry_unknown_is_wide(const struct ry_unknown *unknown);

/** The factor that a share @p u of all draws is below, 0 < u < 1. */
double ry_unknown_at(const struct ry_unknown *unknown, double u);

/**
 * The first @p n numbers u of an unknown.
 * @param u [n], each strictly between 0 and 1.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_unknown_draws(const char *key, uint64_t seed, size_t n,
                                         double u[], struct ry_diag *diag);

#endif
