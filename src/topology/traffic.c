/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/traffic.h"

#include <math.h>
#include <string.h>

const char *const ry_traffic_names[] = {"rings",  "trees", "all-to-all", "hierarchical",
                                        "halves", "ring",  NULL};
const char *const ry_routing_names[] = {"adaptive", "ecmp", "static", NULL};

/* Above so many flows only classes are an answer. */
static const double flows_most = 4e6;

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "traffic", "out of memory");
}

struct making {
    struct ry_router *r;
    struct ry_flow_set *set;
    struct ry_diag *diag;
    uint32_t nodes, per_node;
};

static enum ry_err add(const struct making *m, uint32_t from_node, uint32_t to_node,
                       uint32_t from_gpu, uint32_t to_gpu)
{
    return ry_route_flow(m->r, m->set, from_node * m->per_node + from_gpu,
                         to_node * m->per_node + to_gpu, 1.0, m->diag);
}

static enum ry_err rings(const struct making *m)
{
    for (uint32_t n = 0; m->nodes > 1 && n < m->nodes; n++) {
        for (uint32_t g = 0; g < m->per_node; g++)
            RY_TRY(add(m, n, (n + 1) % m->nodes, g, g));
    }
    return RY_OK;
}

static enum ry_err trees(const struct making *m)
{
    for (uint32_t n = 1; n < m->nodes; n++) {
        for (uint32_t g = 0; g < m->per_node; g++) {
            RY_TRY(add(m, n, (n - 1) / 2, g, g));
            RY_TRY(add(m, (n - 1) / 2, n, g, g));
        }
    }
    return RY_OK;
}

static enum ry_err all_to_all(const struct making *m)
{
    const uint32_t gpus = m->nodes * m->per_node;

    for (uint32_t from = 0; from < gpus; from++) {
        for (uint32_t to = 0; to < gpus; to++)
            RY_TRY(ry_route_flow(m->r, m->set, from, to, 1.0, m->diag));
    }
    return RY_OK;
}

static enum ry_err hierarchical(const struct making *m)
{
    for (uint32_t n = 0; n < m->nodes; n++) {
        for (uint32_t k = 0; k < m->nodes; k++) {
            for (uint32_t g = 0; k != n && g < m->per_node; g++)
                RY_TRY(add(m, n, k, g, g));
        }
    }
    return RY_OK;
}

static enum ry_err halves(const struct making *m)
{
    const uint32_t half = m->nodes / 2;

    for (uint32_t n = 0; n < half; n++) {
        for (uint32_t g = 0; g < m->per_node; g++) {
            RY_TRY(add(m, n, n + half, g, g));
            RY_TRY(add(m, n + half, n, g, g));
        }
    }
    return RY_OK;
}

static enum ry_err ring(const struct making *m)
{
    const uint32_t gpus = m->nodes * m->per_node;

    for (uint32_t i = 0; i < gpus; i++)
        RY_TRY(ry_route_flow(m->r, m->set, i, (i + 1) % gpus, 1.0, m->diag));
    return RY_OK;
}

static double flows_of(const struct making *m, enum ry_traffic traffic)
{
    const double nodes = m->nodes;
    const double gpus = nodes * m->per_node;

    switch (traffic) {
    case RY_TRAFFIC_ALL_TO_ALL:
        return gpus * gpus;
    case RY_TRAFFIC_HIERARCHICAL:
        return gpus * nodes;
    case RY_TRAFFIC_RINGS:
    case RY_TRAFFIC_TREES:
    case RY_TRAFFIC_HALVES:
    case RY_TRAFFIC_RING:
        return 2.0 * gpus;
    }
    return gpus;
}

static enum ry_err make(const struct making *m, enum ry_traffic traffic)
{
    switch (traffic) {
    case RY_TRAFFIC_RINGS:
        return rings(m);
    case RY_TRAFFIC_TREES:
        return trees(m);
    case RY_TRAFFIC_ALL_TO_ALL:
        return all_to_all(m);
    case RY_TRAFFIC_HIERARCHICAL:
        return hierarchical(m);
    case RY_TRAFFIC_HALVES:
        return halves(m);
    case RY_TRAFFIC_RING:
        return ring(m);
    }
    return RY_OK;
}

/* Sums over flows; a flow without a limit (local, unlimited) is left out. */
static void summarise(const struct ry_flow_set *set, const double rate[],
                      double flows_of_gpu, struct ry_traffic_result *result)
{
    struct ry_traffic_result s = {.least_bytes_per_s = (double)INFINITY};

    for (size_t i = 0; i < set->n; i++) {
        if (isinf(rate[i]))
            continue;
        s.flows += set->count[i];
        s.total_bytes_per_s += set->count[i] * rate[i];
        s.least_bytes_per_s = fmin(s.least_bytes_per_s, rate[i]);
        s.most_bytes_per_s = fmax(s.most_bytes_per_s, rate[i]);
    }
    if (s.flows > 0.0)
        s.mean_bytes_per_s = s.total_bytes_per_s / s.flows;
    else
        s.least_bytes_per_s = 0.0;
    s.gpu_bytes_per_s = s.least_bytes_per_s * flows_of_gpu;
    *result = s;
}

static enum ry_err share(const struct ry_flow_set *set, const double capacity[],
                         size_t resources, double flows_of_gpu,
                         struct ry_traffic_result *result, struct ry_diag *diag)
{
    double *rate = RY_NEW(set->arena, double, set->n + 1);

    if (!rate)
        return no_memory(diag);
    RY_TRY(ry_flow_max_min(set->arena, set, capacity, resources, rate, diag));
    summarise(set, rate, flows_of_gpu, result);
    return RY_OK;
}

/* No collective of all GPUs ends where some pairs have no path. */
static void say_stuck(const struct ry_router *router, struct ry_traffic_result *result)
{
    result->stuck = router->stuck;
    if (result->stuck)
        result->gpu_bytes_per_s = (double)NAN;
}

enum ry_err ry_traffic_rates(struct ry_arena *arena, struct ry_router *router,
                             enum ry_traffic traffic, struct ry_traffic_result *result,
                             struct ry_diag *diag)
{
    struct ry_flow_set set = ry_flow_set(arena);
    const struct making m = {.r = router,
                             .set = &set,
                             .diag = diag,
                             .nodes = router->graph->classes[0].count,
                             .per_node = (uint32_t)router->gpus_per_node};
    const double flows = flows_of(&m, traffic);

    if (flows > flows_most)
        return ry_fail(diag, RY_ERR_RANGE, "traffic",
                       "%.0f flows are above %.0f; an all-to-all of a whole Clos with "
                       "adaptive routing is shared by classes",
                       flows, flows_most);
    router->stuck = false;
    RY_TRY(make(&m, traffic));
    const double of_gpu = traffic == RY_TRAFFIC_ALL_TO_ALL ? (double)router->gpus - 1.0
                          : traffic == RY_TRAFFIC_HIERARCHICAL ? (double)m.nodes - 1.0
                                                               : 1.0;
    RY_TRY(share(&set, router->capacity, router->resources, of_gpu, result, diag));
    say_stuck(router, result);
    return RY_OK;
}

/* Classes.  Bundles: what nodes on a leaf send and receive, what a leaf and a pod send up
 * and receive from above. */
struct bundles {
    struct ry_router *r;
    size_t leaves, units, pods; /* pods of all planes, units of one */
    uint32_t *leaf_of;          /* [gpus] leaf of the GPU's NIC, plane 0 */
    double *capacity;           /* [4 leaves + 2 pods] */
    double *flows;              /* [leaves][leaves] */
    uint32_t *pod_of;           /* [leaves] */
};

static bool whole_clos(const struct ry_router *r)
{
    const struct ry_graph *g = r->graph;
    const struct ry_fabric *fabric = &g->fabrics[r->options.fabric];

    const bool clos = strcmp(fabric->family, "fat_tree") == 0 ||
                      strcmp(fabric->family, "rail_optimized") == 0 ||
                      strcmp(fabric->family, "rail_only") == 0;
    if (!clos || r->options.routing != RY_ROUTE_ADAPTIVE ||
        (!fabric->balanced && fabric->cut[0] > 0.0))
        return false;
    for (size_t l = 0; l < g->n_links; l++)
        if (g->links[l].down)
            return false;
    return true;
}

static bool bundles_create(struct ry_arena *arena, struct bundles *b)
{
    const struct ry_graph *g = b->r->graph;
    const struct ry_adjacency *a = b->r->adjacency;
    size_t planes = 1;

    /* Leaves come first among the switches of a fabric. */
    b->units = 1;
    while (b->leaves < a->n) {
        const struct ry_device *d = &g->devices[a->device_of[b->leaves]];
        if (g->classes[d->of].tier != 1)
            break;
        b->units = d->unit + 1 > b->units ? d->unit + 1 : b->units;
        planes = d->plane + 1u > planes ? d->plane + 1u : planes;
        b->leaves++;
    }
    b->pods = planes * b->units;
    b->leaf_of = RY_NEW(arena, uint32_t, b->r->gpus + 1);
    b->capacity = RY_NEW(arena, double, 4 * b->leaves + 2 * b->pods);
    b->flows = RY_NEW(arena, double, b->leaves * b->leaves);
    b->pod_of = RY_NEW(arena, uint32_t, b->leaves + 1);
    return b->leaf_of && b->capacity && b->flows && b->pod_of;
}

static void measure_bundles(struct bundles *b)
{
    const struct ry_graph *g = b->r->graph;
    const struct ry_adjacency *a = b->r->adjacency;
    double *pod = b->capacity + 4 * b->leaves;

    for (uint32_t gpu = 0; gpu < b->r->gpus; gpu++) {
        const uint32_t n = (uint32_t)b->r->gpus_per_node;
        const uint32_t port = ry_router_port(b->r, gpu / n, gpu % n, 0);
        b->leaf_of[gpu] = a->vertex_of[g->ports[ry_graph_far(g, port)].device];
    }
    for (uint32_t v = 0; v < a->n; v++) {
        const struct ry_device *d = &g->devices[a->device_of[v]];
        const uint16_t tier = g->classes[d->of].tier;
        for (uint32_t e = a->first[v]; e < a->first[v + 1]; e++) {
            const uint16_t above = g->classes[g->devices[a->device_of[a->to[e]]].of].tier;
            if (above > tier && tier == 1)
                b->capacity[2 * b->leaves + v] += a->bytes_per_s[e];
            if (above > tier && tier == 2)
                pod[d->plane * b->units + d->unit] += a->bytes_per_s[e];
        }
        if (tier == 1) {
            b->pod_of[v] = (uint32_t)(d->plane * b->units + d->unit);
            for (uint32_t i = 0; i < d->ports; i++) {
                const uint32_t far = ry_graph_far(g, d->first_port + i);
                if (far != RY_NONE &&
                    ry_class_of(g, g->ports[far].device)->kind == RY_DEVICE_NODE)
                    b->capacity[v] += g->ports[far].bytes_per_s;
            }
        }
    }
    /* In each direction as much. */
    memcpy(b->capacity + b->leaves, b->capacity, b->leaves * sizeof(double));
    memcpy(b->capacity + 3 * b->leaves, b->capacity + 2 * b->leaves,
           b->leaves * sizeof(double));
    memcpy(pod + b->pods, pod, b->pods * sizeof(double));
}

/* How many flows go from the NICs on one leaf to those on another. */
static void count_flows(struct bundles *b)
{
    const uint32_t n = (uint32_t)b->r->gpus_per_node;
    const uint32_t nodes = (uint32_t)(b->r->gpus / n);

    for (uint32_t x = 0; x < nodes; x++) {
        for (uint32_t y = 0; y < nodes; y++) {
            for (uint32_t h = 0; y != x && h < n; h++) {
                const uint32_t to = b->leaf_of[y * n + h];
                if (b->r->options.pxn) {
                    b->flows[b->leaf_of[x * n + h] * b->leaves + to] += n;
                    continue;
                }
                for (uint32_t g = 0; g < n; g++)
                    b->flows[b->leaf_of[x * n + g] * b->leaves + to] += 1.0;
            }
        }
    }
}

static bool add_class(const struct bundles *b, struct ry_flow_set *set, uint32_t from,
                      uint32_t to)
{
    const uint32_t leaves = (uint32_t)b->leaves;
    const uint32_t pods = (uint32_t)b->pods;
    /* One of several planes carries its share of each flow. */
    const double part = 1.0 / (double)b->r->planes;
    struct ry_flow_use uses[6] = {{from, part}, {leaves + to, part}};
    size_t n = 2;

    /* Rails that share no switch: no path, unless inside the nodes. */
    if (b->pod_of[from] / b->units != b->pod_of[to] / b->units) {
        b->r->stuck = true;
        return true;
    }
    if (from != to) {
        uses[n++] = (struct ry_flow_use){2 * leaves + from, part};
        uses[n++] = (struct ry_flow_use){3 * leaves + to, part};
    }
    if (b->pod_of[from] != b->pod_of[to]) {
        uses[n++] = (struct ry_flow_use){4 * leaves + b->pod_of[from], part};
        uses[n++] = (struct ry_flow_use){4 * leaves + pods + b->pod_of[to], part};
    }
    return ry_flow_add(set, b->flows[from * b->leaves + to], uses, n);
}

enum ry_err ry_traffic_all_to_all(struct ry_arena *arena, struct ry_router *router,
                                  struct ry_traffic_result *result, struct ry_diag *diag)
{
    struct ry_flow_set set = ry_flow_set(arena);
    struct bundles b = {.r = router};

    if (!whole_clos(router))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "traffic",
                       "classes of equal flows need a whole, balanced Clos with adaptive "
                       "routing");
    if (!bundles_create(arena, &b))
        return no_memory(diag);
    router->stuck = false;
    measure_bundles(&b);
    count_flows(&b);
    for (uint32_t from = 0; from < b.leaves; from++) {
        for (uint32_t to = 0; to < b.leaves; to++)
            if (b.flows[from * b.leaves + to] > 0.0 && !add_class(&b, &set, from, to))
                return no_memory(diag);
    }
    RY_TRY(share(&set, b.capacity, 4 * b.leaves + 2 * b.pods, (double)router->gpus - 1.0,
                 result, diag));
    say_stuck(router, result);
    return RY_OK;
}
