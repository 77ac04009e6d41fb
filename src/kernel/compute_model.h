/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The time that one GPU needs for a kernel, as pure functions of a compute model.
 *
 * A model is numbers only (models/compute/GPU.json holds them with their origin and
 * uncertainty; io/compute_model.h reads it).  Every function is total: any finite
 * positive shape gives a finite time.  None allocates; ry_gemm_s() takes some 100 ns.
 *
 * **Which clock.**  Big products make the board power-bound.  `rate_flop_per_s` is the
 * rate of a device that does nothing else for seconds (*sustained*).  A step that also
 * streams memory, waits or communicates runs its products faster: give the seconds of
 * each kind to ry_clock() and multiply the product and attention seconds by its
 * `tensor_scale` (0.83 to 1; above 1 under a lower cap).  Load means what alternates
 * within some 10 ms: forward and backward of a micro-batch; an optimizer that runs for
 * longer is a load of its own.  A short benchmark from an idle device runs at `burst`:
 * ry_gemm_burst_s().
 *
 * A product that wastes cycles (prologue of k) also draws less power, so where power is
 * the limit about half of the waste is given back as clock: `k0` at the sustained clock
 * is smaller than `k0_burst`.
 *
 * **What is in and what is not.**  Device time from start to end of the kernel, with
 * the gap to the kernel before it.  Not in it: the host's time to issue it, which
 * ry_host_issue_s() gives; eager work takes the slower of the two, summed over a layer
 * ((gpu^8 + host^8)^(1/8)), or both added where launches block.
 *
 * The forms are those that two studies of published step times on A100 and H100 found
 * to matter; every constant is from kernel timings (models/compute says which).
 */
#ifndef RY_KERNEL_COMPUTE_MODEL_H
#define RY_KERNEL_COMPUTE_MODEL_H

#include "kernel/kinds.h"

/** Efficiencies of the tile sizes, relative to the best (1); 0: the part has none. */
struct ry_tiles {
    double t256x256, t256x128, t128x128, t64x128, t64x64;
};

struct ry_gemm_rate {
    double rate_flop_per_s; /**< sustained, limit of large m, n and k; 0: unsupported */
    double burst;           /**< rate of short bursts over the sustained one, >= 1 */
    double k0;             /**< elements of k that prologue and epilogue of a tile cost */
    double k0_burst;       /**< the same at the burst clock */
    double role[RY_ROLES]; /**< rate by layout, forward = 1 */
    double sigma_rel;      /**< one standard deviation of a product's time */
};

struct ry_compute_model {
    double sm_count;
    double hbm_bytes_per_s;                /**< nominal */
    double peak_flop_per_s[RY_PRECISIONS]; /**< data sheet, dense; 0: unsupported */

    /* Products. */
    struct ry_gemm_rate gemm[RY_PRECISIONS];
    struct ry_tiles tiles;
    double wave_q;        /**< 0: waves are fractional, 1: whole */
    double tail_waves;    /**< waves that the last one wastes on average */
    double split_fixed_s; /**< extra start-up of a split-K product */
    double split_most;    /**< most pieces */
    double gemm_fixed_s;  /**< start and end of any product */
    double gemm_hbm_frac; /**< share of HBM bandwidth that products reach */
    double align_rate[3]; /**< rate when a contiguous dimension is even in 4, 2, 1 only */
    double batched_rate;  /**< of batched products with k or n below 256 (attention) */

    double fp8_layouts; /**< of a tensor that per-tensor fp8 of both passes reads */

    /* Grouped products. */
    double grouped_rate;      /**< relative to the product's rate */
    double grouped_small_eff; /**< of the kernel with half the rows a tile */
    double grouped_wgrad;     /**< relative rate of the weight gradient */
    double grouped_rows;      /**< rows of the large tile (of a cluster) */
    double grouped_expert_s;  /**< each group's fixed cost */
    double grouped_hbm_frac;
    double grouped_sigma_rel;

    /* Attention: [0] forward, [1] backward. */
    /** Causal FLOP, head 128, long, at the clock that products hold when alone. */
    double attn_flop_per_s[2];
    double attn_tail[2]; /**< of the longest row of tiles that is not hidden */
    double attn_fixed_s[2];
    double attn_row_s[2];   /**< seconds a byte of q, k, v, o and their gradients */
    double attn_head64[2];  /**< rate relative to head 128 */
    double attn_head192[2]; /**< heads above 128 */
    double attn_full[2];    /**< rate of the whole square over that of the causal half */
    double attn_impl[RY_ATTN_UNFUSED][2]; /**< relative rate of the fused ones */
    double attn_fp8[2];      /**< rate with fp8 operands over that in 16 bits */
    double attn_fp8_over_cp; /**< 1: also where context parallelism cuts it */
    double attn_burst;       /**< clock of attention alone over that of products alone */
    double attn_sigma_rel;

    /* Memory-bound kernels. */
    double stream_frac[RY_STREAMS]; /**< share of hbm_bytes_per_s */
    double stream_fixed_s;          /**< device time of an empty kernel */
    double stream_sigma_rel;

    /* Host. */
    double host_forward_s[RY_HOST_OPS];  /**< eager */
    double host_backward_s[RY_HOST_OPS]; /**< eager, autograd included */
    double host_compiled; /**< cost of a compiled kernel, share of an eager one */
    double host_graph_s;  /**< a kernel in a CUDA graph */

    /* Side by side: slow-down while both run, >= 1. */
    struct {
        double tensor, memory; /**< of compute */
        double comm;           /**< of the collective beside products */
        double comm_memory;    /**< of the collective beside memory-bound kernels */
    } beside[RY_BESIDES];

    /* Power. */
    double idle_w, cap_w;
    double tensor_w; /**< of products at the sustained clock, = cap where power-bound */
    double attention_w; /**< of attention alone, at attn_burst times that clock */
    double memory_w, comm_w;
    double clock_exponent; /**< dynamic power of products ~ clock^exponent */
    double clock_most;     /**< highest clock over the sustained clock of products */
};

/** Seconds of a product in a long run of products. */
double ry_gemm_s(const struct ry_compute_model *model, const struct ry_gemm *gemm);

/** The same in a short benchmark that starts from an idle device. */
double ry_gemm_burst_s(const struct ry_compute_model *model, const struct ry_gemm *gemm);

/** FLOP of a product: 2 m n k batch. */
double ry_gemm_flop(const struct ry_gemm *gemm);

double ry_grouped_gemm_s(const struct ry_compute_model *model,
                         const struct ry_grouped_gemm *gemm);

/** Forward, or backward without the recomputation that a caller may add. */
double ry_attention_s(const struct ry_compute_model *model,
                      const struct ry_attention *attention, bool backward);

/** FLOP of attention that are needed (the causal half only where causal). */
double ry_attention_flop(const struct ry_attention *attention, bool backward);

double ry_stream_s(const struct ry_compute_model *model, enum ry_stream stream,
                   double bytes);

/** Host seconds to issue one operation (its backward: with autograd's part). */
double ry_host_issue_s(const struct ry_compute_model *model, enum ry_host_op op,
                       enum ry_launch launch, bool backward);

/** Seconds of the parts of a step, at the times the functions above give. */
struct ry_load {
    double tensor_s; /**< products and grouped products */
    double attention_s;
    double memory_s;
    double comm_s; /**< exposed communication */
    double idle_s; /**< bubbles, host-bound waits */
};

struct ry_clock {
    double tensor_scale; /**< multiply tensor_s and attention_s by this */
    double power_w;      /**< mean of the board */
    double energy_j;     /**< of the load, at the scaled times */
};

/**
 * The clock at which the mean power of @p load meets the cap, and the power there.
 * @param cap_w board limit; 0 or NAN means the model's own.  A lower cap than the
 *              model's slows products down (tensor_scale above 1).
 */
struct ry_clock ry_clock(const struct ry_compute_model *model, const struct ry_load *load,
                         double cap_w);

/** Compute of some seconds beside communication of some seconds. */
struct ry_overlap {
    double compute_s; /**< end of the compute */
    double comm_s;    /**< end of the communication */
    double both_s;    /**< end of both */
};

/**
 * Start @p compute_s seconds of work (a share @p memory_frac of them memory-bound) and
 * @p comm_s seconds of collectives together; each runs slowed until the other is done.
 */
struct ry_overlap ry_overlap(const struct ry_compute_model *model, enum ry_beside beside,
                             double compute_s, double memory_frac, double comm_s);

#endif
