/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Reading the catalog: the shipped one, the user's own parts over it, the user's quotes.
 */
#ifndef RY_IO_CATALOG_CSV_H
#define RY_IO_CATALOG_CSV_H

#include "base/problems.h"
#include "catalog/parts.h"
#include "io/csv.h"

/** What the user gave; all NULL: only what is shipped. */
struct ry_catalog_sources {
    const char *folder; /**< of the shipped catalog, or NULL: found by ry_data_path() */
    const char *own;    /**< --catalog DIR: any of the files, rows override by name */
    const char *prices; /**< --prices FILE: name,price_usd,date,source (lead_time_weeks),
                           or price,currency in place of price_usd */
    /** --exchange CODE=USD@DATE,...: rates in place of the catalog's */
    const char *exchange;
    const char *currency; /**< --currency CODE: in which money is shown */
};

/**
 * Load everything.
 *
 * A row of the user's folder that has the name of a shipped part changes the columns
 * that it fills and keeps the others; a new name is a new part.  A quote sets the price
 * of every part of its name.
 * @param arena    owns the catalog.
 * @param sources  where from.
 * @param problems gets every mistake with file, line, column and value.
 * @param catalog  set on RY_OK.
 * @return RY_OK, or the code of the first problem.
 */
RY_MUST_USE enum ry_err ry_catalog_load(struct ry_arena *arena,
                                        const struct ry_catalog_sources *sources,
                                        struct ry_problems *problems,
                                        struct ry_catalog *catalog);

/** Add the rows of one file that has been read; @p own: they are the user's. */
void ry_catalog_take(struct ry_arena *arena, struct ry_catalog *catalog,
                     enum ry_kind kind, const struct ry_csv *csv, bool own,
                     struct ry_problems *problems);

#endif
