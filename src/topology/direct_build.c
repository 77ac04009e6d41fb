/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/direct_build.h"

#include <assert.h>
#include <stdbool.h>

enum ry_err ry_direct_nodes(const struct ry_topo_spec *spec, size_t most,
                            struct ry_topo_plan *plan, struct ry_diag *diag)
{
    struct ry_topo_spec with = *spec;

    if (with.gpus == 0 && with.nodes == 0) {
        const size_t nics =
            with.nics ? with.nics : (with.gpus_per_node ? with.gpus_per_node : 1);
        with.nodes = most / nics;
    }
    RY_TRY(ry_plan_nodes(&with, plan, diag));
    plan->ports_per_node = with.nics ? with.nics : plan->gpus / plan->nodes;
    plan->endpoint_ports = plan->nodes * plan->ports_per_node;
    if (plan->endpoint_ports > most || plan->nodes == 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, spec->family->name,
                       "%zu node ports, the routers have %zu", plan->endpoint_ports,
                       most);
    return RY_OK;
}

void ry_direct_plan(const struct ry_topo_spec *spec, const struct ry_routers *routers,
                    size_t trunk_links, struct ry_topo_plan *plan)
{
    ry_plan_add_tier(plan, "router", routers->n, routers->ports,
                     plan->endpoint_ports + 2 * trunk_links);
    ry_plan_add_level(plan, "node-router", plan->endpoint_ports, 1,
                      spec->speed_bytes_per_s);
    plan->claims.planes = 1;
    plan->claims.endpoint_ports = plan->endpoint_ports;
    /* Fewer ports than one router takes are all on the first. */
    plan->claims.survives_switch = plan->endpoint_ports > routers->endpoints;
}

uint16_t ry_direct_level(struct ry_graph *graph, const struct ry_build *build,
                         const char *name, int rank)
{
    return ry_graph_level(graph,
                          &(struct ry_level){
                              .name = name,
                              .fabric = build->spec->fabric,
                              .media = rank == 0 ? build->spec->media : RY_MEDIA_FIBRE,
                              .rank = (uint16_t)rank,
                              .fabric_index = build->fabric_index,
                              .links_per_cable = 1,
                          });
}

uint32_t ry_direct_routers(struct ry_graph *graph, const struct ry_build *build,
                           const struct ry_routers *routers)
{
    const struct ry_topo_plan *plan = build->plan;
    const uint32_t first = (uint32_t)graph->n_devices;
    const uint16_t of = ry_graph_class(
        graph,
        &(struct ry_device_class){
            .kind = RY_DEVICE_SWITCH,
            .name = ry_class_name(graph, build, "router"),
            .fabric = build->spec->fabric,
            .tier = 1,
            .ports_per_cage = (uint16_t)(build->spec->cage ? build->spec->cage : 1)});

    for (size_t i = 0; i < routers->n; i++) {
        const uint32_t router = ry_graph_device(
            graph, &(struct ry_new_device){
                       .of = of,
                       .unit = routers->per_unit ? (uint32_t)(i / routers->per_unit) : 0,
                       .ports = (uint32_t)routers->ports,
                       .bytes_per_s = ry_topo_up_bytes_per_s(build->spec)});
        ry_graph_set_rate(graph, router, 0, (uint32_t)routers->endpoints,
                          build->spec->speed_bytes_per_s);
    }
    const uint16_t level = ry_direct_level(graph, build, "node-router", 0);
    for (size_t e = 0; e < plan->endpoint_ports; e++) {
        const uint32_t node = build->first_node + (uint32_t)(e / plan->ports_per_node);
        const uint32_t router = first + (uint32_t)(e / routers->endpoints);
        ry_graph_join(
            graph, level,
            ry_graph_port(graph, node, build->first_node_port + e % plan->ports_per_node),
            ry_graph_port(graph, router, e % routers->endpoints));
        if (build->fabric_index == 0)
            graph->devices[node].unit = graph->devices[router].unit;
    }
    return first;
}

uint32_t ry_direct_free_port(const struct ry_graph *graph, uint32_t router, size_t first)
{
    const struct ry_device *device = &graph->devices[router];

    for (uint32_t i = (uint32_t)first; i < device->ports; i++)
        if (graph->ports[device->first_port + i].cable == RY_NONE)
            return device->first_port + i;
    assert(false); /* plans count ports */
    return RY_NONE;
}
