/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Rows of nccl-tests tables out of the lines of a log, also those that other lines tore
 * apart.
 */
#ifndef RY_IO_BENCH_ROWS_H
#define RY_IO_BENCH_ROWS_H

#include "io/bench_match.h"

enum { RY_TORN_ROW_BYTES = 512 };

/** A row that log lines tore apart, as far as it has been read. */
struct ry_torn_row {
    char text[RY_TORN_ROW_BYTES];
    size_t n; /**< 0: none */
    size_t line;
    struct ry_row_match match;
};

/** Start with layouts ready, `add` and `to` set and the rest zero. */
struct ry_table_rows {
    struct ry_layouts layouts;
    struct ry_torn_row pending;
    size_t line; /**< being read, 1-based */
    /** Gets each row, in the order in which they begin, and the line where it does. */
    void (*add)(void *to, const struct ry_row_match *match, size_t line);
    void *to;
};

/**
 * Read the row in a line, or the rest of a torn one; a row that is not whole waits for
 * its rest.
 * @param number of the line, 1-based.
 * @return false when there is neither in it.
 */
bool ry_rows_read(struct ry_table_rows *rows, struct ry_slice line, size_t number);

/** Take the torn row that waits, if any, as it is. */
void ry_rows_flush(struct ry_table_rows *rows);

#endif
