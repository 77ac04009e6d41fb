/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Benchmark files on a command line -> runs that can be fitted or judged.
 */
#ifndef RY_CLI_COLLECTIVE_INPUT_H
#define RY_CLI_COLLECTIVE_INPUT_H

#include "base/arena.h"
#include "calibrate/collective_fit.h"
#include "cli/cmd.h"
#include "io/bench.h"
#include "io/sha256.h"

/** What calibrate's commands ask of every file. */
struct ry_collective_opts {
    const char *collective; /**< of files that do not say it, or NULL */
    size_t ranks, nodes;    /**< of files that do not say them, or 0 */
    bool quiet;             /**< no notes on stderr */
};

/** Their rows of an option table; @p field is a struct ry_collective_opts in @p type. */
#define RY_OPTS_COLLECTIVE(type, field)                                                  \
    {.kind = RY_OPT_STRING,                                                              \
     .offset = offsetof(type, field.collective),                                         \
     .name = "collective",                                                               \
     .value = "NAME",                                                                    \
     .help = "collective of files that do not say it"},                                  \
        {.kind = RY_OPT_COUNT,                                                           \
         .offset = offsetof(type, field.ranks),                                          \
         .name = "ranks",                                                                \
         .value = "N",                                                                   \
         .help = "ranks of files that do not say it"},                                   \
        {.kind = RY_OPT_COUNT,                                                           \
         .offset = offsetof(type, field.nodes),                                          \
         .name = "nodes",                                                                \
         .value = "N",                                                                   \
         .help = "nodes of files that do not say it"},                                   \
    {                                                                                    \
        .kind = RY_OPT_FLAG, .letter = 'q', .offset = offsetof(type, field.quiet),       \
        .name = "quiet", .help = "no notes on stderr"                                    \
    }

/** One file that was read. */
struct ry_input_file {
    const char *path;
    const char *gpu;  /**< device name, NULL: not said */
    const char *nccl; /**< version, NULL: not said */
    char sha256[RY_SHA256_TEXT];
    size_t points;
};

struct ry_collective_input {
    size_t files;
    struct ry_input_file *file; /**< [files] */
    size_t runs;
    struct ry_coll_run *run; /**< [runs] one a collective, rank and node count */
    size_t notes;
    const char **note; /**< [notes] what was inferred, dropped or put together */
};

/** What to accept. */
struct ry_input_rules {
    struct ry_bench_hints hints;
    bool mixed_gpus; /**< files of different GPUs may be put together */
    bool apart;      /**< runs of different files stay apart */
};

/**
 * Read all files.
 *
 * Out-of-place rows where a run has both; where a tool timed eager and graph launches,
 * the lower of the two at each size: the time of the device.  Collectives that the
 * communication model does not have (gather, scatter, barrier) are left out with a note.
 * @return RY_OK; RY_ERR_NO when a file is refused as evidence (failed check, two runs
 *         mixed, no usable row, files of different GPUs); or what reading returned.
 */
RY_MUST_USE enum ry_err ry_collective_input_read(struct ry_arena *arena,
                                                 const struct ry_strings *paths,
                                                 const struct ry_input_rules *rules,
                                                 struct ry_collective_input *input,
                                                 struct ry_diag *diag);

#endif
