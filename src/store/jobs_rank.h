/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The cases of a ranking that are kept: of each its best strategy.
 */
#ifndef RY_STORE_JOBS_RANK_H
#define RY_STORE_JOBS_RANK_H

#include "search/case.h"
#include "store/jobs.h"

/** A case of a ranking. */
struct ry_job_best {
    size_t case_i;
    struct ry_case_found found;
};

/** Keep cases of a ranking, all or none, in one transaction. */
RY_MUST_USE enum ry_err ry_job_keep_bests(struct ry_store *store, long long job,
                                          const struct ry_job_best bests[], size_t n,
                                          struct ry_diag *diag);

/** Tell of each case that is kept; one that is not below @p cases is RY_ERR_SYNTAX. */
RY_MUST_USE enum ry_err ry_job_bests(struct ry_store *store, long long job, size_t cases,
                                     void (*take)(void *ctx,
                                                  const struct ry_job_best *best),
                                     void *ctx, struct ry_diag *diag);

#endif
