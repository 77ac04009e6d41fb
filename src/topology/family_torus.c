/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Torus: the nodes are the routers.  With ocs=1 the links that leave a cube pass optical
 * circuit switches, one for each pair of opposite face ports (TPU v4). */
#include "topology/direct.h"
#include "topology/direct_build.h"
#include "topology/family.h"

struct shape {
    struct ry_torus t;
    size_t cubes, ocs, ocs_links; /* links that pass an OCS, as one link of the torus */
};

static enum ry_err cube_of(const struct ry_topo_spec *spec, struct shape *s,
                           struct ry_diag *diag)
{
    s->cubes = 1;
    if (!spec->ocs)
        return RY_OK;
    if (spec->cube.n != spec->dims.n)
        return ry_fail(diag, RY_ERR_RANGE, "cube",
                       "needs cube= of as many sizes as dims=");
    for (size_t i = 0; i < spec->dims.n; i++) {
        if (spec->dims.at[i] % spec->cube.at[i] != 0 || spec->dims.at[i] < 3)
            return ry_fail(diag, RY_ERR_INFEASIBLE, "cube",
                           "dimension %zu of %zu is not whole cubes of %zu (3 or more)",
                           i, spec->dims.at[i], spec->cube.at[i]);
        s->cubes *= spec->dims.at[i] / spec->cube.at[i];
    }
    const struct ry_torus_ocs o = ry_torus_ocs(s->cubes, &spec->cube);
    s->ocs = o.ocs;
    s->ocs_links = o.links_between_cubes;
    return RY_OK;
}

static enum ry_err shape_of(const struct ry_topo_spec *spec, struct shape *s,
                            struct ry_diag *diag)
{
    double nodes = 1.0;

    if (spec->dims.n == 0)
        return ry_fail(diag, RY_ERR_RANGE, "torus", "needs dims=, such as 4x4x4");
    for (size_t i = 0; i < spec->dims.n; i++)
        nodes *= (double)spec->dims.at[i];
    if (nodes < 2.0 || nodes > 4194304.0)
        return ry_fail(diag, RY_ERR_RANGE, "dims", "%.0f nodes are not 2 to 4194304",
                       nodes);
    *s = (struct shape){.t = ry_torus(&spec->dims)};
    return cube_of(spec, s, diag);
}

/* Links over the longest dimension, a link of two nodes there counted once. */
static double bisection(const struct ry_topo_spec *spec, const struct ry_torus *t)
{
    return t->bisection_known ? (double)t->bisection_links * spec->speed_bytes_per_s
                              : 0.0;
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    struct shape s;

    RY_TRY(shape_of(spec, &s, diag));
    out->nodes = s.t.nodes;
    out->gpus = s.t.nodes * (spec->gpus_per_node ? spec->gpus_per_node : 1);
    out->ports_per_node = s.t.degree;
    out->endpoint_ports = s.t.nodes * s.t.degree;
    if (s.ocs > 0)
        ry_plan_add_tier(out, "ocs", s.ocs, 2 * s.cubes, 2 * s.ocs_links);
    ry_plan_add_level(out, "torus", s.t.links - s.ocs_links, 1, spec->speed_bytes_per_s);
    if (s.ocs > 0)
        ry_plan_add_level(out, "node-ocs", 2 * s.ocs_links, 1, spec->speed_bytes_per_s);
    out->claims.planes = 1;
    out->claims.endpoint_ports = out->endpoint_ports;
    out->claims.diameter_links = s.t.diameter;
    out->claims.bisection_bytes_per_s = bisection(spec, &s.t);
    out->claims.survives_link = s.t.nodes > 2;
    out->claims.survives_switch = true;
    return RY_OK;
}

/* Where a node's ports of dimension i start: plus, then minus. */
static size_t port_of(const struct ry_dims *dims, size_t dimension, bool minus)
{
    size_t port = 0;

    for (size_t i = 0; i < dimension; i++)
        port += dims->at[i] > 2 ? 2 : dims->at[i] == 2;
    return port + (minus && dims->at[dimension] > 2);
}

struct wiring {
    struct ry_graph *graph;
    const struct ry_build *b;
    uint16_t level, ocs_level;
    uint32_t first_ocs;
};

static size_t coordinate(const struct ry_dims *dims, size_t node, size_t dimension)
{
    for (size_t i = 0; i < dimension; i++)
        node /= dims->at[i];
    return node % dims->at[dimension];
}

static size_t neighbour(const struct ry_dims *dims, size_t node, size_t dimension)
{
    size_t stride = 1;

    for (size_t i = 0; i < dimension; i++)
        stride *= dims->at[i];
    const size_t k = dims->at[dimension];
    const size_t c = coordinate(dims, node, dimension);
    return node - c * stride + (c + 1) % k * stride;
}

/* The OCS of a face position, and the cube that a node is in. */
static size_t ocs_of(const struct ry_topo_spec *spec, size_t node, size_t dimension)
{
    size_t first = 0, position = 0;

    for (size_t i = 0; i < dimension; i++) {
        size_t face = 1;
        for (size_t k = 0; k < spec->cube.n; k++)
            face *= k == i ? 1 : spec->cube.at[k];
        first += face;
    }
    for (size_t i = 0; i < spec->cube.n; i++) {
        if (i != dimension)
            position = position * spec->cube.at[i] +
                       coordinate(&spec->dims, node, i) % spec->cube.at[i];
    }
    return first + position;
}

static size_t cube_at(const struct ry_topo_spec *spec, size_t node)
{
    size_t cube = 0;

    for (size_t i = spec->cube.n; i-- > 0;)
        cube = cube * (spec->dims.at[i] / spec->cube.at[i]) +
               coordinate(&spec->dims, node, i) / spec->cube.at[i];
    return cube;
}

/* The plus fibre of a cube is on OCS port 2 cube, the minus fibre on 2 cube + 1. */
static void join_over_ocs(struct wiring *w, size_t node, size_t other, size_t dimension)
{
    const struct ry_topo_spec *spec = w->b->spec;
    const uint32_t ocs = w->first_ocs + (uint32_t)ocs_of(spec, node, dimension);
    const uint32_t plus = ry_graph_port(w->graph, ocs, 2 * cube_at(spec, node));
    const uint32_t minus = ry_graph_port(w->graph, ocs, 2 * cube_at(spec, other) + 1);

    ry_graph_join(
        w->graph, w->ocs_level,
        ry_graph_port(w->graph, w->b->first_node + (uint32_t)node,
                      w->b->first_node_port + port_of(&spec->dims, dimension, false)),
        plus);
    ry_graph_join(
        w->graph, w->ocs_level,
        ry_graph_port(w->graph, w->b->first_node + (uint32_t)other,
                      w->b->first_node_port + port_of(&spec->dims, dimension, true)),
        minus);
    w->graph->circuits[plus] = minus;
    w->graph->circuits[minus] = plus;
}

static void join_plain(struct wiring *w, size_t node, size_t other, size_t dimension)
{
    const struct ry_dims *dims = &w->b->spec->dims;

    ry_graph_join(w->graph, w->level,
                  ry_graph_port(w->graph, w->b->first_node + (uint32_t)node,
                                w->b->first_node_port + port_of(dims, dimension, false)),
                  ry_graph_port(w->graph, w->b->first_node + (uint32_t)other,
                                w->b->first_node_port + port_of(dims, dimension, true)));
}

static void join_all(struct wiring *w)
{
    const struct ry_topo_spec *spec = w->b->spec;

    for (size_t node = 0; node < w->b->plan->nodes; node++) {
        for (size_t i = 0; i < spec->dims.n; i++) {
            const size_t other = neighbour(&spec->dims, node, i);
            if (spec->dims.at[i] == 1 || (spec->dims.at[i] == 2 && other < node))
                continue;
            const bool leaves_cube =
                spec->ocs &&
                (coordinate(&spec->dims, node, i) + 1) % spec->cube.at[i] == 0;
            if (leaves_cube)
                join_over_ocs(w, node, other, i);
            else
                join_plain(w, node, other, i);
        }
    }
}

static enum ry_err add_ocs(struct wiring *w, const struct shape *s, struct ry_diag *diag)
{
    struct ry_graph *graph = w->graph;

    graph->circuits = RY_NEW(graph->arena, uint32_t, graph->room_ports);
    if (!graph->circuits)
        return ry_topo_no_memory(diag);
    for (size_t i = 0; i < graph->room_ports; i++)
        graph->circuits[i] = RY_NONE;
    const uint16_t of = ry_graph_class(
        graph, &(struct ry_device_class){.kind = RY_DEVICE_OCS,
                                         .name = ry_class_name(graph, w->b, "ocs"),
                                         .fabric = w->b->spec->fabric,
                                         .tier = 1,
                                         .ports_per_cage = 1});
    w->first_ocs = (uint32_t)graph->n_devices;
    for (size_t i = 0; i < s->ocs; i++)
        (void)ry_graph_device(
            graph, &(struct ry_new_device){.of = of,
                                           .ports = (uint32_t)(2 * s->cubes),
                                           .bytes_per_s = w->b->spec->speed_bytes_per_s});
    w->ocs_level = ry_direct_level(graph, w->b, "node-ocs", 0);
    return RY_OK;
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    struct wiring w = {.graph = graph, .b = b};
    struct shape s;

    RY_TRY(shape_of(b->spec, &s, diag));
    w.level = ry_direct_level(graph, b, "torus", 0);
    if (s.ocs > 0) {
        RY_TRY(add_ocs(&w, &s, diag));
        for (size_t node = 0; node < s.t.nodes; node++)
            graph->devices[b->first_node + node].unit = (uint32_t)cube_at(b->spec, node);
    }
    join_all(&w);
    return RY_OK;
}

const struct ry_family ry_family_torus = {
    .name = "torus",
    .keys = " dims cube ocs gpus_per_node speed media ",
    .summary = "torus of nodes; ocs=1 joins its cubes by optical circuit switches",
    .example = "torus:dims=8x8x8,cube=4x4x4,ocs=1",
    .defaults = {.speed_bytes_per_s = 50e9, .media = RY_MEDIA_COPPER},
    .nodes_route = true,
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
