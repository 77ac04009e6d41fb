/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Collectives as sets of flows over a fabric, and what rates they get.
 */
#ifndef RY_TOPOLOGY_TRAFFIC_H
#define RY_TOPOLOGY_TRAFFIC_H

#include "topology/route.h"

#include <stddef.h>

enum ry_traffic {
    RY_TRAFFIC_RINGS,        /**< a ring of nodes for each GPU index: rail-aligned */
    RY_TRAFFIC_TREES,        /**< a binary tree of nodes for each GPU index, both ways */
    RY_TRAFFIC_ALL_TO_ALL,   /**< every GPU to every other */
    RY_TRAFFIC_HIERARCHICAL, /**< rail by rail all-to-all of nodes, then inside nodes */
    RY_TRAFFIC_HALVES,       /**< GPU i to GPU i + N/2, and back: bisection */
    RY_TRAFFIC_RING,         /**< one ring over all GPUs in their order */
};

struct ry_traffic_result {
    double flows; /**< routed; classes counted by what they stand for */
    double least_bytes_per_s, mean_bytes_per_s, most_bytes_per_s; /**< of one flow */
    double gpu_bytes_per_s; /**< what the slowest GPU sends, all its flows at the pace of
                                 the slowest flow: what a collective gets;
                                 NAN where some pairs have no path */
    double total_bytes_per_s;
    bool stuck; /**< some pairs have no path: left out */
};

/** Route and share: every flow by itself.  @p router keeps its distances for more. */
RY_MUST_USE enum ry_err ry_traffic_rates(struct ry_arena *arena, struct ry_router *router,
                                         enum ry_traffic traffic,
                                         struct ry_traffic_result *result,
                                         struct ry_diag *diag);

/**
 * An all-to-all as classes of equal flows, one for each pair of leaves: exact for a
 * balanced, whole Clos with adaptive routing, where equal flows share equal bundles.
 * @return RY_OK; RY_ERR_INFEASIBLE when the fabric is not of that kind.
 */
RY_MUST_USE enum ry_err ry_traffic_all_to_all(struct ry_arena *arena,
                                              struct ry_router *router,
                                              struct ry_traffic_result *result,
                                              struct ry_diag *diag);

/** Names, ended by NULL: "rings", "trees", ... in the order of the enum. */
extern const char *const ry_traffic_names[];
extern const char *const ry_routing_names[];

#endif
