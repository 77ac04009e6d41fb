/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A round machine, two models, and the step of a strategy on them.
 */
#ifndef RY_TESTS_STEP_FIXTURE_H
#define RY_TESTS_STEP_FIXTURE_H

#include "comm/net.h"
#include "kernel/params.h"
#include "sim/step.h"

#include "unit.h"

/* A round machine: 250 TFLOP/s, 2 TB/s, 100 GB/s to GPUs of the node, 20 between
 * nodes. */
static struct ry_compute_model model;
static struct ry_net net;
static struct ry_machine machine;
static struct ry_traits traits;

static inline void add_curve(enum ry_coll coll, double busbw_bytes_per_s)
{
    net.domain.coll[coll].n = 1;
    net.domain.coll[coll].at[0] = (struct ry_coll_curve){
        .ranks = 8, .pieces = 1, .piece[0] = {0, 20e-6, busbw_bytes_per_s}};
}

static inline void set_link(double bytes_per_s)
{
    net.domain.wire_bytes_per_s = 4 * bytes_per_s;
    net.domain.ring_bytes_per_s = bytes_per_s;
    for (int c = 0; c < RY_COLLS; c++)
        add_curve((enum ry_coll)c, bytes_per_s);
}

static inline void set_up(void)
{
    model = ry_compute_model_default();
    model.hbm_bytes_per_s = 2e12;
    for (int p = 0; p < RY_PRECISIONS; p++)
        model.gemm[p].rate_flop_per_s = 250e12;
    model.attn_flop_per_s[0] = model.attn_flop_per_s[1] = 150e12;
    net = (struct ry_net){.domain = {.gpus = 8, .limit = RY_NET_LIMIT_NVLINK}};
    set_link(100e9);
    net.fabric = (struct ry_net_fabric){.nics_per_domain = 8,
                                        .nic_bytes_per_s = 20e9,
                                        .nic_line_bytes_per_s = 25e9,
                                        .pcie_bytes_per_s = 25e9,
                                        .send_s = 2e-5,
                                        .nic_frac = 1,
                                        .tree_frac = 1};
    net.fabric.lines[RY_COLL_ALGO_RING].rate_frac[RY_PROTO_SIMPLE] = 1;
    net.fabric.lines[RY_COLL_ALGO_RING].base_s[RY_PROTO_SIMPLE] = 1e-5;
    machine = (struct ry_machine){.compute = &model,
                                  .net = &net,
                                  .gpus = 1024,
                                  .gpus_per_node = 8,
                                  .hbm_usable_bytes = 85e9,
                                  .host_ram_bytes = 1e12,
                                  .pcie_bytes_per_s = 25e9};
    traits = (struct ry_traits){.fusion = RY_FUSION_ENGINE,
                                .attention = RY_ATTN_CUDNN,
                                .fused_gradient_add = true,
                                .parameter_bytes = 2,
                                .gradient_bytes = 4,
                                .reduce_bytes = 4,
                                .optimizer_bytes = 12,
                                .optimizer_move_bytes = 40,
                                .loss_bytes = 24,
                                .logit_kept_bytes = 6,
                                .pp_exposed_frac = 1,
                                .sigma_frac = 0.04,
                                .moe_sigma_frac = 0.1,
                                .jitter_frac = 0.01,
                                .cudnn_backward_times = 1.09,
                                .window_memory_frac = 0.3,
                                .offload_hidden_frac = 0.8,
                                .traffic_sigma_frac = 0.25,
                                .exchange_sigma_frac = 0.5,
                                .host_sigma_frac = 0.3,
                                .stream_sigma_frac = 0.08,
                                .product_sigma_times = 0.5};
}

static const struct ry_arch llama_70b = {.layers = 80,
                                         .hidden = 8192,
                                         .heads = 64,
                                         .kv_heads = 8,
                                         .head_dim = 128,
                                         .ffn = 28672,
                                         .gated = true,
                                         .vocab = 128256};
static const struct ry_arch mixtral = {.layers = 32,
                                       .hidden = 4096,
                                       .heads = 32,
                                       .kv_heads = 8,
                                       .head_dim = 128,
                                       .ffn = 14336,
                                       .gated = true,
                                       .vocab = 32000,
                                       .experts = 8,
                                       .top_k = 2,
                                       .moe_ffn = 14336};

static inline struct ry_step predict(const struct ry_arch *arch,
                                     const struct ry_strategy *s)
{
    struct ry_step step;
    struct ry_diag diag = {0};
    const enum ry_err err = ry_step_predict(&machine, arch, &traits, s, &step, &diag);
    ck_assert_msg(err == RY_OK, "%s: %s", diag.where, diag.text);
    return step;
}

#endif
