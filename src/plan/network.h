/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How many switches and links the compute fabric of a design takes: closed forms, the
 * same rules as the explicit topology (topology/), fast enough for a search.
 *
 * Leaf-spine, one to three tiers, balanced spines.  A leaf serves whole rails where a
 * rail fits it (nodes <= its down ports), and a rail takes whole leaves where it does
 * not: 32 nodes x 8 NICs on 64 ports at 1:1 take 8 leaves and 4 spines, 9 nodes take 3.
 * Rail-only takes a switch for each rail, or each two.
 * Of a leaf's ports r / (1 + oversubscription) go up, rounded up; where even links over
 * that many take more spines than have the ports (2:1 of 128: 43 up take 43 spines),
 * fewer, to three quarters of it: the most that take the fewest switches (42: 3). Rules:
 * NVIDIA DGX SuperPOD reference architectures; topology/clos.h.
 */
#ifndef RY_PLAN_NETWORK_H
#define RY_PLAN_NETWORK_H

#include "base/err.h"
#include "catalog/parts.h"

#include <stdbool.h>
#include <stddef.h>

struct ry_network_input {
    const char *name;  /**< of the design, for messages */
    size_t nodes;      /**< node parts */
    size_t rails;      /**< NICs of a node part */
    size_t leaf_radix; /**< ports at the NIC's rate */
    size_t spine_radix;
    double oversubscription; /**< 1 or more, leaf down / up */
    bool rail_optimised;
    bool rail_only;          /**< rails are not joined: no spines */
    size_t management_ports; /**< taken from leaves */
    size_t tiers;            /**< 0: as few as hold the ports */
};

struct ry_network {
    size_t tiers;              /**< 0: no fabric */
    size_t leaf_down, leaf_up; /**< ports of a leaf that may be used */
    size_t leaves, spines, cores;
    size_t pods, pod_leaves; /**< of three tiers: pods, leaves of the fullest; else 0 */
    size_t spine_up;         /**< links of a spine to cores */
    size_t spine_cores;      /**< cores that it is linked to */
    size_t node_links, leaf_spine_links, spine_core_links;
    size_t nodes_per_leaf;   /**< that share a leaf's rail: a unit's nodes */
    double oversubscription; /**< as built: used down / up of a leaf */
};

/**
 * Count.
 * @return RY_OK or RY_ERR_INFEASIBLE with the rule and the numbers: "4,096 ports need 3
 *         tiers of 64-port switches, 2 asked for".
 */
RY_MUST_USE enum ry_err ry_network_count(const struct ry_network_input *in,
                                         struct ry_network *out, struct ry_diag *diag);

/** Ports of a switch at the NIC's rate, split where the catalog allows: the radix. */
size_t ry_switch_radix(const struct ry_switch *part, double nic_bytes_per_s);

#endif
