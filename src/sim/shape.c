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

/** Low-rank adapters on query-key-value, output and FFN products (NeMo and PEFT). */
static void add_adapters(const struct ry_build *b, struct ry_layer_cost *l)
{
    if (!b->lora)
        return;
    const double rank = b->strategy->lora_rank > 0 ? b->strategy->lora_rank : 16;
    const double h = b->arch->hidden;
    const double qkv = b->q_width + b->kv_width + b->v_width;
    const struct ry_linear parts[] = {
        {.rows = b->tokens, .in = h, .out = rank, .precision = RY_BF16},
        {.rows = b->tokens, .in = rank, .out = qkv, .precision = RY_BF16},
        {.rows = b->tokens, .in = b->q_width, .out = rank, .precision = RY_BF16},
        {.rows = b->tokens, .in = rank, .out = h, .precision = RY_BF16},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        ry_add_linear(b, &parts[i], &l->forward, &l->backward);
        l->parameters += parts[i].in * parts[i].out;
        l->trained_parameters += parts[i].in * parts[i].out;
    }
    if (b->traits->lora_dropout) {
        const double inputs = 5 * b->tokens * (h + b->q_width);
        ry_add_stream(b, &l->forward, RY_STREAM_DROPOUT, inputs);
        ry_add_stream_back(b, &l->backward, RY_STREAM_DROPOUT, inputs);
    }
    ry_add_stream(b, &l->forward, RY_STREAM_ADD, 6 * b->tokens * (qkv + h));
    ry_add_stream_back(b, &l->backward, RY_STREAM_ADD, 6 * b->tokens * (b->q_width + h));
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
