/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The normal distribution, as far as intervals need it.
 */
#ifndef RY_BASE_NORMAL_H
#define RY_BASE_NORMAL_H

/** Nine in ten lie within so many standard deviations (5 % on each side). */
#define RY_Z90 1.645

#endif
