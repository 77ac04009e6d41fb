/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Rows of timed kernels: products, attention and memory-bound ones; internal to
 * io/kernel_*.c.
 */
#ifndef RY_IO_KERNEL_ROWS_H
#define RY_IO_KERNEL_ROWS_H

#include "base/arena.h"
#include "calibrate/kernel_data.h"
#include "io/json.h"

/** What the rows of one file are added to. */
struct ry_kernel_reader {
    struct ry_arena *arena;
    struct ry_kernel_data *data;
    size_t added; /**< rows of this file */
    bool out_of_memory;
};

/** Add the rows of sections gemm, layouts, grouped_gemm, experts, attention,
 * memory_bound, fused and memory_efficiency of a document as samples. */
void ry_kernel_rows_read(struct ry_kernel_reader *r, struct ry_json root);

/**
 * Room for one more in an array of the arena, which doubles.
 * @param old   [*room] items of @p bytes bytes each, @p n of them used.
 * @return where they are now; @p old when out of memory, which is remembered.
 */
void *ry_kernel_more(struct ry_kernel_reader *r, void *old, size_t n, size_t *room,
                     size_t bytes);

/** A number above 0 of a row; a problem and 1 otherwise. */
double ry_kernel_positive(struct ry_json row, const char *key);

#endif
