/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The devices of a built fabric as racks see them: how many of what, in which groups.
 */
#ifndef RY_FACILITY_FABRIC_CLASSES_H
#define RY_FACILITY_FABRIC_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

struct ry_fabric_inputs;
struct ry_graph;

struct ry_fabric_class {
    size_t index;     /**< of the class in the graph */
    const char *name; /**< "leaf" */
    size_t tier;      /**< 0 endpoints, 1 leaf, 2 spine, 3 core */
    size_t count;
    size_t per_unit;    /**< devices of one scalable unit; 0: one unit */
    bool node, manager; /**< else a switch */
};

enum { RY_FABRIC_CLASSES_MOST = 64 };

/** Nodes, switches and managers of @p graph; devices inside nodes are left out. */
size_t ry_fabric_classes(const struct ry_graph *graph,
                         struct ry_fabric_class out[RY_FABRIC_CLASSES_MOST]);

/** A fabric of copper pairs: its cables are those of management, one a managed device. */
bool ry_is_out_of_band(const struct ry_fabric_inputs *fabric, const char *name);

#endif
