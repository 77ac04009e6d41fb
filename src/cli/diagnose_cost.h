/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What findings of a diagnosis cost in step time: the step planned again on the machine
 * as the log shows it (plan/degrade.h), with the strategy of the plan.
 */
#ifndef RY_CLI_DIAGNOSE_COST_H
#define RY_CLI_DIAGNOSE_COST_H

#include "cli/catalog_opts.h"
#include "report/diagnosis.h"

struct ry_cost_ask {
    const struct ry_catalog_sources *catalog;
    const char *design, *workload; /**< files */
};

/**
 * Plan the step as designed and with each finding.
 * @return RY_OK; RY_ERR_INFEASIBLE where no strategy fits; the error of a file.
 */
RY_MUST_USE enum ry_err ry_finding_costs(struct ry_arena *arena,
                                         const struct ry_cost_ask *ask,
                                         const struct ry_findings *findings,
                                         struct ry_finding_costs *costs,
                                         struct ry_diag *diag);

#endif
