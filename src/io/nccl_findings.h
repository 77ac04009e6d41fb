/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What is wrong in a job, from its NCCL log: each finding with the line that shows it,
 * what it costs and what to do.
 */
#ifndef RY_IO_NCCL_FINDINGS_H
#define RY_IO_NCCL_FINDINGS_H

#include "io/findings.h"
#include "io/nccl_log.h"

/** What the plan says of the machine; zero: not said. */
struct ry_log_plan {
    double nodes;
    double nics_per_node;
    double nic_bytes_per_s; /**< line rate of one NIC */
    bool rdma;              /**< InfiniBand or RoCE is planned */
    bool nvswitch;
};

/** One timed collective of the same log. */
struct ry_log_measured {
    double bytes, time_s;
};

/** Share of the line rate that NCCL gets of a NIC: 48 of 50 GB/s at 400 Gb/s. */
#define RY_NIC_USABLE_FRAC 0.96

/**
 * Judge a log.
 * @param log        what it says.
 * @param plan       nullable.
 * @param n_measured of @p measured, which NCCL's predictions are compared with.
 * @param findings   gets them; its arena is set.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_nccl_findings(const struct ry_nccl_log *log,
                                         const struct ry_log_plan *plan,
                                         size_t n_measured,
                                         const struct ry_log_measured *measured,
                                         struct ry_findings *findings,
                                         struct ry_diag *diag);

#endif
