/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step and its parts: what holds of every strategy, and the closed form against
 * events. */
#include "step_fixture.h"

#include "base/arena.h"
#include "sim/event.h"

#include <stdio.h>

static const struct ry_strategy strategies[] = {
    {.tp = 8,
     .pp = 4,
     .dp = 4,
     .micro_batch = 1,
     .global_batch = 128,
     .seq = 4096,
     .sequence_parallel = true},
    {.tp = 4,
     .pp = 8,
     .vpp = 5,
     .dp = 2,
     .micro_batch = 1,
     .global_batch = 64,
     .seq = 4096,
     .sequence_parallel = true,
     .tp_overlap = true,
     .dp_overlap = true,
     .pp_overlap = true,
     .zero_stage = 1,
     .recompute = RY_RECOMPUTE_FULL},
    {.tp = 1,
     .dp = 256,
     .fsdp = true,
     .zero_stage = 3,
     .dp_overlap = true,
     .micro_batch = 1,
     .global_batch = 256,
     .seq = 4096,
     .recompute = RY_RECOMPUTE_FULL},
    {.tp = 8,
     .cp = 4,
     .dp = 2,
     .micro_batch = 1,
     .global_batch = 8,
     .seq = 32768,
     .sequence_parallel = true,
     .recompute = RY_RECOMPUTE_LAYERS,
     .recompute_layers = 10},
    {.tp = 2,
     .pp = 4,
     .dp = 8,
     .micro_batch = 2,
     .global_batch = 64,
     .seq = 2048,
     .schedule = RY_SCHEDULE_ZERO_BUBBLE,
     .task = RY_TASK_LORA},
    {.tp = 8,
     .pp = 8,
     .dp = 1,
     .micro_batch = 1,
     .global_batch = 32,
     .seq = 4096,
     .schedule = RY_SCHEDULE_DUALPIPE,
     .offload_optimizer_frac = 1},
};

START_TEST(parts_sum_to_the_step_and_to_the_memory)
{
    const struct ry_step step = predict(&llama_70b, &strategies[_i]);
    double sum = 0, bytes = 0;
    for (int i = 0; i < RY_PARTS; i++) {
        ck_assert_double_ge(step.part_s[i], 0);
        sum += step.part_s[i];
    }
    for (int i = 0; i < RY_MEMORY_PARTS; i++)
        bytes += step.memory_bytes[i];
    ck_assert_rel(sum, step.step_time_s, 1e-12);
    ck_assert_rel(bytes, step.peak_bytes, 1e-12);
    ck_assert_double_lt(step.lo_s, step.step_time_s);
    ck_assert_double_gt(step.hi_s, step.step_time_s);
}
END_TEST

START_TEST(faster_links_never_make_a_step_longer)
{
    const double slow = predict(&llama_70b, &strategies[_i]).step_time_s;
    set_link(200e9);
    net.fabric.nic_bytes_per_s = 40e9;
    net.fabric.nic_line_bytes_per_s = 50e9;
    const double fast = predict(&llama_70b, &strategies[_i]).step_time_s;
    ck_assert_double_le(fast, slow * (1 + 1e-12));
}
END_TEST

START_TEST(a_slower_network_costs_tensor_parallelism_across_nodes)
{
    const struct ry_strategy inside = {
        .tp = 8, .dp = 2, .micro_batch = 1, .global_batch = 16, .seq = 4096};
    struct ry_strategy across = inside;
    across.tp = 16, across.dp = 1;
    struct ry_arch a = llama_70b;
    a.kv_heads = 16;
    ck_assert_double_gt(predict(&a, &across).part_s[RY_PART_TP],
                        2 * predict(&a, &inside).part_s[RY_PART_TP]);
}
END_TEST

/* Recomputing no layer hides no more of FSDP's traffic than recomputing none. */
START_TEST(no_recomputed_layer_is_no_recomputation)
{
    struct ry_strategy s = {.dp = 64,
                            .fsdp = true,
                            .zero_stage = 3,
                            .dp_overlap = true,
                            .micro_batch = 1,
                            .global_batch = 64,
                            .seq = 512};
    const double none = predict(&llama_70b, &s).step_time_s;
    s.recompute = RY_RECOMPUTE_LAYERS;
    ck_assert_rel(predict(&llama_70b, &s).step_time_s, none, 1e-12);
}
END_TEST

/** A strategy whose closed form is exact, or as good as the tolerance. */
static const struct agreement {
    const char *name;
    const struct ry_arch *arch;
    struct ry_strategy strategy;
    bool torch; /**< bucketed as DistributedDataParallel does */
    double tolerance;
} agreements[] = {
    {"1F1B",
     &llama_70b,
     {.tp = 8, .pp = 4, .dp = 4, .micro_batch = 1, .global_batch = 128, .seq = 4096},
     false,
     0.01},
    {"GPipe",
     &llama_70b,
     {.tp = 8,
      .pp = 4,
      .dp = 4,
      .micro_batch = 1,
      .global_batch = 128,
      .seq = 4096,
      .schedule = RY_SCHEDULE_GPIPE},
     false,
     0.01},
    {"interleaved",
     &llama_70b,
     {.tp = 4,
      .pp = 8,
      .vpp = 5,
      .dp = 2,
      .micro_batch = 1,
      .global_batch = 64,
      .seq = 4096,
      .pp_overlap = true},
     false,
     0.01},
    {"zero bubble",
     &llama_70b,
     {.tp = 8,
      .pp = 8,
      .dp = 1,
      .micro_batch = 1,
      .global_batch = 64,
      .seq = 4096,
      .schedule = RY_SCHEDULE_ZERO_BUBBLE},
     false,
     0.01},
    {"DualPipe",
     &llama_70b,
     {.tp = 8,
      .pp = 8,
      .dp = 1,
      .micro_batch = 1,
      .global_batch = 64,
      .seq = 4096,
      .schedule = RY_SCHEDULE_DUALPIPE},
     false,
     0.01},
    {"uneven stages",
     &llama_70b,
     {.tp = 8,
      .pp = 4,
      .dp = 1,
      .micro_batch = 1,
      .global_batch = 32,
      .seq = 4096,
      .first_stage_layers = 19,
      .last_stage_layers = 17},
     false,
     0.01},
    {"FSDP prefetch",
     &llama_70b,
     {.tp = 1,
      .dp = 256,
      .fsdp = true,
      .zero_stage = 3,
      .dp_overlap = true,
      .micro_batch = 1,
      .global_batch = 256,
      .seq = 4096},
     false,
     0.01},
    {"FSDP, two micro-batches",
     &llama_70b,
     {.tp = 1,
      .dp = 256,
      .fsdp = true,
      .zero_stage = 3,
      .dp_overlap = true,
      .micro_batch = 1,
      .global_batch = 512,
      .seq = 4096},
     false,
     0.01},
    {"HSDP",
     &llama_70b,
     {.tp = 1,
      .dp = 256,
      .fsdp = true,
      .zero_stage = 3,
      .shard_ranks = 8,
      .dp_overlap = true,
      .micro_batch = 1,
      .global_batch = 256,
      .seq = 4096},
     false,
     0.01},
    {"bucketed DDP",
     &llama_70b,
     {.tp = 8,
      .dp = 8,
      .dp_overlap = true,
      .micro_batch = 1,
      .global_batch = 32,
      .seq = 4096},
     true,
     0.01},
    {"distributed optimizer",
     &llama_70b,
     {.tp = 8,
      .dp = 8,
      .zero_stage = 1,
      .dp_overlap = true,
      .micro_batch = 1,
      .global_batch = 32,
      .seq = 4096},
     false,
     0.01},
    {"distributed optimizer behind stages",
     &llama_70b,
     {.tp = 8,
      .pp = 4,
      .dp = 8,
      .zero_stage = 1,
      .dp_overlap = true,
      .micro_batch = 1,
      .global_batch = 128,
      .seq = 4096},
     false,
     0.01},
    {"distributed optimizer behind chunks",
     &llama_70b,
     {.tp = 8,
      .pp = 4,
      .vpp = 5,
      .dp = 8,
      .zero_stage = 1,
      .dp_overlap = true,
      .pp_overlap = true,
      .micro_batch = 1,
      .global_batch = 512,
      .seq = 4096},
     false,
     0.01},
    {"experts behind chunks",
     &mixtral,
     {.tp = 1,
      .pp = 4,
      .vpp = 2,
      .dp = 8,
      .ep = 8,
      .zero_stage = 1,
      .dp_overlap = true,
      .micro_batch = 1,
      .global_batch = 256,
      .seq = 4096},
     false,
     0.01},
    {"FSDP of experts",
     &mixtral,
     {.tp = 1,
      .dp = 64,
      .ep = 8,
      .fsdp = true,
      .zero_stage = 3,
      .dp_overlap = true,
      .micro_batch = 2,
      .global_batch = 128,
      .seq = 4096},
     false,
     0.01},
    {"experts",
     &mixtral,
     {.tp = 1,
      .pp = 4,
      .dp = 8,
      .ep = 8,
      .micro_batch = 1,
      .global_batch = 128,
      .seq = 4096},
     false,
     0.01},
    {"ring",
     &llama_70b,
     {.tp = 8,
      .pp = 4,
      .cp = 2,
      .dp = 2,
      .micro_batch = 1,
      .global_batch = 64,
      .seq = 32768},
     false,
     0.01},
    {"context by all-gather",
     &llama_70b,
     {.tp = 8,
      .pp = 4,
      .cp = 2,
      .cp_kind = RY_CP_ALL_GATHER,
      .dp = 2,
      .micro_batch = 1,
      .global_batch = 64,
      .seq = 32768},
     false,
     0.01},
};

START_TEST(the_step_agrees_with_its_event_simulation)
{
    const struct agreement *a = &agreements[_i];
    traits.jitter_frac = 0;
    if (a->torch)
        traits.dp_style = RY_DP_TORCH;
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_shape_cost shape;
    struct ry_layout_cost layout;
    struct ry_stages_cost stages;
    struct ry_step_inputs in = {&machine, a->arch, &traits, &a->strategy,
                                &shape,   &layout, NULL};
    ry_shape_cost(&machine, a->arch, &traits, &a->strategy, &shape);
    ry_layout_sizes(a->arch, &traits, &a->strategy, &shape, &layout);
    ry_layout_times(&machine, a->arch, &traits, &a->strategy, &shape, &layout);
    ry_stages_cost(&in, &stages);
    in.stages = &stages;
    struct ry_step step;
    struct ry_timeline *t = NULL;
    ry_step_combine(&in, &step);
    ck_assert_int_eq(ry_step_timeline(arena, &in, &t, NULL), RY_OK);
    printf("# %s: events %.4f s, closed form %.4f s, %+.2f %%\n", a->name, t->end_s,
           step.step_time_s, 100 * (step.step_time_s / t->end_s - 1));
    ck_assert_rel(t->end_s, step.step_time_s, a->tolerance);
    ry_arena_destroy(arena);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *s = suite_create("step");
    TCase *tc = tcase_create("step");
    const int n = (int)(sizeof strategies / sizeof strategies[0]);
    tcase_add_checked_fixture(tc, set_up, NULL);
    tcase_add_loop_test(tc, parts_sum_to_the_step_and_to_the_memory, 0, n);
    tcase_add_loop_test(tc, faster_links_never_make_a_step_longer, 0, n);
    tcase_add_test(tc, a_slower_network_costs_tensor_parallelism_across_nodes);
    tcase_add_test(tc, no_recomputed_layer_is_no_recomputation);
    tcase_add_loop_test(tc, the_step_agrees_with_its_event_simulation, 0,
                        (int)(sizeof agreements / sizeof agreements[0]));
    suite_add_tcase(s, tc);
    return s;
}
