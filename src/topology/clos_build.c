/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/clos_build.h"

#include "base/order.h"

struct built {
    const struct ry_clos_shape *s;
    const struct ry_build *build;
    struct ry_graph *graph;
    uint32_t first_leaf, first_spine, first_core;
};

static uint16_t add_class(struct built *b, const struct ry_clos_style *style, int tier)
{
    const size_t cage = b->build->spec->cage;

    return ry_graph_class(
        b->graph, &(struct ry_device_class){
                      .kind = style->kind,
                      .name = ry_class_name(b->graph, b->build, style->tier[tier]),
                      .fabric = b->build->spec->fabric,
                      .tier = (uint16_t)(tier + 1),
                      .ports_per_cage = (uint16_t)(cage ? cage : 1),
                  });
}

static void add_leaves(struct built *b, const struct ry_clos_style *style)
{
    const struct ry_clos_shape *s = b->s;
    const uint16_t of = add_class(b, style, 0);

    b->first_leaf = (uint32_t)b->graph->n_devices;
    for (size_t i = 0; i < s->planes * s->leaves; i++) {
        const size_t leaf = i % s->leaves;
        const uint32_t device = ry_graph_device(
            b->graph, &(struct ry_new_device){
                          .of = of,
                          .plane = (uint16_t)(i / s->leaves),
                          .unit = (uint32_t)(leaf / s->pod_leaves),
                          .ports = (uint32_t)s->leaf_radix,
                          .bytes_per_s = b->build->spec->speed_bytes_per_s,
                      });
        ry_graph_set_rate(b->graph, device, (uint32_t)(s->leaf_radix - s->leaf_up),
                          (uint32_t)s->leaf_up, ry_topo_up_bytes_per_s(b->build->spec));
    }
}

static uint32_t add_switches(struct built *b, const struct ry_clos_style *style, int tier)
{
    const struct ry_clos_shape *s = b->s;
    const size_t per_plane =
        tier == 1 ? s->pods * s->pod_spines : s->pod_spines * s->spine_cores;
    const uint16_t of = add_class(b, style, tier);
    const uint32_t first = (uint32_t)b->graph->n_devices;

    for (size_t i = 0; i < s->planes * per_plane; i++)
        (void)ry_graph_device(
            b->graph,
            &(struct ry_new_device){
                .of = of,
                .plane = (uint16_t)(i / per_plane),
                .unit = tier == 1 ? (uint32_t)(i % per_plane / s->pod_spines) : 0,
                .ports = (uint32_t)(tier == 1 ? s->spine_radix : s->core_radix),
                .bytes_per_s = ry_topo_up_bytes_per_s(b->build->spec),
            });
    return first;
}

/* Plane, leaf and down port of port j of a node. */
struct place {
    size_t plane, leaf, slot;
};

static struct place place_of(const struct ry_clos_shape *s, size_t node, size_t j)
{
    const size_t nic = j / s->nic_planes;
    const size_t nic_plane = j % s->nic_planes;
    const size_t endpoint = node * s->nics + nic;

    if (s->attach == RY_ATTACH_FILL)
        return (struct place){nic_plane, endpoint / s->leaf_down,
                              endpoint % s->leaf_down};
    if (s->attach == RY_ATTACH_RAIL_ONLY) {
        const size_t at = node * (s->nics / s->rails) + nic / s->rails;
        return (struct place){nic % s->rails * s->nic_planes + nic_plane,
                              at / s->leaf_down, at % s->leaf_down};
    }
    const size_t per_leaf = ry_div_up(s->nics, s->rails);
    return (struct place){nic_plane, node / s->unit_nodes * s->rails + nic % s->rails,
                          node % s->unit_nodes * per_leaf + nic / s->rails};
}

static uint16_t add_level(struct built *b, const struct ry_clos_style *style, int rank)
{
    const struct ry_topo_spec *spec = b->build->spec;
    const size_t per_cable =
        rank > 0 && spec->links_per_cable ? spec->links_per_cable : 1;

    return ry_graph_level(b->graph,
                          &(struct ry_level){
                              .name = style->level[rank],
                              .fabric = spec->fabric,
                              .media = rank == 0 ? spec->media : style->trunk_media,
                              .rank = (uint16_t)rank,
                              .fabric_index = b->build->fabric_index,
                              .links_per_cable = (uint16_t)per_cable,
                          });
}

static void join_nodes(struct built *b, uint16_t level)
{
    const struct ry_clos_shape *s = b->s;
    const size_t per_node = b->build->plan->ports_per_node;

    for (size_t node = 0; node < s->nodes; node++) {
        for (size_t j = 0; j < per_node; j++) {
            const struct place at = place_of(s, node, j);
            const uint32_t leaf =
                b->first_leaf + (uint32_t)(at.plane * s->leaves + at.leaf);
            ry_graph_join(b->graph, level,
                          ry_graph_port(b->graph, b->build->first_node + (uint32_t)node,
                                        b->build->first_node_port + j),
                          ry_graph_port(b->graph, leaf, at.slot));
        }
    }
}

/* Fabric managers take free node ports, from the last leaf on, one a leaf in turn. */
static void join_managers(struct built *b, uint16_t level)
{
    const struct ry_clos_shape *s = b->s;
    const uint32_t leaves = (uint32_t)(s->leaves * s->planes);
    const size_t n = b->build->spec->ufm;

    if (n == 0)
        return;
    const uint16_t of = ry_graph_class(
        b->graph,
        &(struct ry_device_class){.kind = RY_DEVICE_MANAGER,
                                  .name = ry_class_name(b->graph, b->build, "ufm"),
                                  .fabric = b->build->spec->fabric,
                                  .ports_per_cage = 1});
    for (size_t i = 0, leaf = 0; i < n; leaf++) {
        const uint32_t at = b->first_leaf + leaves - 1 - (uint32_t)(leaf % leaves);
        size_t slot = s->leaf_down;
        while (slot > 0 &&
               b->graph->ports[ry_graph_port(b->graph, at, slot - 1)].cable != RY_NONE)
            slot--;
        if (slot == 0)
            continue;
        const uint32_t manager = ry_graph_device(
            b->graph,
            &(struct ry_new_device){
                .of = of, .ports = 1, .bytes_per_s = b->build->spec->speed_bytes_per_s});
        ry_graph_join(b->graph, level, ry_graph_port(b->graph, manager, 0),
                      ry_graph_port(b->graph, at, slot - 1));
        i++;
    }
}

/* Uplinks go round the spines, so that every spine gets its share of every leaf. */
static void join_spines(struct built *b, uint16_t level)
{
    const struct ry_clos_shape *s = b->s;

    for (size_t i = 0; i < s->planes * s->leaves; i++) {
        const size_t plane = i / s->leaves;
        const size_t pod = i % s->leaves / s->pod_leaves;
        const size_t in_pod = i % s->leaves % s->pod_leaves;
        const size_t spines = (plane * s->pods + pod) * s->pod_spines;
        for (size_t u = 0; u < s->leaf_up; u++) {
            const size_t k = in_pod * s->leaf_up + u;
            ry_graph_join(
                b->graph, level,
                ry_graph_port(b->graph, b->first_leaf + (uint32_t)i,
                              s->leaf_radix - s->leaf_up + u),
                ry_graph_port(b->graph,
                              b->first_spine + (uint32_t)(spines + k % s->pod_spines),
                              k / s->pod_spines));
        }
    }
}

static void join_cores(struct built *b, uint16_t level)
{
    const struct ry_clos_shape *s = b->s;
    const size_t spines = s->pods * s->pod_spines;

    for (size_t i = 0; i < s->planes * spines; i++) {
        const size_t plane = i / spines;
        const size_t pod = i % spines / s->pod_spines;
        const size_t index = i % s->pod_spines;
        const size_t cores = (plane * s->pod_spines + index) * s->spine_cores;
        for (size_t u = 0; u < s->spine_up; u++) {
            const size_t k = pod * s->spine_up + u;
            ry_graph_join(
                b->graph, level,
                ry_graph_port(b->graph, b->first_spine + (uint32_t)i,
                              s->spine_radix - s->spine_up + u),
                ry_graph_port(b->graph,
                              b->first_core + (uint32_t)(cores + k % s->spine_cores),
                              k / s->spine_cores));
        }
    }
}

static void set_units(struct built *b)
{
    const struct ry_clos_shape *s = b->s;

    if (b->build->fabric_index > 0 || s->attach != RY_ATTACH_RAILS)
        return;
    for (size_t node = 0; node < s->nodes; node++)
        b->graph->devices[b->build->first_node + node].unit =
            (uint32_t)(node / s->unit_nodes);
}

enum ry_err ry_clos_build(struct ry_graph *graph, const struct ry_build *build,
                          const struct ry_clos_shape *shape,
                          const struct ry_clos_style *style, struct ry_diag *diag)
{
    struct built b = {.s = shape, .build = build, .graph = graph};

    (void)diag;
    add_leaves(&b, style);
    if (shape->pod_spines > 0)
        b.first_spine = add_switches(&b, style, 1);
    if (shape->tiers == 3)
        b.first_core = add_switches(&b, style, 2);
    set_units(&b);
    const uint16_t access = add_level(&b, style, 0);
    join_nodes(&b, access);
    join_managers(&b, access);
    if (shape->pod_spines > 0)
        join_spines(&b, add_level(&b, style, 1));
    if (shape->tiers == 3)
        join_cores(&b, add_level(&b, style, 2));
    return RY_OK;
}
