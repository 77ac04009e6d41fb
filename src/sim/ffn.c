/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/build.h"

#include <math.h>

/** Bytes of the activation function and its gradient an element of the FFN width. */
struct activation_bytes {
    enum ry_stream forward;
    double forward_bytes;
    enum ry_stream backward;
    double backward_bytes;
    double contiguous_bytes; /**< of the backward, beside those */
    double kernels;          /**< of each pass */
};

static struct activation_bytes unfused_bytes(const struct ry_build *b)
{
    const bool eager = b->fusion == RY_FUSION_EAGER;
    if (b->arch->gated) {
        if (eager) /* silu and a product; back a product and silu on halves of the wide
                      tensor, one product on whole ones, and their concatenation */
            return (struct activation_bytes){
                RY_STREAM_STRIDED, 10, RY_STREAM_STRIDED, 12, 14, 2};
        return (struct activation_bytes){RY_STREAM_SWIGLU, 6, RY_STREAM_SWIGLU, 10, 0, 1};
    }
    if (eager)
        return (struct activation_bytes){
            RY_STREAM_ELEMENTWISE, 4, RY_STREAM_ELEMENTWISE, 6, 0, 1};
    return (struct activation_bytes){
        RY_STREAM_BIAS_GELU, 4, RY_STREAM_BIAS_GELU, 6, 0, 1};
}

/** Its result and the gradient of its input leave it cast where operations are fused. */
static bool casts_in_activation(const struct ry_build *b)
{
    return b->fuses_operations && ry_low_precision(b->inner);
}

static struct activation_bytes activation_bytes(const struct ry_build *b)
{
    struct activation_bytes a = unfused_bytes(b);
    if (casts_in_activation(b)) { /* the casts count what they write */
        a.forward_bytes -= 2;
        a.backward_bytes -= b->arch->gated ? 4 : 2;
    }
    return a;
}

/** Activation function over @p elements of the FFN width. */
static void add_activation(const struct ry_build *b, double elements,
                           struct ry_layer_cost *l)
{
    const struct activation_bytes a = activation_bytes(b);
    for (double i = 0; i < a.kernels; i++) {
        ry_add_stream(b, &l->forward, a.forward, a.forward_bytes / a.kernels * elements);
        ry_add_stream_back(b, &l->backward, a.backward,
                           a.backward_bytes / a.kernels * elements);
    }
    ry_add_stream_back(b, &l->backward, RY_STREAM_COPY, a.contiguous_bytes * elements);
    struct ry_pass *norms = &l->again[RY_RECOMPUTE_NORMS];
    norms->memory_s +=
        ry_stream_s(b->model, a.forward, b->width * a.forward_bytes * elements);
}

/** Kept of an FFN: input of the activation, its result; eager keeps silu(gate) too. */
static double kept_an_element(const struct ry_build *b)
{
    const double result = b->lora ? 0 : 2; /* no weight gradient reads it */
    if (!b->arch->gated)
        return 2 + result;
    return (b->fusion == RY_FUSION_EAGER ? 6 : 4) + result;
}

void ry_layer_ffn(const struct ry_build *b, double width, struct ry_layer_cost *l)
{
    const double h = b->arch->hidden;
    const double in_width = b->arch->gated ? 2 * width : width;
    const struct ry_pass before = l->forward;
    const bool casts = casts_in_activation(b);
    const struct ry_linear up = {.rows = b->tokens,
                                 .in = h,
                                 .out = in_width,
                                 .precision = b->inner,
                                 .frozen = b->lora,
                                 .cast_fused = b->fusion == RY_FUSION_ENGINE,
                                 .gradient_cast_fused = casts};
    const struct ry_linear down = {.rows = b->tokens,
                                   .in = width,
                                   .out = h,
                                   .precision = b->inner,
                                   .frozen = b->lora,
                                   .cast_fused = casts};
    ry_add_linear(b, &up, &l->forward, &l->backward);
    add_activation(b, b->tokens * width, l);
    ry_add_linear(b, &down, &l->forward, &l->backward);
    l->parameters += h * (in_width + width);
    struct ry_pass again = l->forward;
    ry_pass_add(&again, &before, -1);
    ry_pass_add(&l->again[RY_RECOMPUTE_MLP], &again, 1);
    const double kept = b->tokens * width * kept_an_element(b);
    for (size_t i = 0; i < RY_RECOMPUTES; i++)
        if (i != RY_RECOMPUTE_MLP)
            l->kept_bytes[i] += kept;
    l->kept_bytes[RY_RECOMPUTE_NORMS] -= 2 * b->tokens * width;
}

/* ---- mixture of experts ---- */

/** Rows that the experts of one GPU see, with even routing. */
static double expert_rows(const struct ry_build *b)
{
    const double own = b->tokens / b->tp * b->arch->top_k;
    return own * b->etp;
}

static void add_grouped(const struct ry_build *b, double n, double k,
                        struct ry_layer_cost *l)
{
    const double groups = fmax(b->arch->experts / b->ep, 1);
    const double rows = expert_rows(b);
    const struct ry_grouped_gemm forward = {.groups = groups,
                                            .rows = rows,
                                            .n = n,
                                            .k = k,
                                            .precision = b->inner,
                                            .role = RY_FORWARD};
    struct ry_grouped_gemm dgrad = forward, wgrad = forward;
    dgrad.n = k, dgrad.k = n, dgrad.role = RY_DGRAD;
    wgrad.role = RY_WGRAD;
    wgrad.accumulate = b->traits->fused_gradient_add;
    wgrad.out_bytes = wgrad.accumulate ? b->gradient_bytes : 2 * b->width;
    if (b->traits->batched_experts) {
        const struct ry_gemm one = {.m = rows / groups,
                                    .n = n,
                                    .k = k,
                                    .batch = groups,
                                    .precision = b->inner,
                                    .role = RY_FORWARD};
        const struct ry_gemm back = {.m = rows / groups,
                                     .n = k,
                                     .k = n,
                                     .batch = groups,
                                     .precision = b->inner,
                                     .role = RY_DGRAD};
        const struct ry_gemm weight = {.m = k,
                                       .n = n,
                                       .k = rows / groups,
                                       .batch = groups,
                                       .precision = b->inner,
                                       .role = RY_WGRAD};
        l->forward.gemm_s += ry_gemm_s(b->model, &one);
        l->backward.gemm_s += ry_gemm_s(b->model, &back) + ry_gemm_s(b->model, &weight);
    } else {
        l->forward.gemm_s += ry_grouped_gemm_s(b->model, &forward);
        l->backward.gemm_s += ry_grouped_gemm_s(b->model, &dgrad);
        if (!b->lora)
            l->backward.gemm_s += ry_grouped_gemm_s(b->model, &wgrad);
    }
    const double calls =
        b->traits->grouped_product || b->traits->batched_experts ? 1 : groups;
    ry_add_host(b, &l->forward, RY_HOST_GEMM, calls);
    ry_add_host(b, &l->backward, RY_HOST_GEMM, 2 * calls);
    l->expert_parameters += groups * n * k;
}

/** One direction of the all-to-all: rows leave to the ranks that own their experts. */
static double all_to_all_s(const struct ry_build *b, double rows)
{
    if (b->ep <= 1)
        return 0;
    const double bytes = 2 * b->width * rows * b->arch->hidden;
    const double domains = ceil(b->ep / fmax((double)b->ep_group.per_domain, 1));
    double sent = bytes;
    const double limit = b->arch->route_groups;
    const bool racks = b->net->domain.gpus > 8;
    if (b->traits->expert_copies_deduplicated && (racks || (domains > 1 && limit > 0))) {
        /* One copy a rank of a rack-scale domain (HybridEP), one a node where routing is
         * limited to few nodes (DeepEP), however many experts there want the token:
         * distinct targets of k draws.  Else one copy an expert. */
        const double k = b->arch->top_k, targets = domains > 1 ? domains : b->ep;
        const double distinct = targets * (1 - pow(1 - 1 / targets, k));
        sent = bytes * (limit > 0 && domains > 1 ? fmin(distinct, limit) : distinct) / k;
    }
    return ry_collective_s(b->net, RY_COLL_ALL_TO_ALL, &b->ep_group, sent);
}

/** HybridEP: dispatch and combine sort rows themselves, on the exchange's stream. */
static bool exchange_permutes(const struct ry_build *b)
{
    return b->traits->expert_copies_deduplicated && b->net->domain.gpus > 8 && b->ep > 1;
}

/** @param permute_s  [2] of the two passes, on the stream of the exchange. */
static void add_exchange(const struct ry_build *b, const double permute_s[2],
                         struct ry_layer_cost *l)
{
    const double rows = b->tokens / b->tp * b->arch->top_k;
    const double one = all_to_all_s(b, rows);
    const double etp =
        b->etp > 1 ? ry_tp_pair_s(b, 2 * b->width * b->tokens * b->arch->hidden) : 0;
    struct ry_pass *passes[] = {&l->forward, &l->backward};
    for (size_t i = 0; i < 2; i++) {
        const double total = 2 * one + etp + permute_s[i];
        const double cover = passes[i]->gemm_s + passes[i]->attention_s;
        /* Without graphs the host issues too late for the exchange to run beside. */
        const bool overlap =
            b->strategy->ep_overlap && b->strategy->cuda_graph != RY_GRAPH_NONE;
        const double seen = overlap ? fmax(total - 0.9 * cover, 0.1 * total) : total;
        passes[i]->ep_s += seen;
        passes[i]->ep_hidden_s += total - seen;
    }
}

/** Gathering rows by expert and back: permute, unpermute with weights. */
static void add_permute(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double h = b->arch->hidden;
    const double rows = b->tokens / b->tp * b->arch->top_k * h;
    if (b->fusion == RY_FUSION_EAGER) {
        /* Index gather, transposes to and from expert order, weights, sum over top_k. */
        ry_add_stream(b, &l->forward, RY_STREAM_GATHER_ROWS, 4 * rows);
        ry_add_stream(b, &l->forward, RY_STREAM_COPY, 4 * rows);
        ry_add_stream(b, &l->forward, RY_STREAM_COPY, 4 * rows);
        ry_add_stream(b, &l->forward, RY_STREAM_ADD, 4 * rows);
        ry_add_stream(b, &l->forward, RY_STREAM_ADD, 2 * rows);
        ry_add_stream_back(b, &l->backward, RY_STREAM_ADD, 12 * rows);
        ry_add_stream_back(b, &l->backward, RY_STREAM_COPY, 4 * rows);
        ry_add_stream_back(b, &l->backward, RY_STREAM_COPY, 4 * rows);
        ry_add_stream_back(b, &l->backward, RY_STREAM_SCATTER_ADD_ROWS, 6 * rows);
        return;
    }
    ry_add_stream(b, &l->forward, RY_STREAM_PERMUTE_FUSED, 4 * rows);
    ry_add_stream(b, &l->forward, RY_STREAM_PERMUTE_FUSED, 4 * rows);
    ry_add_stream_back(b, &l->backward, RY_STREAM_PERMUTE_FUSED, 4 * rows);
    ry_add_stream_back(b, &l->backward, RY_STREAM_PERMUTE_FUSED, 4 * rows);
}

static void add_router(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double experts = b->arch->experts, tokens = b->tokens / b->tp;
    const struct ry_linear router = {.rows = tokens,
                                     .in = b->arch->hidden,
                                     .out = experts,
                                     .precision = RY_BF16,
                                     .frozen = b->lora};
    ry_add_linear(b, &router, &l->forward, &l->backward);
    ry_add_stream(b, &l->forward, RY_STREAM_SOFTMAX, 16 * tokens * experts);
    ry_add_stream_back(b, &l->backward, RY_STREAM_SOFTMAX, 16 * tokens * experts);
    l->parameters += b->arch->hidden * experts;
    /* Index arithmetic, histograms, sorts: some thirty small operations a direction
     * (Megatron-Core token dispatcher; counted in its source, not measured). */
    ry_add_host(b, &l->forward, RY_HOST_ELEMENTWISE, 20);
    ry_add_host(b, &l->backward, RY_HOST_ELEMENTWISE, 10);
}

static void add_casts(const struct ry_build *b, double rows, double ffn,
                      struct ry_layer_cost *l)
{
    if (!ry_low_precision(b->inner))
        return;
    const double w = 2 + ry_cast_bytes(b, b->inner, !b->lora);
    const enum ry_stream kind =
        b->inner == RY_FP8 ? RY_STREAM_QUANTISE_ROW : RY_STREAM_QUANTISE_BLOCK;
    const double in = b->arch->gated ? 2 : 1;
    ry_add_stream(b, &l->forward, kind, w * rows * b->arch->hidden);
    ry_add_stream(b, &l->forward, kind, w * rows * ffn);
    ry_add_stream_back(b, &l->backward, kind, w * rows * b->arch->hidden);
    ry_add_stream_back(b, &l->backward, kind, w * rows * ffn * in);
}

void ry_layer_moe(const struct ry_build *b, struct ry_layer_cost *l)
{
    const struct ry_arch *a = b->arch;
    const double h = a->hidden, ffn = a->moe_ffn / b->etp, rows = expert_rows(b);
    const double in_width = a->gated ? 2 * ffn : ffn;
    add_router(b, l);
    struct ry_layer_cost permute = {0};
    add_permute(b, &permute);
    double beside_s[2] = {0, 0};
    if (exchange_permutes(b)) {
        beside_s[0] = permute.forward.memory_s;
        beside_s[1] = permute.backward.memory_s;
        permute.forward.memory_s = permute.backward.memory_s = 0;
    }
    ry_pass_add(&l->forward, &permute.forward, 1);
    ry_pass_add(&l->backward, &permute.backward, 1);
    add_grouped(b, in_width, h, l);
    add_activation(b, rows * ffn, l);
    add_grouped(b, h, ffn, l);
    add_casts(b, rows, ffn, l);
    const double kept = rows * (2 * h + ffn * kept_an_element(b) + 2 * h) +
                        8 * b->tokens * a->experts / b->tp;
    for (size_t i = 0; i < RY_RECOMPUTES; i++)
        if (i != RY_RECOMPUTE_MLP)
            l->kept_bytes[i] += kept;
    const double shared =
        a->shared_ffn > 0 ? a->shared_ffn : (double)a->shared_experts * a->moe_ffn;
    if (shared > 0)
        ry_layer_ffn(b, shared / b->tp, l);
    add_exchange(b, beside_s, l);
    const double part = b->strategy->cuda_graph == RY_GRAPH_FULL ? 0
                        : b->strategy->cuda_graph == RY_GRAPH_PARTIAL
                            ? b->traits->partial_graph_host_frac
                            : 1;
    l->forward.host_add_s += part * b->traits->moe_host_s;
    l->backward.host_add_s += part * b->traits->moe_host_s;
}
