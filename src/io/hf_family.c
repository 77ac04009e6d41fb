/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hf_family.h"

#include "base/names.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

static unsigned sliding_layers_listed(struct ry_json types)
{
    unsigned sliding = 0;

    for (size_t i = 0; i < ry_json_size(types); i++) {
        const struct ry_json type = ry_json_at(types, i);
        const char *text = ry_json_as_text(type, "");
        sliding += strcmp(text, "sliding_attention") == 0;
        if (strcmp(text, "sliding_attention") == 0 || strcmp(text, "full_attention") == 0)
            continue;
        ry_json_problem(type, RY_ERR_RANGE,
                        "'%.40s' changes the architecture and is not supported "
                        "(sliding_attention, full_attention)",
                        text);
        break; /* the others are likely the same */
    }
    return sliding;
}

static unsigned sliding_layers(struct ry_hf_reading *r)
{
    const unsigned layers = r->arch->layers;
    const struct ry_json types = ry_hf_take(r, "layer_types");
    const unsigned pattern = ry_hf_optional(r, "sliding_window_pattern", 6);

    if (ry_json_size(types) > 0) {
        if (ry_json_size(types) != layers)
            ry_json_problem(types, RY_ERR_RANGE, "%zu entries for %u layers",
                            ry_json_size(types), layers);
        return sliding_layers_listed(types);
    }
    if (r->traits & RY_HF_WINDOW_ALTERNATE)
        return (layers + 1) / 2;
    if (r->traits & RY_HF_WINDOW_PATTERN)
        return pattern > 0 ? layers - layers / pattern : layers;
    return layers;
}

static void read_window(struct ry_hf_reading *r)
{
    const unsigned window = ry_hf_optional(r, "sliding_window", 0);
    const bool on = ry_hf_flag(r, "use_sliding_window", false);
    const unsigned from = ry_hf_optional(r, "max_window_layers", 0);
    const unsigned layers = sliding_layers(r);

    if (window == 0 || ((r->traits & RY_HF_WINDOW_SWITCH) && !on))
        return;
    if (!(r->traits & (RY_HF_WINDOW_ALL | RY_HF_WINDOW_ALTERNATE | RY_HF_WINDOW_PATTERN |
                       RY_HF_WINDOW_SWITCH)))
        return; /* the family's code has none */
    r->arch->window = window;
    r->arch->window_layers = layers;
    if ((r->traits & RY_HF_WINDOW_SWITCH) && !ry_json_has(r->at, "layer_types"))
        r->arch->window_layers = from < r->arch->layers ? r->arch->layers - from : 0;
    if (r->arch->window_layers == 0)
        r->arch->window = 0;
}

static unsigned whole_head(struct ry_hf_reading *r, unsigned hidden, unsigned heads)
{
    if (heads == 0)
        return 1; /* the check of the whole architecture says it */
    if (hidden > 1 && hidden % heads != 0) /* 1: it was wrong itself */
        ry_json_problem(r->at, RY_ERR_RANGE,
                        "%u heads do not divide hidden size %u, and no head_dim is given",
                        heads, hidden);
    return hidden / heads > 0 ? hidden / heads : 1;
}

/* Sizes under the names that most families use. */
static void read_llama(struct ry_hf_reading *r)
{
    struct ry_arch *a = r->arch;

    a->layers = ry_hf_needed(r, "num_hidden_layers");
    a->hidden = ry_hf_needed(r, "hidden_size");
    a->heads = ry_hf_needed_unless(r, "num_attention_heads", r->absent.heads);
    a->kv_heads = ry_hf_optional(r, "num_key_value_heads",
                                 r->absent.kv_heads > 0 ? r->absent.kv_heads : a->heads);
    a->head_dim = ry_hf_optional(r, "head_dim", r->absent.head_dim);
    if (a->head_dim == 0)
        a->head_dim = whole_head(r, a->hidden, a->heads);
    a->ffn = ry_hf_needed(r, "intermediate_size");
    if (ry_hf_flag(r, "attention_bias", false))
        a->qkv_bias = true;
    if (ry_hf_flag(r, "mlp_bias", false))
        a->linear_bias = true;
    if (ry_hf_flag(r, "qk_layernorm", false))
        a->qk_norm = true;
    (void)ry_hf_take(r, "activation_function");
    read_window(r);
}

static void read_experts(struct ry_hf_reading *r, const char *experts, const char *width)
{
    struct ry_arch *a = r->arch;

    a->experts = ry_hf_needed(r, experts);
    a->top_k = ry_hf_needed(r, "num_experts_per_tok");
    a->moe_ffn = ry_hf_needed(r, width);
}

static void read_mixtral(struct ry_hf_reading *r)
{
    read_llama(r);
    read_experts(r, "num_local_experts", "intermediate_size");
}

/* Dense layers must be the leading ones; the list names them. */
static void read_dense_list(struct ry_hf_reading *r)
{
    const struct ry_json list = ry_hf_take(r, "mlp_only_layers");
    const struct ry_json_bounds bounds = {0, RY_HF_SIZE_MOST};

    for (size_t i = 0; i < ry_json_size(list); i++) {
        if (ry_json_as_count(ry_json_at(list, i), bounds, i) != i)
            ry_json_problem(list, RY_ERR_RANGE,
                            "dense layers other than the first ones change the "
                            "architecture and are not supported");
    }
    r->arch->dense_layers = (unsigned)ry_json_size(list);
}

static void read_qwen_moe(struct ry_hf_reading *r)
{
    read_llama(r);
    read_experts(r, "num_experts", "moe_intermediate_size");
    read_dense_list(r);
    r->arch->moe_period = ry_hf_optional(r, "decoder_sparse_step", 1);
    r->arch->shared_ffn = ry_hf_optional(r, "shared_expert_intermediate_size", 0);
    r->arch->shared_experts = r->arch->shared_ffn > 0 ? 1 : 0;
}

static void read_deepseek(struct ry_hf_reading *r)
{
    struct ry_arch *a = r->arch;

    read_llama(r);
    a->attention = RY_ATTENTION_MLA;
    a->q_lora = ry_hf_optional(r, "q_lora_rank", 0);
    a->kv_lora = ry_hf_needed(r, "kv_lora_rank");
    a->qk_nope = ry_hf_needed(r, "qk_nope_head_dim");
    a->qk_rope = ry_hf_needed(r, "qk_rope_head_dim");
    a->head_dim = ry_hf_needed(r, "v_head_dim");
    a->kv_heads = a->heads; /* every head has its own, from the latent */
    a->qkv_bias = false;
    a->moe_period = ry_hf_optional(r, "moe_layer_freq", 1);
    a->mtp_layers = ry_hf_optional(r, "num_nextn_predict_layers", 0);
    if (!ry_json_has(r->at, "n_routed_experts")) {
        (void)ry_hf_take(r, "n_routed_experts");
        return;
    }
    read_experts(r, "n_routed_experts", "moe_intermediate_size");
    a->dense_layers = ry_hf_optional(r, "first_k_dense_replace", 0);
    a->shared_experts = ry_hf_optional(r, "n_shared_experts", 0);
    if ((double)a->shared_experts * a->moe_ffn > RY_HF_SIZE_MOST)
        ry_json_problem(r->at, RY_ERR_RANGE, "shared experts of %u x %u, above %d",
                        a->shared_experts, a->moe_ffn, RY_HF_SIZE_MOST);
    else
        a->shared_ffn = a->shared_experts * a->moe_ffn;
}

static void read_gpt_oss(struct ry_hf_reading *r)
{
    read_llama(r);
    read_experts(r, "num_local_experts", "intermediate_size");
    (void)ry_hf_take(r, "experts_per_token");
}

static void read_gpt2(struct ry_hf_reading *r)
{
    struct ry_arch *a = r->arch;

    a->layers = ry_hf_needed(r, "n_layer");
    a->hidden = ry_hf_needed(r, "n_embd");
    a->heads = ry_hf_needed(r, "n_head");
    a->kv_heads = a->heads;
    a->head_dim = whole_head(r, a->hidden, a->heads);
    a->ffn = ry_hf_optional(r, "n_inner", 4 * a->hidden);
    a->positions = RY_POSITIONS_LEARNED;
    a->max_positions = ry_hf_needed(r, "n_positions");
    r->model->max_seq = a->max_positions;
}

static void read_gpt_neox(struct ry_hf_reading *r)
{
    read_llama(r);
    r->arch->qkv_bias = false;
    r->arch->parallel_block = ry_hf_flag(r, "use_parallel_residual", true);
    if (!ry_hf_flag(r, "attention_bias", true))
        r->arch->linear_bias = false;
}

static void read_bloom(struct ry_hf_reading *r)
{
    struct ry_arch *a = r->arch;

    a->layers = ry_hf_needed_of(r, "n_layer", "num_hidden_layers");
    a->hidden = ry_hf_needed_of(r, "hidden_size", "n_embed");
    a->heads = ry_hf_needed_of(r, "n_head", "num_attention_heads");
    a->kv_heads = a->heads;
    a->head_dim = whole_head(r, a->hidden, a->heads);
    a->ffn = 4 * a->hidden;
    a->positions = RY_POSITIONS_ALIBI;
}

static void read_opt(struct ry_hf_reading *r)
{
    struct ry_arch *a = r->arch;

    a->layers = ry_hf_needed(r, "num_hidden_layers");
    a->hidden = ry_hf_needed(r, "hidden_size");
    a->heads = ry_hf_needed(r, "num_attention_heads");
    a->kv_heads = a->heads;
    a->head_dim = whole_head(r, a->hidden, a->heads);
    a->ffn = ry_hf_needed(r, "ffn_dim");
    a->positions = RY_POSITIONS_LEARNED;
    a->max_positions =
        ry_hf_needed(r, "max_position_embeddings") + 2; /* an offset in its code */
    a->linear_bias = ry_hf_flag(r, "enable_bias", true);
    ry_hf_must_be(r, "_remove_final_layer_norm", false);
    ry_hf_must_be(r, "do_layer_norm_before", true);
    const struct ry_json width = ry_hf_take(r, "word_embed_proj_dim");
    const struct ry_json_bounds bounds = {1, RY_HF_SIZE_MOST};
    if (ry_json_as_count(width, bounds, a->hidden) != a->hidden)
        ry_json_problem(width, RY_ERR_RANGE,
                        "an embedding of another width than hidden_size changes the "
                        "architecture and is not supported");
}

static void read_falcon(struct ry_hf_reading *r)
{
    struct ry_arch *a = r->arch;
    const bool newer = ry_hf_flag(r, "new_decoder_architecture", false);
    const bool one = ry_hf_flag(r, "multi_query", true);

    a->layers = ry_hf_needed_of(r, "num_hidden_layers", "n_layer");
    a->hidden = ry_hf_needed(r, "hidden_size");
    a->heads = ry_hf_needed_of(r, "num_attention_heads", "n_head");
    a->head_dim = whole_head(r, a->hidden, a->heads);
    const unsigned kv_heads = ry_json_has(r->at, "num_kv_heads")
                                  ? ry_hf_optional(r, "num_kv_heads", a->heads)
                                  : ry_hf_optional(r, "n_head_kv", a->heads);
    (void)ry_hf_take(r, "num_kv_heads");
    (void)ry_hf_take(r, "n_head_kv");
    a->kv_heads = newer ? kv_heads : one ? 1 : a->heads;
    a->ffn = ry_hf_optional(r, "ffn_hidden_size", 4 * a->hidden);
    a->parallel_block = ry_hf_flag(r, "parallel_attn", true) || newer;
    a->linear_bias = ry_hf_flag(r, "bias", false);
    a->positions =
        ry_hf_flag(r, "alibi", false) ? RY_POSITIONS_ALIBI : RY_POSITIONS_ROTARY;
}

static const struct ry_hf_family families[] = {
#define X(type, reader, traits) {type, reader, traits},
#include "io/hf_families.def"
#undef X
};

enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

static const char *type_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i < FAMILIES ? families[i].type : NULL;
}

const struct ry_hf_family *ry_hf_family_find(struct ry_json at)
{
    char shown[RY_SHOWN_BYTES];
    char known[240] = "";
    const struct ry_json type = ry_json_need(at, "model_type");
    const char *text = ry_json_as_text(type, NULL);

    for (size_t i = 0; text && i < FAMILIES; i++) {
        if (strcmp(families[i].type, text) == 0)
            return &families[i];
        const size_t used = strlen(known);
        (void)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
                       families[i].type);
    }
    if (!text)
        return NULL;
    const size_t near = ry_name_nearest(text, type_at, NULL);
    if (near != (size_t)-1)
        ry_json_problem(type, RY_ERR_RANGE,
                        "model_type '%s' is not supported, the nearest that is: '%s'",
                        ry_shown(text, shown), families[near].type);
    else
        ry_json_problem(type, RY_ERR_RANGE, "model_type '%s' is not supported (%s)",
                        ry_shown(text, shown), known);
    return NULL;
}
