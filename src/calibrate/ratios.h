/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A list of measured ratios: its median, its geometric mean and how well that is known.
 */
#ifndef RY_CALIBRATE_RATIOS_H
#define RY_CALIBRATE_RATIOS_H

#include <stddef.h>

enum { RY_RATIOS_MOST = 256 };

struct ry_ratios {
    size_t n;
    double value[RY_RATIOS_MOST]; /**< [n] */
};

/** Append a ratio that is over 0 and finite, while there is room; others are dropped. */
void ry_ratios_push(struct ry_ratios *ratios, double value);

/** Mean of the logarithms; 0 of none. */
double ry_ratios_mean_log(const struct ry_ratios *ratios);

/** Relative standard error of the geometric mean, at least 1 %; 5 % of fewer than two. */
double ry_ratios_error(const struct ry_ratios *ratios);

/** The median of one or more; sorts them. */
double ry_ratios_median(struct ry_ratios *ratios);

#endif
