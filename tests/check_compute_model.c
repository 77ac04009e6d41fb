/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel/compute_model.h"
#include "kernel/params.h"
#include "unit.h"

#include <math.h>

/* A part with round numbers: 100 SMs, 500 TFLOP/s, 4 TB/s. */
static struct ry_compute_model model(void)
{
    struct ry_compute_model m = ry_compute_model_default();

    m.sm_count = 100.0;
    m.hbm_bytes_per_s = 4e12;
    m.gemm[RY_BF16].rate_flop_per_s = 500e12;
    m.peak_flop_per_s[RY_BF16] = 800e12;
    m.attn_flop_per_s[0] = 400e12;
    m.attn_flop_per_s[1] = 300e12;
    m.gemm[RY_BF16].k0 = 256.0;
    return m;
}

static const struct ry_gemm shapes[] = {
    {.m = 4096, .n = 4096, .k = 4096},
    {.m = 512, .n = 12288, .k = 128},
    {.m = 16384, .n = 50304, .k = 4096, .role = RY_WGRAD, .out_bytes = 4},
    {.m = 128, .n = 256, .k = 28672, .role = RY_DGRAD},
    {.m = 1, .n = 1, .k = 1},
    {.m = 2048, .n = 2048, .k = 128, .batch = 96},
};

enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* Worked by hand: 100 x 100 tiles of 256 x 128 on 100 SMs are 100 waves, each of
 * 2 x 256 x 128 x (1e4 + 256) FLOP at 5 TFLOP/s: 13.4427 ms; memory is far below. */
START_TEST(a_large_product_takes_tiles_over_rate)
{
    const struct ry_compute_model m = model();
    const struct ry_gemm g = {.m = 25600, .n = 12800, .k = 10000};

    ck_assert_rel(ry_gemm_s(&m, &g), 100.0 * 65536.0 * 10256.0 / 5e12 + 2e-6, 1e-3);
}
END_TEST

START_TEST(a_product_never_beats_the_data_sheet)
{
    struct ry_compute_model m = model();
    const double flop = ry_gemm_flop(&shapes[_i]);

    m.gemm[RY_BF16].rate_flop_per_s = 5000e12; /* a broken calibration */
    ck_assert(ry_gemm_s(&m, &shapes[_i]) >= flop / m.peak_flop_per_s[RY_BF16]);
}
END_TEST

START_TEST(a_product_never_beats_memory)
{
    const struct ry_compute_model m = model();
    const struct ry_gemm *g = &shapes[_i];
    const double batch = g->batch > 0.0 ? g->batch : 1.0;
    const double out = g->out_bytes > 0.0 ? g->out_bytes : 2.0;
    const double bytes = batch * (2.0 * g->k * (g->m + g->n) + out * g->m * g->n);

    ck_assert(ry_gemm_s(&m, g) >= bytes / m.hbm_bytes_per_s);
}
END_TEST

START_TEST(a_larger_product_never_takes_less_time)
{
    const struct ry_compute_model m = model();
    const struct ry_gemm *g = &shapes[_i];

    for (double step = 8.0; step < 70000.0; step *= 1.7) {
        const double more = floor(step / 8.0) * 8.0;
        struct ry_gemm wide = *g, tall = *g, deep = *g;

        wide.n = ceil(g->n / 8.0) * 8.0 + more;
        tall.m = ceil(g->m / 8.0) * 8.0 + more;
        deep.k = ceil(g->k / 8.0) * 8.0 + more;
        if (g->n > 8.0) {
            ck_assert(ry_gemm_s(&m, &wide) >= ry_gemm_s(&m, g) * (1.0 - 1e-12));
            ck_assert(ry_gemm_s(&m, &tall) >= ry_gemm_s(&m, g) * (1.0 - 1e-12));
            ck_assert(ry_gemm_s(&m, &deep) >= ry_gemm_s(&m, g) * (1.0 - 1e-12));
        }
    }
}
END_TEST

START_TEST(an_odd_vocabulary_costs_twice)
{
    const struct ry_compute_model m = model();
    const struct ry_gemm even = {.m = 8192, .n = 50304, .k = 4096};
    const struct ry_gemm odd = {.m = 8192, .n = 50257, .k = 4096};

    ck_assert(ry_gemm_s(&m, &odd) > 1.9 * ry_gemm_s(&m, &even));
}
END_TEST

START_TEST(an_fp32_gradient_that_accumulates_costs_more)
{
    const struct ry_compute_model m = model();
    const struct ry_gemm plain = {.m = 1024, .n = 1024, .k = 512, .role = RY_WGRAD};
    struct ry_gemm sum = plain;

    sum.out_bytes = 4.0;
    sum.accumulate = true;
    ck_assert(ry_gemm_s(&m, &sum) > ry_gemm_s(&m, &plain));
}
END_TEST

START_TEST(uneven_groups_cost_more_than_even_ones)
{
    const struct ry_compute_model m = model();
    struct ry_grouped_gemm g = {.groups = 64, .rows = 64 * 256, .n = 4096, .k = 4096};
    const double even_s = ry_grouped_gemm_s(&m, &g);

    g.uneven = true;
    ck_assert(ry_grouped_gemm_s(&m, &g) > even_s);
}
END_TEST

START_TEST(a_causal_mask_halves_the_flop)
{
    const struct ry_attention full = {.batch = 2,
                                      .heads = 16,
                                      .kv_heads = 4,
                                      .head_dim = 128,
                                      .seq_q = 4096,
                                      .seq_kv = 4096};
    struct ry_attention half = full;

    half.causal = true;
    ck_assert_rel(ry_attention_flop(&full, false), 4.0 * 2 * 16 * 4096.0 * 4096.0 * 128.0,
                  1e-12);
    ck_assert_rel(ry_attention_flop(&half, false) * 2.0, ry_attention_flop(&full, false),
                  1e-12);
    ck_assert_rel(ry_attention_flop(&half, true) / ry_attention_flop(&half, false), 2.5,
                  1e-12);
}
END_TEST

START_TEST(backward_attention_and_longer_sequences_take_longer)
{
    const struct ry_compute_model m = model();
    struct ry_attention a = {.batch = 1,
                             .heads = 8,
                             .kv_heads = 8,
                             .head_dim = 128,
                             .causal = true,
                             .impl = (enum ry_attn_impl)_i};
    double last_s = 0.0;

    for (double seq = 256.0; seq < 200000.0; seq *= 1.5) {
        a.seq_q = a.seq_kv = seq;
        ck_assert(ry_attention_s(&m, &a, false) > last_s);
        ck_assert(ry_attention_s(&m, &a, true) > ry_attention_s(&m, &a, false));
        last_s = ry_attention_s(&m, &a, false);
    }
}
END_TEST

/* Worked by hand: 10 s of products at 690 W hold the cap of 690 W at clock 1.  With
 * 10 s of waiting at 110 W beside them the mean could stay below the cap at a higher
 * clock, which clock_most limits. */
START_TEST(waiting_lets_products_run_faster)
{
    const struct ry_compute_model m = model();
    const struct ry_load busy = {.tensor_s = 10.0};
    const struct ry_load half = {.tensor_s = 10.0, .idle_s = 10.0};
    const struct ry_clock all = ry_clock(&m, &busy, 0.0);
    const struct ry_clock some = ry_clock(&m, &half, 0.0);

    ck_assert_rel(all.tensor_scale, 1.0, 1e-4);
    ck_assert_rel(all.power_w, 690.0, 1e-3);
    ck_assert(some.tensor_scale < all.tensor_scale);
    ck_assert(some.tensor_scale >= 1.0 / m.clock_most - 1e-9);
    ck_assert(some.power_w <= 690.0 * 1.001);
    ck_assert(ry_clock(&m, &busy, 500.0).tensor_scale > 1.05);
    ck_assert_rel(ry_clock(&m, &busy, 500.0).power_w, 690.0 * 500.0 / 700.0, 1e-3);
}
END_TEST

/* Worked by hand: slow-downs 1.45 and 1.5.  3 s of products beside 1 s of collective:
 * the collective ends at 1.5 s, by when 1.5 / 1.45 s of the products are done. */
START_TEST(work_side_by_side_is_slower_than_the_longer_of_both)
{
    const struct ry_compute_model m = model();
    const struct ry_overlap o = ry_overlap(&m, RY_BESIDE_NVLINK, 3.0, 0.0, 1.0);

    ck_assert_rel(o.comm_s, 1.5, 1e-12);
    ck_assert_rel(o.compute_s, 1.5 + 3.0 - 1.5 / 1.45, 1e-12);
    ck_assert_rel(o.both_s, o.compute_s, 1e-12);
    ck_assert_rel(ry_overlap(&m, RY_BESIDE_NVLINK, 3.0, 0.5, 0.0).both_s, 3.0, 1e-12);
}
END_TEST

START_TEST(every_parameter_has_a_name_and_a_default_within_its_bounds)
{
    for (size_t i = 0; i < ry_param_count(); i++) {
        const struct ry_param p = ry_param_at(i);

        ck_assert_msg(p.initial >= p.least && p.initial <= p.most, "%s", p.name);
        ck_assert_uint_eq(ry_param_find(p.name), i);
    }
    ck_assert_uint_eq(ry_param_count(), sizeof(struct ry_compute_model) / sizeof(double));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("compute_model");
    TCase *tcase = tcase_create("kernels");

    tcase_add_test(tcase, a_large_product_takes_tiles_over_rate);
    tcase_add_loop_test(tcase, a_product_never_beats_the_data_sheet, 0, SHAPES);
    tcase_add_loop_test(tcase, a_product_never_beats_memory, 0, SHAPES);
    tcase_add_loop_test(tcase, a_larger_product_never_takes_less_time, 0, SHAPES);
    tcase_add_test(tcase, an_odd_vocabulary_costs_twice);
    tcase_add_test(tcase, an_fp32_gradient_that_accumulates_costs_more);
    tcase_add_test(tcase, uneven_groups_cost_more_than_even_ones);
    tcase_add_test(tcase, a_causal_mask_halves_the_flop);
    tcase_add_loop_test(tcase, backward_attention_and_longer_sequences_take_longer, 0,
                        RY_ATTN_IMPLS);
    tcase_add_test(tcase, waiting_lets_products_run_faster);
    tcase_add_test(tcase, work_side_by_side_is_slower_than_the_longer_of_both);
    tcase_add_test(tcase, every_parameter_has_a_name_and_a_default_within_its_bounds);
    suite_add_tcase(suite, tcase);
    return suite;
}
