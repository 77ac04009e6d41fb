/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a step is made of: memory and costs of a layer, worked by hand. */
#include "step_fixture.h"

#include "sim/build.h"

#include <string.h>

/* ---- memory worked by hand ---- */

/* Korthikanti et al. 2022 (arXiv:2205.05198), equation 2: s b h (10 + 24/t + 5 a s/(h t))
 * bytes a layer with dropout; equation 4 with sequence parallelism: s b h/t (34 + 5as/h).
 * Ours counts attention outputs and dropout masks alike. */
START_TEST(activations_of_a_layer_are_korthikantis)
{
    const struct ry_arch gpt = {.layers = 48,
                                .hidden = 6144,
                                .heads = 64,
                                .kv_heads = 64,
                                .head_dim = 96,
                                .ffn = 24576,
                                .vocab = 51200,
                                .layer_norm = true};
    const double s = 2048, b = 4, h = 6144, a = 64, t = 8;
    const double plain = s * b * h * (10 + 24 / t + 5 * a * s / (h * t));
    const double sharded = s * b * h / t * (34 + 5 * a * s / h);
    struct ry_strategy st = {
        .tp = 8, .dp = 1, .micro_batch = 4, .global_batch = 4, .seq = 2048};
    struct ry_shape_cost shape;
    traits.attention = RY_ATTN_UNFUSED;
    traits.dropout = true;
    traits.fusion = RY_FUSION_JIT;
    ry_shape_cost(&machine, &gpt, &traits, &st, &shape);
    ck_assert_rel(shape.dense.kept_bytes[RY_RECOMPUTE_NONE], plain, 0.002);
    st.sequence_parallel = true;
    ry_shape_cost(&machine, &gpt, &traits, &st, &shape);
    ck_assert_rel(shape.dense.kept_bytes[RY_RECOMPUTE_NONE], sharded, 0.06);
    ck_assert_rel(shape.dense.kept_bytes[RY_RECOMPUTE_FULL], 2 * s * b * h / t, 1e-12);
}
END_TEST

/* 1 x 8 heads x 2048^2 scores a GPU, 4 bytes each at half of 2 TB/s, beside the
 * start-up. */
START_TEST(slopes_are_added_to_the_scores_of_unfused_attention)
{
    struct ry_arch gpt = {.layers = 70,
                          .hidden = 14336,
                          .heads = 64,
                          .kv_heads = 64,
                          .head_dim = 224,
                          .ffn = 57344,
                          .vocab = 250880,
                          .layer_norm = true,
                          .positions = RY_POSITIONS_LEARNED};
    const struct ry_strategy st = {
        .tp = 8, .dp = 1, .micro_batch = 1, .global_batch = 1, .seq = 2048};
    struct ry_shape_cost plain, sloped;
    traits.attention = RY_ATTN_UNFUSED;
    model.stream_frac[RY_STREAM_COPY] = 0.5;
    ry_shape_cost(&machine, &gpt, &traits, &st, &plain);
    gpt.positions = RY_POSITIONS_ALIBI;
    ry_shape_cost(&machine, &gpt, &traits, &st, &sloped);
    ck_assert_rel(sloped.dense.forward.attention_s - plain.dense.forward.attention_s,
                  4 * 8 * 2048.0 * 2048.0 / 1e12 + model.stream_fixed_s, 1e-9);
    ck_assert_rel(sloped.dense.backward.attention_s, plain.dense.backward.attention_s,
                  1e-12);
    traits.attention = RY_ATTN_CUDNN;
    ry_shape_cost(&machine, &gpt, &traits, &st, &sloped);
    gpt.positions = RY_POSITIONS_LEARNED;
    ry_shape_cost(&machine, &gpt, &traits, &st, &plain);
    ck_assert_rel(sloped.dense.forward.attention_s, plain.dense.forward.attention_s,
                  1e-12);
}
END_TEST

START_TEST(seventy_billion_parameters_do_not_fit_one_node_of_80_gb)
{
    /* 70.55e9 x (2 + 4 + 12) B = 1,270 GB; eight GPUs of 85 GB hold 680. */
    const struct ry_strategy s = {.tp = 8,
                                  .dp = 1,
                                  .micro_batch = 1,
                                  .global_batch = 8,
                                  .seq = 4096,
                                  .recompute = RY_RECOMPUTE_FULL};
    const struct ry_step step = predict(&llama_70b, &s);
    ck_assert_rel(step.memory_bytes[RY_MEM_PARAMETERS] +
                      step.memory_bytes[RY_MEM_GRADIENTS] +
                      step.memory_bytes[RY_MEM_OPTIMIZER],
                  18 * 70.553706496e9 / 8, 1e-3);
    ck_assert(!step.fits);
    char text[240];
    const struct ry_step_inputs in = {
        .machine = &machine, .arch = &llama_70b, .traits = &traits, .strategy = &s};
    ry_step_why_not(&in, &step, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "70.6B parameters at 18 B each are 1270 GB"));
    ck_assert_ptr_nonnull(strstr(text, "8 GPUs hold 680 GB"));
}
END_TEST

START_TEST(zero_2_of_seven_billion_on_eight_ranks_is_26_25_gb)
{
    /* DeepSpeed's own estimate was wrong here (pull request 5099): 2 P + 14 P / N with
     * 16-bit gradients, P = 7e9, N = 8: 26.25e9 B. */
    struct ry_arch a = {.layers = 32,
                        .hidden = 4096,
                        .heads = 32,
                        .kv_heads = 32,
                        .head_dim = 128,
                        .ffn = 11008,
                        .gated = true,
                        .vocab = 32000};
    const double p = ry_arch_params(&a, a.vocab).total;
    const struct ry_strategy s = {.tp = 1,
                                  .dp = 8,
                                  .micro_batch = 1,
                                  .global_batch = 8,
                                  .seq = 512,
                                  .zero_stage = 2};
    traits.gradient_bytes = 2;
    const struct ry_step step = predict(&a, &s);
    const double states = step.memory_bytes[RY_MEM_PARAMETERS] +
                          step.memory_bytes[RY_MEM_GRADIENTS] +
                          step.memory_bytes[RY_MEM_OPTIMIZER];
    ck_assert_rel(states * 7e9 / p, 26.25e9, 1e-9);
}
END_TEST

START_TEST(fp32_takes_16_bytes_a_parameter_and_twice_the_activations)
{
    /* 4 of parameter, 4 of gradient, 8 of moments, no master copy. */
    struct ry_arch a = llama_70b;
    const double p = ry_arch_params(&a, a.vocab).total;
    struct ry_strategy s = {
        .tp = 1, .dp = 8, .micro_batch = 1, .global_batch = 8, .seq = 512};
    model.gemm[RY_FP32].rate_flop_per_s = model.gemm[RY_BF16].rate_flop_per_s / 10;
    const struct ry_step half = predict(&a, &s);
    s.precision = RY_TRAIN_FP32;
    const struct ry_step step = predict(&a, &s);
    ck_assert_rel(step.memory_bytes[RY_MEM_PARAMETERS], 4 * p, 1e-9);
    ck_assert_rel(step.memory_bytes[RY_MEM_GRADIENTS], 4 * p, 1e-9);
    ck_assert_rel(step.memory_bytes[RY_MEM_OPTIMIZER], 8 * p, 1e-9);
    ck_assert_rel(step.memory_bytes[RY_MEM_ACTIVATIONS],
                  2 * half.memory_bytes[RY_MEM_ACTIVATIONS], 1e-9);
    ck_assert_double_gt(step.part_s[RY_PART_ATTENTION],
                        2 * half.part_s[RY_PART_ATTENTION]);
    ck_assert_double_gt(step.part_s[RY_PART_GEMM], 8 * half.part_s[RY_PART_GEMM]);
}
END_TEST

START_TEST(the_distributed_optimizer_keeps_6_and_12_over_dp)
{
    struct ry_arch a = llama_70b;
    const double p = ry_arch_params(&a, a.vocab).total;
    struct ry_strategy s = {.tp = 1,
                            .dp = 16,
                            .micro_batch = 1,
                            .global_batch = 16,
                            .seq = 512,
                            .zero_stage = 1};
    const struct ry_step step = predict(&a, &s);
    const double states = step.memory_bytes[RY_MEM_PARAMETERS] +
                          step.memory_bytes[RY_MEM_GRADIENTS] +
                          step.memory_bytes[RY_MEM_OPTIMIZER];
    ck_assert_rel(states, p * (6 + 12.0 / 16), 1e-9);
}
END_TEST

/* What leaves the GPU is in the host's memory, of all GPUs of a node; no recomputation,
 * so nothing is held for one. */
START_TEST(what_is_offloaded_is_in_the_host)
{
    struct ry_strategy s = {.tp = 8,
                            .dp = 8,
                            .micro_batch = 1,
                            .global_batch = 8,
                            .seq = 4096,
                            .sequence_parallel = true};
    const double kept = predict(&llama_70b, &s).memory_bytes[RY_MEM_ACTIVATIONS];
    s.offload_activations_frac = 0.25;
    ck_assert_rel(predict(&llama_70b, &s).host_bytes, 8 * 0.25 * kept, 1e-12);
    s.offload_activations_frac = 1;
    ck_assert_rel(predict(&llama_70b, &s).host_bytes, 8 * kept, 1e-12);
    s = (struct ry_strategy){.dp = 64,
                             .fsdp = true,
                             .zero_stage = 3,
                             .micro_batch = 1,
                             .global_batch = 64,
                             .seq = 4096};
    traits.fsdp_fp32_shards = true; /* the shard itself is the master copy */
    const double states = predict(&llama_70b, &s).memory_bytes[RY_MEM_OPTIMIZER];
    s.offload_optimizer_frac = 1;
    ck_assert_rel(predict(&llama_70b, &s).host_bytes, 8 * states, 1e-12);
}
END_TEST

/* 2 x kept bytes over the link to the host, less what 0.8 of the passes hides, of a model
 * that has no dense layer. */
START_TEST(activations_of_experts_are_moved_too)
{
    struct ry_strategy s = {
        .dp = 64, .ep = 8, .micro_batch = 1, .global_batch = 64, .seq = 4096};
    machine.pcie_bytes_per_s = 1e9;
    const struct ry_step before = predict(&mixtral, &s);
    s.offload_activations_frac = 1;
    const struct ry_step after = predict(&mixtral, &s);
    const double moved_s = 2 * before.memory_bytes[RY_MEM_ACTIVATIONS] / 1e9;
    ck_assert_double_gt(after.part_s[RY_PART_OFFLOAD], 0.5 * moved_s);
    ck_assert_double_le(after.part_s[RY_PART_OFFLOAD], moved_s);
}
END_TEST

/* DDP: buckets of what is reduced, experts too where another rank has the same. */
START_TEST(gradients_of_experts_have_buckets)
{
    struct ry_strategy s = {
        .dp = 64, .ep = 8, .micro_batch = 1, .global_batch = 64, .seq = 4096};
    traits.dp_style = RY_DP_TORCH;
    const struct ry_step copies = predict(&mixtral, &s);
    ck_assert_rel(copies.memory_bytes[RY_MEM_BUFFERS],
                  2 * copies.memory_bytes[RY_MEM_GRADIENTS], 1e-12);
    s.dp = s.global_batch = 8;
    const struct ry_step alone = predict(&mixtral, &s);
    ck_assert_double_lt(alone.memory_bytes[RY_MEM_BUFFERS],
                        alone.memory_bytes[RY_MEM_GRADIENTS]);
    ck_assert_double_gt(copies.part_s[RY_PART_DP], 2 * alone.part_s[RY_PART_DP]);
}
END_TEST

START_TEST(expert_weights_are_divided_by_ep_and_etp)
{
    const double experts = 32.0 * 8 * 3 * 4096 * 14336;
    for (unsigned ep = 1; ep <= 8; ep *= 2)
        for (unsigned etp = 1; ep * etp <= 8; etp *= 2) {
            const struct ry_strategy s = {.tp = 1,
                                          .dp = 8,
                                          .ep = ep,
                                          .etp = etp,
                                          .micro_batch = 1,
                                          .global_batch = 8,
                                          .seq = 512};
            struct ry_shape_cost shape;
            struct ry_layout_cost layout;
            ry_shape_cost(&machine, &mixtral, &traits, &s, &shape);
            ry_layout_sizes(&mixtral, &traits, &s, &shape, &layout);
            ck_assert_rel(layout.experts[2], experts / (ep * etp), 1e-12);
        }
}
END_TEST

START_TEST(metrics_of_a_step_are_losses_over_its_logits_again)
{
    /* Two of 6 B a logit, in one kernel's start-up: 12 B x 4096 x 128256. */
    const struct ry_strategy s = {
        .tp = 1, .dp = 8, .micro_batch = 1, .global_batch = 8, .seq = 4096};
    struct ry_shape_cost none, two;
    ry_shape_cost(&machine, &llama_70b, &traits, &s, &none);
    traits.metric_losses = 2;
    ry_shape_cost(&machine, &llama_70b, &traits, &s, &two);
    const double rate =
        model.stream_frac[RY_STREAM_CROSS_ENTROPY_EAGER] * model.hbm_bytes_per_s;
    ck_assert_rel(two.head.backward.memory_s - none.head.backward.memory_s,
                  model.stream_fixed_s + 12.0 * 4096 * 128256 / rate, 1e-9);
    ck_assert_rel(two.head.forward.memory_s, none.head.forward.memory_s, 1e-12);
}
END_TEST

/* ---- casts, adapters, fp8 attention: one layer of Llama 70B, 4,096 tokens ---- */

static const struct ry_strategy fp8_layer = {.tp = 1,
                                             .dp = 8,
                                             .micro_batch = 1,
                                             .global_batch = 8,
                                             .seq = 4096,
                                             .precision = RY_TRAIN_FP8};

static struct ry_layer_cost layer_of(const struct ry_strategy *s)
{
    struct ry_shape_cost shape;
    ry_shape_cost(&machine, &llama_70b, &traits, s, &shape);
    return shape.dense;
}

static double stream_bytes_s(enum ry_stream stream, double bytes_a_token)
{
    return 4096 * bytes_a_token / (model.stream_frac[stream] * 2e12);
}

/* Inputs of four products: 8192, 8192, 8192 and 28672 a token; gradients of their
 * results: 10240, 8192, 57344 and 8192. */
START_TEST(a_cast_writes_a_byte_a_layout)
{
    const struct ry_layer_cost two = layer_of(&fp8_layer);
    model.fp8_layouts = 1;
    const struct ry_layer_cost one = layer_of(&fp8_layer);
    ck_assert_rel(two.forward.memory_s - one.forward.memory_s,
                  stream_bytes_s(RY_STREAM_QUANTISE_ROW, 53248), 1e-9);
    ck_assert_rel(two.backward.memory_s - one.backward.memory_s,
                  stream_bytes_s(RY_STREAM_QUANTISE_ROW, 83968), 1e-9);
    struct ry_build b;
    ry_build_init(&b, &machine, &llama_70b, &traits, &fp8_layer);
    ck_assert_double_eq(ry_cast_bytes(&b, RY_FP8, true), 1);
    model.fp8_layouts = 2;
    ck_assert_double_eq(ry_cast_bytes(&b, RY_FP8, true), 2);
    ck_assert_double_eq(ry_cast_bytes(&b, RY_FP8, false), 1); /* no weight gradient */
    ck_assert_double_eq(ry_cast_bytes(&b, RY_MXFP8, true), 2 + 2.0 / 32);
}
END_TEST

START_TEST(an_adapter_scales_and_adds_what_it_makes)
{
    struct ry_strategy s = fp8_layer;
    s.task = RY_TASK_LORA;
    const struct ry_layer_cost both = layer_of(&s);
    traits.lora_qkv_only = true;
    const struct ry_layer_cost one = layer_of(&s);
    const double expected = stream_bytes_s(RY_STREAM_SCALE, 4 * 8192) +
                            stream_bytes_s(RY_STREAM_ADD, 6 * 8192) +
                            2 * model.stream_fixed_s;
    ck_assert_rel(both.forward.memory_s - one.forward.memory_s, expected, 1e-9);
    ck_assert_rel(both.backward.memory_s - one.backward.memory_s, expected, 1e-9);
    ck_assert_rel(both.trained_parameters - one.trained_parameters, 16.0 * 2 * 8192,
                  1e-9);
}
END_TEST

/* The activation does not write 2 B and nothing reads them to cast 28672 a token; back
 * the same of 57344. */
START_TEST(fused_operations_cast_in_the_activation)
{
    const struct ry_layer_cost apart = layer_of(&fp8_layer);
    traits.fuses_operations = true;
    const struct ry_layer_cost fused = layer_of(&fp8_layer);
    ck_assert_rel(apart.forward.memory_s - fused.forward.memory_s,
                  stream_bytes_s(RY_STREAM_QUANTISE_ROW, 2 * 28672) +
                      stream_bytes_s(RY_STREAM_SWIGLU, 2 * 28672),
                  1e-9);
    ck_assert_rel(apart.backward.memory_s - fused.backward.memory_s,
                  stream_bytes_s(RY_STREAM_QUANTISE_ROW, 2 * 57344) +
                      stream_bytes_s(RY_STREAM_SWIGLU, 4 * 28672),
                  1e-9);
    struct ry_strategy s = fp8_layer;
    s.tp = 2; /* not with tensor parallelism */
    const double with = layer_of(&s).forward.memory_s;
    traits.fuses_operations = false;
    ck_assert_double_eq(layer_of(&s).forward.memory_s, with);
}
END_TEST

START_TEST(attention_in_fp8_runs_at_its_own_rate)
{
    struct ry_strategy s = fp8_layer;
    model.attn_fp8[0] = 1.5;
    const double sixteen = layer_of(&s).forward.attention_s;
    traits.fp8_attention = RY_WHEN_LORA;
    ck_assert_double_eq(layer_of(&s).forward.attention_s, sixteen);
    traits.fp8_attention = RY_WHEN_ALWAYS;
    ck_assert_rel(layer_of(&s).forward.attention_s, sixteen / 1.5, 1e-12);
    s.precision = RY_TRAIN_BF16;
    ck_assert_double_eq(layer_of(&s).forward.attention_s, sixteen);
    s = fp8_layer;
    s.cp = 2, s.dp = 4, s.cp_kind = RY_CP_ALL_TO_ALL;
    const double over_cp = layer_of(&s).forward.attention_s;
    model.attn_fp8_over_cp = 0;
    ck_assert_rel(layer_of(&s).forward.attention_s, over_cp * 1.5, 1e-12);
}
END_TEST

/* 80 layers in 8 stages: 10 a stage, of as many micro-batches as the first stage starts
 * before one comes back, 8, or as there are.  None is in flight that is not in the batch.
 */
START_TEST(a_first_stage_holds_no_more_micro_batches_than_there_are)
{
    static const enum ry_schedule schedules[] = {RY_SCHEDULE_1F1B,
                                                 RY_SCHEDULE_ZERO_BUBBLE};
    struct ry_strategy s = {.tp = 8,
                            .pp = 8,
                            .dp = 1,
                            .micro_batch = 1,
                            .seq = 8192,
                            .schedule = schedules[_i]};
    struct ry_shape_cost shape;

    for (unsigned m = 1; m <= 16; m *= 2) {
        s.global_batch = m;
        ry_shape_cost(&machine, &llama_70b, &traits, &s, &shape);
        ck_assert_rel(predict(&llama_70b, &s).memory_bytes[RY_MEM_ACTIVATIONS],
                      (m < 8 ? m : 8) * 10 * shape.dense.kept_bytes[RY_RECOMPUTE_NONE],
                      1e-12);
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *s = suite_create("step costs");
    TCase *tc = tcase_create("step costs");
    tcase_add_checked_fixture(tc, set_up, NULL);
    tcase_add_test(tc, activations_of_a_layer_are_korthikantis);
    tcase_add_test(tc, slopes_are_added_to_the_scores_of_unfused_attention);
    tcase_add_test(tc, seventy_billion_parameters_do_not_fit_one_node_of_80_gb);
    tcase_add_test(tc, zero_2_of_seven_billion_on_eight_ranks_is_26_25_gb);
    tcase_add_test(tc, the_distributed_optimizer_keeps_6_and_12_over_dp);
    tcase_add_test(tc, fp32_takes_16_bytes_a_parameter_and_twice_the_activations);
    tcase_add_loop_test(tc, a_first_stage_holds_no_more_micro_batches_than_there_are, 0,
                        2);
    tcase_add_test(tc, what_is_offloaded_is_in_the_host);
    tcase_add_test(tc, activations_of_experts_are_moved_too);
    tcase_add_test(tc, gradients_of_experts_have_buckets);
    tcase_add_test(tc, expert_weights_are_divided_by_ep_and_etp);
    tcase_add_test(tc, a_cast_writes_a_byte_a_layout);
    tcase_add_test(tc, an_adapter_scales_and_adds_what_it_makes);
    tcase_add_test(tc, fused_operations_cast_in_the_activation);
    tcase_add_test(tc, attention_in_fp8_runs_at_its_own_rate);
    tcase_add_test(tc, metrics_of_a_step_are_losses_over_its_logits_again);
    suite_add_tcase(s, tc);
    return s;
}
