/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One board of GPUs on NVSwitch chips.  Link j of a GPU goes to chip j mod chips, so the
 * 18 links of an H100 take 5, 5, 4 and 4 ports of the four chips. */
#include "topology/direct_build.h"
#include "topology/family.h"

#include <assert.h>

/* Links of a GPU to one chip. */
static size_t links_to(const struct ry_topo_spec *spec, size_t chip)
{
    return spec->links / spec->chips + (chip < spec->links % spec->chips);
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    const size_t most = spec->gpus * links_to(spec, 0);
    const size_t radix = spec->radix ? spec->radix : most;

    if (spec->links < spec->chips)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "links",
                       "%zu links of a GPU do not reach %zu chips", spec->links,
                       spec->chips);
    if (most > radix)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "radix",
                       "%zu GPUs with %zu links to a chip need %zu ports, it has %zu",
                       spec->gpus, links_to(spec, 0), most, radix);
    out->gpus = out->nodes = spec->gpus;
    out->ports_per_node = spec->links;
    out->endpoint_ports = spec->gpus * spec->links;
    ry_plan_add_tier(out, "nvswitch", spec->chips, radix, out->endpoint_ports);
    ry_plan_add_level(out, "gpu-nvswitch", out->endpoint_ports, 1,
                      spec->speed_bytes_per_s);
    out->claims.planes = spec->chips;
    out->claims.endpoint_ports = out->endpoint_ports;
    out->claims.diameter_links = spec->gpus > 1 ? 2 : 0;
    out->claims.bisection_bytes_per_s =
        (double)(spec->gpus / 2 * spec->links) * spec->speed_bytes_per_s;
    out->claims.survives_link = true;
    out->claims.survives_switch = true;
    return RY_OK;
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    const struct ry_topo_spec *spec = b->spec;
    const uint16_t of = ry_graph_class(
        graph, &(struct ry_device_class){.kind = RY_DEVICE_NVSWITCH,
                                         .name = ry_class_name(graph, b, "nvswitch"),
                                         .fabric = spec->fabric,
                                         .tier = 1,
                                         .ports_per_cage = 1});
    const uint32_t first = (uint32_t)graph->n_devices;

    (void)diag;
    for (size_t c = 0; c < spec->chips; c++)
        (void)ry_graph_device(
            graph, &(struct ry_new_device){.of = of,
                                           .plane = (uint16_t)c,
                                           .ports = (uint32_t)b->plan->tier[0].radix,
                                           .bytes_per_s = spec->speed_bytes_per_s});
    const uint16_t level = ry_direct_level(graph, b, "gpu-nvswitch", 0);
    assert(spec->chips > 0);
    for (size_t g = 0; g < spec->gpus; g++) {
        for (size_t j = 0; j < spec->links; j++) {
            const size_t chip = j % spec->chips;
            ry_graph_join(
                graph, level,
                ry_graph_port(graph, b->first_node + (uint32_t)g, b->first_node_port + j),
                ry_graph_port(graph, first + (uint32_t)chip,
                              g * links_to(spec, chip) + j / spec->chips));
        }
    }
    return RY_OK;
}

/* Defaults are an HGX H100 board: 18 links of 25 GB/s a direction a GPU, four chips of 64
 * ports (NVIDIA H100 architecture white paper: NVLink 4, third-generation NVSwitch). */
const struct ry_family ry_family_nvswitch = {
    .name = "nvswitch",
    .keys = " gpus links chips radix speed media ",
    .summary = "one board of GPUs on NVSwitch chips",
    .example = "nvswitch:gpus=8,links=18,chips=4,radix=64",
    .defaults = {.gpus = 8,
                 .links = 18,
                 .chips = 4,
                 .speed_bytes_per_s = 25e9,
                 .media = RY_MEDIA_BACKPLANE},
    .node_kind = RY_DEVICE_GPU,
    .plan = plan,
    .build = build,
};
