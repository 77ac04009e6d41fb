/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The strategies that are tried, as a list that is never stored: shapes (how the model
 * is cut, what the costs of layers and collectives depend on) times options (what
 * only combines those costs).
 *
 * A shape is kept with every distinct (tp, pp, vpp, dp, cp, ep, etp, micro-batch).
 * Options that cannot matter for a shape (sequence parallelism with tp 1, ZeRO with
 * one replica) are not repeated.  The order is fixed: shapes as nested loops in the
 * order of the fields, options inside.
 *
 * Default bounds, where the workload sets none:
 *   tp           1, 2, 4, ... up to the GPUs of a local domain or host, dividing heads
 *   pp           divisors of the layers and powers of two, up to layers and GPUs
 *   vpp          divisors of the layers of a stage, up to 8, with pp > 1
 *   cp           1, 2, 4, ... up to seq / 4096
 *   ep           divisors of the experts;  etp 1
 *   micro-batch  1, 2, 4, 8, 16
 *   dp           as many replicas as GPUs allow and the batch divides into; the GPUs
 *                left idle are fewer than half
 *   recompute    none, full, and selective where attention is unfused
 *   zero         0 and 1; with pp 1 also 3 as FSDP
 *   schedule 1F1B; overlaps as the preset has them (a workload without one: TP, DP, PP
 * on, EP off); no offload
 */
#ifndef RY_SEARCH_SPACE_H
#define RY_SEARCH_SPACE_H

#include "base/arena.h"
#include "base/err.h"
#include "plan/workload.h"

#include <stdint.h>

struct ry_space_shape {
    unsigned tp, pp, vpp, dp, cp, ep, etp, micro_batch;
    uint64_t first; /**< index of its first strategy */
    unsigned class; /**< which list of options it takes */
};

/** What combines the costs of a shape. */
struct ry_space_option {
    bool sequence_parallel;
    enum ry_recompute recompute;
    unsigned recompute_layers;
    unsigned zero_stage;
    bool fsdp;
    unsigned shard_ranks;
    enum ry_schedule schedule;
    enum ry_cp_kind cp_kind;
    bool tp_overlap, dp_overlap, pp_overlap, ep_overlap;
    double offload_optimizer_frac, offload_activations_frac;
};

/** The options of one class of shapes. */
struct ry_space_class {
    size_t n;
    struct ry_space_option *at; /**< [n] */
};

enum { RY_SPACE_CLASSES = 32 };

struct ry_space {
    struct ry_strategy base;
    size_t shapes_n;
    struct ry_space_shape *shapes; /**< [shapes_n] */
    struct ry_space_class classes[RY_SPACE_CLASSES];
    uint64_t n; /**< strategies in all */
};

/** What of the design bounds the space. */
struct ry_space_limits {
    unsigned gpus;        /**< that may be used */
    unsigned tensor_most; /**< largest default tp */
};

/**
 * Lay out the space of @p workload on so many GPUs.
 * @return RY_OK; RY_ERR_NOMEM; RY_ERR_INFEASIBLE with the reason when it is empty.
 */
RY_MUST_USE enum ry_err ry_space_create(struct ry_arena *arena,
                                        const struct ry_workload *workload,
                                        const struct ry_space_limits *limits,
                                        struct ry_space *space, struct ry_diag *diag);

/** The strategy of option @p o of shape @p s, both in range. */
struct ry_strategy ry_space_strategy(const struct ry_space *space, size_t s, size_t o);

/** The @p i -th strategy, i < space->n, by binary search over the shapes. */
struct ry_strategy ry_space_at(const struct ry_space *space, uint64_t i);

#endif
