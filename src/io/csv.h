/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Reading a CSV file (RFC 4180, by libcsv) whole, with the line of every row.
 *
 * A UTF-8 byte order mark is skipped (spreadsheets write one).  Refused with one line:
 * NUL bytes, invalid UTF-8, quotes left open, files over the limits, no header.
 */
#ifndef RY_IO_CSV_H
#define RY_IO_CSV_H

#include "base/arena.h"
#include "base/problems.h"

#include <stddef.h>

enum {
    RY_CSV_BYTES_MOST = 16 * 1024 * 1024,
    RY_CSV_ROWS_MOST = 200000,
    RY_CSV_COLUMNS_MOST = 256,
};

struct ry_csv_row {
    unsigned line;            /**< from 1, of its first character */
    size_t n;                 /**< cells it has; may differ from the header's */
    const char *const *cells; /**< [n] without surrounding blanks */
};

struct ry_csv {
    const char *name;
    struct ry_csv_row header;
    size_t n;
    struct ry_csv_row *rows; /**< [n] without the header and empty lines */
};

/**
 * Read a file.
 * @param arena    owns the result.
 * @param path     the file.
 * @param problems gets what is wrong.
 * @param csv      set on RY_OK.
 * @return RY_OK, or the code of the problem added.
 */
RY_MUST_USE enum ry_err ry_csv_open(struct ry_arena *arena, const char *path,
                                    struct ry_problems *problems, struct ry_csv *csv);

/** The same for text in memory that @p name stands for. */
RY_MUST_USE enum ry_err ry_csv_parse(struct ry_arena *arena, const char *name,
                                     const char *data, size_t bytes,
                                     struct ry_problems *problems, struct ry_csv *csv);

/** The index of a column, ASCII case apart; (size_t)-1 when there is none. */
size_t ry_csv_column(const struct ry_csv *csv, const char *name);

/** A cell; "" when the row is too short or the column is (size_t)-1. */
const char *ry_csv_cell(const struct ry_csv_row *row, size_t column);

#endif
