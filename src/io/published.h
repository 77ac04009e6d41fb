/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Training runs that somebody measured: published tables {"source", "rows"} and the
 * train-steps files of node-bench.
 *
 * A run is its configuration and, apart from it, what was measured.  Whoever predicts
 * gets the first only.
 */
#ifndef RY_IO_PUBLISHED_H
#define RY_IO_PUBLISHED_H

#include "base/arena.h"
#include "base/problems.h"
#include "workload/arch.h"
#include "workload/strategy.h"

/** What a row does not say; conventions or presets fill it. */
struct ry_run_unstated {
    bool micro_batch, vpp, recompute, sequence_parallel, zero_stage, tp_overlap,
        cuda_graph;
    bool ep_overlap;
};

/** The configuration of a run, as stated. */
struct ry_job {
    const char *id;
    const char *gpu; /**< "A100-SXM4-80GB" */
    double gpus, gpus_per_node;
    const char *network;   /**< the source's words, or NULL */
    const char *framework; /**< never NULL */
    const char *date; /**< of the release where a row shows it, of the source, or NULL */
    const char *release; /**< state of the source that the row was read in, or NULL */
    const char *link;    /**< node-bench: "nvlink", "p2p-off", "socket", "single" */
    const char *notes;
    struct ry_arch arch;
    struct ry_strategy strategy;
    struct ry_run_unstated unstated;
    bool selective;         /**< recompute says "selective", which a preset interprets */
    bool unfused_attention; /**< stated to run without fused attention kernels */
    const char *skip;       /**< why it cannot be predicted, or NULL */
};

/** What was measured, NAN where not. */
struct ry_measured {
    double step_time_s;
    double peak_bytes;
};

struct ry_run_file {
    const char *path;
    const char *title;
    bool node_bench;
    size_t n;
    struct ry_job *run;           /**< [n] */
    struct ry_measured *measured; /**< [n] */
};

/**
 * Read a file.
 * @param arena owns all of it.
 * @return RY_OK; RY_ERR_NOTFOUND with no problem added when it has neither published rows
 *         nor train steps (other benchmark files of a folder).
 */
RY_MUST_USE enum ry_err ry_run_file_read(struct ry_arena *arena, const char *path,
                                         struct ry_problems *problems,
                                         struct ry_run_file *file);

#endif
