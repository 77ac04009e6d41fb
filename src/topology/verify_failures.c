/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/verify_failures.h"

/* Tarjan's low points over the devices that route, without recursion. */
struct search {
    uint32_t *order, *low; /* [devices] 0: not seen */
    uint32_t *from;        /* [devices] the port by which it was entered, here */
    uint32_t *next;        /* [devices] the next port to look at */
    uint32_t *endpoints;   /* [devices] in the subtree */
    uint32_t *severed;     /* [devices] endpoints of subtrees that it alone holds */
    uint32_t *parts;       /* [devices] how many such subtrees with endpoints */
    uint32_t *biggest;     /* [devices] the largest of them */
    uint32_t *stack;       /* [devices] */
    uint32_t *in_part;     /* [devices] endpoints of a part, at its root */
    uint32_t clock;        /* devices seen */
};

static uint32_t own_endpoints(const struct ry_reach *r, uint32_t device, size_t fabric)
{
    const struct ry_device *d = &r->graph->devices[device];
    uint32_t own = 0;

    if (ry_reach_endpoint(r, device))
        return 1;
    for (uint32_t i = 0; i < d->ports; i++) {
        const uint32_t far = r->far[d->first_port + i];
        own += far != RY_NONE && ry_reach_endpoint(r, r->graph->ports[far].device) &&
               ry_reach_level(r, d->first_port + i)->fabric_index == fabric;
    }
    return own;
}

/* A subtree is done: what does its parent, and the link to it, hold? */
static void leave(struct search *s, uint32_t device, uint32_t parent, uint32_t total,
                  struct ry_fabric_measured *m)
{
    const uint32_t below = s->endpoints[device];

    s->endpoints[parent] += below;
    if (s->low[device] < s->low[parent])
        s->low[parent] = s->low[device];
    if (s->low[device] > s->order[parent] && below > 0 && below < total)
        m->survives_link = false;
    if (s->low[device] >= s->order[parent]) {
        s->severed[parent] += below;
        s->parts[parent] += below > 0;
        if (below > s->biggest[parent])
            s->biggest[parent] = below;
    }
}

static void judge_switch(const struct ry_reach *r, const struct search *s,
                         uint32_t device, size_t fabric, uint32_t total,
                         struct ry_fabric_measured *m)
{
    const uint32_t own = own_endpoints(r, device, fabric);
    const uint32_t rest = total - own - s->severed[device];
    const uint32_t biggest = s->biggest[device] > rest ? s->biggest[device] : rest;

    if (!ry_reach_endpoint(r, device) && own > m->own_of_switch)
        m->own_of_switch = own;
    if (own == total && total > 1 && m->components == 1 &&
        r->graph->classes[r->graph->devices[device].of].kind == RY_DEVICE_SWITCH)
        m->survives_switch = false; /* the only one */
    if (s->parts[device] + (rest > 0) < 2)
        return;
    m->survives_switch = false;
    if (total - own - biggest > m->lost_by_switch)
        m->lost_by_switch = total - own - biggest;
}

/* One connected part from @p root; @p total endpoints are in it. */
static void walk(const struct ry_reach *r, struct search *s, size_t fabric, uint32_t root,
                 uint32_t total, struct ry_fabric_measured *m)
{
    size_t depth = 0;

    s->stack[depth++] = root;
    s->order[root] = s->low[root] = ++s->clock;
    s->endpoints[root] = own_endpoints(r, root, fabric);
    while (depth > 0) {
        const uint32_t at = s->stack[depth - 1];
        const struct ry_device *d = &r->graph->devices[at];
        if (s->next[at] == d->ports) {
            depth--;
            if (depth > 0)
                leave(s, at, s->stack[depth - 1], total, m);
            continue;
        }
        const uint32_t port = d->first_port + s->next[at]++;
        const uint32_t far = r->far[port];
        if (far == RY_NONE || port == s->from[at])
            continue;
        const uint32_t there = r->graph->ports[far].device;
        if (!ry_reach_routes(r, there) || ry_reach_level(r, port)->fabric_index != fabric)
            continue;
        if (s->order[there] == 0) {
            s->order[there] = s->low[there] = ++s->clock;
            s->endpoints[there] = own_endpoints(r, there, fabric);
            s->from[there] = far;
            s->stack[depth++] = there;
        } else if (s->order[there] < s->low[at]) {
            s->low[at] = s->order[there];
        }
    }
}

static bool search_create(struct ry_arena *arena, const struct ry_graph *graph,
                          struct search *s)
{
    uint32_t **const arrays[] = {&s->order,     &s->low,     &s->from,  &s->next,
                                 &s->endpoints, &s->severed, &s->parts, &s->biggest,
                                 &s->stack,     &s->in_part};

    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        *arrays[i] = RY_NEW(arena, uint32_t, graph->n_devices + 1);
        if (!*arrays[i])
            return false;
    }
    for (size_t i = 0; i < graph->n_devices; i++)
        s->from[i] = RY_NONE;
    return true;
}

bool ry_verify_failures(struct ry_arena *arena, struct ry_reach *r, size_t fabric,
                        struct ry_fabric_measured *m)
{
    struct search s = {0};

    m->survives_link = m->survives_switch = true;
    if (!search_create(arena, r->graph, &s))
        return false;
    ry_reach_unite(r, fabric, RY_RANKS_MOST);
    for (uint32_t d = 0; d < r->graph->n_devices; d++)
        if (ry_reach_routes(r, d))
            s.in_part[ry_reach_root(r, d)] += own_endpoints(r, d, fabric);
    for (uint32_t d = 0; d < r->graph->n_devices; d++) {
        const uint32_t total = ry_reach_routes(r, d) ? s.in_part[ry_reach_root(r, d)] : 0;
        if (total > 0 && s.order[d] == 0)
            walk(r, &s, fabric, d, total, m);
    }
    for (uint32_t d = 0; d < r->graph->n_devices; d++)
        if (s.order[d] > 0)
            judge_switch(r, &s, d, fabric, s.in_part[ry_reach_root(r, d)], m);
    return true;
}
