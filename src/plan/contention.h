/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What hashing (ECMP) leaves of the links above the leaves: closed form of the flow level
 * (topology/traffic.h), which the tests hold it against.
 *
 * A flow is hashed onto one of the up ports of its leaf, and on its way down onto one of
 * the links to the leaf of its target; each of the queue pairs of a NIC's flow by itself.
 * All links are taken as independent bins with binomial loads; the slowest flow is on the
 * fullest of them.  Expected over the hash, not the worst.
 */
#ifndef RY_PLAN_CONTENTION_H
#define RY_PLAN_CONTENTION_H

#include "comm/net.h"

#include <stddef.h>

struct ry_contention_input {
    size_t leaf_down, leaf_up; /**< ports of a leaf */
    size_t leaves, tiers;
    double queue_pairs;        /**< hashed apart, of one NIC's flow; 1 or more */
};

/** Set what hashing leaves of @p tier: hashed, down_ports, hashed_frac, send_frac. */
void ry_contention_fill(const struct ry_contention_input *in, struct ry_net_tier *tier);

#endif
