/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the checks of an NCCL log share: what they look at, and how a finding is added,
 * said and given its cost; internal to io/nccl_*.c.
 */
#ifndef RY_IO_NCCL_CHECK_H
#define RY_IO_NCCL_CHECK_H

#include "io/nccl_findings.h"

/** Room for a text with names of hosts or NICs in it. */
enum { RY_NCCL_WORDS_BYTES = 240 };

/** Losses whose size is known: the rows LOSS of nccl_findings.def. */
enum ry_nccl_loss {
#define LOSS(id, left, source) id,
#include "io/nccl_findings.def"
    RY_LOSS_UNKNOWN
};

/** What a check looks at, and where its findings go. */
struct ry_nccl_context {
    const struct ry_nccl_log *log;
    struct ry_log_plan plan;
    size_t n_measured;
    const struct ry_log_measured *measured; /**< [n_measured] */
    struct ry_findings *findings;
};

/** Add a finding without a text, shown by a line; NULL when out of memory. */
struct ry_finding *ry_nccl_add(struct ry_nccl_context *context,
                               enum ry_finding_severity severity, const char *id,
                               struct ry_log_place place);

/** Copy what is seen and what to do into a finding; NULL finding: nothing. */
void ry_nccl_say(struct ry_nccl_context *context, struct ry_finding *finding,
                 const char *text, const char *action);

/**
 * Give a finding what is left of the network of a node, B/s where the rate is known.
 * @param finding nullable.
 * @param left    share of the rate, 0 to 1.
 * @param basis   where that share is from.
 */
void ry_nccl_cost_network(const struct ry_nccl_context *context,
                          struct ry_finding *finding, double left, const char *basis);

/** Give a finding the share of a known loss and what a plan loses by it. */
void ry_nccl_cost(const struct ry_nccl_context *context, struct ry_finding *finding,
                  enum ry_nccl_loss loss);

/** A check adds findings of one subject in the order of the log. */
typedef void ry_nccl_check(struct ry_nccl_context *context);

ry_nccl_check ry_nccl_check_network;    /**< sockets for RDMA, verbs, plug-ins */
ry_nccl_check ry_nccl_check_interfaces; /**< bridges inside the host, out of band too */
ry_nccl_check ry_nccl_check_gdr;        /**< GPUDirect, NIC by NIC */
ry_nccl_check ry_nccl_check_nics;       /**< as many on every host, and as planned */
ry_nccl_check ry_nccl_check_links;      /**< InfiniBand beside Ethernet */

#endif
