/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Reading kernel timings: node-bench/1 JSON, measured here or published by others.
 */
#ifndef RY_IO_KERNEL_BENCH_H
#define RY_IO_KERNEL_BENCH_H

#include "base/arena.h"
#include "base/problems.h"
#include "calibrate/kernel_data.h"

/**
 * Add the kernels of one file to @p data (all zero before the first file).
 *
 * Sections it knows: gemm, grouped_gemm, attention, memory_bound, memory_efficiency,
 * layouts, experts, fused, host, power, overlap; others (collectives, training steps)
 * are left alone.  Attention of published tables is an efficiency: its time follows
 * from the FLOP of the whole square, which the highest published ratios (1.19 of an
 * A100's peak) show to be the convention.
 * @param problems every mistake of the file, and a GPU that differs between files.
 * @return RY_OK, or the code of the first problem.
 */
RY_MUST_USE enum ry_err ry_kernel_bench_read(struct ry_arena *arena, const char *path,
                                             struct ry_kernel_data *data,
                                             struct ry_problems *problems);

#endif
