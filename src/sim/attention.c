/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/build.h"

#include <math.h>

/** One call of the core: a causal square, or a rectangle of a context-parallel step. */
static struct ry_attention core_call(const struct ry_build *b, double batch, double seq_q,
                                     double seq_kv)
{
    const struct ry_arch *a = b->arch;
    return (struct ry_attention){.batch = batch,
                                 .heads = a->heads / b->tp,
                                 .kv_heads = fmax(a->kv_heads / b->tp, 1),
                                 .head_dim = ry_arch_qk_dim(a),
                                 .head_dim_v = a->head_dim,
                                 .seq_q = seq_q,
                                 .seq_kv = seq_kv,
                                 .causal = true,
                                 .dropout = b->traits->dropout,
                                 .impl = b->traits->attention};
}

/** Share of the work that sliding windows leave, over all layers. */
static double window_frac(const struct ry_arch *a, double seq)
{
    if (a->window == 0 || a->window >= seq || a->layers == 0)
        return 1;
    const double w = a->window / seq;
    const double inside = w * (2 - w); /* of the causal triangle */
    return 1 - a->window_layers / (double)a->layers * (1 - inside);
}

/**
 * Ring context parallelism with balanced halves: the own causal square of seq / cp, then
 * cp - 1 rectangles of half that area each side (Brandon et al. 2023, striped; Megatron
 * zigzag), and a correction of the output after each.
 */
static double ring_core_s(const struct ry_build *b, double batch, bool backward)
{
    const double part = b->strategy->seq / b->cp;
    const struct ry_attention own = core_call(b, batch, part, part);
    struct ry_attention other = core_call(b, batch, part, part / 2);
    other.causal = false;
    const double out = 2 * b->width * b->tokens * b->q_width;
    const double merge = backward ? 0 : ry_stream_s(b->model, RY_STREAM_ADD, 3 * out);
    /* Unbalanced, the last rank has a whole rectangle in every step. */
    const double rectangles = (b->cp - 1) * (b->traits->cp_unbalanced ? 2 : 1);
    return ry_attention_s(b->model, &own, backward) +
           rectangles * ry_attention_s(b->model, &other, backward) + (b->cp - 1) * merge;
}

static double sixteen_bit_core_s(const struct ry_build *b, bool backward)
{
    const struct ry_strategy *s = b->strategy;
    double seq = s->seq, batch = s->micro_batch;
    if (s->packed_sequence_tokens > 0 && s->packed_sequence_tokens < seq) {
        batch *= seq / s->packed_sequence_tokens;
        seq = s->packed_sequence_tokens;
        const struct ry_attention packed = core_call(b, batch / b->cp, seq, seq);
        return ry_attention_s(b->model, &packed, backward);
    }
    const double part = window_frac(b->arch, seq);
    if (b->cp > 1 && s->cp_kind == RY_CP_RING)
        return part * ring_core_s(b, batch, backward);
    struct ry_attention whole = core_call(b, batch, seq, seq);
    if (b->cp > 1 && s->cp_kind == RY_CP_ALL_TO_ALL)
        whole.heads /= b->cp;
    else if (b->cp > 1)
        whole.batch /= b->cp; /* all-gather: each rank has 1/cp of the rows, balanced */
    return part * ry_attention_s(b->model, &whole, backward);
}

static bool fp8_core(const struct ry_build *b)
{
    const enum ry_when when = b->traits->fp8_attention;
    return ry_low_precision(b->inner) &&
           (when == RY_WHEN_ALWAYS || (when == RY_WHEN_LORA && b->lora)) &&
           (b->cp <= 1 || b->model->attn_fp8_over_cp > 0);
}

/**
 * Slopes of ALiBi as the input that the unfused product of scores adds to: copied out to
 * the size of the scores, and read again (baddbmm with beta 1; BigScience's
 * megatron/model/transformer.py of 2022).
 */
static double slopes_s(const struct ry_build *b)
{
    const double scores = b->strategy->micro_batch * (b->arch->heads / b->tp) *
                          (double)b->strategy->seq * (b->strategy->seq / b->cp);
    if (b->arch->positions != RY_POSITIONS_ALIBI ||
        b->traits->attention != RY_ATTN_UNFUSED)
        return 0;
    return ry_stream_s(b->model, RY_STREAM_COPY, 4 * b->width * scores);
}

/** Fused attention was measured in 16 bits; in fp32 its products run at their rate. */
static double core_s(const struct ry_build *b, bool backward)
{
    const struct ry_gemm_rate *rate = b->model->gemm;
    const double slower = b->inner == RY_FP32 ? rate[RY_BF16].rate_flop_per_s /
                                                    rate[RY_FP32].rate_flop_per_s
                          : fp8_core(b) ? 1 / b->model->attn_fp8[backward ? 1 : 0]
                                        : 1;
    return slower * sixteen_bit_core_s(b, backward);
}

/** Casts of query, key and value, and of the gradient of the output. */
static void add_core_casts(const struct ry_build *b, struct ry_layer_cost *l)
{
    if (!fp8_core(b))
        return;
    const double qkv = b->q_width + b->kv_width + b->v_width;
    ry_add_stream(b, &l->forward, RY_STREAM_QUANTISE_ROW, 3 * b->tokens * qkv);
    ry_add_stream_back(b, &l->backward, RY_STREAM_QUANTISE_ROW,
                       3 * b->tokens * b->q_width);
}

/** Slices of a joined tensor are read more slowly than the whole ones of a benchmark. */
static double strided_backward(const struct ry_build *b)
{
    return b->traits->attention <= RY_ATTN_CUDNN_2025 ? b->traits->cudnn_backward_times
                                                      : 1;
}

/** Context-parallel traffic of one pass: keys and values (and gradients) around. */
static double context_s(const struct ry_build *b, bool backward)
{
    const double kv = 2 * b->width * b->tokens * (b->kv_width + b->v_width);
    const double qo = 2 * b->width * b->tokens *
                      (b->q_width + b->arch->heads * b->arch->head_dim / b->tp);
    switch (b->strategy->cp_kind) {
    case RY_CP_RING:
        return (b->cp - 1) * (backward ? 2 : 1) *
               ry_collective_s(b->net, RY_COLL_SENDRECV, &b->cp_group, kv);
    case RY_CP_ALL_GATHER:
        return ry_collective_s(b->net, RY_COLL_ALL_GATHER, &b->cp_group, kv * b->cp) +
               (backward ? ry_collective_s(b->net, RY_COLL_REDUCE_SCATTER, &b->cp_group,
                                           kv * b->cp)
                         : 0);
    case RY_CP_ALL_TO_ALL:
        return ry_collective_s(b->net, RY_COLL_ALL_TO_ALL, &b->cp_group, kv + qo);
    }
    return 0;
}

static void add_context(const struct ry_build *b, struct ry_pass *pass, bool backward)
{
    if (b->cp <= 1)
        return;
    const double total = context_s(b, backward);
    double seen = total;
    if (b->strategy->cp_kind == RY_CP_RING) {
        /* Each exchange hides behind the rectangle before it. */
        const double cover = pass->attention_s * (b->cp - 1) / b->cp;
        seen = fmax(total - cover, 0) + b->traits->cp_exposed_frac * fmin(total, cover);
    }
    pass->cp_s += seen;
    pass->cp_hidden_s += total - seen;
    ry_add_host(b, pass, RY_HOST_ELEMENTWISE, b->cp - 1);
}

static void add_gqa(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double h = b->arch->hidden, qkv = b->q_width + b->kv_width + b->v_width;
    const bool fused = b->fusion == RY_FUSION_ENGINE;
    const struct ry_linear in = {.rows = b->tokens,
                                 .in = h,
                                 .out = qkv,
                                 .precision = b->inner,
                                 .frozen = b->lora,
                                 .cast_fused =
                                     fused && !b->lora}; /* adapters read it too */
    ry_add_linear(b, &in, &l->forward, &l->backward);
    l->parameters += h * qkv;
}

/** Latent attention: down- and up-projections; the down ones are not split over tp. */
static void add_mla(const struct ry_build *b, struct ry_layer_cost *l)
{
    const struct ry_arch *a = b->arch;
    const double h = a->hidden, heads = a->heads / b->tp;
    const double kv_up = heads * (a->qk_nope + a->head_dim);
    const struct ry_linear parts[] = {
        {.rows = b->shared_tokens, .in = h, .out = a->q_lora},
        {.rows = b->tokens, .in = a->q_lora > 0 ? a->q_lora : h, .out = b->q_width},
        {.rows = b->shared_tokens, .in = h, .out = a->kv_lora + a->qk_rope},
        {.rows = b->tokens, .in = a->kv_lora, .out = kv_up},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct ry_linear part = parts[i];
        if (part.out <= 0)
            continue;
        part.precision = b->inner;
        part.frozen = b->lora;
        ry_add_linear(b, &part, &l->forward, &l->backward);
        l->parameters += part.in * part.out;
    }
    /* Two inner norms, and joining the rotary part to every head. */
    const double lora = b->shared_tokens * (a->q_lora + a->kv_lora);
    const double joined = b->tokens * (b->q_width + heads * ry_arch_qk_dim(a));
    ry_add_stream(b, &l->forward, RY_STREAM_NORM_FUSED, 4 * lora);
    ry_add_stream_back(b, &l->backward, RY_STREAM_NORM_FUSED, 8 * lora);
    ry_add_stream(b, &l->forward, RY_STREAM_COPY, 4 * joined);
    ry_add_stream_back(b, &l->backward, RY_STREAM_COPY, 4 * joined);
}

/** Rotary, re-layout, head norms: what sits between projection and core. */
static void add_core_kernels(const struct ry_build *b, struct ry_layer_cost *l)
{
    const struct ry_arch *a = b->arch;
    const double qk = b->tokens * (b->q_width + b->kv_width);
    const double qkv = qk + b->tokens * b->v_width;
    if (a->positions == RY_POSITIONS_ROTARY && a->attention == RY_ATTENTION_GQA) {
        const bool eager = b->fusion == RY_FUSION_EAGER;
        const enum ry_stream kind = eager ? RY_STREAM_ELEMENTWISE : RY_STREAM_ROTARY;
        ry_add_stream(b, &l->forward, kind, (eager ? 12 : 4) * qk);
        ry_add_stream_back(b, &l->backward, kind, (eager ? 12 : 4) * qk);
    }
    if (a->qk_norm) {
        ry_add_stream(b, &l->forward, RY_STREAM_NORM_FUSED, 4 * qk);
        ry_add_stream_back(b, &l->backward, RY_STREAM_NORM_FUSED, 8 * qk);
    }
    if (b->fusion ==
        RY_FUSION_JIT) /* query-key-value re-layout before the batched products */
        ry_add_stream(b, &l->forward, RY_STREAM_COPY, 4 * b->tokens * b->q_width);
    if (a->attention == RY_ATTENTION_GQA) /* gradients of q, k, v side by side again */
        ry_add_stream_back(b, &l->backward, RY_STREAM_COPY, 4 * qkv);
    ry_add_host(b, &l->forward, RY_HOST_VIEW, 4);
}

static void keep_attention(const struct ry_build *b, struct ry_layer_cost *l)
{
    const struct ry_arch *a = b->arch;
    const double heads = a->heads / b->tp;
    const double out = heads * a->head_dim;
    double kept = b->tokens * (2 * (b->q_width + b->kv_width + b->v_width) + 2 * out);
    double core = b->tokens * 4 * heads; /* log-sum-exp of flash attention */
    if (b->traits->attention == RY_ATTN_UNFUSED)
        core = (b->traits->dropout ? 5 : 2) * b->strategy->micro_batch * heads *
               (double)b->strategy->seq * (b->strategy->seq / b->cp);
    if (a->attention == RY_ATTENTION_MLA)
        kept =
            b->tokens * 2 * (2 * b->q_width + heads * (a->qk_nope + a->head_dim) + out) +
            b->shared_tokens * 4 * (a->q_lora + a->kv_lora);
    for (size_t i = 0; i < RY_RECOMPUTES; i++)
        l->kept_bytes[i] += kept + core;
    if (b->traits->attention == RY_ATTN_UNFUSED)
        l->kept_bytes[RY_RECOMPUTE_SELECTIVE] -= core;
}

void ry_layer_attention(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double h = b->arch->hidden, out = b->arch->heads * b->arch->head_dim / b->tp;
    if (b->arch->attention == RY_ATTENTION_MLA)
        add_mla(b, l);
    else
        add_gqa(b, l);
    add_core_kernels(b, l);
    add_core_casts(b, l);
    const double core = core_s(b, false) + slopes_s(b);
    l->forward.attention_s += core;
    l->backward.attention_s += core_s(b, true) * strided_backward(b);
    if (b->traits->attention == RY_ATTN_UNFUSED) {
        /* Two batched products, re-layouts, softmax, dropout; each twice in backward. */
        ry_add_host(b, &l->forward, RY_HOST_GEMM, 2);
        ry_add_host(b, &l->forward, RY_HOST_ELEMENTWISE, 6);
        ry_add_host(b, &l->forward, RY_HOST_VIEW, 6);
        ry_add_host(b, &l->backward, RY_HOST_GEMM, 4);
        ry_add_host(b, &l->backward, RY_HOST_ELEMENTWISE, 12);
    } else {
        ry_add_host(b, &l->forward, RY_HOST_ATTENTION, 1);
        ry_add_host(b, &l->backward, RY_HOST_ATTENTION, 2);
    }
    l->again[RY_RECOMPUTE_SELECTIVE].attention_s += core;
    add_context(b, &l->forward, false);
    add_context(b, &l->backward, true);
    const struct ry_linear o = {
        .rows = b->tokens, .in = out, .out = h, .precision = b->inner, .frozen = b->lora};
    ry_add_linear(b, &o, &l->forward, &l->backward);
    l->parameters += h * out;
    keep_attention(b, l);
}
