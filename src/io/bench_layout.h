/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Layouts of nccl-tests tables: the list of their columns, written as the words of the
 * header line that the tool prints.
 */
#ifndef RY_IO_BENCH_LAYOUT_H
#define RY_IO_BENCH_LAYOUT_H

#include "io/bench_draft.h"

enum ry_bench_column {
    RY_COL_SIZE,
    RY_COL_COUNT,
    RY_COL_TYPE,
    RY_COL_REDOP,
    RY_COL_ROOT,
    RY_COL_TIME,
    RY_COL_ALGBW,
    RY_COL_BUSBW,
    RY_COL_WRONG, /**< a count of wrong elements */
    RY_COL_ERROR, /**< the largest difference (before 2.13): not a count */
    RY_COL_EXTRA, /**< i_min, i_max ...: read over */
};

struct ry_layout {
    size_t n; /**< 0: no header seen */
    enum ry_bench_column columns[32];
    bool in_place_first;
};

enum { RY_KNOWN_LAYOUTS = 3 };

/** What rows are read by. */
struct ry_layouts {
    struct ry_layout header; /**< of the header line seen last; n = 0: none */
    struct ry_layout known[RY_KNOWN_LAYOUTS];
};

/** No header yet; the known layouts ready. */
void ry_layouts_init(struct ry_layouts *layouts);

/** Read a header line; false when @p line is none. */
bool ry_layout_parse(struct ry_slice line, struct ry_layout *layout);

/** Whether a layout has a column. */
bool ry_layout_has(const struct ry_layout *layout, enum ry_bench_column column);

/** How many halves a row has: one or two. */
size_t ry_layout_halves(const struct ry_layout *layout);

#endif
