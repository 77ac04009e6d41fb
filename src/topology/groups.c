/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/groups.h"

/* The leaf of a node's first port that is up, in the first fabric. */
static uint32_t leaf_of(const struct ry_graph *g, uint32_t node)
{
    for (uint32_t i = 0; i < g->devices[node].ports; i++) {
        const uint32_t port = g->devices[node].first_port + i;
        const uint32_t far = ry_graph_far(g, port);
        if (far != RY_NONE &&
            g->levels[g->links[g->ports[port].cable].level].fabric_index == 0)
            return g->ports[far].device;
    }
    return RY_NONE;
}

/* Number keys from 0 in the order in which they come. */
static size_t number(const uint32_t key[], size_t n, uint32_t of[], uint32_t seen[],
                     size_t keys)
{
    size_t groups = 0;

    for (size_t i = 0; i < keys; i++)
        seen[i] = RY_NONE;
    for (size_t i = 0; i < n; i++) {
        if (seen[key[i]] == RY_NONE)
            seen[key[i]] = (uint32_t)groups++;
        of[i] = seen[key[i]];
    }
    return groups;
}

enum ry_err ry_graph_groups(struct ry_arena *arena, const struct ry_graph *g,
                            struct ry_node_groups *groups, struct ry_diag *diag)
{
    const size_t nodes = g->classes[0].count;
    const uint32_t first = g->classes[0].first;
    uint32_t *key = RY_NEW(arena, uint32_t, nodes + 1);
    uint32_t *pod = RY_NEW(arena, uint32_t, nodes + 1);
    uint32_t *seen = RY_NEW(arena, uint32_t, g->n_devices + 1);

    *groups = (struct ry_node_groups){.nodes = nodes,
                                      .of = RY_NEW(arena, uint32_t, nodes + 1),
                                      .above = RY_NEW(arena, uint32_t, nodes + 1),
                                      .size = RY_NEW(arena, size_t, nodes + 1)};
    if (!key || !pod || !seen || !groups->of || !groups->above || !groups->size)
        return ry_fail(diag, RY_ERR_NOMEM, "groups", "out of memory");
    if (ry_graph_transits(g, first))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "groups",
                       "'%s' has no leaves: its nodes are the routers",
                       g->fabrics[0].family);
    for (uint32_t n = 0; n < nodes; n++) {
        const uint32_t leaf = leaf_of(g, first + n);
        if (leaf == RY_NONE)
            return ry_fail(diag, RY_ERR_INFEASIBLE, "groups", "node%u has no leaf", n);
        key[n] = g->fabrics[0].rails > 1 ? g->devices[first + n].unit : leaf;
        pod[n] = g->devices[leaf].unit;
    }
    groups->n = number(key, nodes, groups->of, seen, g->n_devices);
    groups->pods = number(pod, nodes, pod, seen, g->n_devices);
    for (size_t n = 0; n < nodes; n++) {
        groups->above[groups->of[n]] = pod[n];
        groups->size[groups->of[n]]++;
    }
    return RY_OK;
}
