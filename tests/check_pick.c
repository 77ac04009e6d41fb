/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds and other figures than time: the best is the one of all strategies, one by
 * one. */
#include "search_fixture.h"

#include "search/pick.h"
#include "sim/bound.h"

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
    const struct ry_step_inputs in = {
        &machine, &workload.arch, &workload.traits, &strategy, &shape, NULL, NULL};

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
    Suite *suite = suite_create("pick");
    TCase *tcase = tcase_create("pick");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, what_a_bound_excludes_is_not_the_best, 0, VARIANTS);
    tcase_add_test(tcase, another_figure_than_time_chooses_its_own_best);
    tcase_add_test(tcase, the_bound_is_the_one_worked_by_hand);
    suite_add_tcase(suite, tcase);
    return suite;
}
