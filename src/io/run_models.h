/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The network that a run states in words ("8x HDR InfiniBand 200 Gb/s HCAs per node"),
 * or what its platform usually has.  Internal to io.
 */
#ifndef RY_IO_RUN_MODELS_H
#define RY_IO_RUN_MODELS_H

#include "io/published.h"

struct ry_run_nets; /* communication models, and the networks made so far */
struct ry_net;

/** What systems with a GPU have, where a run does not say. */
struct ry_run_platform {
    double nic_bytes_per_s; /**< 0: not known */
    double rack_gpus;       /**< of a rack that is one domain; 0: a node is */
};

/** Read models/comm. */
RY_MUST_USE enum ry_err ry_run_nets_read(struct ry_arena *arena,
                                         struct ry_problems *problems,
                                         struct ry_run_nets **nets);

/** The network of a run; RY_ERR_NOTFOUND when no model covers its GPU. */
RY_MUST_USE enum ry_err ry_run_net_of(struct ry_arena *arena, struct ry_run_nets *nets,
                                      const struct ry_job *run,
                                      const struct ry_run_platform *platform,
                                      const struct ry_net **net, struct ry_diag *diag);

#endif
