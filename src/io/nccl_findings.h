/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What is wrong in a job, from its NCCL log: each finding with the line that shows it,
 * what it costs and what to do.
 */
#ifndef RY_IO_NCCL_FINDINGS_H
#define RY_IO_NCCL_FINDINGS_H

#include "io/nccl_log.h"

enum ry_finding_severity {
    RY_FINDING_NOTE,    /**< worth knowing; no reason to act by itself */
    RY_FINDING_WARNING, /**< costs bandwidth, or will */
    RY_FINDING_ERROR,   /**< the job does not get the network that it should */
};

struct ry_finding {
    enum ry_finding_severity severity;
    const char *id;   /**< stable: "sockets", "gpudirect-off" */
    const char *text; /**< what is seen, one line */
    const char *action;
    const char *file; /**< NULL: no single line shows it */
    size_t line;
    double left_frac;    /**< share of the bandwidth that is left; NAN: not known */
    const char *basis;   /**< where that share is from; NULL: none */
    /** Per node and direction, NAN where the rate of the NICs is not known. */
    double expected_bytes_per_s, left_bytes_per_s;
};

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

struct ry_findings {
    size_t n, room;
    struct ry_finding *at; /**< [n] worst first, then as found */
    enum ry_finding_severity worst; /**< of an empty list: RY_FINDING_NOTE */
};

/** Share of the line rate that NCCL gets of a NIC: 48 of 50 GB/s at 400 Gb/s. */
#define RY_NIC_USABLE_FRAC 0.96

/**
 * Judge a log.
 * @param plan       nullable.
 * @param n_measured of @p measured, which NCCL's predictions are compared with.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_nccl_findings(struct ry_arena *arena,
                                         const struct ry_nccl_log *log,
                                         const struct ry_log_plan *plan,
                                         size_t n_measured,
                                         const struct ry_log_measured *measured,
                                         struct ry_findings *findings,
                                         struct ry_diag *diag);

/** "note", "warning" or "error". */
const char *ry_finding_severity_text(enum ry_finding_severity severity);

#endif
