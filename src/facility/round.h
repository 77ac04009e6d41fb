/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Counts from quotients: 14.4 / 0.8 is 18, whatever the last bit says.
 */
#ifndef RY_FACILITY_ROUND_H
#define RY_FACILITY_ROUND_H

/** How far a quotient may be off a whole number and still count as it. */
#define RY_ROUND_SLACK 1e-9

/** Smallest whole number >= @p x - RY_ROUND_SLACK; 0 for a negative x or NaN. */
double ry_count_up(double x);

/** Largest whole number <= @p x + RY_ROUND_SLACK; 0 for a negative x or NaN. */
double ry_count_down(double x);

#endif
