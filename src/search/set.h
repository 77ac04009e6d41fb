/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Making of struct ry_set: the values of one dimension that are tried.
 */
#ifndef RY_SEARCH_SET_H
#define RY_SEARCH_SET_H

#include "plan/workload.h"

/** Append a value, unless it is there or RY_SET_MOST others are. */
void ry_set_add(struct ry_set *set, unsigned value);

/** What was given, else @p fallback. */
struct ry_set ry_set_or(const struct ry_set *given, struct ry_set fallback);

/** Of one value. */
struct ry_set ry_set_one(unsigned value);

/** 1, 2, 4, ... up to @p most. */
struct ry_set ry_set_powers(unsigned most);

/** All divisors of @p number up to @p most, ascending. */
struct ry_set ry_set_divisors(unsigned number, unsigned most);

#endif
