/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How many racks a design takes, by closed forms: of a design too large to lay out, whose
 * nodes are all alike.
 */
#ifndef RY_PLAN_ROOM_H
#define RY_PLAN_ROOM_H

#include "base/err.h"
#include "design/design.h"
#include "plan/network.h"

/** Counts of what stands in racks. */
struct ry_room {
    size_t nodes_per_rack; /**< as packed; 1 for a rack-scale node */
    size_t node_racks, network_racks;
    const char *limit; /**< what bounds a node rack: "u", "power", "weight" */
    double optics_w;   /**< of all links */
};

/**
 * Pack alike nodes and switches into the design's racks.
 * @return RY_OK or RY_ERR_INFEASIBLE: a node over a rack's limit, more racks than the
 *         room holds.
 */
RY_MUST_USE enum ry_err ry_room_count(const struct ry_design *design,
                                      const struct ry_network *network,
                                      struct ry_room *room, struct ry_diag *diag);

#endif
