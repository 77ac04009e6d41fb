/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/arch.h"
#include "workload/strategy.h"

#include "unit.h"

#include <math.h>

static const struct ry_arch llama3_8b = {.name = "Llama-3-8B",
                                         .layers = 32,
                                         .hidden = 4096,
                                         .heads = 32,
                                         .kv_heads = 8,
                                         .head_dim = 128,
                                         .ffn = 14336,
                                         .gated = true,
                                         .vocab = 128256};
static const struct ry_arch llama3_70b = {.name = "Llama-3-70B",
                                          .layers = 80,
                                          .hidden = 8192,
                                          .heads = 64,
                                          .kv_heads = 8,
                                          .head_dim = 128,
                                          .ffn = 28672,
                                          .gated = true,
                                          .vocab = 128256};
static const struct ry_arch mixtral_8x7b = {.name = "Mixtral-8x7B",
                                            .layers = 32,
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
static const struct ry_arch deepseek_v3 = {.name = "DeepSeek-V3",
                                           .layers = 61,
                                           .dense_layers = 3,
                                           .hidden = 7168,
                                           .heads = 128,
                                           .kv_heads = 128,
                                           .head_dim = 128,
                                           .ffn = 18432,
                                           .gated = true,
                                           .vocab = 129280,
                                           .experts = 256,
                                           .top_k = 8,
                                           .moe_ffn = 2048,
                                           .shared_experts = 1,
                                           .attention = RY_ATTENTION_MLA,
                                           .q_lora = 1536,
                                           .kv_lora = 512,
                                           .qk_nope = 128,
                                           .qk_rope = 64};
static const struct ry_arch gpt2_small = {.name = "GPT-2",
                                          .layers = 12,
                                          .hidden = 768,
                                          .heads = 12,
                                          .kv_heads = 12,
                                          .head_dim = 64,
                                          .ffn = 3072,
                                          .layer_norm = true,
                                          .linear_bias = true,
                                          .tied_embeddings = true,
                                          .positions = RY_POSITIONS_LEARNED,
                                          .max_positions = 1024,
                                          .vocab = 50257};

/* Sums of the tensor sizes of the published checkpoints (safetensors indexes). */
static const struct {
    const struct ry_arch *arch;
    double total, active;
} published[] = {
    {&llama3_8b, 8030261248.0, 8030261248.0},
    {&llama3_70b, 70553706496.0, 70553706496.0},
    {&mixtral_8x7b, 46702792704.0, 12879925248.0},
    {&deepseek_v3, 671026404352.0, 0},
    {&gpt2_small, 124439808.0, 124439808.0},
};

START_TEST(parameter_counts_are_the_published_ones)
{
    const struct ry_params p =
        ry_arch_params(published[_i].arch, published[_i].arch->vocab);
    ck_assert_msg(fabs(p.total - published[_i].total) < 1e-6 * published[_i].total,
                  "%s: %.0f, not %.0f", published[_i].arch->name, p.total,
                  published[_i].total);
    if (published[_i].active > 0)
        ck_assert_msg(fabs(p.active - published[_i].active) < 1e-6 * published[_i].active,
                      "%s: %.0f active", published[_i].arch->name, p.active);
}
END_TEST

START_TEST(flops_of_a_token_follow_korthikanti)
{
    /* 72 L h^2 (1 + s/(6h) + V/(12 L h)) a token with the full attention square. */
    const struct ry_arch gpt = {.layers = 96,
                                .hidden = 12288,
                                .heads = 96,
                                .kv_heads = 96,
                                .head_dim = 128,
                                .ffn = 49152,
                                .vocab = 51200};
    const double h = 12288, s = 2048,
                 expected =
                     72.0 * 96 * h * h * (1 + s / (6 * h) + 51200 / (12.0 * 96 * h));
    ck_assert_rel(ry_arch_flop_per_token(&gpt, s, false), expected, 1e-9);
}
END_TEST

START_TEST(moe_layers_are_counted_as_they_are_placed)
{
    struct ry_arch a = deepseek_v3;
    for (a.moe_period = 1; a.moe_period <= 3; a.moe_period++) {
        unsigned n = 0;
        for (unsigned i = 0; i < a.layers; i++) {
            n += ry_arch_layer_is_moe(&a, i);
            ck_assert_uint_eq(ry_arch_moe_layers(&a, i + 1), n);
        }
    }
}
END_TEST

START_TEST(a_cut_that_does_not_divide_says_why)
{
    struct ry_diag diag;
    struct ry_strategy s = {
        .tp = 16, .dp = 1, .micro_batch = 1, .global_batch = 1, .seq = 2048};
    struct ry_arch a = llama3_8b;
    a.heads = 40, a.kv_heads = 8, a.ffn = 13824;
    ck_assert_int_eq(ry_strategy_check(&s, &a, &diag), RY_ERR_INFEASIBLE);
    ck_assert_str_eq(diag.text, "heads 40 not divisible by tp 16");
    s.tp = 8, s.pp = 64;
    ck_assert_int_eq(ry_strategy_check(&s, &a, &diag), RY_ERR_INFEASIBLE);
    s.pp = 1, s.ep = 2;
    ck_assert_int_eq(ry_strategy_check(&s, &a, &diag), RY_ERR_INFEASIBLE);
    s.ep = 1, s.dp = 2;
    ck_assert_int_eq(ry_strategy_check(&s, &a, &diag), RY_ERR_INFEASIBLE);
    s.global_batch = 2;
    ck_assert_int_eq(ry_strategy_check(&s, &a, &diag), RY_OK);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *s = suite_create("arch");
    TCase *tc = tcase_create("arch");
    tcase_add_loop_test(tc, parameter_counts_are_the_published_ones, 0,
                        (int)(sizeof published / sizeof published[0]));
    tcase_add_test(tc, flops_of_a_token_follow_korthikanti);
    tcase_add_test(tc, moe_layers_are_counted_as_they_are_placed);
    tcase_add_test(tc, a_cut_that_does_not_divide_says_why);
    suite_add_tcase(s, tc);
    return s;
}
