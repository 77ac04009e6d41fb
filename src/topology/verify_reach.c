/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/verify_reach.h"

bool ry_reach_routes(const struct ry_reach *r, uint32_t device)
{
    const struct ry_device_class *class =
        &r->graph->classes[r->graph->devices[device].of];

    return class->kind == RY_DEVICE_SWITCH || class->kind == RY_DEVICE_NVSWITCH ||
           class->kind == RY_DEVICE_PCIE ||
           (class->kind == RY_DEVICE_NODE && class->tier > 0);
}

bool ry_reach_endpoint(const struct ry_reach *r, uint32_t device)
{
    const enum ry_device_kind kind = r->graph->classes[r->graph->devices[device].of].kind;
    return kind == RY_DEVICE_NODE || kind == RY_DEVICE_GPU;
}

/* Follow a link, and circuits of optical switches, to where traffic is received. */
static void find_far(struct ry_reach *r)
{
    for (uint32_t p = 0; p < r->graph->n_ports; p++)
        r->far[p] = RY_NONE;
    for (uint32_t l = 0; l < r->graph->n_links; l++) {
        const struct ry_link *link = &r->graph->links[l];
        /* What is not joined at both ends carries nothing. */
        if (link->down || r->graph->ports[link->port[0]].cable != l ||
            r->graph->ports[link->port[1]].cable != l)
            continue;
        r->far[link->port[0]] = link->port[1];
        r->far[link->port[1]] = link->port[0];
    }
    if (!r->graph->circuits)
        return;
    /* A fibre runs node - circuit - node: one step through is enough. */
    for (uint32_t p = 0; p < r->graph->n_ports; p++) {
        const uint32_t at = r->far[p];
        const uint32_t device = r->graph->ports[p].device;
        if (at == RY_NONE ||
            r->graph->classes[r->graph->devices[device].of].kind == RY_DEVICE_OCS)
            continue;
        const uint32_t there = r->graph->ports[at].device;
        if (r->graph->classes[r->graph->devices[there].of].kind != RY_DEVICE_OCS)
            continue;
        const uint32_t joined = r->graph->circuits[at];
        uint32_t end = RY_NONE;
        if (joined != RY_NONE && r->graph->ports[joined].cable < r->graph->n_links) {
            const struct ry_link *link = &r->graph->links[r->graph->ports[joined].cable];
            if (!link->down)
                end = link->port[0] == joined ? link->port[1] : link->port[0];
        }
        r->far[p] = end;
    }
}

uint32_t ry_reach_root(struct ry_reach *r, uint32_t device)
{
    while (r->parent[device] != device) {
        r->parent[device] = r->parent[r->parent[device]];
        device = r->parent[device];
    }
    return device;
}

static void unite(struct ry_reach *r, uint32_t a, uint32_t b)
{
    const uint32_t x = ry_reach_root(r, a);
    const uint32_t y = ry_reach_root(r, b);

    if (x != y)
        r->parent[x > y ? x : y] = x > y ? y : x;
}

const struct ry_level *ry_reach_level(const struct ry_reach *r, uint32_t port)
{
    return &r->graph->levels[r->graph->links[r->graph->ports[port].cable].level];
}

void ry_reach_unite(struct ry_reach *r, size_t fabric, int rank)
{
    for (uint32_t d = 0; d < r->graph->n_devices; d++)
        r->parent[d] = d;
    for (uint32_t p = 0; p < r->graph->n_ports; p++) {
        if (r->far[p] == RY_NONE || r->far[p] < p)
            continue;
        const struct ry_level *level = ry_reach_level(r, p);
        const uint32_t a = r->graph->ports[p].device;
        const uint32_t b = r->graph->ports[r->far[p]].device;
        if (level->fabric_index == fabric && level->rank <= rank &&
            ry_reach_routes(r, a) && ry_reach_routes(r, b))
            unite(r, a, b);
    }
}

bool ry_reach_find(struct ry_arena *arena, const struct ry_graph *graph,
                   struct ry_reach *reach)
{
    *reach = (struct ry_reach){
        .graph = graph,
        .far = RY_NEW(arena, uint32_t, graph->n_ports + 1),
        .parent = RY_NEW(arena, uint32_t, graph->n_devices + 1),
    };
    if (!reach->far || !reach->parent)
        return false;
    find_far(reach);
    return true;
}
