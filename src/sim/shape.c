/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/build.h"

static struct ry_layer_cost dense_layer(const struct ry_build *b)
{
    struct ry_layer_cost l = {0};
    ry_layer_attention(b, &l);
    ry_layer_ffn(b, b->ffn, &l);
    ry_layer_frame(b, &l);
    return l;
}

static struct ry_layer_cost moe_layer(const struct ry_build *b)
{
    struct ry_layer_cost l = {0};
    ry_layer_attention(b, &l);
    ry_layer_moe(b, &l);
    ry_layer_frame(b, &l);
    return l;
}

/** One adapter: A (in -> rank), B (rank -> out), its scale, and the sum with the base. */
static void add_adapter(const struct ry_build *b, double in, double out,
                        struct ry_layer_cost *l)
{
    const double rank = b->strategy->lora_rank > 0 ? b->strategy->lora_rank : 16;
    const struct ry_linear parts[] = {
        {.rows = b->tokens, .in = in, .out = rank, .precision = RY_BF16},
        {.rows = b->tokens, .in = rank, .out = out, .precision = RY_BF16},
    };
    for (size_t i = 0; i < 2; i++) {
        ry_add_linear(b, &parts[i], &l->forward, &l->backward);
        l->parameters += parts[i].in * parts[i].out;
        l->trained_parameters += parts[i].in * parts[i].out;
    }
    if (b->traits->lora_dropout) {
        ry_add_stream(b, &l->forward, RY_STREAM_DROPOUT, 5 * b->tokens * in);
        ry_add_stream_back(b, &l->backward, RY_STREAM_DROPOUT, 5 * b->tokens * in);
    }
    if (b->fuses_operations) { /* products scale and add: they read what they add to */
        l->forward.memory_s += ry_stream_s(b->model, RY_STREAM_ADD, 2 * b->tokens * out);
        l->backward.memory_s += ry_stream_s(b->model, RY_STREAM_ADD, 2 * b->tokens * in);
        return;
    }
    ry_add_stream(b, &l->forward, RY_STREAM_SCALE, 4 * b->tokens * out);
    ry_add_stream(b, &l->forward, RY_STREAM_ADD, 6 * b->tokens * out);
    ry_add_stream_back(b, &l->backward, RY_STREAM_SCALE, 4 * b->tokens * out);
    ry_add_stream_back(b, &l->backward, RY_STREAM_ADD, 6 * b->tokens * in);
}

/** Low-rank adapters on the query-key-value product, and on the output product. */
static void add_adapters(const struct ry_build *b, struct ry_layer_cost *l)
{
    if (!b->lora)
        return;
    add_adapter(b, b->arch->hidden, b->q_width + b->kv_width + b->v_width, l);
    if (!b->traits->lora_qkv_only)
        add_adapter(b, b->q_width, b->arch->hidden, l);
}

void ry_shape_cost(const struct ry_machine *machine, const struct ry_arch *arch,
                   const struct ry_traits *traits, const struct ry_strategy *strategy,
                   struct ry_shape_cost *out)
{
    struct ry_build b;
    ry_build_init(&b, machine, arch, traits, strategy);
    *out = (struct ry_shape_cost){0};
    if (arch->experts == 0 || arch->dense_layers > 0 || arch->moe_period > 1)
        out->dense = dense_layer(&b);
    if (arch->experts > 0)
        out->moe = moe_layer(&b);
    if (out->dense.parameters > 0)
        add_adapters(&b, &out->dense);
    if (out->moe.parameters > 0)
        add_adapters(&b, &out->moe);
    ry_ends_cost(&b, out);
    struct ry_layer_cost *const layers[] = {&out->dense, &out->moe, &out->mtp};
    for (size_t k = 0; k < 3; k++) {
        layers[k]->working_bytes *= b.width;
        for (size_t i = 0; i < RY_RECOMPUTES; i++)
            layers[k]->kept_bytes[i] *= b.width;
    }
}
