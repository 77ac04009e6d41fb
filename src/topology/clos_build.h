/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The building of a folded Clos of a shape, port by port.
 */
#ifndef RY_TOPOLOGY_CLOS_BUILD_H
#define RY_TOPOLOGY_CLOS_BUILD_H

#include "topology/clos_shape.h"
#include "topology/family.h"

/** Devices and links of a shape. */
RY_MUST_USE enum ry_err ry_clos_build(struct ry_graph *graph,
                                      const struct ry_build *build,
                                      const struct ry_clos_shape *shape,
                                      const struct ry_clos_style *style,
                                      struct ry_diag *diag);

#endif
