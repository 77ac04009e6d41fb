/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A design out of its JSON object.
 *
 *     {"name": "h100-32-ndr", "node": "DGX-H100", "nodes": 32,
 *      "nics": {"part": "ConnectX-7-400G-1P-OSFP", "per_node": 8},
 *      "fabric": {"technology": "infiniband", "leaf": "QM9700", "oversubscription": 1,
 *                 "rail_optimised": true},
 *      "facility": {"pue": 1.2, "electricity": "US-Texas-industrial-2023"},
 *      "finance": {"years": 4, "discount": "8 %"}}
 *
 * What is not there is taken from the node's catalog row, or from the rows of the
 * catalog of rates that design_*.c name; every figure remembers which.
 */
#ifndef RY_IO_DESIGN_FILE_H
#define RY_IO_DESIGN_FILE_H

#include "base/arena.h"
#include "catalog/parts.h"
#include "design/design.h"
#include "io/json.h"

/**
 * Read one design; mistakes go to the problems of the document.
 * @param arena   owns what the design points at.
 * @param at      its object, without `any`.
 * @param catalog must outlive the design.
 * @param file    it is in.
 * @param design  set; complete only if no problem was added.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_design_read(struct ry_arena *arena, struct ry_json at,
                                       const struct ry_catalog *catalog, const char *file,
                                       struct ry_design *design);

/** What ry_design_check() says no to is a mistake of the document too, unless it has
 * others: for one design, not for a member of many, which may be left out. */
void ry_design_read_check(struct ry_json at, const struct ry_design *design);

#endif
