/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Tables of what the catalog holds: the parts of a kind, and all that is known of one.
 */
#ifndef RY_REPORT_CATALOG_TABLE_H
#define RY_REPORT_CATALOG_TABLE_H

#include "catalog/parts.h"
#include "report/table.h"

/**
 * A row a part: its fields in SI, its effective price where parts of the kind have one,
 * and the line of the file that it is from.
 * @param only that part alone; NULL: all of them.
 * @return NULL: out of memory.
 */
struct ry_table *ry_catalog_table(struct ry_arena *arena,
                                  const struct ry_catalog *catalog, enum ry_kind kind,
                                  const struct ry_part *only);

/** For people: a row a field that @p part has, what is unverified, its price and line. */
struct ry_table *ry_part_table(struct ry_arena *arena, const struct ry_catalog *catalog,
                               enum ry_kind kind, const struct ry_part *part);

#endif
