/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server whose GPUs meet over PCIe alone: GPUs on PCIe switches (or root ports), those
 * on the sockets, sockets joined. */
#include "topology/direct_build.h"
#include "topology/family.h"

static enum ry_err check(const struct ry_topo_spec *spec, struct ry_diag *diag)
{
    const size_t switches = spec->chips ? spec->chips : 2;

    if (spec->gpus % switches != 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "chips",
                       "%zu GPUs do not spread evenly over %zu PCIe switches", spec->gpus,
                       switches);
    return RY_OK;
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    const size_t switches = spec->chips ? spec->chips : 2;

    RY_TRY(check(spec, diag));
    out->gpus = out->nodes = spec->gpus;
    out->ports_per_node = 1;
    out->endpoint_ports = spec->gpus;
    ry_plan_add_tier(out, "plx", switches, spec->gpus / switches + 1,
                     spec->gpus + (switches > 1 ? switches : 0));
    ry_plan_add_level(out, "gpu-plx", spec->gpus, 1, spec->speed_bytes_per_s);
    if (switches > 1) {
        ry_plan_add_tier(out, "root", 1, switches, switches);
        ry_plan_add_level(out, "plx-root", switches, 1, ry_topo_up_bytes_per_s(spec));
        out->claims.cut[0] = (double)(spec->gpus / switches) * spec->speed_bytes_per_s /
                             ry_topo_up_bytes_per_s(spec);
    }
    out->claims.planes = 1;
    out->claims.endpoint_ports = spec->gpus;
    out->claims.diameter_links = spec->gpus < 2 ? 0 : switches > 1 ? 4 : 2;
    out->claims.survives_link = switches == 1;
    out->claims.survives_switch = switches == 1;
    return RY_OK;
}

static uint32_t add(struct ry_graph *graph, const struct ry_build *b, size_t tier)
{
    const struct ry_plan_tier *counts = &b->plan->tier[tier];
    const uint32_t first = (uint32_t)graph->n_devices;
    const uint16_t of = ry_graph_class(
        graph, &(struct ry_device_class){.kind = RY_DEVICE_PCIE,
                                         .name = ry_class_name(graph, b, counts->name),
                                         .fabric = b->spec->fabric,
                                         .tier = (uint16_t)(tier + 1),
                                         .ports_per_cage = 1});

    for (size_t i = 0; i < counts->switches; i++)
        (void)ry_graph_device(graph, &(struct ry_new_device){
                                         .of = of,
                                         .ports = (uint32_t)counts->radix,
                                         .bytes_per_s = ry_topo_up_bytes_per_s(b->spec)});
    return first;
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    const size_t switches = b->plan->tier[0].switches;
    const size_t below = b->spec->gpus / switches;

    (void)diag;
    const uint32_t first = add(graph, b, 0);
    const uint32_t root = switches > 1 ? add(graph, b, 1) : RY_NONE;
    const uint16_t access = ry_direct_level(graph, b, "gpu-plx", 0);
    const uint16_t trunk = ry_direct_level(graph, b, "plx-root", 1);
    graph->levels[trunk].media = RY_MEDIA_BACKPLANE;
    for (size_t i = 0; i < switches; i++) {
        const uint32_t at = first + (uint32_t)i;
        ry_graph_set_rate(graph, at, 0, (uint32_t)below, b->spec->speed_bytes_per_s);
        for (size_t k = 0; k < below; k++)
            ry_graph_join(graph, access,
                          ry_graph_port(graph, b->first_node + (uint32_t)(i * below + k),
                                        b->first_node_port),
                          ry_graph_port(graph, at, k));
        if (root != RY_NONE)
            ry_graph_join(graph, trunk, ry_graph_port(graph, at, below),
                          ry_graph_port(graph, root, i));
    }
    return RY_OK;
}

/* PCIe 5.0 x16: 32 GT/s x 16 lanes x 128/130 / 8 = 63 GB/s a direction (PCI-SIG). */
const struct ry_family ry_family_pcie = {
    .name = "pcie",
    .keys = " gpus chips speed up_speed media ",
    .summary = "one server whose GPUs meet over PCIe switches and the root",
    .example = "pcie:gpus=8,chips=2",
    .defaults = {.gpus = 8,
                 .chips = 2,
                 .speed_bytes_per_s = 63e9,
                 .media = RY_MEDIA_BACKPLANE},
    .node_kind = RY_DEVICE_GPU,
    .plan = plan,
    .build = build,
};
