/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Tables of the same columns as one, whose first columns say of which case a row is.
 *
 *     struct ry_gather all = {.arena = arena, .keys = {"workload", "design"}, .n = 2};
 *     ry_gather_add(&all, (const char *[]){"w", "d"}, table); ...
 *     RY_TRY(ry_table_print(all.table, stdout, RY_TABLE_CSV, diag));
 */
#ifndef RY_CLI_GATHER_H
#define RY_CLI_GATHER_H

#include "report/table.h"

enum { RY_GATHER_KEYS_MOST = 2 };

struct ry_gather {
    struct ry_arena *arena;
    const char *keys[RY_GATHER_KEYS_MOST]; /**< [n] of the columns in front */
    size_t n;
    size_t columns;         /**< of a table that is added */
    struct ry_table *table; /**< the one; NULL before the first, or out of memory */
};

/** Add the rows of @p from, each behind the texts @p whose [n]. */
void ry_gather_add(struct ry_gather *all, const char *const whose[],
                   const struct ry_table *from);

#endif
