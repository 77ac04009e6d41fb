/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Several workloads on one cluster, one after the other: what all of them take.
 *
 * Workload i is trained runs[i] times, each time with the strategy that its own case has.
 * Days, dollars and tokens add up; figures of power are means over time, those a token
 * are means over tokens.  What has no meaning for several (step time) is NAN.
 */
#ifndef RY_SEARCH_MIX_H
#define RY_SEARCH_MIX_H

#include "search/rank.h"

/**
 * Put together.
 * @param cases [n] of one design, each workload's
 * @param runs  [n] above 0
 * @param out   feasible when all are; else `why` names the first that is not
 */
void ry_mix(const struct ry_case *const cases[], const double runs[], size_t n,
            struct ry_case *out);

#endif
