/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A framework as a set of traits: what its kernels fuse, what it keeps, what it hides.
 *
 * Presets are files in models/traits, chosen by a framework's name and release alone.
 * Every number there carries its source; one that was set with step times in view is
 * listed in the file's "tuned_on".
 */
#ifndef RY_WORKLOAD_TRAITS_H
#define RY_WORKLOAD_TRAITS_H

#include "workload/strategy.h"

#include <stdbool.h>

enum ry_fusion {
    RY_FUSION_EAGER,   /**< one kernel an operation, as PyTorch issues them */
    RY_FUSION_JIT,     /**< Megatron 2021-22: bias-GELU, bias-dropout-add, softmax fused */
    RY_FUSION_ENGINE,  /**< Transformer Engine: norm, rotary, activation, loss fused */
    RY_FUSION_COMPILE, /**< torch.compile or XLA */
};

enum ry_attention_impl {
    RY_IMPL_UNFUSED, /**< two batched products and a softmax between */
    RY_IMPL_FLASH1,  /**< FlashAttention 1, Triton 2022-23 */
    RY_IMPL_FLASH2,
    RY_IMPL_CUDNN,   /**< cuDNN fused attention, FlashAttention 3 */
    RY_IMPL_SDPA,    /**< PyTorch scaled_dot_product_attention with its default backend */
};

enum ry_launch {
    RY_LAUNCH_ASYNC,    /**< the slower of host and GPU */
    RY_LAUNCH_BLOCKING, /**< host and GPU add up (CUDA_LAUNCH_BLOCKING=1) */
};

enum ry_vocab_padding {
    RY_VOCAB_AS_IS,
    RY_VOCAB_MEGATRON, /**< to a multiple of 128 * tp */
};

struct ry_traits {
    char name[48];
    enum ry_fusion fusion;
    enum ry_attention_impl attention;
    enum ry_launch launch;
    enum ry_vocab_padding vocab_padding;
    bool dropout;                  /**< attention and hidden dropout at rate > 0 */
    bool fused_gradient_add;       /**< weight gradient accumulates in its epilogue */
    bool checkpoint_stops_early;   /**< recomputation skips what backward does not read */
    bool separate_unshard_copies;  /**< FSDP copies in and out of flat buffers */
    bool fp8_gather;               /**< distributed optimizer gathers 1-byte parameters */
    bool etp_follows_tp;           /**< an unset expert-tensor degree means tp, not 1 */
    bool grouped_product;          /**< experts by one grouped kernel, not one each */
    double host_op_scale;          /**< host issue time an operation over measured eager */
    double gradient_bytes;         /**< of a parameter, as accumulated: 2 or 4 */
    double reduce_bytes;           /**< of a parameter in the reduction: 2 or 4 */
    double parameter_bytes;        /**< of a parameter in compute: 2 */
    double optimizer_bytes;        /**< memory a parameter: 12 with fp32 master, 8 without */
    double optimizer_move_bytes;   /**< HBM traffic a parameter of the optimizer step */
    double loss_bytes;             /**< HBM traffic a logit, forward and backward */
    double logit_kept_bytes;       /**< memory a logit at the peak */
    double tp_exposed_frac;        /**< of TP traffic with sequence parallelism, overlapped */
    double cp_exposed_frac;        /**< of ring exchanges */
    double pp_exposed_frac;        /**< of stage exchanges */
    double dp_exposed_frac;        /**< least share of DP traffic that stays visible */
    double step_fixed_s;           /**< constant of a step: data, logging, scalar syncs */
    double moe_host_s;             /**< host and synchronisation of a MoE layer, one way */
    double jitter_frac;            /**< longer step a doubling of nodes (stragglers) */
    double memory_overhead_bytes;  /**< context, NCCL, workspace, beside the allocator */
    double fragmentation_frac;     /**< allocator slack */
    enum ry_recompute recompute_default; /**< where a row does not say: tried first */
    double sigma_frac;             /**< one-sigma of what the preset leaves unknown */
};

#endif
