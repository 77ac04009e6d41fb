/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A small space of strategies on 16 GPUs with round numbers, and the search through it.
 */
#ifndef RY_TESTS_SEARCH_FIXTURE_H
#define RY_TESTS_SEARCH_FIXTURE_H

#include "comm/net.h"
#include "kernel/params.h"
#include "par/par_search.h"
#include "search/search.h"

#include "unit.h"

#define GB 1e9

static struct ry_arena *arena;
static struct ry_compute_model compute;
static struct ry_net net;
static struct ry_machine machine;
static struct ry_workload workload;
static struct ry_space space;
static struct ry_search_problem problem;

/* Eight GPUs a domain at 300 GB/s, a 50 GB/s NIC each. */
static inline void make_net(void)
{
    net = (struct ry_net){
        .domain = {.gpus = 8,
                   .wire_bytes_per_s = 450 * GB,
                   .ring_bytes_per_s = 370 * GB,
                   .step_s = 1e-6,
                   .limit = RY_NET_LIMIT_NVLINK},
        .fabric = {.nics_per_domain = 8,
                   .nic_bytes_per_s = 48 * GB,
                   .nic_line_bytes_per_s = 50 * GB,
                   .pcie_bytes_per_s = 48 * GB,
                   .message_s = 1e-6,
                   .send_s = 14e-6,
                   .nic_frac = 1.0,
                   .tree_frac = 1.0,
                   .lines[RY_COLL_ALGO_RING] = {.base_s = {6.6e-6, 14e-6, 8.4e-6},
                                                .intra_step_s = {0.6e-6, 1.9e-6, 3.4e-6},
                                                .inter_step_s = {2.7e-6, 4e-6, 14e-6},
                                                .rate_frac = {0.5, 0.92, 1.0}}},
    };
    for (size_t coll = 0; coll < RY_COLLS; coll++) {
        net.domain.coll[coll].n = 1;
        net.domain.coll[coll].at[0] =
            (struct ry_coll_curve){8, 2, {{0, 16e-6, 30 * GB}, {1e6, 30e-6, 365 * GB}}};
    }
}

/* A part with round numbers: 100 SMs, 500 TFLOP/s, 4 TB/s, 700 W. */
static inline void make_compute(void)
{
    compute = ry_compute_model_default();
    compute.sm_count = 100;
    compute.hbm_bytes_per_s = 4e12;
    compute.gemm[RY_BF16].rate_flop_per_s = 500e12;
    compute.peak_flop_per_s[RY_BF16] = 800e12;
    compute.attn_flop_per_s[0] = 400e12;
    compute.attn_flop_per_s[1] = 300e12;
    compute.cap_w = compute.tensor_w = 700;
    compute.attention_w = 600;
    compute.memory_w = 500;
    compute.comm_w = 300;
    compute.idle_w = 100;
}

static inline void make_workload(void)
{
    workload = (struct ry_workload){
        .name = "test",
        .arch = {.layers = 16,
                 .hidden = 4096,
                 .heads = 32,
                 .kv_heads = 8,
                 .head_dim = 128,
                 .ffn = 14336,
                 .gated = true,
                 .vocab = 128256},
        .traits = {.gradient_bytes = 4,
                   .reduce_bytes = 4,
                   .parameter_bytes = 2,
                   .optimizer_bytes = 12,
                   .optimizer_move_bytes = 28,
                   .loss_bytes = 24,
                   .logit_kept_bytes = 6,
                   .pp_exposed_frac = 0.5,
                   .jitter_frac = 0.004,
                   .cudnn_backward_times = 1.09,
                   .window_memory_frac = 0.3,
                   .offload_hidden_frac = 0.8,
                   .traffic_sigma_frac = 0.25,
                   .host_sigma_frac = 0.3,
                   .stream_sigma_frac = 0.08,
                   .product_sigma_times = 0.5},
        .base = {.global_batch = 128, .seq = 4096, .precision = RY_TRAIN_BF16},
    };
    workload.bounds.schedule = (struct ry_set){
        .n = 3, .at = {RY_SCHEDULE_1F1B, RY_SCHEDULE_GPIPE, RY_SCHEDULE_ZERO_BUBBLE}};
    workload.bounds.recompute = (struct ry_set){
        .n = 3, .at = {RY_RECOMPUTE_NONE, RY_RECOMPUTE_FULL, RY_RECOMPUTE_LAYERS}};
    workload.bounds.recompute_layers = (struct ry_set){.n = 2, .at = {1, 2}};
    workload.bounds.dp_overlap = (struct ry_set){.n = 2, .at = {0, 1}};
    workload.bounds.tp_overlap = (struct ry_set){.n = 2, .at = {0, 1}};
    workload.bounds.offload_optimizer = (struct ry_fractions){.n = 2, .at = {0, 0.5}};
}

static inline void set_up(void)
{
    const struct ry_space_limits limits = {.gpus = 16, .tensor_most = 8};

    arena = ry_arena_create(0);
    make_compute();
    make_net();
    make_workload();
    machine = (struct ry_machine){.compute = &compute,
                                  .net = &net,
                                  .gpus = 16,
                                  .gpus_per_node = 8,
                                  .hbm_usable_bytes = 40e9,
                                  .host_ram_bytes = 1e12,
                                  .pcie_bytes_per_s = 50e9};
    ck_assert_int_eq(ry_space_create(arena, &workload, &limits, &space, NULL), RY_OK);
    problem = (struct ry_search_problem){.machine = &machine,
                                         .arch = &workload.arch,
                                         .traits = &workload.traits,
                                         .space = &space};
}

static inline void tear_down(void)
{
    ry_arena_destroy(arena);
}

/* What the search finds of one shard. */
static inline struct ry_search_tally searched(size_t threads, size_t shard, size_t shards)
{
    const struct ry_par_search options = {
        .threads = threads, .shard = shard, .shards = shards};
    struct ry_search_tally tally = {0};

    ck_assert_int_eq(ry_par_search_run(&problem, &options, &tally, NULL), RY_OK);
    return tally;
}

#endif
