/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * `calibrate fit` for runs over several nodes: what joins the domains.
 */
#ifndef RY_CLI_FIT_FABRIC_H
#define RY_CLI_FIT_FABRIC_H

#include "calibrate/fabric_fit.h"
#include "cli/collective_input.h"
#include "cli/net_input.h"
#include "io/json.h"

enum { RY_FIT_CASES_MOST = 256, RY_LEFT_OUT_MOST = 64 };

struct ry_fabric_job {
    struct ry_arena *arena;
    const struct ry_net_options *options; /**< hardware of files that no fact covers */
    struct ry_json facts;                 /**< absent: the shipped model is the base */
    const char *facts_path;
    const struct ry_collective_input *input;
    size_t cases;
    struct ry_fabric_case *one; /**< [cases] */
    struct ry_fabric_fit fit;
    struct ry_net_fabric fabric; /**< fitted */
    size_t skipped;              /**< runs inside one domain */
};

/** Find the hardware of every run and fit.  Everything else in @p job is set here. */
RY_MUST_USE enum ry_err ry_fabric_job_run(struct ry_fabric_job *job,
                                          struct ry_diag *diag);

/** Print parameters with their intervals. */
RY_MUST_USE enum ry_err ry_fabric_job_show(const struct ry_fabric_job *job, int format,
                                           struct ry_diag *diag);

/** Leave each domain count out and print how well it was predicted. */
RY_MUST_USE enum ry_err ry_fabric_job_leave_one_out(const struct ry_fabric_job *job,
                                                    int format, struct ry_diag *diag);

#endif
