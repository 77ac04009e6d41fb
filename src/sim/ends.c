/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/build.h"

#include <math.h>

static void add_norm(const struct ry_build *b, double tokens, struct ry_layer_cost *l)
{
    const double elements = tokens * b->arch->hidden;
    const enum ry_stream kind = b->fusion != RY_FUSION_EAGER ? RY_STREAM_NORM_FUSED
                                : b->arch->layer_norm        ? RY_STREAM_LAYER_NORM
                                                             : RY_STREAM_RMS_NORM;
    ry_add_stream(b, &l->forward, kind, 4 * elements);
    ry_add_stream_back(b, &l->backward,
                       b->fusion == RY_FUSION_EAGER ? RY_STREAM_NORM_BACKWARD : kind,
                       8 * elements);
    l->again[RY_RECOMPUTE_NORMS].memory_s +=
        ry_stream_s(b->model, kind, 4 * b->width * elements);
    for (size_t i = 0; i < RY_RECOMPUTES; i++)
        l->kept_bytes[i] += 4 * elements;
    l->kept_bytes[RY_RECOMPUTE_NORMS] -= 2 * elements;
    l->parameters += b->arch->layer_norm ? 2.0 * b->arch->hidden : b->arch->hidden;
}

/** Residual addition, with bias and dropout where the framework has them. */
static void add_residual(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double elements = b->shared_tokens * b->arch->hidden;
    const bool dropout = b->traits->dropout;
    const double forward = dropout ? 7 : 6;
    const double backward = b->fusion == RY_FUSION_JIT ? (dropout ? 5 : 4) : 6;
    ry_add_stream(b, &l->forward, RY_STREAM_ADD, forward * elements);
    ry_add_stream_back(b, &l->backward, RY_STREAM_ADD, backward * elements);
    if (dropout)
        for (size_t i = 0; i < RY_RECOMPUTES; i++)
            l->kept_bytes[i] += elements;
}

/**
 * What full recomputation repeats and keeps.  Non-reentrant checkpointing stops once
 * backward has all it reads: the last product and addition are not repeated.
 */
static void set_full(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double input = 2 * b->shared_tokens * b->arch->hidden;
    struct ry_pass full = l->forward;
    if (b->traits->checkpoint_stops_early && b->arch->experts == 0) {
        const struct ry_linear down = {.rows = b->tokens,
                                       .in = b->ffn,
                                       .out = b->arch->hidden,
                                       .precision = b->inner};
        struct ry_pass last = {0};
        ry_add_product(b, &down, &last);
        ry_add_stream(b, &last, RY_STREAM_ADD, 3 * input);
        ry_pass_add(&full, &last, -1);
        if (b->tp > 1 && !b->sequence_parallel)
            full.tp_s -= l->forward.tp_s / 2;
    }
    l->again[RY_RECOMPUTE_FULL] = full;
    l->again[RY_RECOMPUTE_LAYERS] = full;
    l->again[RY_RECOMPUTE_PRODUCTS] = full;
    l->again[RY_RECOMPUTE_PRODUCTS].gemm_s *= 0.5;
    l->again[RY_RECOMPUTE_PRODUCTS].attention_s = 0;
    l->again[RY_RECOMPUTE_PRODUCTS].tp_s = 0;
    l->working_bytes = l->kept_bytes[RY_RECOMPUTE_NONE];
    l->kept_bytes[RY_RECOMPUTE_FULL] = input;
    l->kept_bytes[RY_RECOMPUTE_LAYERS] = input;
    l->kept_bytes[RY_RECOMPUTE_PRODUCTS] = 0.5 * l->working_bytes;
}

void ry_layer_frame(const struct ry_build *b, struct ry_layer_cost *l)
{
    const unsigned norms =
        (b->arch->parallel_block ? 1u : 2u) + (b->arch->post_norms ? 2u : 0u);
    for (unsigned i = 0; i < norms; i++)
        add_norm(b, b->shared_tokens, l);
    add_residual(b, l);
    add_residual(b, l);
    const double pairs = b->arch->parallel_block ? 1 : 2;
    const double routed = b->arch->experts > 0 && l->expert_parameters > 0 ? 1 : pairs;
    ry_add_tp(b, l, routed);
    set_full(b, l);
    const double share = b->lora ? 0 : 1;
    l->trained_parameters = share * l->parameters;
    l->trained_expert_parameters = share * l->expert_parameters;
}

static void embedding(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double elements = b->shared_tokens * b->arch->hidden;
    const double table = b->vocab / b->vocab_tp * b->arch->hidden;
    ry_add_stream(b, &l->forward, RY_STREAM_GATHER_ROWS, 4 * elements);
    if (b->arch->positions == RY_POSITIONS_LEARNED)
        ry_add_stream(b, &l->forward, RY_STREAM_ADD, 6 * elements);
    if (!b->lora) {
        /* Zeroing a gradient of the whole table, then adding rows into it. */
        ry_add_stream_back(b, &l->backward, RY_STREAM_ADD,
                           b->gradient_bytes * table + 6 * elements);
    }
    l->parameters = table;
    if (b->arch->positions == RY_POSITIONS_LEARNED)
        l->parameters += (double)b->arch->max_positions * b->arch->hidden;
    if (b->vocab_tp > 1) {
        l->forward.tp_s +=
            0.5 * ry_tp_pair_s(b, 2 * b->width * b->tokens * b->arch->hidden);
        l->backward.tp_s +=
            b->sequence_parallel
                ? 0.5 * ry_tp_pair_s(b, 2 * b->width * b->tokens * b->arch->hidden)
                : 0;
    }
    l->kept_bytes[RY_RECOMPUTE_NONE] = 0;
}

/** Cross entropy over the logits of this GPU. */
static void loss(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double logits = b->tokens * b->vocab / b->vocab_tp;
    if (b->traits->loss_bytes > 0) {
        ry_add_stream(b, &l->forward, RY_STREAM_CAST,
                      0.6 * b->traits->loss_bytes * logits);
        ry_add_stream_back(b, &l->backward, RY_STREAM_CAST,
                           0.4 * b->traits->loss_bytes * logits);
    } else {
        /* PyTorch in fp32: measured forward; backward zero-fills, scatters, subtracts
         * (16 B a logit) and casts back (6 B). */
        ry_add_stream(b, &l->forward, RY_STREAM_CROSS_ENTROPY_EAGER, 6 * logits);
        ry_add_stream_back(b, &l->backward, RY_STREAM_ADD, 16 * logits);
        ry_add_stream_back(b, &l->backward, RY_STREAM_CAST, 6 * logits);
    }
    ry_add_stream_back(b, &l->backward, RY_STREAM_CROSS_ENTROPY_EAGER,
                       6 * logits * b->traits->metric_losses);
    if (b->vocab_tp > 1) { /* maximum, sum of exponentials, target logit */
        const double scalar = ry_all_reduce_s(b->net, &b->tp_group, 4 * b->tokens);
        l->forward.tp_s += 3 * scalar;
        l->backward.tp_s +=
            0.5 * ry_tp_pair_s(b, 2 * b->width * b->tokens * b->arch->hidden);
        if (b->sequence_parallel)
            l->forward.tp_s +=
                0.5 * ry_tp_pair_s(b, 2 * b->width * b->tokens * b->arch->hidden);
    }
}

static void head(const struct ry_build *b, struct ry_layer_cost *l)
{
    const double h = b->arch->hidden;
    const enum ry_precision precision = b->strategy->precision == RY_TRAIN_FP16 ? RY_FP16
                                        : b->strategy->precision == RY_TRAIN_FP32
                                            ? RY_FP32
                                            : RY_BF16;
    const struct ry_linear out = {.rows = b->tokens,
                                  .in = h,
                                  .out = b->vocab / b->vocab_tp,
                                  .precision = precision,
                                  .frozen = b->lora};
    add_norm(b, b->shared_tokens, l);
    ry_add_linear(b, &out, &l->forward, &l->backward);
    loss(b, l);
    l->parameters += out.in * out.out;
}

/** MTP: one more layer, its joining product (2h -> h) and the head and loss again. */
static void mtp(const struct ry_build *b, struct ry_shape_cost *shape)
{
    const double n = b->arch->mtp_layers;
    if (!(n > 0))
        return;
    const double h = b->arch->hidden;
    const struct ry_linear join = {.rows = b->tokens,
                                   .in = 2 * h,
                                   .out = h / b->tp,
                                   .precision = b->inner,
                                   .frozen = b->lora};
    const struct ry_layer_cost *layer =
        b->arch->experts > 0 ? &shape->moe : &shape->dense;
    struct ry_layer_cost one = *layer;
    ry_add_linear(b, &join, &one.forward, &one.backward);
    add_norm(b, b->shared_tokens, &one);
    add_norm(b, b->shared_tokens, &one);
    ry_pass_add(&one.forward, &shape->head.forward, 1);
    ry_pass_add(&one.backward, &shape->head.backward, 1);
    one.parameters += 2 * h * h / b->tp;
    shape->mtp = one;
    shape->mtp.parameters *= n;
    shape->mtp.expert_parameters *= n;
    for (int i = 0; i < RY_RECOMPUTES; i++) {
        shape->mtp.kept_bytes[i] *= n;
        ry_pass_add(&shape->mtp.again[i], &one.again[i], n - 1);
    }
    ry_pass_add(&shape->mtp.forward, &one.forward, n - 1);
    ry_pass_add(&shape->mtp.backward, &one.backward, n - 1);
}

void ry_ends_cost(const struct ry_build *b, struct ry_shape_cost *shape)
{
    embedding(b, &shape->embedding);
    head(b, &shape->head);
    mtp(b, shape);
    const double share = b->lora ? 0 : 1;
    struct ry_layer_cost *ends[] = {&shape->embedding, &shape->head, &shape->mtp};
    for (size_t i = 0; i < 3; i++) {
        ends[i]->trained_parameters = share * ends[i]->parameters;
        ends[i]->trained_expert_parameters = share * ends[i]->expert_parameters;
    }
    const double logits = b->tokens * b->vocab / b->vocab_tp;
    const bool fp32 =
        b->strategy->precision == RY_TRAIN_FP32; /* logits and their gradient */
    shape->logits_bytes = logits * (fp32 ? 8 : b->traits->logit_kept_bytes);
    shape->boundary_bytes = 2 * b->width * b->shared_tokens * b->arch->hidden;
}
