/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A table on a terminal that is narrower than its texts: which columns are left out, how
 * wide each of the others is, and its texts broken at words.  Internal to the table.
 *
 * Widths are in terminal cells, by the locale of the thread.
 */
#ifndef RY_REPORT_TABLE_FIT_H
#define RY_REPORT_TABLE_FIT_H

#include "report/table.h"

struct ry_table_fit {
    size_t n;      /**< columns of the table, those without a title too */
    size_t *width; /**< [n] 0: not shown */
    bool all;      /**< every text stands whole on one line */
};

/**
 * Lay out.  A number keeps its width; texts shrink, the widest first; then columns go by
 * ry_column.less, then from the right; two stay.
 * @param width of the terminal.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_table_fit(struct ry_arena *arena, const struct ry_table *table,
                                     size_t width, struct ry_table_fit *fit);

/** @p text with newlines at words where it is wider than @p width; NULL: no memory. */
const char *ry_text_folded(struct ry_arena *arena, const char *text, size_t width);

/** Terminal cells of @p text. */
size_t ry_text_width(const char *text);

#endif
