/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A table, described once and printed for people (libsmartcols), as a JSON array of
 * objects, or as CSV (RFC 4180).
 *
 *     static const struct ry_column columns[] = {
 *         {.key = "design", .title = "design"},
 *         {.key = "step_time_s", .title = "step", .show = RY_SHOW_SECONDS}};
 *     struct ry_table *table = ry_table_create(arena, columns, 2);
 *     ry_table_row(table, (struct ry_cell[]){RY_TEXT("a.json"), RY_NUM(1.23)});
 *     RY_TRY(ry_table_print(table, stdout, format, diag));
 */
#ifndef RY_REPORT_TABLE_H
#define RY_REPORT_TABLE_H

#include "base/arena.h"
#include "base/err.h"
#include "report/number.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The index of ry_format_choices (cli/cmd.h), so that a command passes its `format`. */
enum ry_table_format {
#define X(code, ...) code,
#include "report/formats.def"
#undef X
    RY_TABLE_FORMATS
};

/** Whether people read it, so that a command prints titles and remarks with its tables.
 */
bool ry_table_for_people(enum ry_table_format format);

struct ry_column {
    const char *key;   /**< in JSON and CSV, with the unit of its SI value: "power_w" */
    const char *title; /**< for people; NULL: only in JSON and CSV */
    enum ry_show show; /**< RY_SHOW_TEXT: a text column */
    const struct ry_currency *currency; /**< set by ry_table_in(); NULL: dollars */
    bool wrap;                          /**< a long text that may be broken over lines */
    int less; /**< where the terminal is narrow, the largest is left out first */
};

/** A value: a text (NULL: nothing) in a text column, a number (NaN: unknown) in
 * others. */
struct ry_cell {
    const char *text;
    double number;
};

#define RY_TEXT(value) ((struct ry_cell){.text = (value), .number = (double)NAN})
#define RY_NUM(value) ((struct ry_cell){.text = NULL, .number = (value)})
/** A number that people see as this text instead ("no price"). */
#define RY_NUM_AS(value, seen) ((struct ry_cell){.text = (seen), .number = (value)})

/** COLUMNS, wherever @p out goes; without it the terminal's width; 0: no limit. */
size_t ry_terminal_width(FILE *out);

struct ry_table;

/** An empty table; @p columns [n] must outlive it.  NULL: out of memory. */
struct ry_table *ry_table_create(struct ry_arena *arena, const struct ry_column *columns,
                                 size_t n);

/**
 * Add a row of as many cells as columns; texts are kept, not copied.  NULL table or no
 * memory: nothing is added and ry_table_print() says so.
 */
void ry_table_row(struct ry_table *table, const struct ry_cell cells[]);

/** What people see of a cell; numbers are written into @p text. */
const char *ry_cell_seen(const struct ry_column *column, const struct ry_cell *cell,
                         char text[RY_NUMBER_BYTES]);

/**
 * Show its columns of money (RY_SHOW_USD) in another currency: dollars are converted as
 * rows are added, "usd" in keys and "USD" or "$" in titles become the currency.  Before
 * the first row; NULL: they stay in dollars.
 * @return the table, or NULL: out of memory.
 */
struct ry_table *ry_table_in(struct ry_table *table, const struct ry_currency *currency);

/** The currency given to ry_table_in(), or NULL. */
const struct ry_currency *ry_table_currency(const struct ry_table *table);

/** @p key with the table's currency for "usd". */
const char *ry_table_money_key(const struct ry_table *table, const char *key);

/** How many rows it has. */
size_t ry_table_rows(const struct ry_table *table);

/** Its columns [n]. */
const struct ry_column *ry_table_columns(const struct ry_table *table, size_t *n);

/** Call @p visit with the cells of every row, in order. */
void ry_table_each(const struct ry_table *table,
                   void (*visit)(const struct ry_cell cells[], void *ctx), void *ctx);

/**
 * Print it.
 *
 * For people: fits COLUMNS, else the terminal when @p out is one, unlimited else: texts
 * are broken at words, and where that is not enough columns are left out and named.  Bold
 * titles on a terminal unless NO_COLOR is set; the width does not depend on the locale.
 * JSON: numbers read back exactly, NaN is null.  CSV: texts that a spreadsheet would take
 * for a formula start with an apostrophe.
 * @return RY_OK, RY_ERR_NOMEM or RY_ERR_IO.
 */
RY_MUST_USE enum ry_err ry_table_print(const struct ry_table *table, FILE *out,
                                       enum ry_table_format format, struct ry_diag *diag);

/**
 * The same with what a JSON document wants around and within: only the array, indented
 * by @p indent spaces, no newline after it.
 */
void ry_table_print_json(const struct ry_table *table, FILE *out, int indent);

/** Whether a table had no memory for its rows when it was printed as part of a
 * document. */
bool ry_table_lost(void);

#endif
