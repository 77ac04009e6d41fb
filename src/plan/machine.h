/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * From a design to the machine that a step runs on.
 */
#ifndef RY_PLAN_MACHINE_H
#define RY_PLAN_MACHINE_H

#include "comm/net_build.h"
#include "design/design.h"
#include "kernel/compute_model.h"
#include "plan/contention.h"
#include "plan/network.h"
#include "sim/machine.h"

/** The calibrated models of a design's parts, as io found them. */
struct ry_models {
    const struct ry_compute_model *compute;
    const char *compute_from; /**< file, and how its figures came about */
    double compute_sigma_rel; /**< one standard deviation of compute, if scaled */
    const struct ry_comm_models *comm;
    /** relative standard deviation of each parameter of `compute`; NULL: not known */
    const double *compute_param_sigma; /**< [ry_param_count()] of kernel/params.h */
};

/** A machine and what it points at: keep it where it is. */
struct ry_built_machine {
    struct ry_machine machine;
    struct ry_net net;
};

/** Count the fabric of @p design.  Errors as ry_network_count(). */
RY_MUST_USE enum ry_err ry_design_network(const struct ry_design *design,
                                          struct ry_network *network,
                                          struct ry_diag *diag);

/** What one GPU's copies to or from the host reach, one way; 0: its link is not given. */
double ry_host_link_bytes_per_s(const struct ry_gpu *gpu);

/**
 * Build.
 * @param contention what ry_contention_make() says of the design.
 * @return RY_OK; RY_ERR_NOTFOUND when no communication model covers the parts.
 */
RY_MUST_USE enum ry_err ry_machine_build(const struct ry_design *design,
                                         const struct ry_contention *contention,
                                         const struct ry_models *models,
                                         struct ry_built_machine *built,
                                         struct ry_diag *diag);

#endif
