/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A board whose accelerators are linked directly, all to all (MI300X, Gaudi). */
#include "topology/direct_build.h"
#include "topology/family.h"

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    const size_t n = spec->gpus;

    if (n < 2 || n > 1024)
        return ry_fail(diag, RY_ERR_RANGE, "gpus", "%zu is not 2 to 1024", n);
    out->gpus = out->nodes = n;
    out->ports_per_node = n - 1;
    out->endpoint_ports = n * (n - 1);
    ry_plan_add_level(out, "mesh", n * (n - 1) / 2, 1, spec->speed_bytes_per_s);
    out->claims.planes = 1;
    out->claims.endpoint_ports = out->endpoint_ports;
    out->claims.diameter_links = 1;
    out->claims.bisection_bytes_per_s =
        (double)(n / 2 * ((n + 1) / 2)) * spec->speed_bytes_per_s;
    out->claims.survives_link = n > 2;
    out->claims.survives_switch = true;
    return RY_OK;
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    const uint16_t level = ry_direct_level(graph, b, "mesh", 0);

    (void)diag;
    graph->levels[level].media = b->spec->media;
    for (size_t i = 0; i < b->plan->nodes; i++) {
        for (size_t j = i + 1; j < b->plan->nodes; j++)
            ry_graph_join(graph, level,
                          ry_graph_port(graph, b->first_node + (uint32_t)i,
                                        b->first_node_port + j - 1),
                          ry_graph_port(graph, b->first_node + (uint32_t)j,
                                        b->first_node_port + i));
    }
    return RY_OK;
}

const struct ry_family ry_family_mesh = {
    .name = "mesh",
    .keys = " gpus speed media ",
    .summary = "accelerators of one board linked directly, all to all",
    .example = "mesh:gpus=8,speed=64GB/s",
    .defaults = {.gpus = 8, .speed_bytes_per_s = 64e9, .media = RY_MEDIA_BACKPLANE},
    .nodes_route = true,
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
