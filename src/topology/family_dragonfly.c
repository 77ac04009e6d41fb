/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dragonfly: groups of fully connected routers, groups linked pair by pair. */
#include "topology/direct.h"
#include "topology/direct_build.h"
#include "topology/family.h"

static const char keys[] = " gpus nodes gpus_per_node nics p a h groups pair_links radix "
                           "cage speed up_speed media ";

static enum ry_err shape_of(const struct ry_topo_spec *spec, struct ry_dragonfly *d,
                            struct ry_topo_plan *plan, struct ry_diag *diag)
{
    if (spec->p == 0 || spec->a == 0 || spec->h == 0)
        return ry_fail(diag, RY_ERR_RANGE, "dragonfly",
                       "needs p=ENDPOINTS, a=ROUTERS of a group, h=GLOBAL links");
    if (spec->groups > spec->a * spec->h + 1)
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, "groups",
            "%zu groups, but %zu routers with %zu global links reach %zu others",
            spec->groups, spec->a, spec->h, spec->a * spec->h);
    *d = ry_dragonfly(
        (struct ry_dragonfly_input){spec->p, spec->a, spec->h, spec->groups});
    if (d->routers > 1048576)
        return ry_fail(diag, RY_ERR_RANGE, "dragonfly", "%zu routers are above 1048576",
                       d->routers);
    if (spec->radix && d->radix > spec->radix)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "radix",
                       "p + a - 1 + h = %zu ports of a router, it has %zu", d->radix,
                       spec->radix);
    if (spec->pair_links) {
        if (spec->pair_links > d->links_per_group_pair)
            return ry_fail(diag, RY_ERR_INFEASIBLE, "pair_links",
                           "%zu links to each of %zu groups, a group has %zu in all",
                           spec->pair_links, d->groups - 1, spec->a * spec->h);
        d->links_per_group_pair = spec->pair_links;
        d->global_links = d->groups * (d->groups - 1) / 2 * spec->pair_links;
    }
    return ry_direct_nodes(spec, d->endpoints, plan, diag);
}

static struct ry_routers routers_of(const struct ry_topo_spec *spec,
                                    const struct ry_dragonfly *d)
{
    return (struct ry_routers){
        .n = d->routers,
        .ports = spec->radix ? spec->radix : d->radix,
        .endpoints = spec->p,
        .per_unit = spec->a,
    };
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    struct ry_dragonfly d;

    RY_TRY(shape_of(spec, &d, out, diag));
    const struct ry_routers routers = routers_of(spec, &d);
    const double up = ry_topo_up_bytes_per_s(spec);
    const double group_ports = out->endpoint_ports < spec->a * spec->p
                                   ? (double)out->endpoint_ports
                                   : (double)(spec->a * spec->p);
    const size_t global = d.links_per_group_pair * (d.groups - 1);
    ry_direct_plan(spec, &routers, d.local_links + d.global_links, out);
    ry_plan_add_level(out, "local", d.local_links, 1, up);
    ry_plan_add_level(out, "global", d.global_links, 1, up);
    out->claims.cut[1] =
        d.groups > 1 ? group_ports * spec->speed_bytes_per_s / ((double)global * up)
                     : 0.0;
    if (d.groups > 1 && d.groups % 2 == 0 && out->endpoint_ports == d.endpoints) {
        const double hosts = (double)(out->endpoint_ports / 2) * spec->speed_bytes_per_s;
        const double cut = ry_dragonfly_global(d.groups, d.links_per_group_pair, 1.0)
                               .bisection_bit_per_s *
                           up;
        out->claims.bisection_bytes_per_s = cut < hosts ? cut : hosts;
    }
    /* A pair of groups stays linked through a third one, routers of a group through a
     * third one; a group whose links are all on one router does not outlive it. */
    out->claims.survives_link =
        spec->a >= 3 && (d.groups != 2 || d.links_per_group_pair > 1);
    out->claims.survives_switch = out->claims.survives_switch && spec->a >= 3 &&
                                  (d.groups == 1 || global > spec->h);
    return RY_OK;
}

static void join_locals(struct ry_graph *graph, const struct ry_topo_spec *spec,
                        uint32_t first, const struct ry_dragonfly *d, uint16_t level)
{
    for (size_t g = 0; g < d->groups; g++) {
        for (size_t i = 0; i < spec->a; i++) {
            for (size_t j = i + 1; j < spec->a; j++)
                ry_graph_join(graph, level,
                              ry_graph_port(graph, first + (uint32_t)(g * spec->a + i),
                                            spec->p + j - 1),
                              ry_graph_port(graph, first + (uint32_t)(g * spec->a + j),
                                            spec->p + i));
        }
    }
}

/* The k-th global port of a group belongs to router k / h. */
static uint32_t global_port(const struct ry_graph *graph, const struct ry_topo_spec *spec,
                            uint32_t first, size_t group, size_t k)
{
    return ry_graph_port(graph, first + (uint32_t)(group * spec->a + k / spec->h),
                         spec->p + spec->a - 1 + k % spec->h);
}

static void join_globals(struct ry_graph *graph, const struct ry_topo_spec *spec,
                         uint32_t first, const struct ry_dragonfly *d, uint16_t level)
{
    for (size_t i = 0; i < d->groups; i++) {
        for (size_t j = i + 1; j < d->groups; j++) {
            for (size_t m = 0; m < d->links_per_group_pair; m++)
                ry_graph_join(
                    graph, level,
                    global_port(graph, spec, first, i, m * (d->groups - 1) + j - 1),
                    global_port(graph, spec, first, j, m * (d->groups - 1) + i));
        }
    }
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    struct ry_topo_plan counts = {0};
    struct ry_dragonfly d;

    RY_TRY(shape_of(b->spec, &d, &counts, diag));
    const struct ry_routers routers = routers_of(b->spec, &d);
    const uint32_t first = ry_direct_routers(graph, b, &routers);
    join_locals(graph, b->spec, first, &d, ry_direct_level(graph, b, "local", 1));
    join_globals(graph, b->spec, first, &d, ry_direct_level(graph, b, "global", 2));
    return RY_OK;
}

const struct ry_family ry_family_dragonfly = {
    .name = "dragonfly",
    .keys = keys,
    .summary = "groups of fully connected routers (Kim et al. 2008)",
    .example = "dragonfly:p=2,a=4,h=2",
    .defaults = {.speed_bytes_per_s = 25e9},
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
