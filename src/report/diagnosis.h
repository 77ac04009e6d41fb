/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a diagnosis prints: the network that a job got, what is wrong, and what that
 * costs.
 */
#ifndef RY_REPORT_DIAGNOSIS_H
#define RY_REPORT_DIAGNOSIS_H

#include "io/findings.h"
#include "io/ibnetdiscover.h"
#include "io/nccl_log.h"
#include "report/table.h"

/** Step times of a plan, as designed and with what was found. */
struct ry_finding_costs {
    const char *design, *strategy; /**< for people */
    double planned_s;
    double all_s;       /**< with everything at once that is known */
    bool least;         /**< it is at least that: interfaces of a rate that no log says */
    double *with_s;     /**< [findings] that finding alone; NAN: not known */
    const char **basis; /**< [findings] NULL: none */
};

/** What was read of a job, and what was found. */
struct ry_diagnosis {
    const struct ry_nccl_log *log; /**< n_hosts 0: there is none */
    const struct ry_findings *findings;
    const struct ry_ib_fabric *fabric;    /**< n_nodes 0: there is none */
    const struct ry_finding_costs *costs; /**< planned_s 0: not asked for */
};

/**
 * Print it: for people a summary before the findings, as JSON what the log says of ranks,
 * NICs and channels too.
 * @return as ry_table_print().
 */
RY_MUST_USE enum ry_err ry_diagnosis_print(struct ry_arena *arena,
                                           const struct ry_diagnosis *diagnosis,
                                           enum ry_table_format format,
                                           struct ry_diag *diag);

#endif
