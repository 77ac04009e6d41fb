/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Jobs that run at the same time on one cluster and share its fabric.
 *
 * Each job has nodes of its own; what they share are the uplinks of the leaves (and what
 * is above).  Three cases bound what a job sees:
 *
 *   packed        its nodes fill leaves: it has those uplinks to itself, its step is that
 *                 of the cluster's oversubscription
 *   spread, quiet its nodes are a share f of each leaf and the others do not
 *                 communicate: f x (down capacity) wants (up capacity), so its
 *                 oversubscription is max(1, o f), but fewer of its nodes meet in a leaf
 *   spread, busy  the others communicate all the time: max-min fairness leaves each NIC
 *                 the o-th part of its rate, as when one job has the whole cluster
 *
 * A real step is between them: nearer to the last the more of their time the others spend
 * in traffic between leaves.  Links inside nodes and domains are not shared.  The
 * strategy is that of the packed job.  Collisions of hashed flows are those of a full
 * leaf in all three cases.
 */
#ifndef RY_SEARCH_JOBS_H
#define RY_SEARCH_JOBS_H

#include "search/rank.h"

struct ry_job {
    const struct ry_workload *workload; /**< set by the caller */
    size_t nodes;                       /**< set by the caller */
    struct ry_case packed;              /**< on its nodes alone */
    double quiet_s, busy_s;             /**< steps when spread; NAN: not feasible */
    double between_frac; /**< of the packed step: traffic that may leave a domain */
    bool whole_leaves;   /**< its nodes can fill leaves */
};

/**
 * Plan the jobs.
 * @param arena owns what the cases point to.
 * @param ask   a case with design, models, objective; its workload does not matter.
 * @param jobs  [n]
 * @return RY_OK, also when a job does not fit; RY_ERR_RANGE: more nodes than there are;
 *         the errors of a site that cannot be made; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_jobs_plan(struct ry_arena *arena,
                                     const struct ry_catalog *catalog,
                                     const struct ry_case *ask, struct ry_job jobs[],
                                     size_t n, struct ry_diag *diag);

#endif
