/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A part in a design file: a name of the catalog, or an object that says what differs.
 *
 *     "node": "DGX-H100"
 *     "node": {"base": "DGX-H100", "name": "my node", "price_usd": "280 kUSD"}
 *
 * The keys of an object are those of `railyard catalog show` (catalog/KIND.def).  Parts
 * that several places use stand in the file's "parts" list, with their catalog, and may
 * be the base of each other; a base that leads back to itself is refused.
 */
#ifndef RY_IO_PART_FILE_H
#define RY_IO_PART_FILE_H

#include "base/arena.h"
#include "catalog/parts.h"
#include "io/json.h"

/** Where names are looked up. */
struct ry_part_scope {
    struct ry_arena *arena; /**< owns parts that are made */
    const struct ry_catalog *catalog;
    struct ry_json parts; /**< the file's "parts" list, or absent */
    const char *file;     /**< that the parts are in */
};

/** Check the "parts" list itself: catalogs, names twice, unknown keys are problems. */
void ry_parts_check(const struct ry_part_scope *scope);

/**
 * The part at @p at.
 * @return the part (of the struct of its kind), or NULL after adding a problem; NULL
 *         without one when @p at is absent.
 */
const struct ry_part *ry_part_read(const struct ry_part_scope *scope, struct ry_json at,
                                   enum ry_kind kind);

#endif
