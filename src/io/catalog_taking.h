/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What taking the rows of the catalog, of quotes and of exchange rates shares: their
 * mistakes, numbers and dates.
 */
#ifndef RY_IO_CATALOG_TAKING_H
#define RY_IO_CATALOG_TAKING_H

#include "base/problems.h"
#include "catalog/parts.h"
#include "io/csv.h"

/** One file whose rows are taken into a catalog. */
struct ry_catalog_taking {
    struct ry_arena *arena;
    struct ry_catalog *catalog;
    const struct ry_csv *csv;
    struct ry_problems *problems;
    const char *file; /**< as shown: the name without its folders for shipped files */
};

/** Add "FILE:LINE: COLUMN: TEXT" to the problems; NULL column: left out. */
void ry_taking_wrong(const struct ry_catalog_taking *taking, unsigned line,
                     const char *column, const char *text);

/** A problem where there are more than @p most rows. */
void ry_taking_check_rows(const struct ry_catalog_taking *taking, size_t most);

/** A problem where a row has other cells than the header has columns. */
void ry_taking_check_row(const struct ry_catalog_taking *taking,
                         const struct ry_csv_row *row);

/** Read a cell as a number of @p field in its bounds; @p si is set in SI, or else there
 * is a problem and false. */
bool ry_taking_number(const struct ry_catalog_taking *taking, unsigned line,
                      const char *cell, const struct ry_field *field, double *si);

/** "catalog/gpus.csv" of a shipped file, the path as given of the user's own; NULL when
 * out of memory. */
const char *ry_taking_file(const struct ry_catalog_taking *taking, bool own);

/** A part to change while the catalog is loaded, or NULL. */
struct ry_part *ry_catalog_find_own(const struct ry_catalog *catalog, enum ry_kind kind,
                                    const char *name);

/** All of @p cell is a number such as 1234.5, finite. */
bool ry_plain_number(const char *cell, double *number);

/** The year, 2000 to 2100, of YYYY, YYYY-MM or YYYY-MM-DD; 0 where it is no date. */
unsigned ry_date_year(const char *text);

#endif
