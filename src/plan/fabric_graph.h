/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * From a design to the topology that is cabled: the same counts as plan/network.h, with
 * every port and cable.
 */
#ifndef RY_PLAN_FABRIC_GRAPH_H
#define RY_PLAN_FABRIC_GRAPH_H

#include "design/design.h"
#include "topology/spec.h"

/**
 * What to build for @p design: its compute fabric, or its local links when there is none.
 * @return RY_OK, or why its fabric cannot be: errors as ry_design_network().
 */
RY_MUST_USE enum ry_err ry_design_topology(const struct ry_design *design,
                                           struct ry_topo_specs *specs,
                                           struct ry_diag *diag);

#endif
