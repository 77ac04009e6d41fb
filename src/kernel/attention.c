/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel/compute_model.h"

#include <math.h>

/* Rows of queries that one thread block of a fused kernel owns. */
static const double rows_per_tile = 128.0;

/* Backward does five products where forward does two (Dao 2023, section 3.1). */
static const double backward_flop = 2.5;

static double value_dim(const struct ry_attention *a)
{
    return a->head_dim_v > 0.0 ? a->head_dim_v : a->head_dim;
}

/* Pairs of query and key that count: the lower triangle of the last seq_q rows. */
static double pairs(const struct ry_attention *a)
{
    if (!a->causal)
        return a->seq_q * a->seq_kv;
    return a->seq_q * fmax(a->seq_kv - a->seq_q / 2.0, a->seq_kv / 2.0);
}

double ry_attention_flop(const struct ry_attention *a, bool backward)
{
    return 2.0 * a->batch * a->heads * pairs(a) * (a->head_dim + value_dim(a)) *
           (backward ? backward_flop : 1.0);
}

/* Relative rate by head size: measured at 64, 128 and 192, straight lines between in
 * the logarithm of the size. */
static double head_rate(const struct ry_compute_model *model, enum ry_attn_impl impl,
                        double head_dim, int way)
{
    /* those of 2022-23 are no slower at 64 than at 128 (Dao 2023, figures 4 to 6) */
    if (impl == RY_ATTN_FLASH1 && head_dim <= 128.0)
        return 1.0;
    const double low = model->attn_head64[way];
    const double high = model->attn_head192[way];
    const double octaves = log2(head_dim / 128.0);

    if (octaves < 0.0)
        return fmax(pow(low, -octaves), 0.02);
    return pow(high, fmin(octaves / log2(1.5), 2.0));
}

/* q, k, v and o of every query head (shared keys are read again for each), and their
 * gradients in backward; grouped heads then add up the gradients of their shared keys. */
static double io_bytes(const struct ry_attention *a, bool backward)
{
    const double dims = a->head_dim + value_dim(a);
    const double once = 2.0 * a->batch * a->heads * (a->seq_q + a->seq_kv) * dims;
    const double shared =
        a->kv_heads < a->heads ? 2.0 * a->batch * a->heads * a->seq_kv * dims : 0.0;

    return backward ? 2.0 * once + shared : once;
}

static double fused_s(const struct ry_compute_model *model, const struct ry_attention *a,
                      bool backward)
{
    const int way = backward ? 1 : 0;
    const double flop_per_s =
        model->attn_flop_per_s[way] * head_rate(model, a->impl, a->head_dim, way) *
        model->attn_impl[a->impl][way] * (a->causal ? 1.0 : model->attn_full[way]);
    const double longest_flop = 2.0 * rows_per_tile * a->seq_kv *
                                (a->head_dim + value_dim(a)) *
                                (backward ? backward_flop : 1.0);
    const double tail_s =
        model->attn_tail[way] * longest_flop * model->sm_count / flop_per_s;

    return model->attn_fixed_s[way] + ry_attention_flop(a, backward) / flop_per_s +
           tail_s + model->attn_row_s[way] * io_bytes(a, backward);
}

/* Scores and context as batched products (twice as many in backward), with softmax and
 * dropout over the whole square between them, as Megatron-LM did before fused kernels:
 * softmax 4 bytes an element forward, 6 backward; dropout 5 and 5. */
static double unfused_s(const struct ry_compute_model *model,
                        const struct ry_attention *a, bool backward)
{
    const double square = a->batch * a->heads * a->seq_q * a->seq_kv;
    const struct ry_gemm scores = {.m = a->seq_q,
                                   .n = a->seq_kv,
                                   .k = a->head_dim,
                                   .batch = a->batch * a->heads,
                                   .precision = RY_BF16};
    const struct ry_gemm context = {.m = a->seq_q,
                                    .n = value_dim(a),
                                    .k = a->seq_kv,
                                    .batch = a->batch * a->heads,
                                    .precision = RY_BF16};
    const double times = backward ? 2.0 : 1.0;

    return times * (ry_gemm_s(model, &scores) + ry_gemm_s(model, &context)) +
           ry_stream_s(model, RY_STREAM_SOFTMAX, square * (backward ? 6.0 : 4.0)) +
           (a->dropout ? ry_stream_s(model, RY_STREAM_DROPOUT, square * 5.0) : 0.0);
}

double ry_attention_s(const struct ry_compute_model *model, const struct ry_attention *a,
                      bool backward)
{
    if (a->impl == RY_ATTN_UNFUSED)
        return unfused_s(model, a, backward);
    return fused_s(model, a, backward);
}
