/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/adjacency.h"

#include <string.h>

/* Whether a port carries traffic of the fabric, and to which device. */
static uint32_t peer_of(const struct ry_graph *g, uint32_t port, size_t fabric)
{
    const uint32_t far = ry_graph_far(g, port);

    if (far == RY_NONE ||
        g->levels[g->links[g->ports[port].cable].level].fabric_index != fabric)
        return RY_NONE;
    return g->ports[far].device;
}

static bool alloc(struct ry_arena *arena, const struct ry_graph *g,
                  struct ry_adjacency *a)
{
    a->vertex_of = RY_NEW(arena, uint32_t, g->n_devices + 1);
    a->device_of = RY_NEW(arena, uint32_t, a->n + 1);
    a->first = RY_NEW(arena, uint32_t, a->n + 1);
    a->endpoints = RY_NEW(arena, uint32_t, a->n + 1);
    a->to = RY_NEW(arena, uint32_t, a->arcs + 1);
    a->back = RY_NEW(arena, uint32_t, a->arcs + 1);
    a->links = RY_NEW(arena, uint32_t, a->arcs + 1);
    a->bytes_per_s = RY_NEW(arena, double, a->arcs + 1);
    return a->vertex_of && a->device_of && a->first && a->endpoints && a->to && a->back &&
           a->links && a->bytes_per_s;
}

static bool in_fabric(const struct ry_graph *g, uint32_t device, size_t fabric)
{
    const struct ry_device_class *class = ry_class_of(g, device);

    if (class->kind == RY_DEVICE_OCS || !ry_graph_transits(g, device))
        return false;
    return class->kind == RY_DEVICE_NODE ||
           strcmp(class->fabric, g->fabrics[fabric].name) == 0;
}

static void add_vertex(const struct ry_graph *g, struct ry_adjacency *a, uint32_t device)
{
    const uint32_t v = (uint32_t)a->n++;

    a->vertex_of[device] = v;
    a->device_of[v] = device;
    if (ry_class_of(g, device)->kind == RY_DEVICE_NODE) {
        a->endpoints[v] = 1;
        a->routed_nodes = true;
    }
}

/* Arcs of a vertex; slot[] holds the arc of a neighbour while it is filled. */
static void add_arcs(const struct ry_graph *g, struct ry_adjacency *a, uint32_t v,
                     size_t fabric, uint32_t slot[])
{
    const struct ry_device *d = &g->devices[a->device_of[v]];

    a->first[v] = (uint32_t)a->arcs;
    for (uint32_t i = 0; i < d->ports; i++) {
        const uint32_t port = d->first_port + i;
        const uint32_t peer = peer_of(g, port, fabric);
        if (peer == RY_NONE)
            continue;
        const uint32_t u = a->vertex_of[peer];
        if (u == RY_NONE) {
            const enum ry_device_kind kind = ry_class_of(g, peer)->kind;
            a->endpoints[v] += kind == RY_DEVICE_NODE || kind == RY_DEVICE_GPU;
            continue;
        }
        if (slot[u] == RY_NONE || slot[u] < a->first[v]) {
            slot[u] = (uint32_t)a->arcs++;
            a->to[slot[u]] = u;
            a->links[slot[u]] = 0;
            a->bytes_per_s[slot[u]] = 0.0;
        }
        a->links[slot[u]]++;
        a->bytes_per_s[slot[u]] += g->ports[port].bytes_per_s;
    }
}

/* A vertex has few neighbours (a switch's ports): its arcs are searched in a row. */
static void find_back(struct ry_adjacency *a)
{
    for (uint32_t v = 0; v < a->n; v++) {
        for (uint32_t e = a->first[v]; e < a->first[v + 1]; e++) {
            const uint32_t u = a->to[e];
            uint32_t twin = a->first[u];
            if (u < v)
                continue;
            while (a->to[twin] != v)
                twin++;
            a->back[e] = twin;
            a->back[twin] = e;
        }
    }
}

struct ry_adjacency *ry_adjacency_create(struct ry_arena *arena,
                                         const struct ry_graph *graph, size_t fabric)
{
    struct ry_adjacency *a = RY_NEW(arena, struct ry_adjacency, 1);
    uint32_t *slot = RY_NEW(arena, uint32_t, graph->n_devices + 1);
    size_t vertices = 0, ports = 0;

    if (!a || !slot)
        return NULL;
    for (uint32_t d = 0; d < graph->n_devices; d++) {
        if (in_fabric(graph, d, fabric)) {
            vertices++;
            ports += graph->devices[d].ports;
        }
    }
    a->n = vertices;
    a->arcs = ports;
    if (!alloc(arena, graph, a))
        return NULL;
    a->n = a->arcs = 0;
    for (uint32_t d = 0; d < graph->n_devices; d++) {
        a->vertex_of[d] = RY_NONE;
        if (in_fabric(graph, d, fabric))
            add_vertex(graph, a, d);
    }
    for (size_t i = 0; i < graph->n_devices; i++)
        slot[i] = RY_NONE;
    for (uint32_t v = 0; v < a->n; v++)
        add_arcs(graph, a, v, fabric, slot);
    a->first[a->n] = (uint32_t)a->arcs;
    find_back(a);
    return a;
}
