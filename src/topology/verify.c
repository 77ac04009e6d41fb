/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/verify.h"

#include "topology/verify_failures.h"
#include "topology/verify_ports.h"
#include "topology/verify_reach.h"

#include <math.h>
#include <string.h>

/* Figures are sums of equal rates: only rounding may tell them apart. */
static const double SAME = 1e-9;

struct check {
    struct ry_arena *arena;
    const struct ry_graph *g;
    struct ry_problems *problems;
    struct ry_reach reach; /* once it is sound */
    double *hosts;         /* [devices] a sum at the root of each part */
    double *upward;        /* [devices] */
    uint32_t *scratch;     /* [devices] */
};

/* The worst ratio of what nodes send into a part to what can leave it upwards. */
static double worst_cut(struct check *c, size_t fabric, int rank)
{
    double worst = 0.0;

    ry_reach_unite(&c->reach, fabric, rank);
    memset(c->hosts, 0, c->g->n_devices * sizeof(*c->hosts));
    memset(c->upward, 0, c->g->n_devices * sizeof(*c->upward));
    for (uint32_t p = 0; p < c->g->n_ports; p++) {
        if (c->reach.far[p] == RY_NONE ||
            ry_reach_level(&c->reach, p)->fabric_index != fabric)
            continue;
        const uint32_t here = c->g->ports[p].device;
        const uint32_t there = c->g->ports[c->reach.far[p]].device;
        if (!ry_reach_routes(&c->reach, here))
            continue;
        const uint32_t root = ry_reach_root(&c->reach, here);
        if (!ry_reach_routes(&c->reach, there)) {
            if (ry_reach_endpoint(&c->reach, there))
                c->hosts[root] += c->g->ports[p].bytes_per_s;
        } else if (ry_reach_root(&c->reach, there) != root) {
            c->upward[root] += c->g->ports[p].bytes_per_s;
        }
    }
    for (uint32_t d = 0; d < c->g->n_devices; d++)
        if (c->hosts[d] > 0.0 && c->upward[d] > 0.0)
            worst = fmax(worst, c->hosts[d] / c->upward[d]);
    return worst;
}

/* Parts with endpoints, and nodes that are not in all of them. */
static void measure_parts(struct check *c, size_t fabric, struct ry_fabric_measured *m)
{
    uint32_t *seen = c->scratch; /* by root: 1 + the last node counted there */

    ry_reach_unite(&c->reach, fabric, RY_RANKS_MOST);
    memset(seen, 0, c->g->n_devices * sizeof(*seen));
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t d = 0; d < c->g->n_devices; d++) {
            const struct ry_device *device = &c->g->devices[d];
            size_t parts = 0;
            if (!ry_reach_endpoint(&c->reach, d))
                continue;
            for (uint32_t i = 0; i < device->ports; i++) {
                const uint32_t far = c->reach.far[device->first_port + i];
                if (far == RY_NONE ||
                    ry_reach_level(&c->reach, device->first_port + i)->fabric_index !=
                        fabric)
                    continue;
                const uint32_t root = ry_reach_root(
                    &c->reach,
                    ry_reach_routes(&c->reach, d) ? d : c->g->ports[far].device);
                m->endpoint_ports += pass == 0;
                m->components += pass == 0 && seen[root] == 0;
                parts += pass == 1 && seen[root] != d + 1;
                seen[root] = d + 1;
            }
            m->nodes_missing += pass == 1 && parts != m->components;
        }
        /* Stamps of the first pass must not look like those of the second. */
        for (uint32_t d = 0; pass == 0 && d < c->g->n_devices; d++)
            seen[d] = seen[d] ? RY_NONE : 0;
    }
}

/* The switch that all ports of a node in the fabric lead to, or RY_NONE. */
static uint32_t only_switch_of(const struct check *c, uint32_t node, size_t fabric)
{
    const struct ry_device *device = &c->g->devices[node];
    uint32_t only = RY_NONE;

    for (uint32_t i = 0; i < device->ports; i++) {
        const uint32_t far = c->reach.far[device->first_port + i];
        if (far == RY_NONE ||
            ry_reach_level(&c->reach, device->first_port + i)->fabric_index != fabric)
            continue;
        const uint32_t there = c->g->ports[far].device;
        if (c->g->classes[c->g->devices[there].of].kind != RY_DEVICE_SWITCH ||
            (only != RY_NONE && only != there))
            return RY_NONE;
        only = there;
    }
    return only;
}

/* Nodes that hang on one switch alone: it takes them along. */
static void measure_nodes_of_switch(struct check *c, size_t fabric,
                                    struct ry_fabric_measured *m)
{
    memset(c->scratch, 0, c->g->n_devices * sizeof(*c->scratch));
    for (uint32_t d = 0; d < c->g->n_devices; d++) {
        if (!ry_reach_endpoint(&c->reach, d))
            continue;
        const uint32_t only = only_switch_of(c, d, fabric);
        if (only != RY_NONE && ++c->scratch[only] > m->nodes_of_switch)
            m->nodes_of_switch = c->scratch[only];
    }
}

/* On each leaf of a railed fabric the NICs of one rail only. */
static void check_rails(struct check *c, size_t fabric)
{
    const struct ry_fabric *claims = &c->g->fabrics[fabric];
    char text[RY_DEVICE_NAME_BYTES];

    for (uint32_t d = 0; claims->rails > 1 && d < c->g->n_devices; d++) {
        const struct ry_device *device = &c->g->devices[d];
        size_t rail = SIZE_MAX;
        if (!ry_reach_routes(&c->reach, d))
            continue;
        for (uint32_t i = 0; i < device->ports; i++) {
            const uint32_t far = c->reach.far[device->first_port + i];
            if (far == RY_NONE ||
                c->g->classes[c->g->devices[c->g->ports[far].device].of].kind !=
                    RY_DEVICE_NODE ||
                ry_reach_level(&c->reach, far)->fabric_index != fabric)
                continue;
            const struct ry_device *node = &c->g->devices[c->g->ports[far].device];
            const size_t nic =
                (far - node->first_port - claims->first_node_port) / claims->nic_planes;
            if (rail != SIZE_MAX && nic % claims->rails != rail)
                ry_problem(c->problems, RY_ERR_NO, "rail",
                           "%s is of rail %zu, its leaf is of rail %zu",
                           ry_graph_port_name(c->g, far, text), nic % claims->rails,
                           rail);
            if (rail == SIZE_MAX)
                rail = nic % claims->rails;
        }
    }
}

/* The switch of a higher tier that a port leads to, or RY_NONE. */
static uint32_t above_of(const struct check *c, size_t fabric, uint32_t port)
{
    const uint32_t far = c->reach.far[port];

    if (far == RY_NONE || ry_reach_level(&c->reach, far)->fabric_index != fabric ||
        ry_reach_level(&c->reach, far)->rank == 0)
        return RY_NONE;
    const uint32_t there = c->g->ports[far].device;
    const uint32_t here = c->g->ports[port].device;
    return c->g->classes[c->g->devices[there].of].tier >
                   c->g->classes[c->g->devices[here].of].tier
               ? there
               : RY_NONE;
}

/* count[] is all zero before and after. */
static void check_balance_of(struct check *c, size_t fabric, uint32_t d, uint32_t count[])
{
    const struct ry_device *device = &c->g->devices[d];
    uint32_t first = RY_NONE;
    uint32_t odd = RY_NONE;
    char name[RY_DEVICE_NAME_BYTES];
    char above[RY_DEVICE_NAME_BYTES];

    for (uint32_t i = 0; i < device->ports; i++) {
        const uint32_t there = above_of(c, fabric, device->first_port + i);
        if (there == RY_NONE)
            continue;
        count[there]++;
        first = first == RY_NONE ? there : first;
    }
    for (uint32_t i = 0; i < device->ports; i++) {
        const uint32_t there = above_of(c, fabric, device->first_port + i);
        if (there != RY_NONE && count[there] != count[first])
            odd = there;
    }
    if (odd != RY_NONE)
        ry_problem(c->problems, RY_ERR_NO, "balance",
                   "%s has %u links to %s, %u to others", ry_graph_name(c->g, d, name),
                   count[odd], ry_graph_name(c->g, odd, above), count[first]);
    for (uint32_t i = 0; i < device->ports; i++) {
        const uint32_t there = above_of(c, fabric, device->first_port + i);
        if (there != RY_NONE)
            count[there] = 0;
    }
}

/* As many links to each switch above as to every other one. */
static void check_balance(struct check *c, size_t fabric)
{
    memset(c->scratch, 0, c->g->n_devices * sizeof(*c->scratch));
    for (uint32_t d = 0; d < c->g->n_devices; d++)
        if (ry_reach_routes(&c->reach, d) && !ry_reach_endpoint(&c->reach, d))
            check_balance_of(c, fabric, d, c->scratch);
}

static void compare(struct check *c, size_t fabric, const struct ry_fabric_measured *m)
{
    const struct ry_fabric *claims = &c->g->fabrics[fabric];
    static const char *const ranks[] = {"leaf", "pod or group", "core"};

    if (m->components != claims->planes)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "not connected as said: %zu separate parts, %zu stated", m->components,
                   claims->planes);
    if (m->endpoint_ports != claims->endpoint_ports)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "%zu node ports cabled, %zu stated", m->endpoint_ports,
                   claims->endpoint_ports);
    if (m->nodes_missing > 0)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "%zu nodes have no port in some part of the fabric", m->nodes_missing);
    for (int rank = 0; rank < RY_RANKS_MOST; rank++) {
        const double stated = claims->cut[rank];
        if (stated > 0.0 && fabs(m->cut[rank] - stated) > SAME * stated)
            ry_problem(c->problems, RY_ERR_NO, "oversubscription",
                       "%s, %s: %.6g:1 measured, %.6g:1 stated", claims->name,
                       ranks[rank], m->cut[rank], stated);
    }
    if (claims->survives_link && !m->survives_link)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "one failed link between switches separates nodes");
    if (claims->survives_switch && !m->survives_switch)
        ry_problem(c->problems, RY_ERR_NO, claims->name,
                   "one failed switch separates %zu endpoints that are not on it",
                   m->lost_by_switch);
}

static bool check_create(struct check *c)
{
    const size_t devices = c->g->n_devices + 1;

    c->scratch = RY_NEW(c->arena, uint32_t, devices);
    c->hosts = RY_NEW(c->arena, double, devices);
    c->upward = RY_NEW(c->arena, double, devices);
    return c->scratch && c->hosts && c->upward;
}

static bool check_fabric(struct check *c, size_t fabric, struct ry_fabric_measured *m)
{
    measure_parts(c, fabric, m);
    for (int rank = 0; rank < RY_RANKS_MOST - 1; rank++)
        m->cut[rank] = worst_cut(c, fabric, rank);
    if (!ry_verify_failures(c->arena, &c->reach, fabric, m))
        return false;
    measure_nodes_of_switch(c, fabric, m);
    check_rails(c, fabric);
    if (c->g->fabrics[fabric].balanced)
        check_balance(c, fabric);
    compare(c, fabric, m);
    return true;
}

enum ry_err ry_topo_verify(struct ry_arena *arena, const struct ry_graph *graph,
                           struct ry_problems *problems, struct ry_verified *verified,
                           struct ry_diag *diag)
{
    struct check c = {.arena = arena, .g = graph, .problems = problems};
    struct ry_verified v = {0};
    bool sound = false;

    if (!check_create(&c) || !ry_verify_ports(arena, graph, problems, &v, &sound))
        return ry_fail(diag, RY_ERR_NOMEM, "check", "out of memory");
    if (sound && !ry_reach_find(arena, graph, &c.reach))
        return ry_fail(diag, RY_ERR_NOMEM, "check", "out of memory");
    for (size_t f = 0; sound && f < graph->n_fabrics; f++)
        if (!check_fabric(&c, f, &v.fabric[f]))
            return ry_fail(diag, RY_ERR_NOMEM, "check", "out of memory");
    *verified = v;
    return RY_OK;
}
