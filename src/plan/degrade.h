/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The same site with its communication made worse: what a setting or a defect costs is
 * the step on it less the step as planned.
 *
 * Transports and host staging are other communication models (models/comm); shares are of
 * the rates of the model that stands.  Nothing but the machine changes: bill, power and
 * memory stay those of the plan.
 */
#ifndef RY_PLAN_DEGRADE_H
#define RY_PLAN_DEGRADE_H

#include "plan/plan.h"

/** Start from ry_degrade_nothing(). */
struct ry_degrade {
    bool sockets;     /**< TCP between domains */
    bool host_staged; /**< GPUs of a node copy through host memory: no peer access */
    bool no_nvls;     /**< no reduction inside NVSwitch, no tree over it */
    bool no_algo[RY_COLL_ALGOS]; /**< between domains */
    bool no_sharp;               /**< the switches of the fabric do not reduce */
    bool no_proto[RY_PROTOS];    /**< between domains */
    bool spread;                 /**< packets are routed adaptively */
    bool hashed;                 /**< flows are hashed onto links (ECMP) */
    double queue_pairs; /**< of a connection, where flows are hashed; 0: as planned */
    double nics_frac;   /**< of the NICs of a node that are used, above 0 to 1 */
    double rate_frac;   /**< of the rate of each NIC, above 0 to 1 */
};

struct ry_degrade ry_degrade_nothing(void);

/** Whether traffic leaves a domain on this site at all. */
bool ry_degrade_has_fabric(const struct ry_site *site);

/**
 * Build the site again.
 * @param site   as planned; must outlive @p out.
 * @param what   what is worse.
 * @param out    set in place: it points into itself and must not be moved.
 * @return RY_OK; RY_ERR_NOTFOUND when no communication model covers it; RY_ERR_RANGE
 *         for a share that is not above 0 and at most 1, or host staging of a domain of
 *         several hosts, which no model covers.
 */
RY_MUST_USE enum ry_err ry_degrade_site(const struct ry_site *site,
                                        const struct ry_degrade *what,
                                        struct ry_site *out, struct ry_diag *diag);

#endif
