/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Several tables that a command prints as one document: one below the other for people,
 * one JSON object with an array for each, or the first alone as CSV.
 */
#ifndef RY_CLI_SECTIONS_H
#define RY_CLI_SECTIONS_H

#include "report/table.h"

struct ry_section {
    const char *key;   /**< in JSON */
    const char *title; /**< for people; NULL: only in JSON */
    const struct ry_table *table;
};

/** A figure: name, value in SI, how people see it, and a remark. */
extern const struct ry_column ry_figure_columns[];
enum { RY_FIGURE_COLUMNS = 4 };

/** Add a figure; it is shown as its kind of number. */
void ry_figure(struct ry_arena *arena, struct ry_table *table, const char *name,
               double value, enum ry_show show, const char *remark);

/** Money in the table's currency, kept by the arena: for remarks. */
const char *ry_money_said(struct ry_arena *arena, const struct ry_table *table,
                          double usd);

/** One row with the rate by which money is shown; none in dollars.  For JSON. */
struct ry_table *ry_currency_table(struct ry_arena *arena,
                                   const struct ry_currency *currency);

/** That rate in a text, "" in dollars: for CSV. */
const char *ry_currency_said(struct ry_arena *arena, const struct ry_currency *currency);

/** The same as a row of a findings table, for people. */
void ry_currency_note(struct ry_arena *arena, struct ry_table *findings,
                      const struct ry_currency *currency);

/** A row of a findings table: verdict, what, text. */
extern const struct ry_column ry_finding_columns[];
enum { RY_FINDING_COLUMNS = 3 };

void ry_finding(struct ry_table *table, bool fails, const char *what, const char *text);

/** Print the sections that have rows (JSON: all). */
RY_MUST_USE enum ry_err ry_sections_print(const struct ry_section sections[], size_t n,
                                          enum ry_table_format format,
                                          struct ry_diag *diag);

#endif
