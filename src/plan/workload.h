/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A workload: what is trained, and which strategies may be tried.
 *
 * Plain data, resolved: the model's architecture, the framework preset and every
 * fixed choice are in it.  Loading it is io/workload_file.h.
 */
#ifndef RY_PLAN_WORKLOAD_H
#define RY_PLAN_WORKLOAD_H

#include "base/arena.h"
#include "workload/arch.h"
#include "workload/strategy.h"
#include "workload/traits.h"

#include <stdbool.h>
#include <stddef.h>

struct ry_input_origin;

enum { RY_SET_MOST = 64 };

/** Values of one dimension that are tried; n == 0: the default of search/space.h. */
struct ry_set {
    size_t n;
    unsigned at[RY_SET_MOST]; /**< [n] in the order given */
};

/** The same for shares. */
struct ry_fractions {
    size_t n;
    double at[RY_SET_MOST]; /**< [n] */
};

/** What may be tried.  Enumerations and truths are their values as numbers. */
struct ry_bounds {
    struct ry_set tp, pp, vpp, dp, cp, ep, etp, micro_batch;
    struct ry_set sequence_parallel, recompute, recompute_layers, schedule;
    struct ry_set zero;        /**< 0 to 3 */
    struct ry_set fsdp;        /**< with zero 3 */
    struct ry_set shard_ranks; /**< FSDP/HSDP sharding group; 0: all */
    struct ry_set cp_kind, tp_overlap, dp_overlap, pp_overlap, ep_overlap;
    struct ry_fractions offload_optimizer, offload_activations;
};

/** Bytes that an optimizer keeps and moves of a parameter; 0: as the preset says. */
struct ry_optimizer {
    const char *name;   /**< "adam", "adam-8bit", ... */
    double state_bytes; /**< memory */
    double move_bytes;  /**< HBM traffic of a step */
};

enum { RY_WORKLOAD_ORIGINS_MOST = 64 };

struct ry_workload {
    const char *name;
    const char *file;   /**< it was read from */
    const char *choice; /**< what was chosen of a family, or "" */
    const char *model;  /**< name or file of the architecture */
    struct ry_arch arch;
    struct ry_traits traits; /**< the preset, the optimizer's bytes put in */
    struct ry_optimizer optimizer;
    struct ry_strategy base;      /**< task, seq, batch, precision: the same for all */
    double tokens;                /**< of the whole training */
    size_t batch_at_gpus;         /**< base.global_batch is at so many, and grows with the
                                       GPUs in use; 0: it is fixed */
    const struct ry_workload *of; /**< what it was scaled from; NULL: as it was read */
    struct ry_bounds bounds;
    size_t origins_n;
    struct ry_input_origin *origins; /**< [origins_n] where each figure came from */
};

/**
 * The workload on so many GPUs: itself where its batch is fixed, else a copy in @p arena
 * whose batch has grown or shrunk with them, to whole sequences, one at least.
 * @return NULL when out of memory.
 */
const struct ry_workload *ry_workload_on(struct ry_arena *arena,
                                         const struct ry_workload *workload, size_t gpus);

/** Whether two are the same as read, whatever GPUs they are scaled to. */
bool ry_workload_same(const struct ry_workload *a, const struct ry_workload *b);

#endif
