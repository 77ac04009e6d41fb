/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Searches and rankings in the store: what was asked, the pieces done, the answer.
 *
 * A job is what it is asked: the digest of its program, arguments and all its inputs.
 * The same again, also after SIGKILL, goes on with the pieces that are kept.  A piece is
 * a run of a search (par/par_search.h) or a case of a ranking; pieces are kept in batches
 * of one transaction, and keeping one twice changes nothing, so two processes may work on
 * one job.
 */
#ifndef RY_STORE_JOBS_H
#define RY_STORE_JOBS_H

#include "search/search.h"
#include "store/store.h"

struct ry_job_ask {
    const char *command;   /**< "search" or "rank" */
    const char *arguments; /**< as a JSON array of strings */
    const char *inputs;    /**< SHA-256 of program, arguments and all files read */
    const char *now;       /**< UTC time */
};

struct ry_job {
    long long id;
    bool finished; /**< its answer is kept */
};

/** Find the job, or make it. */
RY_MUST_USE enum ry_err ry_job_begin(struct ry_store *store, const struct ry_job_ask *ask,
                                     struct ry_job *job, struct ry_diag *diag);

/** What was seen in one piece. */
struct ry_job_piece {
    size_t case_i; /**< of the job's designs and workloads */
    size_t piece;  /**< run of a search; 0 of a ranking */
    struct ry_search_tally tally;
};

/** Keep pieces, all or none, in one transaction. */
RY_MUST_USE enum ry_err ry_job_keep(struct ry_store *store, long long job,
                                    const struct ry_job_piece pieces[], size_t n,
                                    struct ry_diag *diag);

/** A case of a job. */
struct ry_job_case {
    long long job;
    size_t case_i;
    size_t pieces; /**< it has */
};

/**
 * What is kept of a case.
 * @param known [pieces] set for those kept; one out of range is RY_ERR_SYNTAX.
 * @param tally the kept ones merged into it.
 */
RY_MUST_USE enum ry_err ry_job_known(struct ry_store *store, const struct ry_job_case *of,
                                     bool known[], struct ry_search_tally *tally,
                                     struct ry_diag *diag);

/**
 * Keep the answer, in one transaction; an earlier one of the job is replaced.
 * @param rows a JSON array of objects, as --format json prints it.
 */
RY_MUST_USE enum ry_err ry_job_answer(struct ry_store *store, long long job,
                                      const char *now, const char *rows,
                                      struct ry_diag *diag);

/** A job as listed. */
struct ry_listed_job {
    long long id;
    const char *command, *arguments, *inputs, *started, *finished; /**< "" not yet */
    double pieces, evaluated, infeasible, indivisible;             /**< kept so far */
    double rows;                                                   /**< of the answer */
    const char *best_design; /**< of the first row of the answer, "" none */
    double best_step_time_s; /**< NAN none */
};

struct ry_listed_jobs {
    size_t n;
    struct ry_listed_job *at; /**< [n] oldest first */
};

RY_MUST_USE enum ry_err ry_jobs_list(struct ry_store *store, struct ry_arena *arena,
                                     struct ry_listed_jobs *jobs, struct ry_diag *diag);

/** A row of an answer; NAN and "" for what it has not. */
struct ry_answer_row {
    double place; /**< in the ranking, or of the design's strategies */
    const char *workload, *design, *strategy, *reason;
    double gpus, step_time_s, tokens_per_s, mfu_frac;
    double capex_usd, tco_usd, usd_per_trillion_tokens, days;
};

struct ry_answer {
    size_t n;
    struct ry_answer_row *at; /**< [n] in the order printed */
};

/** The answer of a job; RY_ERR_NOTFOUND: no such job; n is 0 while it is not finished. */
RY_MUST_USE enum ry_err ry_job_read(struct ry_store *store, struct ry_arena *arena,
                                    long long job, struct ry_answer *answer,
                                    struct ry_diag *diag);

#endif
