/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the builders of direct networks share: routers with endpoints below them.
 */
#ifndef RY_TOPOLOGY_DIRECT_BUILD_H
#define RY_TOPOLOGY_DIRECT_BUILD_H

#include "topology/family.h"

#include <stddef.h>

/** Routers of a direct network; ports 0 to endpoints - 1 are for nodes. */
struct ry_routers {
    size_t n, ports, endpoints; /**< routers; ports and endpoints of each */
    size_t per_unit;            /**< routers of a group; 0: all are one */
};

/** Fill nodes: one port each (or nics), from gpus or nodes; the most when not given. */
RY_MUST_USE enum ry_err ry_direct_nodes(const struct ry_topo_spec *spec, size_t most,
                                        struct ry_topo_plan *plan, struct ry_diag *diag);

/** Counts of routers and access links; claims survives_switch where nodes are on two
 * routers or more. */
void ry_direct_plan(const struct ry_topo_spec *spec, const struct ry_routers *routers,
                    size_t trunk_links, struct ry_topo_plan *plan);

/** Router devices and their nodes; returns the index of router 0. */
uint32_t ry_direct_routers(struct ry_graph *graph, const struct ry_build *build,
                           const struct ry_routers *routers);

/** A level of links between routers. */
uint16_t ry_direct_level(struct ry_graph *graph, const struct ry_build *build,
                         const char *name, int rank);

/** The first free port of a router from port @p first on. */
uint32_t ry_direct_free_port(const struct ry_graph *graph, uint32_t router, size_t first);

#endif
