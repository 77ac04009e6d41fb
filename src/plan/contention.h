/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What collectives get of the links above the leaves, once a design; the tests hold it
 * against the flow level of the cabled fabric (topology/traffic.h).
 *
 * Packets that are spread (adaptive routing) use all links.  A hashed flow (ECMP) is on
 * one of the up ports of its leaf, and on its way down on one of the links to the leaf of
 * its target; each of the queue pairs of a NIC's flow by itself.
 *
 * - Collectives end with their slowest flow.  Links are independent bins with binomial
 *   loads and that flow is on the fullest of them: expected over the hash, not the worst.
 * - Messages to another stage do not wait for each other.  What one gets on average when
 *   all NICs send one is taken from the flow level itself: max-min rates
 * (topology/flow.h) of the NICs of a leaf, or of a pod, to those of another, mean over
 * seeds that do not change.
 */
#ifndef RY_PLAN_CONTENTION_H
#define RY_PLAN_CONTENTION_H

#include "base/arena.h"
#include "comm/net.h"
#include "design/design.h"
#include "plan/network.h"

#include <stddef.h>

/** The levels of struct ry_net_fabric: leaves, then pods where there are three tiers. */
struct ry_contention {
    size_t tiers; /**< 0: one switch, or rails that share none */
    struct ry_net_tier tier[RY_TIERS_MOST];
};

/**
 * Make it.
 * @param arena scratch memory: about 1 MiB for pods of 1,024 NICs, none where packets
 *              are spread.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_contention_make(struct ry_arena *arena,
                                           const struct ry_design *design,
                                           const struct ry_network *network,
                                           struct ry_contention *out,
                                           struct ry_diag *diag);

/** A stretch of a fabric that all NICs below one subtree send over, to another one. */
struct ry_stretch {
    size_t leaves;      /**< of the subtree: 1, or those of a pod */
    size_t leaf_nics;   /**< that send, of each leaf */
    size_t leaf_up;     /**< links of a leaf to spines */
    size_t spines;      /**< of the subtree, each with as many links to each leaf */
    size_t spine_up;    /**< links of a spine to cores; 0: the spines join the leaves */
    size_t spine_cores; /**< cores that a spine is linked to, each by as many links */
    size_t pairs;       /**< queue pairs of a NIC's message, hashed apart; 1 or more */
};

/**
 * Mean share of a NIC's rate that a message gets, at the flow level.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_contention_send(struct ry_arena *arena,
                                           const struct ry_stretch *stretch,
                                           double *share_frac, struct ry_diag *diag);

#endif
