/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/route.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

enum { FAR = UINT16_MAX };

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "routes", "out of memory");
}

static uint32_t direction(const struct ry_graph *g, uint32_t port)
{
    const uint32_t link = g->ports[port].cable;
    return 2 * link + (g->links[link].port[1] == port);
}

static void set_capacities(struct ry_router *r)
{
    const struct ry_graph *g = r->graph;

    for (size_t l = 0; l < g->n_links; l++) {
        r->capacity[2 * l] = g->links[l].bytes_per_s;
        r->capacity[2 * l + 1] = g->links[l].bytes_per_s;
    }
    for (size_t a = 0; a < r->adjacency->arcs; a++)
        r->capacity[r->first_arc + a] = r->adjacency->bytes_per_s[a];
    for (size_t i = r->first_local; i < r->resources; i++)
        r->capacity[i] = r->options.local_bytes_per_s > 0.0 ? r->options.local_bytes_per_s
                                                            : (double)INFINITY;
}

/* NICs of a node: its ports in this fabric over the planes of each. */
static void set_nodes(struct ry_router *r)
{
    const struct ry_fabric *fabric = &r->graph->fabrics[r->options.fabric];
    const struct ry_device_class *nodes = &r->graph->classes[0];

    r->gpus_per_node = nodes->gpus ? nodes->gpus : 1;
    r->gpus = (size_t)nodes->count * r->gpus_per_node;
    r->planes = fabric->nic_planes ? fabric->nic_planes : 1;
    const size_t ports = nodes->count ? fabric->endpoint_ports / nodes->count : 0;
    r->nics = ports / r->planes ? ports / r->planes : 1;
}

struct ry_router *ry_router_create(struct ry_arena *arena, const struct ry_graph *graph,
                                   const struct ry_router_options *options)
{
    struct ry_router *r = RY_NEW(arena, struct ry_router, 1);

    if (!r)
        return NULL;
    *r = (struct ry_router){.options = *options, .graph = graph, .arena = arena};
    r->adjacency = ry_adjacency_create(arena, graph, options->fabric);
    if (!r->adjacency)
        return NULL;
    set_nodes(r);
    r->first_arc = 2 * graph->n_links;
    r->first_local = r->first_arc + r->adjacency->arcs;
    r->resources = r->first_local + 2 * r->gpus;
    r->capacity = RY_NEW(arena, double, r->resources + 1);
    r->distance = RY_NEW(arena, uint16_t *, r->adjacency->n + 1);
    r->queue = RY_NEW(arena, uint32_t, r->adjacency->n + 1);
    r->share = RY_NEW(arena, double, r->adjacency->n + 1);
    if (!r->capacity || !r->distance || !r->queue || !r->share)
        return NULL;
    set_capacities(r);
    return r;
}

uint32_t ry_router_port(const struct ry_router *r, uint32_t node, size_t gpu,
                        size_t plane)
{
    const struct ry_device_class *nodes = &r->graph->classes[0];
    const size_t nic = gpu * r->nics / r->gpus_per_node;

    return ry_graph_port(r->graph, nodes->first + node,
                         r->graph->fabrics[r->options.fabric].first_node_port +
                             nic * r->planes + plane);
}

/* Distances to a vertex, by breadth first. */
static const uint16_t *distances_to(struct ry_router *r, uint32_t target)
{
    const struct ry_adjacency *a = r->adjacency;
    size_t head = 0, tail = 1;

    if (r->distance[target])
        return r->distance[target];
    uint16_t *d = RY_NEW(r->arena, uint16_t, a->n);
    if (!d)
        return NULL;
    memset(d, 0xff, a->n * sizeof(*d));
    d[target] = 0;
    r->queue[0] = target;
    while (head < tail) {
        const uint32_t v = r->queue[head++];
        for (uint32_t e = a->first[v]; e < a->first[v + 1]; e++) {
            if (d[a->to[e]] == FAR) {
                d[a->to[e]] = (uint16_t)(d[v] + 1);
                r->queue[tail++] = a->to[e];
            }
        }
    }
    r->distance[target] = d;
    return d;
}

static bool use(struct ry_router *r, size_t resource, double weight)
{
    if (r->n_uses == r->room_uses) {
        const size_t room = 2 * r->room_uses + 256;
        struct ry_flow_use *bigger = RY_NEW(r->arena, struct ry_flow_use, room);
        if (!bigger)
            return false;
        if (r->n_uses > 0)
            memcpy(bigger, r->uses, r->n_uses * sizeof(*bigger));
        r->uses = bigger;
        r->room_uses = room;
    }
    r->uses[r->n_uses++] = (struct ry_flow_use){(uint32_t)resource, weight};
    return true;
}

/* Spread over all arcs of shortest paths, by the rate of each bundle. */
static bool spread(struct ry_router *r, uint32_t from, const uint16_t *d, double weight)
{
    const struct ry_adjacency *a = r->adjacency;
    size_t head = 0, tail = 1;
    bool ok = true;

    r->queue[0] = from;
    r->share[from] = weight;
    while (head < tail) {
        const uint32_t v = r->queue[head++];
        double total = 0.0;
        for (uint32_t e = a->first[v]; e < a->first[v + 1]; e++)
            total += d[a->to[e]] + 1 == d[v] ? a->bytes_per_s[e] : 0.0;
        for (uint32_t e = a->first[v]; ok && e < a->first[v + 1]; e++) {
            const uint32_t u = a->to[e];
            if (d[u] + 1 != d[v])
                continue;
            const double part = r->share[v] * a->bytes_per_s[e] / total;
            if (r->share[u] == 0.0)
                r->queue[tail++] = u;
            r->share[u] += part;
            ok = use(r, r->first_arc + e, part);
        }
    }
    for (size_t i = 0; i < tail; i++)
        r->share[r->queue[i]] = 0.0;
    return ok;
}

enum { TIERS = 8 };

/* A choice at each switch among links one step nearer. */
struct choice {
    uint64_t key; /* of the flow: a hash, or the number of its destination */
    bool hashed;
    bool first;                       /* dimension order: the lowest port */
    size_t digit[TIERS], base[TIERS]; /* of the destination, at each tier on the way up */
};

/* Going down, parallel links are told apart by the digit that was used going up. */
static size_t pick(struct choice *choice, uint32_t device, size_t candidates,
                   unsigned tier, unsigned to_tier)
{
    if (choice->first)
        return 0;
    if (choice->hashed)
        return (size_t)(ry_hash_mixed(choice->key ^ ry_hash_mixed(device)) % candidates);
    if (to_tier < tier && to_tier < TIERS && choice->base[to_tier] >= candidates)
        return choice->digit[to_tier] / (choice->base[to_tier] / candidates) % candidates;
    const size_t k = (size_t)(choice->key % candidates);
    choice->key /= candidates;
    if (tier < TIERS) {
        choice->digit[tier] = k;
        choice->base[tier] = candidates;
    }
    return k;
}

static bool nearer(const struct ry_router *r, uint32_t port, const uint16_t *d,
                   uint32_t v, uint32_t *to)
{
    const uint32_t far = ry_graph_far(r->graph, port);

    if (far == RY_NONE)
        return false;
    *to = r->adjacency->vertex_of[r->graph->ports[far].device];
    return *to != RY_NONE && d[*to] + 1 == d[v];
}

static bool walk(struct ry_router *r, uint32_t from, const uint16_t *d,
                 struct choice choice, double weight)
{
    uint32_t v = from;

    while (d[v] > 0) {
        const struct ry_device *device = &r->graph->devices[r->adjacency->device_of[v]];
        uint32_t to = RY_NONE;
        size_t candidates = 0;
        for (uint32_t i = 0; i < device->ports; i++)
            candidates += nearer(r, device->first_port + i, d, v, &to);
        const uint32_t at = r->adjacency->device_of[v];
        for (uint32_t i = 0; !nearer(r, device->first_port + i, d, v, &to);)
            i++;
        size_t k = pick(&choice, at, candidates, ry_class_of(r->graph, at)->tier,
                        ry_class_of(r->graph, r->adjacency->device_of[to])->tier);
        for (uint32_t i = 0; i < device->ports; i++) {
            if (nearer(r, device->first_port + i, d, v, &to) && k-- == 0) {
                if (!use(r, direction(r->graph, device->first_port + i), weight))
                    return false;
                break;
            }
        }
        v = to;
    }
    return true;
}

struct flow {
    uint64_t key;    /* what a switch hashes */
    uint32_t target; /* number of the destination, for routing without a hash */
    double weight;   /* share of the flow that goes this way */
};

/* Between two switches (or nodes that route). */
static enum ry_err between(struct ry_router *r, uint32_t from, uint32_t to,
                           const struct flow *flow, struct ry_diag *diag)
{
    const uint16_t *d = distances_to(r, to);
    const size_t n = r->options.routing == RY_ROUTE_ECMP && r->options.connections > 1
                         ? r->options.connections
                         : 1;

    if (!d)
        return no_memory(diag);
    if (d[from] == FAR) {
        r->stuck = true;
        return RY_OK;
    }
    if (r->options.routing == RY_ROUTE_ADAPTIVE)
        return spread(r, from, d, flow->weight) ? RY_OK : no_memory(diag);
    for (size_t i = 0; i < n; i++) {
        const bool hashed = r->options.routing == RY_ROUTE_ECMP;
        const struct choice choice = {
            .key = hashed ? ry_hash_mixed(flow->key ^ ry_hash_mixed(r->options.seed + i))
                          : flow->target,
            .hashed = hashed,
            .first = !hashed && r->adjacency->routed_nodes,
        };
        if (!walk(r, from, d, choice, flow->weight / (double)n))
            return no_memory(diag);
    }
    return RY_OK;
}

/* One plane of the NIC: out of its port, over the fabric, into the other port. */
static enum ry_err over_fabric(struct ry_router *r, uint32_t out, uint32_t in,
                               uint64_t key, double weight, struct ry_diag *diag)
{
    const uint32_t out_far = ry_graph_far(r->graph, out);
    const uint32_t in_far = ry_graph_far(r->graph, in);

    if (out_far == RY_NONE || in_far == RY_NONE) {
        r->stuck = true;
        return RY_OK;
    }
    if (!use(r, direction(r->graph, out), weight) ||
        !use(r, direction(r->graph, in_far), weight))
        return no_memory(diag);
    /* Destinations are numbered leaf by leaf, as fat-tree routing does. */
    const uint32_t leaf = r->graph->ports[in_far].device;
    const uint32_t v = r->adjacency->vertex_of[leaf];
    const struct flow flow = {
        .key = key,
        .target =
            v * r->adjacency->endpoints[v] + in_far - r->graph->devices[leaf].first_port,
        .weight = weight,
    };
    return between(r, r->adjacency->vertex_of[r->graph->ports[out_far].device], v, &flow,
                   diag);
}

static bool use_local(struct ry_router *r, uint32_t from, uint32_t to)
{
    return use(r, r->first_local + 2 * (size_t)from, 1.0) &&
           use(r, r->first_local + 2 * (size_t)to + 1, 1.0);
}

/* Planes whose ports are both up share the flow. */
static enum ry_err over_planes(struct ry_router *r, uint32_t from, uint32_t to,
                               size_t out_gpu, struct ry_diag *diag)
{
    const uint32_t n = (uint32_t)r->gpus_per_node;
    const uint64_t flow = (uint64_t)from << 32 | to;
    size_t up = 0;

    for (size_t plane = 0; plane < r->planes; plane++)
        up += ry_graph_far(r->graph, ry_router_port(r, from / n, out_gpu, plane)) !=
                  RY_NONE &&
              ry_graph_far(r->graph, ry_router_port(r, to / n, to % n, plane)) != RY_NONE;
    if (up == 0)
        r->stuck = true;
    for (size_t plane = 0; plane < r->planes; plane++) {
        const uint32_t out = ry_router_port(r, from / n, out_gpu, plane);
        const uint32_t in = ry_router_port(r, to / n, to % n, plane);
        if (ry_graph_far(r->graph, out) == RY_NONE ||
            ry_graph_far(r->graph, in) == RY_NONE)
            continue;
        RY_TRY(over_fabric(r, out, in, flow, 1.0 / (double)up, diag));
    }
    return RY_OK;
}

enum ry_err ry_route_flow(struct ry_router *r, struct ry_flow_set *set, uint32_t from,
                          uint32_t to, double count, struct ry_diag *diag)
{
    const uint32_t n = (uint32_t)r->gpus_per_node;
    const bool was_stuck = r->stuck;

    r->n_uses = 0;
    r->stuck = false;
    if (from == to) {
        r->stuck = was_stuck;
        return RY_OK;
    }
    if (r->adjacency->routed_nodes) {
        const uint32_t first = r->graph->classes[0].first;
        const struct flow flow = {(uint64_t)from << 32 | to, to, 1.0};
        RY_TRY(between(r, r->adjacency->vertex_of[first + from / n],
                       r->adjacency->vertex_of[first + to / n], &flow, diag));
    } else if (from / n == to / n) {
        if (!use_local(r, from, to))
            return no_memory(diag);
    } else {
        const size_t out_gpu = r->options.pxn ? to % n : from % n;
        if (out_gpu != from % n && !use_local(r, from, from / n * n + (uint32_t)out_gpu))
            return no_memory(diag);
        RY_TRY(over_planes(r, from, to, out_gpu, diag));
    }
    const bool stuck = r->stuck;
    r->stuck = was_stuck || stuck;
    if (stuck)
        return RY_OK;
    return ry_flow_add(set, count, r->uses, r->n_uses) ? RY_OK : no_memory(diag);
}
