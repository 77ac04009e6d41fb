/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * An independent check of a graph.  It reads the four arrays of struct ry_graph and what
 * the builder claims (struct ry_fabric), shares no code with the builders, and measures
 * everything again: union-find for cuts and components, Tarjan's low points for single
 * failures.
 */
#ifndef RY_TOPOLOGY_VERIFY_H
#define RY_TOPOLOGY_VERIFY_H

#include "base/problems.h"
#include "topology/graph.h"

#include <stddef.h>

struct ry_fabric_measured {
    size_t components; /**< parts with endpoints */
    size_t endpoint_ports;
    size_t nodes_missing;      /**< nodes without a port in some part */
    double cut[RY_RANKS_MOST]; /**< worst over switches, then pods or groups; 0: none */
    bool survives_link;
    bool survives_switch;   /**< what is not on it; false when there is only one */
    size_t lost_by_switch;  /**< most endpoints cut off by one switch, its own apart */
    size_t own_of_switch;   /**< most endpoints on one switch */
    size_t nodes_of_switch; /**< most nodes whose every port is on one switch */
};

struct ry_verified {
    struct ry_fabric_measured fabric[RY_FABRICS_MOST]; /**< [graph->n_fabrics] */
    size_t ports_used, ports_free, links_down;
};

/**
 * Check a graph.
 * @param arena    scratch memory, about 40 bytes a port.
 * @param graph    what to check.
 * @param problems gets every fault found, code RY_ERR_NO, naming ports and figures.
 * @param verified set to what was measured.
 * @return RY_OK (faults or not) or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_topo_verify(struct ry_arena *arena,
                                       const struct ry_graph *graph,
                                       struct ry_problems *problems,
                                       struct ry_verified *verified,
                                       struct ry_diag *diag);

#endif
