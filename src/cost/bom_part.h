/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Price and lead time of a part of the catalog, as a line of a bill has them.
 */
#ifndef RY_COST_BOM_PART_H
#define RY_COST_BOM_PART_H

#include "base/arena.h"
#include "catalog/parts.h"
#include "cost/bom.h"

/** The catalog's price of a part; its texts are in @p arena. */
struct ry_bom_price ry_bom_part_price(struct ry_arena *arena,
                                      const struct ry_catalog *catalog, enum ry_kind kind,
                                      const struct ry_part *part);

/** The same of a cable of a length, so much a metre; NAN: a module, by the piece. */
struct ry_bom_price ry_bom_cable_price(struct ry_arena *arena,
                                       const struct ry_catalog *catalog,
                                       const struct ry_cable *cable, double length_m);

/**
 * Set the lead time of a line: that of the row or the user's quote, else the rate
 * "lead time:KEY", where there is one.
 * @return false: out of memory.
 */
bool ry_bom_set_lead(struct ry_arena *arena, const struct ry_catalog *catalog,
                     enum ry_kind kind, const struct ry_part *part,
                     struct ry_bom_line *line);

#endif
