/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Which nodes sit together: below one leaf, or in one unit of a railed fabric; and which
 * of those below one pod, group or core.
 */
#ifndef RY_TOPOLOGY_GROUPS_H
#define RY_TOPOLOGY_GROUPS_H

#include "base/err.h"
#include "topology/graph.h"

#include <stddef.h>

struct ry_node_groups {
    size_t nodes, n, pods;
    uint32_t *of;    /**< [nodes] group of a node */
    uint32_t *above; /**< [n] pod of the group */
    size_t *size;    /**< [n] nodes */
};

/**
 * Groups of the nodes in the first fabric.
 * @return RY_OK; RY_ERR_INFEASIBLE when nodes are the routers, or one has no leaf;
 *         RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_graph_groups(struct ry_arena *arena,
                                        const struct ry_graph *graph,
                                        struct ry_node_groups *groups,
                                        struct ry_diag *diag);

#endif
