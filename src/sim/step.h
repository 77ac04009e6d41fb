/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Time and memory of one training step, in closed form.
 *
 * Two phases, so that a search pays for a shape once:
 *
 *  1. ry_shape_cost(): kernels and in-layer collectives of one (tp, sp, cp, ep, etp,
 *     micro-batch, sequence, precision, overlap, compile, graph), all recompute modes.
 *     ry_layout_sizes(), ry_layout_times(): parameters, and what depends on pp and dp too.
 *     Caller-provided storage, nothing allocated; cache both by the fields of struct
 *     ry_strategy that their comments name.
 *  2. ry_step_combine(): pure arithmetic, well under a microsecond, no allocation.
 *
 * ry_step_predict() is the two in a row.  Search, rank and validate use nothing else.
 */
#ifndef RY_SIM_STEP_H
#define RY_SIM_STEP_H

#include "base/err.h"
#include "sim/machine.h"
#include "workload/arch.h"
#include "workload/strategy.h"
#include "workload/traits.h"

#include <stdbool.h>

enum ry_step_part {
#define X(code, key, text) code,
#include "sim/parts.def"
#undef X
    RY_PARTS
};

enum ry_memory_part {
#define X(code, key, text) code,
#include "sim/memory_parts.def"
#undef X
    RY_MEMORY_PARTS
};

/** JSON key ("gemm_s") and title of a part. */
const char *ry_part_key(enum ry_step_part part);
const char *ry_part_text(enum ry_step_part part);
const char *ry_memory_part_key(enum ry_memory_part part);
const char *ry_memory_part_text(enum ry_memory_part part);

/** One pass over one layer (or the ends) for one micro-batch on one GPU. */
struct ry_pass {
    double gemm_s;      /**< matrix products at the sustained clock */
    double weight_s;    /**< of which weight gradients */
    double attention_s;
    double memory_s;    /**< memory-bound kernels */
    double host_s;      /**< host time to issue the pass */
    double host_add_s;  /**< synchronisation that adds whatever the GPU does */
    double tp_s, tp_hidden_s;
    double cp_s, cp_hidden_s;
    double ep_s, ep_hidden_s;
};

/** A layer: its passes, and what it keeps. */
struct ry_layer_cost {
    struct ry_pass forward, backward;
    struct ry_pass again[RY_RECOMPUTES];      /**< extra work in backward, by mode */
    double kept_bytes[RY_RECOMPUTES];         /**< activations kept a micro-batch */
    double working_bytes;                     /**< most that recomputing one layer holds */
    double parameters;                        /**< on this GPU, dense part */
    double expert_parameters;                 /**< on this GPU, routed experts */
    double trained_parameters, trained_expert_parameters; /**< less for LoRA */
};

/**
 * Phase 1.  Key: tp, sequence_parallel, cp, cp_kind, ep, etp, micro_batch, seq,
 * precision, task, lora_rank, packed_sequence_tokens, tp_overlap, ep_overlap, compile,
 * cuda_graph (and machine, arch, traits).
 */
struct ry_shape_cost {
    struct ry_layer_cost dense, moe; /**< moe is zero in a dense model */
    struct ry_layer_cost embedding, head; /**< first and last stage; head with the loss */
    struct ry_layer_cost mtp;        /**< all MTP layers, on the last stage */
    double boundary_bytes;           /**< activations between stages, one GPU */
    double logits_bytes;             /**< of one micro-batch at the peak */
    double tokens;                   /**< of a micro-batch on a GPU */
};

/**
 * Phase 1.  Key: tp, pp, dp, cp, ep, etp, zero_stage, fsdp, shard_ranks, first and last
 * stage layers, reduce_fp32 (and the shape).
 */
struct ry_layout_cost {
    double layers_first, layers_middle, layers_last; /**< of a stage; middle: the most */
    double layers_middle_mean;
    double dense_first;      /**< dense layers of a MoE model on the first stage */
    double parameters[3], experts[3]; /**< of one GPU of the first, middle, last stage */
    double trained[3], trained_experts[3];
    double shard, expert_shard;   /**< ranks that share a parameter's states */
    double owned;                 /**< parameters whose states the fullest stage's GPU keeps */
    double reduce_s;         /**< gradient reduction of the worst stage, alone */
    double gather_s;         /**< parameter all-gather of the worst stage, alone */
    double tail_frac;        /**< of them that nothing hides: the last bucket */
    double copy_s;           /**< gradients in and out of buckets */
    double embedding_s;      /**< tied embedding gradient between first and last stage */
    double send_s;           /**< one stage exchange of one micro-batch, one way */
    double layer_gather_s[2], layer_reduce_s[2]; /**< FSDP, [dense, moe] layer */
    double layer_copy_s[2][2];                   /**< FSDP, [dense, moe][forward, backward] */
    double root_gather_s, root_reduce_s;         /**< FSDP, embedding and head */
    double accumulate_s;     /**< adding micro-batches' gradients, where no product does */
    double update_s;         /**< of optimizer_s, the update itself, all on the GPU */
    double optimizer_s;      /**< optimizer, norm and clipping of the worst stage */
    double norm_s;           /**< scalar all-reduces over all ranks */
    int beside;              /**< enum ry_beside of data-parallel traffic */
    double micro_batches;    /**< of one step on one replica */
    double jitter_frac;      /**< longer step by stragglers among so many nodes */
};

enum { RY_STAGE_CLASSES = 3 }; /**< the first, those between, the last */

/** What a schedule needs of one pass over a stage. */
struct ry_stage_side {
    double clocked_s; /**< products at the sustained clock */
    double attention_s; /**< slower below the sustained clock, never faster above it */
    double other_s;   /**< memory-bound kernels and visible traffic */
    double host_s;    /**< to issue the pass */
    double add_s;     /**< synchronisation, whatever the GPU does */
};

/** One stage class and one micro-batch: its passes summed over its layers and ends. */
struct ry_stage_cost {
    double count;            /**< stages of the class, 0: none */
    struct ry_pass forward, backward, again, ends_forward, ends_backward;
    struct ry_stage_side side[2]; /**< forward, backward with recomputation */
    double slowdown_s;       /**< of products by hidden tensor-parallel traffic */
    double weight_s;         /**< weight-gradient products of the backward side */
    double tensor_s, attention_s, memory_s, traffic_s; /**< load of both sides */
};

/** A stage and one micro-batch at a clock. */
struct ry_stage_time {
    double forward_s, backward_s;
    double weight_s; /**< of backward_s, weight gradients */
};

/** Phase 1.  Key: the layout's, recompute, recompute_layers. */
struct ry_stages_cost {
    struct ry_stage_cost at[RY_STAGE_CLASSES];
    struct ry_stage_time time[RY_STAGE_CLASSES]; /**< at the clock that power allows */
    int slowest;          /**< stage class */
    double weight[RY_STAGE_CLASSES]; /**< stages of each class that the busiest GPU runs */
    double others_s;      /**< one micro-batch of all stages but the slowest */
    double others_weight_s; /**< of it, weight gradients */
    double tensor_scale;  /**< time of clocked work over that at the sustained clock */
    double power_w;       /**< board power of one GPU while it is busy */
    double busy_s;        /**< of a step, without waits for other stages and gradients */
};

struct ry_step {
    double step_time_s;
    double lo_s, hi_s;                   /**< 90 % interval */
    double part_s[RY_PARTS];             /**< sums to step_time_s */
    double hidden_s[RY_PARTS];           /**< traffic that overlaps compute, by kind */
    double memory_bytes[RY_MEMORY_PARTS]; /**< sums to peak_bytes */
    double peak_bytes;                   /**< of one GPU, worst stage */
    double usable_bytes;                 /**< of one GPU */
    double host_bytes;                   /**< of one node, offloaded states */
    bool fits;                           /**< GPU and host memory */
    unsigned worst_stage;                /**< that holds most memory */
    double micro_batches;
    double tokens;                       /**< of a step, all GPUs */
    double tokens_per_s;
    double model_flop;                   /**< of a step, all GPUs, no recomputation */
    double duty_frac;                    /**< of the step in which tensor cores work */
    double power_w;                      /**< mean of one GPU's board over the step */
};

/** Phase 1: see struct ry_shape_cost. */
void ry_shape_cost(const struct ry_machine *machine, const struct ry_arch *arch,
                   const struct ry_traits *traits, const struct ry_strategy *strategy,
                   struct ry_shape_cost *out);

/** Phase 1: what memory needs of struct ry_layout_cost: layers, parameters, shards. */
void ry_layout_sizes(const struct ry_arch *arch, const struct ry_traits *traits,
                     const struct ry_strategy *strategy, const struct ry_shape_cost *shape,
                     struct ry_layout_cost *l);

/** Phase 1: the rest of it, collectives and optimizer, after ry_layout_sizes(). */
void ry_layout_times(const struct ry_machine *machine, const struct ry_arch *arch,
                     const struct ry_traits *traits, const struct ry_strategy *strategy,
                     const struct ry_shape_cost *shape, struct ry_layout_cost *l);

/** What phase 2 reads. */
struct ry_step_inputs {
    const struct ry_machine *machine;
    const struct ry_arch *arch;
    const struct ry_traits *traits;
    const struct ry_strategy *strategy;
    const struct ry_shape_cost *shape;
    const struct ry_layout_cost *layout;
    const struct ry_stages_cost *stages;
};

/** Phase 1: see struct ry_stages_cost; @p in needs all but `stages`. */
void ry_stages_cost(const struct ry_step_inputs *in, struct ry_stages_cost *out);

/** One micro-batch of what the busiest GPU runs. */
struct ry_stage_time ry_busiest_time(const struct ry_stages_cost *stages);

/**
 * What a step takes beside its passes, bubble, exchanges and overlapped traffic: copies
 * and sums of gradients, update, norm, host copies, the constant.
 */
double ry_step_rest_s(const struct ry_step_inputs *in);

/** Phase 2, the time alone, s: the step_time_s of ry_step_combine() but for rounding. */
double ry_step_time_s(const struct ry_step_inputs *in);

/** Phase 2: time, parts, memory.  Total for checked inputs. */
void ry_step_combine(const struct ry_step_inputs *in, struct ry_step *out);

/** Fill lo_s and hi_s from what calibration and configuration leave unknown. */
void ry_step_interval(const struct ry_step_inputs *in, struct ry_step *out);

/** Widen the interval by one more unknown, a standard deviation of @p sigma_frac. */
void ry_step_widen(struct ry_step *step, double sigma_frac);

/** Phase 2, memory alone (prunes a search before any time is computed). */
void ry_step_memory(const struct ry_step_inputs *in, struct ry_step *out);

/** Check, then both phases.  RY_ERR_INFEASIBLE where the model cannot be cut that way. */
RY_MUST_USE enum ry_err ry_step_predict(const struct ry_machine *machine,
                                        const struct ry_arch *arch,
                                        const struct ry_traits *traits,
                                        const struct ry_strategy *strategy,
                                        struct ry_step *out, struct ry_diag *diag);

/**
 * One line that says why @p step does not fit ("70.6B parameters at 18 B each are
 * 1,270 GB, 8 GPUs of 85 GB hold 680 GB: add nodes, offload or 8-bit states"), or "".
 * @param size  room in @p text; 240 is enough.
 */
void ry_step_why_not(const struct ry_step_inputs *in, const struct ry_step *step,
                     char *text, unsigned size);

#endif
