/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Is a measured collective good for the hardware it ran on?
 *
 * The largest busbw of a run is held against what a healthy run of that size reaches
 * (comm/net.h), and against the bound of the links; when it is low, the cause that
 * explains the figure best is named.
 */
#ifndef RY_CALIBRATE_JUDGE_H
#define RY_CALIBRATE_JUDGE_H

#include "calibrate/collective_fit.h"
#include "comm/net.h"

enum ry_verdict {
    RY_VERDICT_GOOD,
    RY_VERDICT_LOW,        /**< under 80 % of what is expected at that size */
    RY_VERDICT_BAD,        /**< under half */
    RY_VERDICT_DEGRADED,   /**< under a tenth: something else ran */
    RY_VERDICT_IMPOSSIBLE, /**< more than the links carry: not this hardware */
};

enum ry_cause {
    RY_CAUSE_NONE,
    RY_CAUSE_ONE_NIC,   /**< the rate of one NIC where there are several */
    RY_CAUSE_SOME_NICS, /**< the rate of fewer NICs than there are */
    RY_CAUSE_HALF,      /**< half: access control services, GPUDirect off, other root */
    RY_CAUSE_SOCKETS,   /**< the rate of plain sockets */
    RY_CAUSE_HOST,      /**< inside a node: staged through the host, not NVLink */
    RY_CAUSE_NVLS_OFF,  /**< the ring's rate where the switch could reduce */
    RY_CAUSE_START_UP,  /**< small sizes only, and slow to start */
    RY_CAUSE_SPIKES,    /**< single sizes far slower than their neighbours */
    RY_CAUSE_FALLS,     /**< large sizes slower than middle ones */
    RY_CAUSE_UNKNOWN,
};

struct ry_judgement {
    enum ry_verdict verdict;
    enum ry_cause cause;
    double bytes, time_s, busbw_bytes_per_s; /**< of the best row */
    double expected_busbw_bytes_per_s;       /**< of a healthy run of that size */
    double peak_busbw_bytes_per_s;           /**< at any size, from usable rates */
    double bound_busbw_bytes_per_s;          /**< from wire rates */
    enum ry_coll_algo algo;                  /**< that such a run takes, as expected */
    enum ry_net_limit limit;                 /**< what binds the peak */
    double slow_times;      /**< expected / measured rate, 1 is as expected */
    double nic_bytes_per_s; /**< what one NIC carried at the best row, 0 inside */
    double nics_seen;       /**< of RY_CAUSE_SOME_NICS */
    double gain;            /**< what removing the cause gives, times; 1 when good */
};

/** Judge the rows of one run.  @p run has one row or more. */
struct ry_judgement ry_judge(const struct ry_net *net, const struct ry_group *group,
                             const struct ry_coll_run *run);

/** "good", "low", ... */
const char *ry_verdict_name(enum ry_verdict verdict);

/** One sentence, without a full stop, that says what to look at; "" for none. */
const char *ry_cause_text(enum ry_cause cause);

#endif
