/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What rank, step and diff share: files read, cases made and evaluated.
 */
#ifndef RY_CLI_PLAN_CASES_H
#define RY_CLI_PLAN_CASES_H

#include "cli/catalog_opts.h"
#include "cli/cmd.h"
#include "io/library.h"
#include "io/plan_file.h"
#include "par/ranks.h"
#include "search/case.h"

struct ry_plan_session {
    struct ry_arena *arena;
    struct ry_catalog catalog;
    struct ry_problems problems;
    struct ry_library library;
    struct ry_plan_files files;
};

/**
 * Read catalog, models and all files; every mistake of every file is printed.
 * @param arena     owns the session.
 * @param sources   of the catalog.
 * @param args      files of designs (or both, or workloads).
 * @param workloads files given as --workload, or NULL.
 */
RY_MUST_USE enum ry_err ry_plan_session_open(struct ry_arena *arena,
                                             const struct ry_catalog_sources *sources,
                                             const struct ry_strings *args,
                                             const struct ry_strings *workloads,
                                             struct ry_plan_session **session,
                                             struct ry_diag *diag);

/** How cases are shared among processes, and what is told of each; see cli/work.h. */
struct ry_plan_sharing {
    const struct ry_ranks *ranks;
    const bool *left_out;               /**< [n] not of this shard: never looked at */
    const struct ry_case_found **known; /**< [n] from before, or NULL: to be found */
    /** On the first rank, of each case that was found; one call at a time. */
    void (*take)(void *ctx, size_t case_i, const struct ry_case_found *found);
    void *ctx;
};

/** Cases by workload, then in the order of the designs. */
struct ry_plan_cases {
    size_t n;
    struct ry_case *at; /**< [n] */
    size_t designs_n;
    struct ry_premises *premises; /**< [designs_n] that the cases share */
    bool quiet;                   /**< no progress on the terminal */
    size_t unseen;                /**< cases that an interruption left */
    const struct ry_plan_sharing *sharing; /**< NULL: this process does all */
};

/**
 * Every design with every workload meant for it, its strategy to be chosen by cost a
 * token, so that all commands say the same where nothing else is asked.
 * @return RY_OK or RY_ERR_USAGE when there is none.
 */
RY_MUST_USE enum ry_err ry_plan_cases_make(struct ry_plan_session *session,
                                           struct ry_plan_cases *cases,
                                           struct ry_diag *diag);

/**
 * Evaluate all, on as many threads as OpenMP gives; the same for any number.  An
 * interruption (Ctrl-C) keeps what was found: `unseen` counts the rest.  With more
 * ranks only the first has all results.
 */
RY_MUST_USE enum ry_err ry_plan_cases_run(struct ry_plan_session *session,
                                          const struct ry_constraints *constraints,
                                          struct ry_plan_cases *cases,
                                          struct ry_diag *diag);

/** "h100-32-ndr" or "h100-32-ndr [nodes=64]". */
const char *ry_case_design_text(struct ry_arena *arena, const struct ry_case *c);
const char *ry_case_workload_text(struct ry_arena *arena, const struct ry_case *c);

#endif
