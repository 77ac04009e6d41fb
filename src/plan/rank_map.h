/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Where each rank of a job sits, and which part of the model and batch it has.
 *
 * Ranks fill hosts in order, GPU by GPU.  Dimensions nest as the step model places them
 * and as Megatron Core's default order "tp-cp-ep-dp-pp" numbers them: TP varies fastest,
 * then CP, DP and PP; the experts of one pipeline stage are cut into ETP, EP and EDP over
 * the same ranks.
 */
#ifndef RY_PLAN_RANK_MAP_H
#define RY_PLAN_RANK_MAP_H

#include "design/design.h"
#include "workload/strategy.h"

struct ry_rank {
    size_t rank;
    size_t host; /**< the operating system it runs under, from 0 */
    size_t gpu;  /**< of the host */
    size_t nic; /**< of the host's compute NICs, in their order, the one beside the GPU */
    size_t nics; /**< NICs of the host; 0: none */
    size_t tp, cp, dp, pp;
    size_t etp, ep, edp; /**< of the experts; all 0 for a dense model */
};

/** Ranks of a strategy. */
size_t ry_rank_count(const struct ry_strategy *strategy);

/** Hosts that so many ranks take. */
size_t ry_rank_hosts(const struct ry_design *design, size_t ranks);

/** Compute NICs of one host; 0 without a fabric. */
size_t ry_host_nics(const struct ry_design *design);

/** The place of @p rank, below ry_rank_count(). */
struct ry_rank ry_rank_at(const struct ry_design *design,
                          const struct ry_strategy *strategy, size_t rank);

#endif
