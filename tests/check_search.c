/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast search against the same strategies timed one by one, from scratch. */
#include "search/search.h"

#include "comm/net.h"
#include "kernel/params.h"
#include "par/par_search.h"
#include "search/costs.h"
#include "search/pick.h"
#include "sim/bound.h"
#include "unit.h"

#include <string.h>

#define GB 1e9

static struct ry_arena *arena;
static struct ry_compute_model compute;
static struct ry_net net;
static struct ry_machine machine;
static struct ry_workload workload;
static struct ry_space space;
static struct ry_search_problem problem;

/* Eight GPUs a domain at 300 GB/s, a 50 GB/s NIC each. */
static void make_net(void)
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
static void make_compute(void)
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

static void make_workload(void)
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

static void set_up(void)
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
    problem = (struct ry_search_problem){
        .machine = &machine, .arch = &workload.arch, .traits = &workload.traits,
        .space = &space};
}

static void tear_down(void)
{
    ry_arena_destroy(arena);
}

/* One strategy at a time, nothing kept from one to the next. */
static struct ry_search_tally one_by_one(void)
{
    struct ry_search_tally tally = {0};
    struct ry_search_found best = {0, INFINITY};

    for (uint64_t i = 0; i < space.n; i++) {
        struct ry_strategy strategy;
        struct ry_step step;
        if (ry_search_step(&problem, i, &strategy, &step, NULL) != RY_OK) {
            tally.indivisible++;
        } else if (!step.fits) {
            tally.too_large++;
        } else {
            tally.evaluated++;
            if (step.step_time_s < best.step_time_s * (1 - 1e-12))
                best = (struct ry_search_found){i, step.step_time_s};
        }
    }
    tally.best[0] = best;
    return tally;
}

static struct ry_search_tally searched(size_t threads, size_t shard, size_t shards)
{
    const struct ry_par_search options = {
        .threads = threads, .shard = shard, .shards = shards};
    struct ry_search_tally tally = {0};

    ck_assert_int_eq(ry_par_search_run(&problem, &options, &tally, NULL), RY_OK);
    return tally;
}

START_TEST(the_search_counts_and_times_as_one_strategy_at_a_time)
{
    const struct ry_search_tally slow = one_by_one();
    const struct ry_search_tally fast = searched(1, 0, 0);

    ck_assert_uint_gt(fast.evaluated, 100);
    ck_assert_uint_gt(fast.too_large, 100);
    ck_assert_uint_eq(fast.evaluated, slow.evaluated);
    ck_assert_uint_eq(fast.too_large, slow.too_large);
    ck_assert_uint_eq(fast.indivisible, slow.indivisible);
    ck_assert_uint_eq(fast.best[0].index, slow.best[0].index);
    for (size_t i = 0; i < fast.best_n; i++) {
        struct ry_strategy strategy;
        struct ry_step step;
        ck_assert_int_eq(
            ry_search_step(&problem, fast.best[i].index, &strategy, &step, NULL), RY_OK);
        ck_assert(step.fits);
        /* the two sum the same parts in another order */
        ck_assert_rel(fast.best[i].step_time_s, step.step_time_s, 1e-12);
    }
}
END_TEST

/* What a worker keeps from one strategy to the next changes no time of any: chunks, whose
 * reductions end at another point, and DualPipe, which weighs two stages, among them. */
START_TEST(no_time_depends_on_what_was_timed_before)
{
    const struct ry_space_limits limits = {.gpus = 16, .tensor_most = 8};
    struct ry_look look;
    size_t timed = 0;

    workload.bounds.schedule =
        (struct ry_set){.n = 2, .at = {RY_SCHEDULE_1F1B, RY_SCHEDULE_DUALPIPE}};
    workload.bounds.vpp = (struct ry_set){.n = 3, .at = {1, 2, 4}};
    machine.hbm_usable_bytes = 400e9;
    ck_assert_int_eq(ry_space_create(arena, &workload, &limits, &space, NULL), RY_OK);
    struct ry_search_cache *cache = ry_search_cache_create(arena, &problem);
    ck_assert_ptr_nonnull(cache);
    for (size_t s = 0; s < space.shapes_n; s++) {
        if (!ry_costs_cut(cache, s))
            continue;
        ry_costs_load(cache, s);
        for (size_t o = 0; o < space.classes[space.shapes[s].class].n; o++) {
            struct ry_strategy strategy;
            struct ry_step step;
            if (ry_costs_look(cache, s, o, &look) != RY_LOOK_FITS)
                continue;
            ck_assert_int_eq(ry_search_step(&problem, space.shapes[s].first + o, &strategy,
                                            &step, NULL), RY_OK);
            /* the two sum the same parts in another order */
            ck_assert_rel(ry_costs_time_s(cache, &look), step.step_time_s, 1e-12);
            timed++;
        }
    }
    ck_assert_uint_gt(timed, 1000);
}
END_TEST

START_TEST(threads_do_not_change_what_is_found)
{
    const struct ry_search_tally one = searched(1, 0, 0);
    const struct ry_search_tally two = searched(2, 0, 0);

    ck_assert_mem_eq(&one, &two, sizeof(one));
}
END_TEST

START_TEST(shards_merge_to_the_whole)
{
    const struct ry_search_tally whole = searched(1, 0, 0);
    struct ry_search_tally merged = {0};

    for (size_t i = 3; i-- > 0;) {
        const struct ry_search_tally part = searched(1, i, 3);
        ry_search_merge(&merged, &part);
    }
    ck_assert_mem_eq(&merged, &whole, sizeof(whole));
}
END_TEST

START_TEST(what_cannot_fit_says_what_is_missing)
{
    char why[240];

    machine.hbm_usable_bytes = 1e9;
    const struct ry_search_tally none = searched(1, 0, 0);
    ck_assert_uint_eq(none.evaluated, 0);
    ry_search_why_not(&problem, &none, why, sizeof(why));
    ck_assert_ptr_nonnull(strstr(why, "GB"));
}
END_TEST

/* Machines and models on which something else decides. */
enum variant { AS_IT_IS, MUCH_MEMORY, NOTHING_FITS, SLOW_HOST, EXPERTS, VARIANTS };

static void vary(int variant)
{
    const struct ry_space_limits limits = {.gpus = 16, .tensor_most = 8};

    if (variant == MUCH_MEMORY)
        machine.hbm_usable_bytes = 200e9;
    if (variant == NOTHING_FITS)
        machine.hbm_usable_bytes = 1e9;
    for (size_t op = 0; variant == SLOW_HOST && op < RY_HOST_OPS; op++)
        compute.host_forward_s[op] = compute.host_backward_s[op] = 3e-3;
    if (variant == EXPERTS) {
        workload.arch.experts = 8;
        workload.arch.top_k = 2;
        workload.arch.moe_ffn = 2048;
        workload.arch.dense_layers = 3;
        workload.bounds.ep = (struct ry_set){.n = 3, .at = {1, 2, 8}};
    }
    ck_assert_int_eq(ry_space_create(arena, &workload, &limits, &space, NULL), RY_OK);
}

START_TEST(what_a_bound_excludes_is_not_the_best)
{
    vary(_i);
    const struct ry_search_tally all = searched(1, 0, 0);
    struct ry_picker *picker = ry_picker_create(arena, &problem);
    struct ry_pick pick;
    struct ry_proof proof;

    ck_assert_ptr_nonnull(picker);
    ry_pick(picker, NULL, NULL, &pick);
    ck_assert_uint_eq(pick.found, all.best_n > 0);
    ck_assert_uint_eq(pick.evaluated + pick.pruned + pick.too_large + pick.indivisible,
                      space.n);
    ck_assert_uint_eq(pick.pruned > 0, _i != NOTHING_FITS);
    if (pick.found) {
        ck_assert_uint_eq(pick.best.index, all.best[0].index);
        ck_assert_rel(pick.best.step_time_s, all.best[0].step_time_s, 1e-15);
        ck_assert_double_gt(pick.pruned_least, pick.figure);
        ck_assert_uint_lt(pick.evaluated, all.evaluated);
    } else {
        ck_assert_uint_eq(pick.too_large, all.too_large);
    }
    ry_pick_prove(picker, NULL, &pick, &proof);
    ck_assert(proof.same);
    ck_assert_uint_eq(proof.evaluated, all.evaluated);
    ck_assert_uint_eq(proof.below_bound, 0);
    ck_assert_double_lt(proof.tightest_frac, 1.0);
}
END_TEST

/* A GPU costs the more the more there are: half of them may take four times as long. */
static struct ry_aim_least squared(const void *ctx, double gpus)
{
    return (struct ry_aim_least){.per_s = gpus * gpus, .longest_s = *(const double *)ctx};
}

static double gpu_seconds(const void *ctx, const struct ry_strategy *strategy,
                          const struct ry_step *step)
{
    return step->step_time_s > *(const double *)ctx
               ? (double)INFINITY
               : squared(ctx, ry_strategy_gpus(strategy)).per_s * step->step_time_s;
}

/* The same, one strategy at a time. */
static struct ry_search_found cheapest(double longest_s)
{
    struct ry_search_found best = {0, INFINITY};
    double least = INFINITY;

    for (uint64_t i = 0; i < space.n; i++) {
        struct ry_strategy strategy;
        struct ry_step step;
        if (ry_search_step(&problem, i, &strategy, &step, NULL) != RY_OK || !step.fits)
            continue;
        const double figure = gpu_seconds(&longest_s, &strategy, &step);
        if (figure < least * (1 - 1e-12)) {
            least = figure;
            best = (struct ry_search_found){i, step.step_time_s};
        }
    }
    return best;
}

START_TEST(another_figure_than_time_chooses_its_own_best)
{
    workload.bounds.dp = (struct ry_set){.n = 4, .at = {1, 2, 4, 8}};
    vary(AS_IT_IS);
    struct ry_picker *picker = ry_picker_create(arena, &problem);
    const struct ry_search_tally fast = searched(1, 0, 0);
    double longest_s = INFINITY;
    const struct ry_aim aim = {&longest_s, squared, gpu_seconds};
    struct ry_pick pick, told;

    ry_pick(picker, &aim, NULL, &pick);
    const struct ry_search_found cheap = cheapest(longest_s);
    ck_assert_uint_eq(pick.best.index, cheap.index);
    ck_assert_uint_ne(pick.best.index, fast.best[0].index);
    ry_pick(picker, &aim, &fast.best[0], &told); /* to begin with the fastest: the same */
    ck_assert_uint_eq(told.best.index, cheap.index);
    ck_assert_rel(told.figure, pick.figure, 1e-15);
    longest_s = 1.5 * fast.best[0].step_time_s; /* a deadline that the cheapest misses */
    ck_assert_double_gt(cheap.step_time_s, longest_s);
    ry_pick(picker, &aim, NULL, &pick);
    ck_assert_uint_eq(pick.best.index, cheapest(longest_s).index);
    longest_s = 0.5 * fast.best[0].step_time_s;
    ry_pick(picker, &aim, NULL, &pick);
    ck_assert(!pick.found);
}
END_TEST

/* By hand: layers of 1 s forward and 2 s backward, 16 of them, ends without cost, on 4
 * stages in 2 chunks with 8 micro-batches: 48 s a micro-batch, 12 s a stage,
 * 12 x (8 + 3/2) = 114 s; recomputation adds 1 s a layer: 64 / 4 x 9.5 = 152 s; with
 * the bubble filled 12 x 8 = 96 s.  A clock of 1.25 at most: four fifths. */
START_TEST(the_bound_is_the_one_worked_by_hand)
{
    struct ry_shape_cost shape = {0};
    const struct ry_strategy strategy = {.tp = 1,
                                         .pp = 4,
                                         .vpp = 2,
                                         .dp = 2,
                                         .cp = 1,
                                         .micro_batch = 1,
                                         .global_batch = 16,
                                         .recompute = RY_RECOMPUTE_FULL};
    const struct ry_step_inputs in = {&machine,  &workload.arch, &workload.traits,
                                      &strategy, &shape,         NULL,
                                      NULL};

    shape.dense.forward.gemm_s = 1;
    shape.dense.backward.gemm_s = 2;
    shape.dense.again[RY_RECOMPUTE_FULL].gemm_s = 1;
    compute.clock_most = 1;
    ck_assert_rel(ry_step_least_s(&in, RY_BOUND_SHAPE), 114.0, 2e-9);
    ck_assert_rel(ry_step_least_s(&in, RY_BOUND_STRATEGY), 152.0, 2e-9);
    ck_assert_rel(ry_step_least_s(&in, RY_BOUND_SHAPE_FILLED), 96.0, 2e-9);
    compute.clock_most = 1.25;
    ck_assert_rel(ry_step_least_s(&in, RY_BOUND_SHAPE), 91.2, 2e-9);
    shape.dense.forward.host_s = 10; /* the host issues for longer than the GPU works */
    ck_assert_rel(ry_step_least_s(&in, RY_BOUND_SHAPE), (160 + 25.6) / 4 * 9.5, 2e-9);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("search");
    TCase *tcase = tcase_create("search");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_search_counts_and_times_as_one_strategy_at_a_time);
    tcase_add_test(tcase, no_time_depends_on_what_was_timed_before);
    tcase_add_test(tcase, threads_do_not_change_what_is_found);
    tcase_add_test(tcase, shards_merge_to_the_whole);
    tcase_add_test(tcase, what_cannot_fit_says_what_is_missing);
    tcase_add_loop_test(tcase, what_a_bound_excludes_is_not_the_best, 0, VARIANTS);
    tcase_add_test(tcase, another_figure_than_time_chooses_its_own_best);
    tcase_add_test(tcase, the_bound_is_the_one_worked_by_hand);
    suite_add_tcase(suite, tcase);
    return suite;
}
