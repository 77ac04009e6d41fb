/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How a table keeps its rows; internal to report/table*.c.
 */
#ifndef RY_REPORT_TABLE_ROWS_H
#define RY_REPORT_TABLE_ROWS_H

#include "report/table.h"

struct ry_row {
    struct ry_row *next;
    struct ry_cell cells[];
};

struct ry_table {
    struct ry_arena *arena;
    const struct ry_column *columns;
    size_t n;
    size_t rows;
    struct ry_row *first;
    struct ry_row *last;
    bool failed;                        /* a row did not fit into memory */
    const struct ry_currency *currency; /* of its columns of money; NULL: dollars */
};

/** Print a table that did not fail; false: no memory. */
#define X(code, name, put, people) bool put(const struct ry_table *table, FILE *out);
#include "report/formats.def"
#undef X

#endif
