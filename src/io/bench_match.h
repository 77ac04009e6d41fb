/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Rows of nccl-tests tables, found in the words of a line by a layout.
 */
#ifndef RY_IO_BENCH_MATCH_H
#define RY_IO_BENCH_MATCH_H

#include "io/bench_layout.h"

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

/**
 * The best row in a line, whatever stands before and behind it.
 * @return false when nothing looks like size, count and type; without a header the type
 *         must be one of NCCL's.
 */
bool ry_layout_match(const struct ry_layouts *layouts, const struct ry_slice *words,
                     size_t n_words, struct ry_row_match *match);

#endif
