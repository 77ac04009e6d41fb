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
#include "search/case.h"

/** The row of `--workload` for an options struct with `struct ry_strings workloads`. */
#define RY_OPT_WORKLOADS(type)                                                           \
    {                                                                                    \
        .kind = RY_OPT_LIST, .letter = 'w', .offset = offsetof(type, workloads),         \
        .name = "workload", .value = "FILE",                                             \
        .help = "what is trained; may be given again"                                    \
    }

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

struct ry_plan_sharing; /* cli/plan_run.h */

/** Cases by workload, then in the order of the designs. */
struct ry_plan_cases {
    size_t n;
    struct ry_case *at; /**< [n] */
    size_t designs_n;
    struct ry_premises *premises;          /**< [designs_n] that the cases share */
    bool quiet;                            /**< no progress on the terminal */
    size_t unseen;                         /**< cases that an interruption left */
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

/** "h100-32-ndr" or "h100-32-ndr [nodes=64]". */
const char *ry_case_design_text(struct ry_arena *arena, const struct ry_case *c);
const char *ry_case_workload_text(struct ry_arena *arena, const struct ry_case *c);

#endif
