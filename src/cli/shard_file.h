/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The JSON of shards (search --shard I/N --format json), read and joined.
 */
#ifndef RY_CLI_SHARD_FILE_H
#define RY_CLI_SHARD_FILE_H

#include "cli/work.h"

enum { RY_SHARDS_MOST = RY_LIST_MOST };

/** What is in one file. */
struct ry_shard_file {
    const char *path;
    const char *command, *inputs;
    size_t index, of;
    struct ry_json arguments, cases;  /**< lists */
    double seconds, strategies_per_s; /**< of a search; 0: not said */
};

/** All parts of one job. */
struct ry_shards {
    size_t n;
    struct ry_shard_file at[RY_SHARDS_MOST]; /**< [n] as given */
    const struct ry_cmd *cmd;                /**< that made them */
    struct ry_joined joined;
};

/**
 * Read and join.
 * @param paths    each file once, in any order.
 * @param problems gets every mistake: no shard, of another job, doubled, missing.
 * @return RY_OK, also with problems; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_shards_read(struct ry_arena *arena,
                                       const struct ry_strings *paths,
                                       struct ry_problems *problems,
                                       struct ry_shards *shards);

#endif
