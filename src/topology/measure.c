/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/measure.h"

#include <math.h>
#include <string.h>

/* Of a rate, what rounding may leave behind. */
static const double TINY = 1e-9;

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "measures", "out of memory");
}

struct bfs {
    const struct ry_adjacency *a;
    uint32_t *distance; /* [n] RY_NONE: not reached */
    uint32_t *queue;    /* [n] */
    size_t reached;
};

static bool bfs_create(struct ry_arena *arena, const struct ry_adjacency *a,
                       struct bfs *b)
{
    *b = (struct bfs){.a = a,
                      .distance = RY_NEW(arena, uint32_t, a->n + 1),
                      .queue = RY_NEW(arena, uint32_t, a->n + 1)};
    return b->distance && b->queue;
}

static void bfs_from(struct bfs *b, uint32_t source)
{
    size_t head = 0;

    memset(b->distance, 0xff, b->a->n * sizeof(*b->distance));
    b->distance[source] = 0;
    b->queue[0] = source;
    b->reached = 1;
    while (head < b->reached) {
        const uint32_t v = b->queue[head++];
        for (uint32_t e = b->a->first[v]; e < b->a->first[v + 1]; e++) {
            const uint32_t u = b->a->to[e];
            if (b->distance[u] == RY_NONE) {
                b->distance[u] = b->distance[v] + 1;
                b->queue[b->reached++] = u;
            }
        }
    }
}

/* Pairs from one source: counted once each way, which a mean does not mind. */
static void add_distances(const struct bfs *b, uint32_t source, struct ry_distances *d,
                          double *joined, double *all_endpoints)
{
    const uint32_t access = b->a->routed_nodes ? 0 : 2;
    const double own = b->a->endpoints[source];

    for (size_t i = 0; i < b->reached; i++) {
        const uint32_t v = b->queue[i];
        const double pairs =
            v == source ? own * (own - 1.0) : own * (double)b->a->endpoints[v];
        const uint32_t links = b->distance[v] + access;
        if (pairs <= 0.0)
            continue;
        *joined += pairs;
        d->mean_links += pairs * links;
        if (links > d->diameter_links)
            d->diameter_links = links;
    }
    *all_endpoints += own;
}

enum ry_err ry_measure_distances(struct ry_arena *arena, const struct ry_adjacency *a,
                                 size_t work, struct ry_distances *out,
                                 struct ry_diag *diag)
{
    struct ry_distances d = {0};
    double joined = 0.0, from = 0.0;
    double endpoints = 0.0;
    size_t sources = 0, seen = 0;
    struct bfs b;

    if (!bfs_create(arena, a, &b))
        return no_memory(diag);
    for (size_t v = 0; v < a->n; v++) {
        sources += a->endpoints[v] > 0;
        endpoints += a->endpoints[v];
    }
    const size_t cost = a->arcs + a->n + 1;
    const size_t allowed = work == 0 ? sources : 1 + work / cost;
    const size_t step = sources > allowed ? (sources + allowed - 1) / allowed : 1;
    for (uint32_t v = 0; v < a->n; v++) {
        if (a->endpoints[v] == 0 || seen++ % step != 0)
            continue;
        bfs_from(&b, v);
        add_distances(&b, v, &d, &joined, &from);
        d.sources++;
    }
    d.sampled = d.sources < sources;
    d.mean_links = joined > 0.0 ? d.mean_links / joined : 0.0;
    d.joined_frac = endpoints > 1.0 ? joined / (from * (endpoints - 1.0)) : 1.0;
    *out = d;
    return RY_OK;
}

/* Max-flow by blocking flows (Dinic 1970), without recursion. */
struct maxflow {
    size_t n, arcs;
    uint32_t *first, *to, *back; /* arcs of the fabric, then of source and sink */
    double *room;                /* [arcs] */
    uint32_t *level, *next, *path, *queue;
    uint32_t source, sink;
};

/* The fabric's arcs plus, for each vertex, one from the source and one to the sink. */
static bool maxflow_create(struct ry_arena *arena, const struct ry_adjacency *a,
                           const double out_room[], const double in_room[],
                           struct maxflow *f)
{
    const size_t n = a->n + 2;
    const size_t arcs = a->arcs + 4 * a->n;

    *f = (struct maxflow){.n = n, .source = (uint32_t)a->n, .sink = (uint32_t)a->n + 1};
    f->first = RY_NEW(arena, uint32_t, n + 1);
    f->to = RY_NEW(arena, uint32_t, arcs + 1);
    f->back = RY_NEW(arena, uint32_t, arcs + 1);
    f->room = RY_NEW(arena, double, arcs + 1);
    f->level = RY_NEW(arena, uint32_t, n);
    f->next = RY_NEW(arena, uint32_t, n);
    f->path = RY_NEW(arena, uint32_t, n);
    f->queue = RY_NEW(arena, uint32_t, n);
    if (!f->first || !f->to || !f->back || !f->room || !f->level || !f->next ||
        !f->path || !f->queue)
        return false;
    const uint32_t from_source = (uint32_t)(a->arcs + 2 * a->n);
    for (uint32_t v = 0; v < a->n; v++) {
        /* Two extra arcs before each vertex's own shift its arcs by 2 v. */
        const uint32_t at = a->first[v] + 2 * v;
        f->first[v] = at;
        f->to[at] = f->source;
        f->back[at] = from_source + v;
        f->to[from_source + v] = v;
        f->back[from_source + v] = at;
        f->room[from_source + v] = out_room[v];
        f->to[at + 1] = f->sink;
        f->back[at + 1] = from_source + (uint32_t)a->n + v;
        f->room[at + 1] = in_room[v];
        f->to[f->back[at + 1]] = v;
        f->back[f->back[at + 1]] = at + 1;
        for (uint32_t e = a->first[v]; e < a->first[v + 1]; e++) {
            const uint32_t here = e + 2 * v + 2;
            f->to[here] = a->to[e];
            f->back[here] = a->back[e] + 2 * a->to[e] + 2;
            f->room[here] = a->bytes_per_s[e];
        }
    }
    f->first[a->n] = from_source;
    f->first[a->n + 1] = from_source + (uint32_t)a->n;
    f->first[a->n + 2] = from_source + 2 * (uint32_t)a->n;
    f->arcs = arcs;
    return true;
}

static bool set_levels(struct maxflow *f, double tiny)
{
    size_t head = 0, tail = 1;

    memset(f->level, 0xff, f->n * sizeof(*f->level));
    f->level[f->source] = 0;
    f->queue[0] = f->source;
    while (head < tail) {
        const uint32_t v = f->queue[head++];
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            if (f->room[e] > tiny && f->level[f->to[e]] == RY_NONE) {
                f->level[f->to[e]] = f->level[v] + 1;
                f->queue[tail++] = f->to[e];
            }
        }
    }
    return f->level[f->sink] != RY_NONE;
}

/* Send along path[0 .. depth): returns how much, and cuts depth back to the first arc
 * that is full. */
static double augment(struct maxflow *f, size_t *depth, double tiny)
{
    double sent = (double)INFINITY;
    size_t full = *depth;

    for (size_t i = 0; i < *depth; i++)
        sent = fmin(sent, f->room[f->path[i]]);
    for (size_t i = *depth; i-- > 0;) {
        f->room[f->path[i]] -= sent;
        f->room[f->back[f->path[i]]] += sent;
        if (f->room[f->path[i]] <= tiny)
            full = i;
    }
    *depth = full;
    return sent;
}

static double blocking_flow(struct maxflow *f, double tiny)
{
    double total = 0.0;
    size_t depth = 0;

    memcpy(f->next, f->first, f->n * sizeof(*f->next));
    for (;;) {
        const uint32_t v = depth == 0 ? f->source : f->to[f->path[depth - 1]];
        if (v == f->sink) {
            total += augment(f, &depth, tiny);
            continue;
        }
        while (f->next[v] < f->first[v + 1] &&
               (f->room[f->next[v]] <= tiny ||
                f->level[f->to[f->next[v]]] != f->level[v] + 1))
            f->next[v]++;
        if (f->next[v] < f->first[v + 1]) {
            f->path[depth++] = f->next[v];
        } else if (depth == 0) {
            return total;
        } else {
            depth--;
            const uint32_t before = depth == 0 ? f->source : f->to[f->path[depth - 1]];
            f->next[before]++;
        }
    }
}

static double maxflow(struct maxflow *f, double tiny)
{
    double total = 0.0;

    while (set_levels(f, tiny))
        total += blocking_flow(f, tiny);
    return total;
}

/* What nodes of each half can send and receive at each switch. */
static void halves(const struct ry_graph *g, size_t fabric, const struct ry_adjacency *a,
                   double out_room[], double in_room[])
{
    const struct ry_device_class *nodes = &g->classes[0];
    const uint32_t half = nodes->first + nodes->count / 2;

    for (uint32_t d = nodes->first; d < nodes->first + nodes->count; d++) {
        const bool first = d < half;
        if (nodes->count % 2 == 1 && d == nodes->first + nodes->count - 1)
            continue;
        if (a->routed_nodes) {
            (first ? out_room : in_room)[a->vertex_of[d]] = (double)INFINITY;
            continue;
        }
        for (uint32_t i = 0; i < g->devices[d].ports; i++) {
            const uint32_t port = g->devices[d].first_port + i;
            const uint32_t far = ry_graph_far(g, port);
            if (far == RY_NONE ||
                g->levels[g->links[g->ports[port].cable].level].fabric_index != fabric)
                continue;
            const uint32_t v = a->vertex_of[g->ports[far].device];
            (first ? out_room : in_room)[v] += g->ports[port].bytes_per_s;
        }
    }
}

enum ry_err ry_measure_halves(struct ry_arena *arena, const struct ry_graph *graph,
                              size_t fabric, const struct ry_adjacency *a,
                              double *bytes_per_s, struct ry_diag *diag)
{
    double *out_room = RY_NEW(arena, double, a->n + 1);
    double *in_room = RY_NEW(arena, double, a->n + 1);
    struct maxflow f;
    double largest = 0.0;

    if (!out_room || !in_room)
        return no_memory(diag);
    halves(graph, fabric, a, out_room, in_room);
    /* An endless room is one that no cut can reach. */
    double all = 1.0;
    for (size_t e = 0; e < a->arcs; e++) {
        all += a->bytes_per_s[e];
        largest = fmax(largest, a->bytes_per_s[e]);
    }
    for (size_t v = 0; v < a->n; v++) {
        out_room[v] = isinf(out_room[v]) ? all : out_room[v];
        in_room[v] = isinf(in_room[v]) ? all : in_room[v];
        largest = fmax(largest, a->routed_nodes ? 0.0 : out_room[v]);
    }
    if (!maxflow_create(arena, a, out_room, in_room, &f))
        return no_memory(diag);
    *bytes_per_s = maxflow(&f, TINY * largest);
    return RY_OK;
}

static double count_paths(const struct bfs *b, double paths[], uint32_t source,
                          uint32_t to)
{
    memset(paths, 0, b->a->n * sizeof(*paths));
    paths[source] = 1.0;
    for (size_t i = 0; i < b->reached; i++) {
        const uint32_t v = b->queue[i];
        for (uint32_t e = b->a->first[v]; e < b->a->first[v + 1]; e++)
            if (b->distance[b->a->to[e]] == b->distance[v] + 1)
                paths[b->a->to[e]] += paths[v] * b->a->links[e];
    }
    return paths[to];
}

enum ry_err ry_measure_diversity(struct ry_arena *arena, const struct ry_adjacency *a,
                                 struct ry_diversity *out, struct ry_diag *diag)
{
    double *paths = RY_NEW(arena, double, a->n + 1);
    double *none = RY_NEW(arena, double, a->n + 1);
    struct ry_diversity d = {.from = RY_NONE, .to = RY_NONE};
    uint32_t from = 0;
    uint32_t to = RY_NONE;
    struct maxflow f;
    struct bfs b;

    *out = d;
    if (!paths || !none || !bfs_create(arena, a, &b))
        return no_memory(diag);
    while (from < a->n && a->endpoints[from] == 0)
        from++;
    if (from == a->n)
        return RY_OK;
    bfs_from(&b, from);
    for (uint32_t v = 0; v < a->n; v++)
        if (v != from && a->endpoints[v] > 0 && b.distance[v] != RY_NONE)
            to = v;
    d.from = a->device_of[from];
    if (to == RY_NONE) {
        *out = d;
        return RY_OK;
    }
    d.to = a->device_of[to];
    d.shortest_paths = count_paths(&b, paths, from, to);
    if (!maxflow_create(arena, a, none, none, &f))
        return no_memory(diag);
    for (uint32_t v = 0; v < a->n; v++) {
        for (uint32_t e = a->first[v]; e < a->first[v + 1]; e++)
            f.room[e + 2 * v + 2] = a->links[e];
    }
    f.source = from;
    f.sink = to;
    d.disjoint_links = (size_t)(maxflow(&f, 0.5) + 0.5);
    *out = d;
    return RY_OK;
}
