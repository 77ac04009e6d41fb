/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/fabric_classes.h"

#include "catalog/parts.h"
#include "design/design.h"
#include "topology/graph.h"

#include <stdint.h>
#include <string.h>

/* The unit of a switch: that of the first node on it, else its own. */
static uint32_t unit_of(const struct ry_graph *graph, uint32_t device)
{
    const struct ry_device *at = &graph->devices[device];

    for (uint32_t p = 0; p < at->ports; p++) {
        const uint32_t far = ry_graph_far(graph, ry_graph_port(graph, device, p));
        const uint32_t other = far == RY_NONE ? device : graph->ports[far].device;
        if (ry_class_of(graph, other)->kind == RY_DEVICE_NODE)
            return graph->devices[other].unit;
    }
    return at->unit;
}

/* Devices of the first unit; units are built whole, in a row. */
static size_t per_unit(const struct ry_graph *graph, const struct ry_device_class *class)
{
    size_t n = 0;

    while (n < class->count &&
           unit_of(graph, class->first + (uint32_t)n) == unit_of(graph, class->first))
        n++;
    return n < class->count ? n : 0;
}

size_t ry_fabric_classes(const struct ry_graph *graph,
                         struct ry_fabric_class out[RY_FABRIC_CLASSES_MOST])
{
    size_t n = 0;

    for (size_t c = 0; c < graph->n_classes && n < RY_FABRIC_CLASSES_MOST; c++) {
        const struct ry_device_class *class = &graph->classes[c];
        const bool wanted = class->kind == RY_DEVICE_NODE ||
                            class->kind == RY_DEVICE_SWITCH ||
                            class->kind == RY_DEVICE_MANAGER;
        if (!wanted || class->count == 0)
            continue;
        out[n++] = (struct ry_fabric_class){
            .index = c,
            .name = class->name,
            .tier = class->tier,
            .count = class->count,
            .per_unit = per_unit(graph, class),
            .node = class->kind == RY_DEVICE_NODE,
            .manager = class->kind == RY_DEVICE_MANAGER,
        };
    }
    return n;
}

bool ry_is_out_of_band(const struct ry_fabric_inputs *fabric, const char *name)
{
    return strcmp(name, "oob") == 0 && fabric->leaf &&
           strcmp(fabric->leaf->connector, "RJ45") == 0;
}
