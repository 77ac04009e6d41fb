/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The orders that qsort() is asked for most, the median, and the smaller and larger of
 * two.
 */
#ifndef RY_BASE_ORDER_H
#define RY_BASE_ORDER_H

#include <stddef.h>

/** Of two `const char *`: by bytes, so that no locale changes an order. */
int ry_by_text(const void *a, const void *b);

/** Of two `double`, the smaller first; no NAN among them. */
int ry_by_value(const void *a, const void *b);

/** The median of value[n], n over 0, no NAN among them; sorts it. */
double ry_median(double value[], size_t n);

/** The smaller and the larger; unlike fmin() a NAN is not dropped, and none is a call. */
static inline double ry_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double ry_max(double a, double b)
{
    return a > b ? a : b;
}

static inline size_t ry_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t ry_most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/** a / b, rounded up; @p b above 0. */
static inline size_t ry_div_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

#endif
