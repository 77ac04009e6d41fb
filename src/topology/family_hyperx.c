/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HyperX: routers on a grid, every line of the grid fully connected. */
#include "topology/direct.h"
#include "topology/direct_build.h"
#include "topology/family.h"

static enum ry_err shape_of(const struct ry_topo_spec *spec, struct ry_hyperx *x,
                            struct ry_topo_plan *plan, struct ry_diag *diag)
{
    if (spec->dimensions == 0 || spec->size < 2 || spec->p == 0)
        return ry_fail(diag, RY_ERR_RANGE, "hyperx",
                       "needs dimensions=, size= (2 or more), p= endpoints of a router");
    if (ry_power(spec->size, spec->dimensions) > 1048576)
        return ry_fail(diag, RY_ERR_RANGE, "hyperx", "%zu^%zu routers are above 1048576",
                       spec->size, spec->dimensions);
    *x = ry_hyperx(spec->dimensions, spec->size, spec->p);
    if (spec->radix && x->radix > spec->radix)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "radix",
                       "p + dimensions (size - 1) = %zu ports of a router, it has %zu",
                       x->radix, spec->radix);
    return ry_direct_nodes(spec, x->hosts, plan, diag);
}

static struct ry_routers routers_of(const struct ry_topo_spec *spec,
                                    const struct ry_hyperx *x)
{
    return (struct ry_routers){
        .n = x->switches,
        .ports = spec->radix ? spec->radix : x->radix,
        .endpoints = spec->p,
        .per_unit = spec->size,
    };
}

/* Routers are filled one after another: a link for each dimension that those in use
 * span. */
static size_t diameter_links(const struct ry_topo_spec *spec, size_t ports)
{
    size_t links = ports > 1 ? 2 : 0;

    for (size_t reached = spec->p; reached < ports; reached *= spec->size)
        links++;
    return links;
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    struct ry_hyperx x;

    RY_TRY(shape_of(spec, &x, out, diag));
    const struct ry_routers routers = routers_of(spec, &x);
    const double up = ry_topo_up_bytes_per_s(spec);
    ry_direct_plan(spec, &routers, x.links, out);
    ry_plan_add_level(out, "grid", x.links, 1, up);
    out->claims.diameter_links = diameter_links(spec, out->endpoint_ports);
    if (spec->size % 2 == 0 && out->endpoint_ports == x.hosts) {
        const double hosts = (double)(x.hosts / 2) * spec->speed_bytes_per_s;
        const double cut = (double)x.bisection_links * up;
        out->claims.bisection_bytes_per_s = cut < hosts ? cut : hosts;
    }
    out->claims.survives_link = x.switches > 2;
    return RY_OK;
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    const struct ry_topo_spec *spec = b->spec;
    struct ry_topo_plan counts = {0};
    struct ry_hyperx x;
    size_t stride = 1;

    RY_TRY(shape_of(spec, &x, &counts, diag));
    const struct ry_routers routers = routers_of(spec, &x);
    const uint32_t first = ry_direct_routers(graph, b, &routers);
    const uint16_t level = ry_direct_level(graph, b, "grid", 1);
    for (size_t d = 0; d < spec->dimensions; d++, stride *= spec->size) {
        for (size_t i = 0; i < x.switches; i++) {
            const size_t c = i / stride % spec->size;
            for (size_t k = c + 1; k < spec->size; k++)
                ry_graph_join(graph, level,
                              ry_graph_port(graph, first + (uint32_t)i,
                                            spec->p + d * (spec->size - 1) + k - 1),
                              ry_graph_port(graph,
                                            first + (uint32_t)(i + (k - c) * stride),
                                            spec->p + d * (spec->size - 1) + c));
        }
    }
    return RY_OK;
}

const struct ry_family ry_family_hyperx = {
    .name = "hyperx",
    .keys = " gpus nodes gpus_per_node nics dimensions size p radix cage speed up_speed "
            "media ",
    .summary = "grid of routers with fully connected lines (Ahn et al. 2009)",
    .example = "hyperx:dimensions=2,size=8,p=8",
    .defaults = {.speed_bytes_per_s = 50e9},
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
