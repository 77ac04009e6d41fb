/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Routes of flows over shortest paths of a fabric, as uses of resources.
 *
 * Resources: each link in each direction (2 link + 0 from its first port, + 1 from its
 * second), then each bundle of parallel links in each direction, then for each GPU its
 * local link out and in.
 */
#ifndef RY_TOPOLOGY_ROUTE_H
#define RY_TOPOLOGY_ROUTE_H

#include "topology/adjacency.h"
#include "topology/flow.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ry_routing {
    RY_ROUTE_ADAPTIVE, /**< per packet: evenly over all links of shortest paths */
    RY_ROUTE_ECMP,     /**< a hash of the flow picks one link at each switch */
    RY_ROUTE_STATIC,   /**< the destination picks it (D-mod-K); a torus by dimension order
                        */
};

struct ry_router_options {
    size_t fabric;
    enum ry_routing routing;
    size_t connections; /**< hashed apart, of one flow (queue pairs); 0 is 1 */
    uint64_t seed;      /**< of the hash */
    bool pxn;           /**< cross the rail by local links first: NIC of the target */
    double local_bytes_per_s; /**< of a GPU's local links, each way; 0: no limit */
};

struct ry_router {
    struct ry_router_options options;
    const struct ry_graph *graph;
    const struct ry_adjacency *adjacency;
    struct ry_arena *arena;
    size_t gpus, gpus_per_node, nics, planes; /**< of a node; planes of a NIC */
    size_t first_arc, first_local, resources;
    double *capacity;         /**< [resources] bytes a second */
    uint16_t **distance;      /**< [vertices] to it from each vertex, made when needed */
    uint32_t *queue;          /**< [vertices] */
    double *share;            /**< [vertices] of a flow that is spread; all 0 between */
    struct ry_flow_use *uses; /**< of the flow in work */
    size_t n_uses, room_uses;
    bool stuck; /**< a flow had no path */
};

/** Prepare routes over one fabric; NULL when out of memory. */
struct ry_router *ry_router_create(struct ry_arena *arena, const struct ry_graph *graph,
                                   const struct ry_router_options *options);

/**
 * Add the flow from one GPU to another, @p count times.  GPU g of node n is
 * n gpus_per_node + g.  A flow that has no path is left out, and router->stuck is set.
 */
RY_MUST_USE enum ry_err ry_route_flow(struct ry_router *router, struct ry_flow_set *set,
                                      uint32_t from, uint32_t to, double count,
                                      struct ry_diag *diag);

/** The port of a node that GPU @p gpu of it uses in a plane of its NIC. */
uint32_t ry_router_port(const struct ry_router *router, uint32_t node, size_t gpu,
                        size_t plane);

#endif
