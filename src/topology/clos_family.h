/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the families of one Clos shape share: fat_tree, rail_optimized, rail_only differ
 * in how node ports find leaves, and in how many GPUs a node has unless it is said.
 */
#ifndef RY_TOPOLOGY_CLOS_FAMILY_H
#define RY_TOPOLOGY_CLOS_FAMILY_H

#include "topology/clos_shape.h"
#include "topology/family.h"

/** plan and build of struct ry_family, for one way to attach nodes. */
RY_MUST_USE enum ry_err ry_clos_family_plan(const struct ry_topo_spec *spec,
                                            enum ry_attach attach,
                                            struct ry_topo_plan *plan,
                                            struct ry_diag *diag);
RY_MUST_USE enum ry_err ry_clos_family_build(struct ry_graph *graph,
                                             const struct ry_build *build,
                                             enum ry_attach attach, struct ry_diag *diag);

/** Keys that all of them take, to be followed by a family's own. */
#define RY_CLOS_KEYS                                                                     \
    " gpus nodes gpus_per_node nics radix spine_radix tiers planes ratio core_ratio "    \
    "down up spines policy ufm keep grow cage links_per_cable speed up_speed media "

#endif
