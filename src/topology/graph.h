/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The cluster as an explicit graph: devices, their ports, and cables between ports.
 *
 * Everything is an index into four flat arrays that grow in an arena.  A device owns the
 * ports [first_port, first_port + ports).  A cable is one link between two ports; both
 * ports name it.  Names are made when asked for, not kept.
 */
#ifndef RY_TOPOLOGY_GRAPH_H
#define RY_TOPOLOGY_GRAPH_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RY_NONE UINT32_MAX

enum ry_device_kind {
    RY_DEVICE_NODE, /**< a server, or an accelerator that is its own router (torus) */
    RY_DEVICE_GPU,  /**< inside an NVLink or PCIe domain */
    RY_DEVICE_SWITCH,
    RY_DEVICE_NVSWITCH,
    RY_DEVICE_PCIE,    /**< PCIe switch or root complex */
    RY_DEVICE_OCS,     /**< optical circuit switch: joins ports in pairs */
    RY_DEVICE_MANAGER, /**< fabric manager */
};

enum ry_media {
    RY_MEDIA_FIBRE, /**< length decides multimode or single-mode */
    RY_MEDIA_COPPER,
    RY_MEDIA_BACKPLANE, /**< NVLink cartridges and boards, PCIe traces */
    RY_MEDIA_CAT6,
};

struct ry_port {
    uint32_t device;
    uint32_t cable;     /**< RY_NONE: free */
    double bytes_per_s; /**< one direction */
};

struct ry_link {
    uint32_t port[2];
    uint16_t level;     /**< index in levels */
    bool down;          /**< failed: measures and flows do not use it */
    double bytes_per_s; /**< one direction */
};

struct ry_device {
    uint32_t first_port, ports;
    uint32_t index; /**< within its class, from 0 */
    uint32_t unit;  /**< scalable unit, pod, group or cube */
    uint16_t of;    /**< index in classes */
    uint16_t plane; /**< independent copy of a fabric, or rail of rail-only */
};

/** Devices that are the same thing. */
struct ry_device_class {
    enum ry_device_kind kind;
    const char *name;   /**< "leaf", no digit last; a device is "leaf12" */
    const char *fabric; /**< "compute"; "" for nodes, which belong to all */
    uint16_t tier;      /**< 0 endpoints, 1 leaf, 2 spine, 3 core */
    uint16_t ports_per_cage;
    uint32_t gpus;         /**< of a node */
    uint32_t first, count; /**< devices of the class, in a row */
};

/** Links that do the same job. */
struct ry_level {
    const char *name; /**< "node-leaf" */
    const char *fabric;
    enum ry_media media;
    uint16_t rank;         /**< 0 access, 1 leaf to spine or local, 2 to core or global */
    uint16_t fabric_index; /**< in fabrics */
    uint16_t links_per_cable;
    uint32_t count;
};

enum { RY_RANKS_MOST = 3 };

/** What the builder says of a fabric; verify.h measures it again. */
struct ry_fabric {
    const char *name;
    const char *family;
    size_t planes;          /**< separate components: planes, or rails times planes */
    size_t endpoint_ports;  /**< node ports in use, all planes */
    size_t diameter_links;  /**< longest shortest path between endpoints, 0: not said */
    size_t rails;           /**< each leaf holds one rail's NICs; 0: not so */
    size_t nic_planes;      /**< node port j is of NIC j / nic_planes */
    size_t first_node_port; /**< of this fabric within a node */
    bool balanced;          /**< same links from a switch to each one above it */
    double cut[RY_RANKS_MOST]; /**< endpoint rate over that upwards of rank r; 0: none */
    double bisection_bytes_per_s; /**< of all planes, one direction; 0: no closed form */
    bool survives_link;           /**< any one link between switches */
    bool survives_switch;         /**< any one but for its own ports; not the only one */
};

enum { RY_CLASSES_MOST = 64, RY_LEVELS_MOST = 32, RY_FABRICS_MOST = 8 };

struct ry_graph {
    struct ry_arena *arena;
    struct ry_device *devices;
    struct ry_port *ports;
    struct ry_link *links;
    uint32_t *circuits; /**< [ports] of an OCS: the port it joins; NULL without OCS */
    size_t n_devices, n_ports, n_links;
    size_t room_devices, room_ports, room_links;
    size_t n_classes, n_levels, n_fabrics;
    struct ry_device_class classes[RY_CLASSES_MOST];
    struct ry_level levels[RY_LEVELS_MOST];
    struct ry_fabric fabrics[RY_FABRICS_MOST];
};

/** An empty graph in @p arena, or NULL. */
struct ry_graph *ry_graph_create(struct ry_arena *arena);

/** Make room at once for so many more; false when out of memory or over 2^32. */
bool ry_graph_reserve(struct ry_graph *graph, size_t devices, size_t ports, size_t links);

/** Add a class; its index. */
uint16_t ry_graph_class(struct ry_graph *graph, const struct ry_device_class *class);

/** Add a level; its index. */
uint16_t ry_graph_level(struct ry_graph *graph, const struct ry_level *level);

struct ry_new_device {
    uint16_t of, plane;
    uint32_t unit, ports;
    double bytes_per_s; /**< of every port */
};

/**
 * Add a device of the class that was used last (devices of a class are in a row); room
 * must have been reserved.  Returns its index.
 */
uint32_t ry_graph_device(struct ry_graph *graph, const struct ry_new_device *device);

/** Change the rate of ports [first, first + n) of a device. */
void ry_graph_set_rate(struct ry_graph *graph, uint32_t device, uint32_t first,
                       uint32_t n, double bytes_per_s);

/** Join two free ports; room must have been reserved.  Rate: that of the first port. */
void ry_graph_join(struct ry_graph *graph, uint16_t level, uint32_t port_a,
                   uint32_t port_b);

/** The index of a port of a device. */
static inline uint32_t ry_graph_port(const struct ry_graph *graph, uint32_t device,
                                     size_t port)
{
    return graph->devices[device].first_port + (uint32_t)port;
}

/**
 * The port at the other end of the link in @p port, through optical circuits; RY_NONE
 * when the port is free, the link is down, or the circuit is open.
 */
uint32_t ry_graph_far(const struct ry_graph *graph, uint32_t port);

/** Whether traffic may pass through a device: switches, and nodes that route (torus). */
bool ry_graph_transits(const struct ry_graph *graph, uint32_t device);

enum { RY_DEVICE_NAME_BYTES = 64 };

/** "leaf12" in @p text.  Returns @p text. */
const char *ry_graph_name(const struct ry_graph *graph, uint32_t device,
                          char text[RY_DEVICE_NAME_BYTES]);

/** "leaf12 P3", "leaf12 P2/1" of a twin-port cage, from 1.  Returns @p text. */
const char *ry_graph_port_name(const struct ry_graph *graph, uint32_t port,
                               char text[RY_DEVICE_NAME_BYTES]);

/** The device of that name, or RY_NONE. */
uint32_t ry_graph_find(const struct ry_graph *graph, const char *name);

/** Take a device out: all its links go down.  Returns how many went. */
size_t ry_graph_fail_device(struct ry_graph *graph, uint32_t device);

/** The device at an end of a link. */
static inline uint32_t ry_link_device(const struct ry_graph *graph, size_t link, int end)
{
    return graph->ports[graph->links[link].port[end]].device;
}

/** The class of a device. */
static inline const struct ry_device_class *ry_class_of(const struct ry_graph *graph,
                                                        uint32_t device)
{
    return &graph->classes[graph->devices[device].of];
}

/** "copper", "fibre", ... */
const char *ry_media_text(enum ry_media media);
/** "node", "switch", ... */
const char *ry_device_kind_text(enum ry_device_kind kind);

#endif
