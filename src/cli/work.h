/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Work that is shared among ranks and shards, and kept in a store: what search and rank
 * have in common.
 *
 *     RY_TRY(ry_work_open(arena, &cmd, options, &o->work, args, &work, diag));
 *     ... read the files, ry_work_begin() ...
 *     for each case: ry_work_known(), do the rest, each piece to ry_work_take()
 *     ... print, ry_work_answer() ...
 *     return ry_work_close(work, err, diag);
 *
 * On the ranks but the first nothing is printed or kept.
 */
#ifndef RY_CLI_WORK_H
#define RY_CLI_WORK_H

#include "cli/inputs.h"
#include "cli/plan_run.h"
#include "par/par_search.h"
#include "report/table.h"
#include "store/jobs_rank.h"

/** What the shards of a job found, for merge: it is printed, nothing is done again. */
struct ry_joined {
    const char *first;  /**< file that the others agree with */
    const char *inputs; /**< digest of all of them */
    size_t cases_n;
    double seconds,
        timed; /**< of a search: of all shards, and strategies timed in them */
    struct ry_search_tally *search;    /**< [cases_n] of a search, merged */
    const struct ry_case_found **rank; /**< [cases_n] of a ranking; NULL: not found */
};

/** Part of a command's options. */
struct ry_work_opts {
    const char *shard;              /**< "I/N" or NULL; stays the first field */
    const char *store;              /**< file or NULL */
    const struct ry_joined *joined; /**< no option: set by merge */
};

/** Its rows of an option table, for the field @p field of the options struct. */
#define RY_OPTS_WORK(type, field)                                                        \
    {.kind = RY_OPT_STRING,                                                              \
     .offset = offsetof(type, field.shard),                                              \
     .name = "shard",                                                                    \
     .value = "I/N",                                                                     \
     .help = "do only the I-th of N parts, from 0; 'merge' joins them"},                 \
    {                                                                                    \
        .kind = RY_OPT_STRING, .offset = offsetof(type, field.store), .name = "store",   \
        .value = "FILE",                                                                 \
        .help = "keep what is done, and go on from what is kept ('runs list --results')" \
    }

struct ry_work {
    struct ry_arena *arena;
    const struct ry_cmd *cmd;
    const struct ry_work_opts *opts;
    struct ry_ranks ranks;
    size_t shard, shards;  /**< 0 shards: all */
    struct ry_words words; /**< of the command line, what does not matter left out */
    char inputs[RY_SHA256_TEXT + 48]; /**< their digest; "" when nobody needs it */
    struct ry_store *store;           /**< or NULL */
    struct ry_job job;
    size_t pending_n;
    struct ry_job_piece *pending;     /**< of a search: taken, not kept yet */
    struct ry_job_best *pending_best; /**< of a ranking */
    size_t cases_resumed;             /**< of a ranking: that were known before */
    double kept_at_s;                 /**< when pieces were kept last */
    uint64_t resumed;                 /**< strategies that were known before */
    enum ry_err err;                  /**< of keeping, the first, and its reason */
    struct ry_diag why;
};

/** Join the ranks, look at the options.  @p work must not move until it is closed. */
RY_MUST_USE enum ry_err ry_work_open(struct ry_arena *arena, const struct ry_cmd *cmd,
                                     const struct ry_work_opts *opts,
                                     struct ry_work *work, struct ry_diag *diag);

/**
 * Name the inputs: all ranks must have the same, and so must the parts of merge.  Open
 * the store.
 * @param err of reading the inputs, on this rank.
 */
RY_MUST_USE enum ry_err ry_work_begin(struct ry_work *work, const void *options,
                                      struct ry_inputs *inputs, enum ry_err err,
                                      struct ry_diag *diag);

/** The words of the command line as a JSON array; NULL: no memory. */
const char *ry_work_words_json(const struct ry_work *work);

/** Whether this process prints. */
bool ry_work_first(const struct ry_work *work);

/**
 * What is known of a case of a search from the store or from shards.
 * @param runs  its runs; @p known [runs] set for what need not be done.
 * @param tally what is known; on the first rank.
 */
RY_MUST_USE enum ry_err ry_work_known(struct ry_work *work, size_t case_i, size_t runs,
                                      bool known[], struct ry_search_tally *tally,
                                      struct ry_diag *diag);

/** Keep a run of a case, soon: pieces of about a second are one transaction. */
void ry_work_take(struct ry_work *work, size_t case_i, const struct ry_par_run *run);

/**
 * How the @p n cases of a ranking are shared, and what is known of them from the store or
 * from shards.
 * @param sharing good as long as @p work.
 */
RY_MUST_USE enum ry_err ry_work_cases(struct ry_work *work, size_t n,
                                      struct ry_plan_sharing *sharing,
                                      struct ry_diag *diag);

/** Keep what is printed, when the work is done: the rows of @p table. */
void ry_work_answer(struct ry_work *work, const struct ry_table *table);

/** What a part found of its cases: one of the two. */
struct ry_shard_part {
    size_t n;
    bool whole; /**< false: interrupted, so that merge refuses it */
    const struct ry_search_tally **search; /**< [n] */
    const struct ry_case *rank;            /**< [n] */
};

/**
 * Print the member "shard" of a part's JSON, with a comma before it; nothing when the
 * work is not sharded.
 */
void ry_work_print_shard(const struct ry_work *work, const struct ry_shard_part *part);

/** Leave.  @return what the process ends with: @p err, or why keeping failed. */
RY_MUST_USE enum ry_err ry_work_close(struct ry_work *work, enum ry_err err,
                                      struct ry_diag *diag);

#endif
