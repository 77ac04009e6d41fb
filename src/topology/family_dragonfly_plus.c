/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dragonfly+: groups are leaf-spine; spines are linked between groups. */
#include "topology/direct.h"
#include "topology/direct_build.h"
#include "topology/family.h"

static enum ry_err shape_of(const struct ry_topo_spec *spec, struct ry_dragonfly_plus *d,
                            struct ry_topo_plan *plan, struct ry_diag *diag)
{
    if (spec->leaves == 0 || spec->spines == 0 || spec->p == 0 || spec->h == 0)
        return ry_fail(diag, RY_ERR_RANGE, "dragonfly_plus",
                       "needs leaves=, spines= of a group, p= hosts of a leaf, h= global "
                       "links of a spine");
    if (spec->groups > spec->spines * spec->h + 1)
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, "groups",
            "%zu groups, but %zu spines with %zu global links reach %zu others",
            spec->groups, spec->spines, spec->h, spec->spines * spec->h);
    *d = ry_dragonfly_plus((struct ry_dragonfly_plus_input){
        spec->leaves, spec->spines, spec->p, spec->h, spec->groups});
    if (d->switches > 1048576)
        return ry_fail(diag, RY_ERR_RANGE, "dragonfly_plus",
                       "%zu switches are above "
                       "1048576",
                       d->switches);
    if (spec->radix && (d->leaf_radix > spec->radix || d->spine_radix > spec->radix))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "radix",
                       "a leaf needs %zu ports and a spine %zu, a switch has %zu",
                       d->leaf_radix, d->spine_radix, spec->radix);
    return ry_direct_nodes(spec, d->hosts, plan, diag);
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    struct ry_dragonfly_plus d;

    RY_TRY(shape_of(spec, &d, out, diag));
    const double up = ry_topo_up_bytes_per_s(spec);
    const size_t leaf_ports = spec->radix ? spec->radix : d.leaf_radix;
    const size_t spine_ports = spec->radix ? spec->radix : d.spine_radix;
    const size_t global = d.links_per_group_pair * (d.groups - 1);
    const size_t in_group = spec->leaves * spec->p;
    const double hosts =
        (double)(out->endpoint_ports < in_group ? out->endpoint_ports : in_group);
    const double on_leaf =
        (double)(out->endpoint_ports < spec->p ? out->endpoint_ports : spec->p);
    ry_plan_add_tier(out, "leaf", d.groups * spec->leaves, leaf_ports,
                     out->endpoint_ports + d.intra_group_links);
    ry_plan_add_tier(out, "spine", d.groups * spec->spines, spine_ports,
                     d.intra_group_links + 2 * d.global_links);
    ry_plan_add_level(out, "node-leaf", out->endpoint_ports, 1, spec->speed_bytes_per_s);
    ry_plan_add_level(out, "leaf-spine", d.intra_group_links, 1, up);
    ry_plan_add_level(out, "global", d.global_links, 1, up);
    out->claims.planes = 1;
    out->claims.endpoint_ports = out->endpoint_ports;
    out->claims.cut[0] = on_leaf * spec->speed_bytes_per_s / ((double)spec->spines * up);
    out->claims.cut[1] =
        d.groups > 1 ? hosts * spec->speed_bytes_per_s / ((double)global * up) : 0.0;
    out->claims.survives_link = spec->spines > 1 && spec->leaves > 1 &&
                                (d.groups != 2 || d.links_per_group_pair > 1);
    out->claims.survives_switch = out->endpoint_ports > spec->p && spec->spines > 1 &&
                                  spec->leaves > 1 && (d.groups == 1 || global > spec->h);
    return RY_OK;
}

static uint32_t add_tier(struct ry_graph *graph, const struct ry_build *b, size_t tier,
                         size_t per_group)
{
    const struct ry_topo_spec *spec = b->spec;
    const struct ry_plan_tier *counts = &b->plan->tier[tier];
    const uint32_t first = (uint32_t)graph->n_devices;
    const uint16_t of = ry_graph_class(
        graph, &(struct ry_device_class){.kind = RY_DEVICE_SWITCH,
                                         .name = ry_class_name(graph, b, counts->name),
                                         .fabric = spec->fabric,
                                         .tier = (uint16_t)(tier + 1),
                                         .ports_per_cage =
                                             (uint16_t)(spec->cage ? spec->cage : 1)});

    for (size_t i = 0; i < counts->switches; i++) {
        const uint32_t at = ry_graph_device(
            graph, &(struct ry_new_device){.of = of,
                                           .unit = (uint32_t)(i / per_group),
                                           .ports = (uint32_t)counts->radix,
                                           .bytes_per_s = ry_topo_up_bytes_per_s(spec)});
        if (tier == 0)
            ry_graph_set_rate(graph, at, 0, (uint32_t)spec->p, spec->speed_bytes_per_s);
    }
    return first;
}

struct switches {
    uint32_t leaf, spine;
};

static void join_nodes(struct ry_graph *graph, const struct ry_build *b,
                       struct switches s)
{
    const struct ry_topo_plan *p = b->plan;
    const uint16_t level = ry_direct_level(graph, b, "node-leaf", 0);

    for (size_t e = 0; e < p->endpoint_ports; e++) {
        const uint32_t node = b->first_node + (uint32_t)(e / p->ports_per_node);
        const uint32_t leaf = s.leaf + (uint32_t)(e / b->spec->p);
        ry_graph_join(
            graph, level,
            ry_graph_port(graph, node, b->first_node_port + e % p->ports_per_node),
            ry_graph_port(graph, leaf, e % b->spec->p));
        if (b->fabric_index == 0)
            graph->devices[node].unit = graph->devices[leaf].unit;
    }
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    struct ry_topo_plan counts = {0};
    struct ry_dragonfly_plus d;
    const struct ry_topo_spec *spec = b->spec;

    RY_TRY(shape_of(spec, &d, &counts, diag));
    const struct switches s = {add_tier(graph, b, 0, spec->leaves),
                               add_tier(graph, b, 1, spec->spines)};
    join_nodes(graph, b, s);
    const uint16_t local = ry_direct_level(graph, b, "leaf-spine", 1);
    for (size_t g = 0; g < d.groups; g++) {
        for (size_t i = 0; i < spec->leaves; i++) {
            for (size_t j = 0; j < spec->spines; j++)
                ry_graph_join(
                    graph, local,
                    ry_graph_port(graph, s.leaf + (uint32_t)(g * spec->leaves + i),
                                  spec->p + j),
                    ry_graph_port(graph, s.spine + (uint32_t)(g * spec->spines + j), i));
        }
    }
    const uint16_t global = ry_direct_level(graph, b, "global", 2);
    for (size_t i = 0; i < d.groups; i++) {
        for (size_t j = i + 1; j < d.groups; j++) {
            for (size_t m = 0; m < d.links_per_group_pair; m++) {
                const size_t at_i = m * (d.groups - 1) + j - 1;
                const size_t at_j = m * (d.groups - 1) + i;
                ry_graph_join(
                    graph, global,
                    ry_graph_port(graph,
                                  s.spine + (uint32_t)(i * spec->spines + at_i / spec->h),
                                  spec->leaves + at_i % spec->h),
                    ry_graph_port(graph,
                                  s.spine + (uint32_t)(j * spec->spines + at_j / spec->h),
                                  spec->leaves + at_j % spec->h));
            }
        }
    }
    return RY_OK;
}

const struct ry_family ry_family_dragonfly_plus = {
    .name = "dragonfly_plus",
    .alias = "dragonfly+",
    .keys = " gpus nodes gpus_per_node nics leaves spines p h groups radix cage speed "
            "up_speed media ",
    .summary = "leaf-spine groups, spines linked pair by pair (Shpiner et al. 2017)",
    .example = "dragonfly_plus:leaves=4,spines=4,p=4,h=2",
    .defaults = {.speed_bytes_per_s = 25e9},
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
