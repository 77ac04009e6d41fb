/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * One robust line, time = alpha + bytes times slope, through neighbouring sizes.
 */
#ifndef RY_CALIBRATE_LINK_LINE_H
#define RY_CALIBRATE_LINK_LINE_H

#include "calibrate/link_fit.h"

#include <stdbool.h>
#include <stddef.h>

/** A point this far off (log of the ratio) costs no more: spikes of 25 times are real. */
#define RY_LINK_WORST_LOG 0.5

/** The sizes that are fitted: ascending, one time each. */
struct ry_link_sizes {
    size_t n;
    double bytes[RY_LINK_SIZES_MOST];
    double time_s[RY_LINK_SIZES_MOST];
    double weight[RY_LINK_SIZES_MOST]; /**< mean 1: noisy neighbourhoods count less */
    double slope_least; /**< s/B of the fastest point, which bounds all to 1.02 of it */
};

struct ry_link_line {
    double alpha_s, slope; /**< s, s/B */
    double alpha_sd, slope_sd;
    bool alpha_open, slope_open; /**< at its limit, and the other one alone is fitted */
    double cost;                 /**< sum of capped absolute log errors */
};

/** The line of least cost through the sizes @p first to @p end - 1, one at least; GSL's
 * error handler is off. */
struct ry_link_line ry_link_line_fit(const struct ry_link_sizes *sizes, size_t first,
                                     size_t end);

/** Logarithm of what the line says over a measured time. */
double ry_link_line_log_error(const struct ry_link_line *line, double bytes,
                              double time_s);

#endif
