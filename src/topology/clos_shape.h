/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The shape of a folded Clos that can be cabled.  Families differ only in how a port of a
 * node finds its leaf (enum ry_attach) and in names.
 */
#ifndef RY_TOPOLOGY_CLOS_SHAPE_H
#define RY_TOPOLOGY_CLOS_SHAPE_H

#include "topology/family.h"

#include <stddef.h>

enum ry_attach {
    RY_ATTACH_FILL,      /**< leaves are filled one after another */
    RY_ATTACH_RAILS,     /**< NIC i of every node of a unit on leaf i of the unit */
    RY_ATTACH_RAIL_ONLY, /**< NIC i on fabric i, which no other NIC touches */
};

struct ry_clos_shape {
    enum ry_attach attach;
    size_t tiers;
    size_t planes;     /**< separate copies: planes, or rails times planes */
    size_t nic_planes; /**< of them, ports of one NIC */
    size_t nics;       /**< of a node */
    size_t nodes, rails, unit_nodes;
    size_t endpoints;                              /**< of a plane */
    size_t leaves, leaf_radix, leaf_down, leaf_up; /**< of a plane; up as built */
    size_t leaf_fill;                              /**< most endpoints on a leaf */
    size_t pods, pod_leaves, pod_spines;
    size_t spine_radix, spine_up;
    size_t spine_cores; /**< cores of each spine index */
    size_t core_radix;
};

struct ry_clos_style {
    const char *tier[3];  /**< "leaf", "spine", "core" */
    const char *level[3]; /**< "node-leaf", "leaf-spine", "spine-core" */
    enum ry_device_kind kind;
    enum ry_media trunk_media;
};

/**
 * Find the shape, or say which rule forbids it.
 * @param spec   radix, tiers, ratios, growth ...
 * @param attach how node ports find leaves.
 * @param plan   nodes and gpus are set already.
 * @param shape  set on RY_OK.
 * @param diag   nullable.
 */
RY_MUST_USE enum ry_err ry_clos_shape(const struct ry_topo_spec *spec,
                                      enum ry_attach attach,
                                      const struct ry_topo_plan *plan,
                                      struct ry_clos_shape *shape, struct ry_diag *diag);

#endif
