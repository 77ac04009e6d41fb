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

#include "kernel/kinds.h"
#include "workload/strategy.h"

#include <stdbool.h>

enum ry_fusion {
    RY_FUSION_EAGER,  /**< one kernel an operation, as PyTorch issues them */
    RY_FUSION_JIT,    /**< Megatron 2021-22: bias-GELU, bias-dropout-add, softmax fused */
    RY_FUSION_ENGINE, /**< Transformer Engine: norm, rotary, activation, loss fused */
    RY_FUSION_COMPILE, /**< torch.compile or XLA */
};

enum ry_host_mode {
    RY_HOST_ASYNC,    /**< the slower of host and GPU */
    RY_HOST_BLOCKING, /**< host and GPU add up (CUDA_LAUNCH_BLOCKING=1) */
};

enum ry_dp_style {
    RY_DP_MEGATRON,   /**< one contiguous gradient buffer, buckets of parameters */
    RY_DP_TORCH,      /**< DistributedDataParallel: 25 MiB buckets, copied in and out */
    RY_DP_TENSORWISE, /**< one collective a tensor, nothing hidden */
};

/** What "selective" recomputation means to a framework. */
enum ry_selective {
    RY_SELECTIVE_CORE,     /**< attention core (Megatron) */
    RY_SELECTIVE_PRODUCTS, /**< every other product (torchtitan) */
    RY_SELECTIVE_HALF,     /**< every other layer (fms-fsdp) */
    RY_SELECTIVE_NORMS,    /**< all but products (XLA's "dots saveable") */
};

/** Training tasks to which a choice holds. */
enum ry_when { RY_WHEN_NEVER, RY_WHEN_LORA, RY_WHEN_ALWAYS };

enum ry_vocab_padding {
    RY_VOCAB_AS_IS,
    RY_VOCAB_MEGATRON, /**< to a multiple of 128 * tp */
};

struct ry_traits {
    char name[48];
    enum ry_fusion fusion;
    enum ry_attn_impl attention;
    enum ry_host_mode host_mode;
    enum ry_dp_style dp_style;
    enum ry_selective selective;
    enum ry_vocab_padding vocab_padding;
    bool dropout;                 /**< attention and hidden dropout at rate > 0 */
    bool fused_gradient_add;      /**< weight gradient accumulates in its epilogue */
    bool checkpoint_stops_early;  /**< recomputation skips what backward does not read */
    bool separate_unshard_copies; /**< FSDP copies in and out of flat buffers */
    bool flat_parameters; /**< FSDP 1: a unit's gradients joined into one tensor */
    bool gathers_lists;   /**< ZeRO-3 gathers into a list of tensors, one a rank */
    bool fp8_gather;      /**< distributed optimizer gathers 1-byte parameters */
    bool etp_follows_tp;  /**< an unset expert-tensor degree means tp, not 1 */
    bool grouped_product; /**< experts by one grouped kernel, not one each */
    bool frozen_in_product_precision; /**< LoRA base weights kept as fp8 or fp4 */
    bool whole_sends;                 /**< stages send activations whole too */
    bool whole_gradient_sends; /**< stages send gradients whole from every TP rank */
    bool gathers_in_product_precision; /**< TP gathers move fp8 where products are fp8 */
    bool cp_unbalanced;         /**< causal context parallelism without balanced halves */
    bool lora_dropout;          /**< adapters drop out their inputs */
    bool lora_qkv_only;         /**< adapters on query-key-value alone */
    bool fuses_operations;      /**< activations cast, products scale and add (TE's
                                     operation fuser), without tensor parallelism */
    enum ry_when fp8_attention; /**< attention in fp8 where the products are below 16 */
    bool vocab_replicated;      /**< embedding and head are not split over tp */
    bool keeps_all_logits;      /**< the last stage keeps every micro-batch's logits */
    bool batched_experts;       /**< experts as one batched product (even routing) */
    bool expert_copies_deduplicated; /**< one copy a remote domain, not one an expert */
    bool fsdp_fp32_shards;      /**< FSDP keeps parameters in fp32, computes in 2 B */
    bool fsdp_reduces_each;     /**< every micro-batch, not only the last of a step */
    bool accumulates_always;    /**< into a buffer, the first micro-batch too */
    bool tp_async_backward;     /**< all-reduce behind the weight gradient */
    bool clips_gradients;       /**< gradient norm and scaling before the update */
    double host_op_scale;       /**< host issue time an operation over measured eager */
    double gradient_bytes;      /**< of a parameter, as accumulated: 2 or 4 */
    double gradient_bytes_bf16; /**< the same in bf16 training; 0: no other */
    double reduce_bytes;        /**< of a parameter in the reduction: 2 or 4 */
    double parameter_bytes;     /**< of a parameter in compute: 2 */
    double optimizer_bytes;     /**< memory a parameter: 12 with fp32 master, 8 without */
    double optimizer_move_bytes; /**< HBM traffic a parameter of the optimizer step */
    double host_update_s;        /**< of a parameter, by the CPUs of a node, offloaded */
    double loss_bytes;           /**< HBM traffic a logit, forward and backward */
    double metric_losses;        /**< forward losses on fp32 logits, for logged metrics */
    double logit_kept_bytes;     /**< memory a logit at the peak */
    double cp_exposed_frac;      /**< of ring exchanges */
    double pp_exposed_frac;      /**< of stage exchanges */
    double hidden_slowdown;      /**< share of NCCL's slow-down that hidden TP traffic
                                      causes: 1 with NCCL kernels, less by copy engine */
    double zero3_bytes_per_s;    /**< of un-prefetched ZeRO-3 gathers; 0: the network's */
    double zero3_tensors;        /**< parameter tensors a layer, one gather each */
    double step_fixed_s;         /**< constant of a step: data, logging, scalar syncs */
    double moe_host_s;           /**< host and synchronisation of a MoE layer, one way */
    double jitter_frac;          /**< standard deviation of GPU speeds, of their mean */
    double memory_overhead_bytes; /**< context, NCCL, workspace, beside the allocator */
    double fragmentation_frac;    /**< allocator slack */
    double step_peak_bytes;       /**< memory a parameter while the optimizer runs; 0: no
                                       more than between steps */
    bool transient_gradients;     /**< freed after the step, made during backward */
    enum ry_recompute recompute_default; /**< where a row does not say: tried first */
    double cudnn_backward_times;    /**< cuDNN's attention backward in a step, over its
                                         time in a benchmark */
    double partial_graph_host_frac; /**< of moe_host_s that partial CUDA graphs leave */
    double window_memory_frac;  /**< memory-bound share of the work that hides traffic */
    double offload_hidden_frac; /**< of forward and backward, host copies run behind it */
    /* One standard deviation each, of the whole step or of what is named. */
    double sigma_frac;               /**< what the preset leaves unknown */
    double moe_sigma_frac;           /**< the same for models with experts, added */
    double lora_sigma_frac;          /**< the same for LoRA, added */
    double traffic_sigma_frac;       /**< traffic of one kind that is seen */
    double exchange_sigma_frac;      /**< experts' exchange between nodes */
    double exchange_rack_sigma_frac; /**< the same in a rack-scale NVLink domain */
    double host_sigma_frac;
    double stream_sigma_frac;   /**< memory-bound kernels, at least */
    double product_sigma_times; /**< of one product's scatter, in a step's products */
};

#endif
