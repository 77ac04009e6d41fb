/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Who is next to whom in one fabric: parallel links merged, links that are down left out.
 * Only devices that route are vertices; endpoints are weights on them.
 */
#ifndef RY_TOPOLOGY_ADJACENCY_H
#define RY_TOPOLOGY_ADJACENCY_H

#include "topology/graph.h"

#include <stddef.h>
#include <stdint.h>

struct ry_adjacency {
    size_t n, arcs;      /**< vertices; directed arcs, one each way */
    uint32_t *vertex_of; /**< [devices] or RY_NONE */
    uint32_t *device_of; /**< [n] */
    uint32_t *first;     /**< [n + 1] into the arrays of arcs */
    uint32_t *to;        /**< [arcs] vertex */
    uint32_t *back;      /**< [arcs] the arc the other way */
    uint32_t *links;     /**< [arcs] how many parallel links */
    double *bytes_per_s; /**< [arcs] of all of them */
    uint32_t *endpoints; /**< [n] node ports on it; 1 for a node that routes */
    bool routed_nodes;   /**< endpoints are the vertices themselves */
};

/** Vertices and arcs of a fabric; NULL when out of memory. */
struct ry_adjacency *ry_adjacency_create(struct ry_arena *arena,
                                         const struct ry_graph *graph, size_t fabric);

#endif
