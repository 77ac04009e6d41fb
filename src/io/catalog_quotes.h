/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The user's quotes, set as prices of the catalog.
 */
#ifndef RY_IO_CATALOG_QUOTES_H
#define RY_IO_CATALOG_QUOTES_H

#include "base/problems.h"
#include "catalog/parts.h"
#include "io/csv.h"

/** Set the prices of a quote file that has been read. */
void ry_catalog_take_quotes(struct ry_arena *arena, struct ry_catalog *catalog,
                            const struct ry_csv *csv, struct ry_problems *problems);

#endif
