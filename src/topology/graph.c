/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/graph.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ry_graph *ry_graph_create(struct ry_arena *arena)
{
    struct ry_graph *graph = RY_NEW(arena, struct ry_graph, 1);

    if (graph)
        graph->arena = arena;
    return graph;
}

/* Room for @p more after @p n of @p size bytes; what is outgrown stays in the arena. */
static bool grow(struct ry_arena *arena, void **at, size_t n, size_t *room, size_t more,
                 size_t size)
{
    if (n + more <= *room)
        return true;
    if (more >= RY_NONE || n + more >= RY_NONE)
        return false;
    void *bigger = ry_arena_alloc(arena, n + more, size);
    if (!bigger)
        return false;
    if (n > 0)
        memcpy(bigger, *at, n * size);
    *at = bigger;
    *room = n + more;
    return true;
}

bool ry_graph_reserve(struct ry_graph *graph, size_t devices, size_t ports, size_t links)
{
    void *at[3] = {graph->devices, graph->ports, graph->links};
    const bool ok = grow(graph->arena, &at[0], graph->n_devices, &graph->room_devices,
                         devices, sizeof(struct ry_device)) &&
                    grow(graph->arena, &at[1], graph->n_ports, &graph->room_ports, ports,
                         sizeof(struct ry_port)) &&
                    grow(graph->arena, &at[2], graph->n_links, &graph->room_links, links,
                         sizeof(struct ry_link));

    graph->devices = at[0];
    graph->ports = at[1];
    graph->links = at[2];
    return ok;
}

uint16_t ry_graph_class(struct ry_graph *graph, const struct ry_device_class *class)
{
    assert(graph->n_classes < RY_CLASSES_MOST);
    graph->classes[graph->n_classes] = *class;
    graph->classes[graph->n_classes].first = (uint32_t)graph->n_devices;
    graph->classes[graph->n_classes].count = 0;
    return (uint16_t)graph->n_classes++;
}

uint16_t ry_graph_level(struct ry_graph *graph, const struct ry_level *level)
{
    assert(graph->n_levels < RY_LEVELS_MOST);
    graph->levels[graph->n_levels] = *level;
    graph->levels[graph->n_levels].count = 0;
    return (uint16_t)graph->n_levels++;
}

uint32_t ry_graph_device(struct ry_graph *graph, const struct ry_new_device *device)
{
    struct ry_device_class *class = &graph->classes[device->of];
    const uint32_t at = (uint32_t)graph->n_devices;
    const uint32_t first = (uint32_t)graph->n_ports;

    assert(graph->n_devices < graph->room_devices);
    assert(graph->n_ports + device->ports <= graph->room_ports);
    assert(class->count == 0 || class->first + class->count == at);
    if (class->count == 0)
        class->first = at;
    graph->devices[at] = (struct ry_device){
        .first_port = first,
        .ports = device->ports,
        .index = class->count++,
        .unit = device->unit,
        .of = device->of,
        .plane = device->plane,
    };
    for (uint32_t i = 0; i < device->ports; i++)
        graph->ports[first + i] = (struct ry_port){at, RY_NONE, device->bytes_per_s};
    graph->n_devices++;
    graph->n_ports += device->ports;
    return at;
}

void ry_graph_set_rate(struct ry_graph *graph, uint32_t device, uint32_t first,
                       uint32_t n, double bytes_per_s)
{
    for (uint32_t i = 0; i < n; i++)
        graph->ports[ry_graph_port(graph, device, first + i)].bytes_per_s = bytes_per_s;
}

void ry_graph_join(struct ry_graph *graph, uint16_t level, uint32_t port_a,
                   uint32_t port_b)
{
    const uint32_t at = (uint32_t)graph->n_links;

    assert(graph->n_links < graph->room_links);
    assert(graph->ports[port_a].cable == RY_NONE &&
           graph->ports[port_b].cable == RY_NONE);
    graph->links[at] = (struct ry_link){
        .port = {port_a, port_b},
        .level = level,
        .bytes_per_s = graph->ports[port_a].bytes_per_s,
    };
    graph->ports[port_a].cable = at;
    graph->ports[port_b].cable = at;
    graph->levels[level].count++;
    graph->n_links++;
}

/* The other end of the link alone. */
static uint32_t across(const struct ry_graph *graph, uint32_t port)
{
    const uint32_t cable = graph->ports[port].cable;

    if (cable == RY_NONE || graph->links[cable].down)
        return RY_NONE;
    const struct ry_link *link = &graph->links[cable];
    return link->port[0] == port ? link->port[1] : link->port[0];
}

uint32_t ry_graph_far(const struct ry_graph *graph, uint32_t port)
{
    uint32_t far = across(graph, port);

    if (!graph->circuits)
        return far;
    for (size_t i = 0; i < graph->n_ports && far != RY_NONE; i++) {
        if (ry_class_of(graph, graph->ports[far].device)->kind != RY_DEVICE_OCS)
            return far;
        const uint32_t joined = graph->circuits[far];
        far = joined == RY_NONE ? RY_NONE : across(graph, joined);
    }
    return far;
}

bool ry_graph_transits(const struct ry_graph *graph, uint32_t device)
{
    const struct ry_device_class *class = ry_class_of(graph, device);

    switch (class->kind) {
    case RY_DEVICE_SWITCH:
    case RY_DEVICE_NVSWITCH:
    case RY_DEVICE_PCIE:
    case RY_DEVICE_OCS:
        return true;
    case RY_DEVICE_NODE:
        return class->tier > 0;
    case RY_DEVICE_GPU:
    case RY_DEVICE_MANAGER:
        return false;
    }
    return false;
}

const char *ry_graph_name(const struct ry_graph *graph, uint32_t device,
                          char text[RY_DEVICE_NAME_BYTES])
{
    (void)snprintf(text, RY_DEVICE_NAME_BYTES, "%.40s%u",
                   ry_class_of(graph, device)->name, graph->devices[device].index);
    return text;
}

const char *ry_graph_port_name(const struct ry_graph *graph, uint32_t port,
                               char text[RY_DEVICE_NAME_BYTES])
{
    const uint32_t device = graph->ports[port].device;
    const unsigned at = port - graph->devices[device].first_port;
    const unsigned per_cage = ry_class_of(graph, device)->ports_per_cage;
    char name[RY_DEVICE_NAME_BYTES];

    (void)ry_graph_name(graph, device, name);
    if (per_cage > 1)
        (void)snprintf(text, RY_DEVICE_NAME_BYTES, "%.44s P%u/%u", name,
                       at / per_cage + 1, at % per_cage + 1);
    else
        (void)snprintf(text, RY_DEVICE_NAME_BYTES, "%.50s P%u", name, at + 1);
    return text;
}

uint32_t ry_graph_find(const struct ry_graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->n_classes; i++) {
        const struct ry_device_class *class = &graph->classes[i];
        const size_t n = strlen(class->name);
        char *end = NULL;
        if (strncmp(name, class->name, n) != 0 || name[n] < '0' || name[n] > '9')
            continue;
        const unsigned long index = strtoul(name + n, &end, 10);
        if (*end == '\0' && index < class->count)
            return class->first + (uint32_t)index;
    }
    return RY_NONE;
}

size_t ry_graph_fail_device(struct ry_graph *graph, uint32_t device)
{
    const struct ry_device *d = &graph->devices[device];
    size_t failed = 0;

    for (uint32_t i = 0; i < d->ports; i++) {
        const uint32_t cable = graph->ports[d->first_port + i].cable;
        if (cable != RY_NONE && !graph->links[cable].down) {
            graph->links[cable].down = true;
            failed++;
        }
    }
    return failed;
}

const char *ry_media_text(enum ry_media media)
{
    switch (media) {
    case RY_MEDIA_FIBRE:
        return "fibre";
    case RY_MEDIA_COPPER:
        return "copper";
    case RY_MEDIA_BACKPLANE:
        return "backplane";
    case RY_MEDIA_CAT6:
        return "cat6";
    }
    return "?";
}

const char *ry_device_kind_text(enum ry_device_kind kind)
{
    static const char *const texts[] = {
        [RY_DEVICE_NODE] = "node",      [RY_DEVICE_GPU] = "gpu",
        [RY_DEVICE_SWITCH] = "switch",  [RY_DEVICE_NVSWITCH] = "nvswitch",
        [RY_DEVICE_PCIE] = "pcie",      [RY_DEVICE_OCS] = "ocs",
        [RY_DEVICE_MANAGER] = "manager"};
    return texts[kind];
}
