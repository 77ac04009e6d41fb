/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Benchmark outputs: one shape for what every tool prints.
 *
 * A file holds runs, a run holds rows, a row is one timed half (out-of-place or
 * in-place) of one size.  Readers recognise a file by its content, never by its name.
 * Figures that a file does not give are NAN, words are NULL.  What must not be used as
 * evidence (mixed runs, failed data checks, torn rows) is kept, marked and named.
 *
 * Conventions: `bytes` is the "size" of nccl-tests (the larger of send and receive
 * buffer of one rank), algbw = bytes / time, busbw = algbw times the tool's factor:
 * https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md
 */
#ifndef RY_IO_BENCH_H
#define RY_IO_BENCH_H

#include "base/arena.h"
#include "base/err.h"
#include "io/file.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/** A figure that the file does not give. */
#define RY_UNKNOWN ((double)NAN)

enum ry_bench_place { RY_PLACE_UNKNOWN, RY_PLACE_OUT, RY_PLACE_IN };

struct ry_bench_row {
    double bytes;
    double count;      /**< elements as the tool counts them */
    const char *dtype; /**< the tool's word: "float", "bfloat16", "bf16" */
    const char *redop; /**< "sum", "none"; NULL where blank */
    double root;       /**< -1 where there is none */
    enum ry_bench_place place;
    double time_s;
    double algbw_bytes_per_s;
    double busbw_bytes_per_s;
    double wrong; /**< wrong elements; NAN when unchecked */
    double iterations;
    double min_s, max_s; /**< over iterations or processes */
    size_t line;         /**< 1-based, 0 when the format has no lines */
    bool valid;          /**< usable as evidence */
    const char *reason;  /**< why not; NULL when valid */
};

struct ry_bench_run {
    const char *file;
    const char *tool;    /**< and its format: "nccl-tests text" */
    const char *version; /**< of the tool: "2.17.9" */
    const char *nccl;    /**< of the library: "2.29.3" */
    /** "all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast", "reduce",
     * "gather", "scatter", "sendrecv", "hypercube", "barrier", or of perftest
     * "rdma_write", "rdma_read", "rdma_send", "rdma_atomic". */
    const char *collective;
    bool collective_inferred;
    double ranks;
    bool ranks_inferred;
    double nodes;
    bool nodes_inferred;
    const char *gpu;    /**< name of the first device listed */
    const char *launch; /**< node-bench: "graph", "eager" */
    const char *env;    /**< node-bench: its tag, such as "nvlink" or "socket" */
    double iterations;
    double checks_failed; /**< "Out of bounds values"; NAN when not said */
    bool valid;
    const char *reason; /**< why the whole run must not be used; NULL when valid */
    size_t line;        /**< where it begins */
    size_t n_rows;
    struct ry_bench_row *rows; /**< [n_rows] in the order of the file */
};

struct ry_bench_file {
    const char *path;
    size_t n_runs;
    struct ry_bench_run *runs; /**< [n_runs] */
    size_t n_notes;
    const char **notes; /**< [n_notes] what was inferred or dropped, with the line */
};

/** What a user says about a file that does not say it itself; zero: nothing said. */
struct ry_bench_hints {
    const char *collective;
    size_t ranks;
    size_t nodes;
};

/** Largest file that is read; a larger one is refused with its size. */
enum { RY_BENCH_FILE_BYTES_MOST = 512 * 1024 * 1024 };

/**
 * Read one file.
 * @param arena  owns the result.
 * @param path   the file.
 * @param hints  nullable.
 * @param file   set to its runs, on RY_OK only.
 * @param diag   nullable.
 * @return RY_OK (also for runs marked invalid), RY_ERR_NOTFOUND (no such file),
 *         RY_ERR_SYNTAX (no benchmark output in it), RY_ERR_RANGE (too large),
 *         RY_ERR_IO or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_bench_read(struct ry_arena *arena, const char *path,
                                      const struct ry_bench_hints *hints,
                                      struct ry_bench_file *file, struct ry_diag *diag);

/**
 * The same from memory.
 * @param arena  owns the result, which does not point into @p text.
 * @param path   names the input in messages.
 * @param text   of any content.
 */
RY_MUST_USE enum ry_err ry_bench_parse(struct ry_arena *arena, const char *path,
                                       struct ry_text text,
                                       const struct ry_bench_hints *hints,
                                       struct ry_bench_file *file, struct ry_diag *diag);

/** How many rows of @p file are usable. */
size_t ry_bench_valid_rows(const struct ry_bench_file *file);

/** Whether a run of @p file is marked invalid (mixed, failed check) or none is usable. */
bool ry_bench_refused(const struct ry_bench_file *file);

#endif
