/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Fit what joins domains: how far the constants of a fabric model have to move so that
 * the predictions of comm/net.h meet measured runs over several domains.
 *
 * Maximum a posteriori: each parameter has a prior around the base model (NCCL's
 * constants, NIC figures of its maker), so that what the runs do not tell stays there
 * and is said to be unknown.
 */
#ifndef RY_CALIBRATE_FABRIC_FIT_H
#define RY_CALIBRATE_FABRIC_FIT_H

#include "calibrate/collective_fit.h"
#include "comm/net.h"

/** The parameters, in the order of ry_fabric_fit.parameter[]. */
enum ry_fabric_parameter {
    RY_FABRIC_STEP,        /**< factor on LL steps between domains, and on send_s */
    RY_FABRIC_STEP_LL128,  /**< factor on LL128 steps between domains */
    RY_FABRIC_STEP_SIMPLE, /**< factor on Simple steps; inside domains, of trees only */
    RY_FABRIC_RATE_LL128,  /**< factor on the rate of LL128 */
    RY_FABRIC_NIC,         /**< nic_frac */
    RY_FABRIC_TREE,        /**< tree_frac */
    RY_FABRIC_LOSS,        /**< loss_per_doubling */
    RY_FABRIC_MESSAGE,     /**< factor on message_s */
};
enum { RY_FABRIC_PARAMETERS = RY_FABRIC_MESSAGE + 1 };

/** One measured run and the cluster that it ran on, as the base model has it. */
struct ry_fabric_case {
    const struct ry_net *net;
    struct ry_group group;
    const struct ry_coll_run *run;
};

struct ry_fabric_fit {
    struct ry_estimate parameter[RY_FABRIC_PARAMETERS];
    bool known[RY_FABRIC_PARAMETERS]; /**< false: the runs did not narrow the prior */
    size_t points;
    double median_error, worst_error; /**< of time, relative */
    double rel_sigma;                 /**< 1.48 times the median error, 3 % at least */
};

/**
 * Fit.
 * @param cases [n] of one fabric model; their nets differ in hardware only.
 * @param n     how many.
 * @param fit   set on RY_OK.
 * @param diag  nullable.
 * @return RY_OK; RY_ERR_DEGENERATE without a point over several domains; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_fabric_fit(const struct ry_fabric_case cases[], size_t n,
                                      struct ry_fabric_fit *fit, struct ry_diag *diag);

/** A node count left out of the fit, and predicted from the others. */
struct ry_left_out {
    size_t domains;
    size_t points, covered; /**< of sizes, and those inside the 90 % interval */
    double median_error, worst_error, bias; /**< of time; bias: mean of p / m - 1 */
    double half_width;                      /**< of the interval, relative */
    size_t above_bound; /**< predictions faster than the wires allow: always 0 */
    bool fitted;        /**< false: no other node count, the base model alone */
};

/**
 * Leave each domain count out in turn.
 * @param cases [n] as for ry_fabric_fit().
 * @param n     how many.
 * @param out   [most] set to one row a domain count, ascending.
 * @param most  room in @p out.
 * @return how many rows.
 */
size_t ry_fabric_leave_one_out(const struct ry_fabric_case cases[], size_t n,
                               struct ry_left_out out[], size_t most);

#endif
