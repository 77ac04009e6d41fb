/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How a model is trained: parallelism, batch, precision, recomputation, schedule.
 *
 * Plain data, compared and hashed by value.  A degree of 0 is read as 1; ry_strategy
 * numbers are ranks or sequences.  gpus = tp * pp * dp * cp; ep and etp divide
 * tp * dp * cp and do not multiply the GPU count.
 */
#ifndef RY_WORKLOAD_STRATEGY_H
#define RY_WORKLOAD_STRATEGY_H

#include "base/err.h"
#include "workload/arch.h"

#include <stdbool.h>

enum ry_schedule {
    RY_SCHEDULE_1F1B, /**< interleaved when vpp > 1 */
    RY_SCHEDULE_GPIPE,
    RY_SCHEDULE_ZERO_BUBBLE, /**< ZB-H1: weight gradients fill the bubble */
    RY_SCHEDULE_DUALPIPE,    /**< two directions, DeepSeek-V3 */
};

enum ry_recompute {
    RY_RECOMPUTE_NONE,
    RY_RECOMPUTE_SELECTIVE, /**< attention core (nothing extra with flash attention) */
    RY_RECOMPUTE_FULL,      /**< every layer keeps only its input */
    RY_RECOMPUTE_LAYERS,    /**< full, on recompute_layers layers of a stage */
    RY_RECOMPUTE_NORMS,     /**< norms and activation functions again, no product */
    RY_RECOMPUTE_MLP,       /**< the FFN again */
    RY_RECOMPUTE_PRODUCTS,  /**< every other matrix product (torchtitan "selective op") */
};
enum { RY_RECOMPUTES = RY_RECOMPUTE_PRODUCTS + 1 };

enum ry_train_precision {
    RY_TRAIN_BF16,
    RY_TRAIN_FP16,
    RY_TRAIN_FP8,   /**< per-tensor scaling; LM head and attention stay 16-bit */
    RY_TRAIN_MXFP8, /**< block scaling */
    RY_TRAIN_NVFP4, /**< forward and backward products of inner layers in FP4 */
    RY_TRAIN_FP32,
};

enum ry_task { RY_TASK_PRETRAIN, RY_TASK_SFT, RY_TASK_LORA };

enum ry_cp_kind { RY_CP_RING, RY_CP_ALL_GATHER, RY_CP_ALL_TO_ALL };

enum ry_cuda_graph {
    RY_GRAPH_NONE,
    RY_GRAPH_PARTIAL, /**< attention and router captured, experts not */
    RY_GRAPH_FULL,    /**< the whole iteration */
};

struct ry_strategy {
    unsigned tp, pp, vpp, dp, cp, ep;
    unsigned etp; /**< expert-tensor parallel; 0: as the framework preset says */
    bool sequence_parallel; /**< norms and dropout sharded over tp */
    unsigned micro_batch;   /**< sequences of one micro-batch on one replica */
    unsigned global_batch;  /**< sequences of one step */
    unsigned micro_batches; /**< of one step and replica; 0: from the batch sizes */
    unsigned seq;           /**< tokens of a sequence */
    enum ry_train_precision precision;
    enum ry_task task;
    unsigned lora_rank;            /**< 0: 16 */
    double packed_sequence_tokens; /**< mean length of packed samples; 0: not packed */
    enum ry_schedule schedule;
    unsigned first_stage_layers, last_stage_layers; /**< 0: as the preset divides */
    enum ry_recompute recompute;
    unsigned recompute_layers;
    unsigned zero_stage;  /**< 0: plain data parallel; 1, 2, 3 */
    bool fsdp;            /**< ZeRO-3 by layer-wise gather with prefetch */
    bool reshard_kept;    /**< FSDP keeps gathered weights from forward to backward */
    unsigned shard_ranks; /**< FSDP/HSDP sharding group; 0: all of dp * cp */
    enum ry_cp_kind cp_kind;
    bool tp_overlap; /**< TP traffic behind products (user buffers, async TP) */
    bool dp_overlap; /**< gradient reduction behind backward, gather behind forward */
    bool pp_overlap; /**< stage exchanges behind compute */
    bool ep_overlap; /**< expert all-to-all behind another micro-batch's compute */
    bool compile;    /**< torch.compile or XLA fuses memory-bound kernels */
    enum ry_cuda_graph cuda_graph;
    double offload_optimizer_frac;   /**< share of optimizer states in host memory */
    double offload_activations_frac; /**< share of kept activations in host memory */
    bool reduce_fp32;                /**< FSDP gradient reduction in fp32 */
};

/** A degree as it multiplies: 0, not given, is 1. */
static inline double ry_degree(unsigned n)
{
    return n > 1 ? n : 1;
}

/** GPUs that the strategy uses: tp * pp * dp * cp. */
double ry_strategy_gpus(const struct ry_strategy *strategy);

/** Micro-batches of one step on one replica, at least 1. */
double ry_strategy_micro_batches(const struct ry_strategy *strategy);

/**
 * Of @p micro_batches, those that pass a chunk of a stage in a row: the fewest, at least
 * @p stages, whose last group is as large, or holds a micro-batch a stage too.  Others
 * Megatron-Core refuses (microbatch_group_size_per_vp_stage, schedules.py since 0.9).
 */
unsigned ry_chunk_group(unsigned stages, unsigned micro_batches);

/**
 * Whether the model can be cut that way.  RY_ERR_INFEASIBLE with the reason in
 * @p diag ("heads 40 not divisible by tp 16"); never ends a search.
 */
RY_MUST_USE enum ry_err ry_strategy_check(const struct ry_strategy *strategy,
                                          const struct ry_arch *arch,
                                          struct ry_diag *diag);

#endif
