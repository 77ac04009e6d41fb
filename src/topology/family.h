/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Families of topologies.  A family is one file family_NAME.c and one line of
 * families.def: it plans (counts, and refuses what cannot be cabled, with the rule and
 * the numbers) and builds the explicit graph.
 */
#ifndef RY_TOPOLOGY_FAMILY_H
#define RY_TOPOLOGY_FAMILY_H

#include "base/err.h"
#include "topology/graph.h"
#include "topology/spec.h"

#include <stddef.h>

enum { RY_PLAN_TIERS_MOST = 4, RY_PLAN_LEVELS_MOST = 4 };

/** Switches of one tier, all planes. */
struct ry_plan_tier {
    const char *name; /**< "leaf" */
    size_t switches, radix;
    size_t used, free; /**< ports, all switches together */
};

struct ry_plan_level {
    const char *name; /**< "node-leaf" */
    size_t links, cables;
    double bytes_per_s;
};

/** Closed-form counts of a fabric: what the built graph must show. */
struct ry_topo_plan {
    size_t gpus, nodes, ports_per_node; /**< ports of a node in this fabric */
    size_t endpoint_ports, managers;
    size_t tiers, levels, switches, links;
    struct ry_plan_tier tier[RY_PLAN_TIERS_MOST];    /**< [tiers] */
    struct ry_plan_level level[RY_PLAN_LEVELS_MOST]; /**< [levels] */
    struct ry_fabric claims;
};

struct ry_build {
    const struct ry_topo_spec *spec;
    const struct ry_topo_plan *plan;
    size_t first_node_port; /**< of this fabric, within a node */
    uint32_t first_node;    /**< device index of node 0 */
    uint16_t fabric_index;
};

struct ry_family {
    const char *name;  /**< "fat_tree" */
    const char *alias; /**< another name, or NULL */
    const char *keys;  /**< what it takes: " gpus nodes radix " */
    const char *summary;
    const char *example; /**< a text form that builds */
    struct ry_topo_spec defaults;
    bool nodes_route; /**< the nodes are the routers: torus */
    enum ry_device_kind node_kind;
    enum ry_err (*plan)(const struct ry_topo_spec *spec, struct ry_topo_plan *plan,
                        struct ry_diag *diag);
    enum ry_err (*build)(struct ry_graph *graph, const struct ry_build *build,
                         struct ry_diag *diag);
};

/** The i-th family of families.def, NULL past the end. */
const struct ry_family *ry_family_at(size_t i);

/** By name or alias ('-' is '_', case apart), or NULL. */
const struct ry_family *ry_family_find(const char *name);

/** Count; RY_ERR_RANGE or RY_ERR_INFEASIBLE with the rule and the numbers. */
RY_MUST_USE enum ry_err ry_topo_plan(const struct ry_topo_spec *spec,
                                     struct ry_topo_plan *plan, struct ry_diag *diag);

/** Build all fabrics of @p specs as one graph owned by @p arena. */
RY_MUST_USE enum ry_err ry_topo_build(struct ry_arena *arena,
                                      const struct ry_topo_specs *specs,
                                      struct ry_graph **graph, struct ry_diag *diag);

/* For families. */

/** gpus, nodes and gpus_per_node from what was given of them. */
RY_MUST_USE enum ry_err ry_plan_nodes(const struct ry_topo_spec *spec,
                                      struct ry_topo_plan *plan, struct ry_diag *diag);

/** Add a tier or level to a plan. */
void ry_plan_add_tier(struct ry_topo_plan *plan, const char *name, size_t switches,
                      size_t radix, size_t used);
void ry_plan_add_level(struct ry_topo_plan *plan, const char *name, size_t links,
                       size_t links_per_cable, double bytes_per_s);

/** The fabric's name before a class name unless it is the compute fabric. */
const char *ry_class_name(struct ry_graph *graph, const struct ry_build *build,
                          const char *name);

RY_MUST_USE enum ry_err ry_topo_no_memory(struct ry_diag *diag);

#endif
