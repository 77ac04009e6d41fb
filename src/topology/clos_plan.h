/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a folded Clos of a shape has, and what is claimed of it: cuts, bisection,
 * failures.
 */
#ifndef RY_TOPOLOGY_CLOS_PLAN_H
#define RY_TOPOLOGY_CLOS_PLAN_H

#include "topology/clos_shape.h"
#include "topology/family.h"

/** Counts and claims of a shape. */
void ry_clos_plan(const struct ry_topo_spec *spec, const struct ry_clos_shape *shape,
                  const struct ry_clos_style *style, struct ry_topo_plan *plan);

#endif
