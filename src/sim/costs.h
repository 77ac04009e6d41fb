/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What phase 1 of a step costs (sim/step.h): of a layer, a shape, a layout, a stage.
 * Times are of one GPU, in seconds; bytes and parameters are of one GPU too.
 */
#ifndef RY_SIM_COSTS_H
#define RY_SIM_COSTS_H

#include "workload/strategy.h"

#include <stdbool.h>

/** One pass over one layer (or the ends) for one micro-batch on one GPU. */
struct ry_pass {
    double gemm_s;   /**< matrix products at the sustained clock */
    double weight_s; /**< of which weight gradients */
    double attention_s;
    double memory_s;   /**< memory-bound kernels */
    double host_s;     /**< host time to issue the pass */
    double host_add_s; /**< synchronisation that adds whatever the GPU does */
    double tp_s, tp_hidden_s;
    double cp_s, cp_hidden_s;
    double ep_s, ep_hidden_s;
};

/** A layer: its passes, and what it keeps. */
struct ry_layer_cost {
    struct ry_pass forward, backward;
    struct ry_pass again[RY_RECOMPUTES]; /**< extra work in backward, by mode */
    double kept_bytes[RY_RECOMPUTES];    /**< activations kept a micro-batch */
    double working_bytes;                /**< most that recomputing one layer holds */
    double parameters;                   /**< on this GPU, dense part */
    double expert_parameters;            /**< on this GPU, routed experts */
    double trained_parameters, trained_expert_parameters; /**< less for LoRA */
};

/**
 * Phase 1.  Key: tp, sequence_parallel, cp, cp_kind, ep, etp, micro_batch, seq,
 * precision, task, lora_rank, packed_sequence_tokens, tp_overlap, ep_overlap, compile,
 * cuda_graph (and machine, arch, traits).
 */
struct ry_shape_cost {
    struct ry_layer_cost dense, moe;      /**< moe is zero in a dense model */
    struct ry_layer_cost embedding, head; /**< first and last stage; head with the loss */
    struct ry_layer_cost mtp;             /**< all MTP layers, on the last stage */
    double boundary_bytes;                /**< activations between stages, one GPU */
    double logits_bytes;                  /**< of one micro-batch at the peak */
};

/**
 * Phase 1.  Key: tp, pp, dp, cp, ep, etp, zero_stage, fsdp, shard_ranks, first and
 * last stage layers, global batch, reduce_fp32 (and the shape).
 */
struct ry_layout_cost {
    double layers_first, layers_middle, layers_last; /**< of a stage; middle: the most */
    double layers_middle_mean;
    double parameters[3], experts[3]; /**< of one GPU of the first, middle, last stage */
    double trained[3], trained_experts[3];
    double shard, expert_shard; /**< ranks that share a parameter's states */
    double owned;       /**< parameters whose states the fullest stage's GPU keeps */
    double reduce_s;    /**< gradient reduction of the worst stage, alone */
    double gather_s;    /**< parameter all-gather of the worst stage, alone */
    double tail_frac;   /**< of them that nothing hides: the last bucket */
    bool tail_of_chunk; /**< which is at most the last chunk: ry_tail_frac() */
    double copy_s;      /**< gradients in and out of buckets */
    double embedding_s; /**< tied embedding gradient between first and last stage */
    double send_s;      /**< one stage exchange of one micro-batch, one way */
    double layer_gather_s[2], layer_reduce_s[2]; /**< FSDP, [dense, moe] layer */
    double layer_copy_s[2][2];           /**< FSDP, [dense, moe][forward, backward] */
    double root_gather_s, root_reduce_s; /**< FSDP, embedding and head */
    double accumulate_s;  /**< adding micro-batches' gradients, where no product does */
    double update_s;      /**< of optimizer_s, the update itself, all on the GPU */
    double optimizer_s;   /**< optimizer, norm and clipping of the worst stage */
    double norm_s;        /**< scalar all-reduces over all ranks */
    int beside;           /**< enum ry_beside of data-parallel traffic */
    double micro_batches; /**< of one step on one replica */
    double jitter_frac;   /**< longer step by stragglers among so many nodes */
};

enum { RY_STAGE_CLASSES = 3 }; /**< the first, those between, the last */

/** What a schedule needs of one pass over a stage. */
struct ry_stage_side {
    double clocked_s;   /**< products at the sustained clock */
    double attention_s; /**< at the sustained clock */
    double other_s;     /**< memory-bound kernels and visible traffic */
    double host_s;      /**< to issue the pass */
    double add_s;       /**< synchronisation, whatever the GPU does */
};

/** One stage class and one micro-batch: its passes summed over its layers and ends. */
struct ry_stage_cost {
    double count; /**< stages of the class, 0: none */
    struct ry_pass forward, backward, again, ends_forward, ends_backward;
    struct ry_stage_side side[2]; /**< forward, backward with recomputation */
    double slowdown_s;            /**< of products by hidden tensor-parallel traffic */
    double weight_s;              /**< weight-gradient products of the backward side */
    double tensor_s, attention_s, memory_s, traffic_s; /**< load of both sides */
};

/** A stage and one micro-batch at a clock. */
struct ry_stage_time {
    double forward_s, backward_s;
    double weight_s; /**< of backward_s, weight gradients */
};

/** Phase 1.  Key: the layout's, whether DualPipe, recompute, recompute_layers. */
struct ry_stages_cost {
    struct ry_stage_cost at[RY_STAGE_CLASSES];
    struct ry_stage_time time[RY_STAGE_CLASSES]; /**< at the clock that power allows */
    int slowest;                                 /**< stage class */
    double weight[RY_STAGE_CLASSES]; /**< stages of a class that the busiest GPU runs */
    double others_s;                 /**< one micro-batch of all stages but the slowest */
    double others_weight_s;          /**< of it, weight gradients */
    double tensor_scale; /**< time of clocked work over that at the sustained clock */
    double power_w;      /**< board power of one GPU while it is busy */
    double busy_s;       /**< of a step, without waits for other stages and gradients */
};

#endif
