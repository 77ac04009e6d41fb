/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Rows of nccl-tests tables: a layout is the list of its columns, written as the words
 * of the header line that the tool prints.
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

/** One timed half of a row, as printed. */
struct ry_row_half {
    struct ry_printed time, algbw, busbw;
    double wrong;      /**< NAN when N/A, or when the column is an error */
    bool not_a_number; /**< a figure is nan or inf */
    bool flagged;      /**< an asterisk: over the threshold (RCCL) */
    bool complete;
    enum ry_bench_unit unit; /**< that makes bytes / time agree with algbw */
    bool consistent;
};

struct ry_row_match {
    double bytes, count, root; /**< root NAN when not printed */
    struct ry_slice dtype, redop;
    size_t n_halves;      /**< begun */
    size_t halves_wanted; /**< of the layout */
    struct ry_row_half half[2];
    size_t first, end; /**< words used: [first, end) */
    bool cut;          /**< stopped inside a word: "-1[0]" */
    size_t consistent; /**< halves whose figures agree */
    double score;
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

/**
 * The best row in a line, whatever stands before and behind it.
 * @return false when nothing looks like size, count and type; without a header the type
 *         must be one of NCCL's.
 */
bool ry_layout_match(const struct ry_layouts *layouts, const struct ry_slice *words,
                     size_t n_words, struct ry_row_match *match);

#endif
