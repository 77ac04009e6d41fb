/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hf_config.h"

#include "base/names.h"
#include "io/file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum hf_traits {
    HF_GATED = 1 << 0,
    HF_LAYER_NORM = 1 << 1,
    HF_BIAS = 1 << 2,             /* every linear layer */
    HF_QKV_BIAS = 1 << 3,
    HF_QK_NORM = 1 << 4,
    HF_POST_NORMS = 1 << 5,
    HF_PARALLEL = 1 << 6,         /* attention and FFN side by side */
    HF_TIED = 1 << 7,             /* what an absent tie_word_embeddings means */
    HF_WINDOW_ALL = 1 << 8,       /* sliding_window: every layer */
    HF_WINDOW_ALTERNATE = 1 << 9, /* every second layer */
    HF_WINDOW_PATTERN = 1 << 10,  /* all but every sliding_window_pattern-th */
    HF_WINDOW_SWITCH = 1 << 11,   /* when use_sliding_window, from max_window_layers on */
};

enum { USED_MOST = 96, SIZE_MOST = 100000000 };

/* What a family's configuration class means by an absent size; 0: it must be there. */
struct sizes {
    unsigned heads, kv_heads, head_dim, vocab;
};

struct reading {
    struct ry_json at;
    struct sizes absent;
    struct ry_arch *arch;
    struct ry_model *model;
    unsigned traits;
    size_t n;
    const char *used[USED_MOST]; /* keys that were looked at */
};

/* ------------------------------------------------------------- access */

static struct ry_json take(struct reading *r, const char *key)
{
    if (r->n < USED_MOST)
        r->used[r->n++] = key;
    return ry_json_get(r->at, key);
}

static unsigned optional(struct reading *r, const char *key, unsigned fallback)
{
    const struct ry_json_bounds bounds = {0, SIZE_MOST};
    return (unsigned)ry_json_as_count(take(r, key), bounds, fallback);
}

static unsigned needed(struct reading *r, const char *key)
{
    const struct ry_json_bounds bounds = {1, SIZE_MOST};

    (void)take(r, key);
    return (unsigned)ry_json_as_count(ry_json_need(r->at, key), bounds, 1);
}

static bool flag(struct reading *r, const char *key, bool fallback)
{
    return ry_json_as_bool(take(r, key), fallback);
}

static unsigned needed_unless(struct reading *r, const char *key, unsigned absent)
{
    return absent > 0 ? optional(r, key, absent) : needed(r, key);
}

/* The first of two names that is there; the first is named when neither is. */
static unsigned needed_of(struct reading *r, const char *key, const char *other)
{
    if (!ry_json_has(r->at, key) && ry_json_has(r->at, other))
        return needed(r, other);
    (void)take(r, other);
    return needed(r, key);
}

/* A choice that is modelled in one way only. */
static void must_be(struct reading *r, const char *key, bool wanted)
{
    const struct ry_json member = take(r, key);

    if (ry_json_as_bool(member, wanted) != wanted)
        ry_json_problem(member, RY_ERR_RANGE,
                        "%s changes the architecture and is not supported",
                        wanted ? "false" : "true");
}

/* ------------------------------------------------------------- windows */

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

static unsigned sliding_layers(struct reading *r)
{
    const unsigned layers = r->arch->layers;
    const struct ry_json types = take(r, "layer_types");
    const unsigned pattern = optional(r, "sliding_window_pattern", 6);

    if (ry_json_size(types) > 0) {
        if (ry_json_size(types) != layers)
            ry_json_problem(types, RY_ERR_RANGE, "%zu entries for %u layers",
                            ry_json_size(types), layers);
        return sliding_layers_listed(types);
    }
    if (r->traits & HF_WINDOW_ALTERNATE)
        return (layers + 1) / 2;
    if (r->traits & HF_WINDOW_PATTERN)
        return pattern > 0 ? layers - layers / pattern : layers;
    return layers;
}

static void read_window(struct reading *r)
{
    const unsigned window = optional(r, "sliding_window", 0);
    const bool on = flag(r, "use_sliding_window", false);
    const unsigned from = optional(r, "max_window_layers", 0);
    const unsigned layers = sliding_layers(r);

    if (window == 0 || ((r->traits & HF_WINDOW_SWITCH) && !on))
        return;
    if (!(r->traits & (HF_WINDOW_ALL | HF_WINDOW_ALTERNATE | HF_WINDOW_PATTERN |
                       HF_WINDOW_SWITCH)))
        return; /* the family's code has none */
    r->arch->window = window;
    r->arch->window_layers = layers;
    if ((r->traits & HF_WINDOW_SWITCH) && !ry_json_has(r->at, "layer_types"))
        r->arch->window_layers =
            from < r->arch->layers ? r->arch->layers - from : 0;
    if (r->arch->window_layers == 0)
        r->arch->window = 0;
}

/* ------------------------------------------------------------- families */

static void read_traits(struct reading *r)
{
    struct ry_arch *a = r->arch;

    a->gated = r->traits & HF_GATED;
    a->layer_norm = r->traits & HF_LAYER_NORM;
    a->linear_bias = r->traits & HF_BIAS;
    a->qkv_bias = r->traits & HF_QKV_BIAS;
    a->qk_norm = r->traits & HF_QK_NORM;
    a->post_norms = r->traits & HF_POST_NORMS;
    a->parallel_block = r->traits & HF_PARALLEL;
    a->tied_embeddings = flag(r, "tie_word_embeddings", r->traits & HF_TIED);
    a->vocab = needed_unless(r, "vocab_size", r->absent.vocab);
    r->model->max_seq = (double)optional(r, "max_position_embeddings", 0);
    must_be(r, "is_encoder_decoder", false);
    must_be(r, "add_cross_attention", false);
}

static unsigned whole_head(struct reading *r, unsigned hidden, unsigned heads)
{
    if (hidden > 1 && hidden % heads != 0) /* 1: it was wrong itself */
        ry_json_problem(r->at, RY_ERR_RANGE,
                        "%u heads do not divide hidden size %u, and no head_dim is given",
                        heads, hidden);
    return hidden / heads > 0 ? hidden / heads : 1;
}

/* Sizes under the names that most families use. */
static void read_llama(struct reading *r)
{
    struct ry_arch *a = r->arch;

    a->layers = needed(r, "num_hidden_layers");
    a->hidden = needed(r, "hidden_size");
    a->heads = needed_unless(r, "num_attention_heads", r->absent.heads);
    a->kv_heads = optional(r, "num_key_value_heads",
                           r->absent.kv_heads > 0 ? r->absent.kv_heads : a->heads);
    a->head_dim = optional(r, "head_dim", r->absent.head_dim);
    if (a->head_dim == 0)
        a->head_dim = whole_head(r, a->hidden, a->heads);
    a->ffn = needed(r, "intermediate_size");
    if (flag(r, "attention_bias", false))
        a->qkv_bias = true;
    if (flag(r, "mlp_bias", false))
        a->linear_bias = true;
    if (flag(r, "qk_layernorm", false))
        a->qk_norm = true;
    (void)take(r, "activation_function");
    read_window(r);
}

static void read_experts(struct reading *r, const char *experts, const char *width)
{
    struct ry_arch *a = r->arch;

    a->experts = needed(r, experts);
    a->top_k = needed(r, "num_experts_per_tok");
    a->moe_ffn = needed(r, width);
}

static void read_mixtral(struct reading *r)
{
    read_llama(r);
    read_experts(r, "num_local_experts", "intermediate_size");
}

/* Dense layers must be the leading ones; the list names them. */
static void read_dense_list(struct reading *r)
{
    const struct ry_json list = take(r, "mlp_only_layers");
    const struct ry_json_bounds bounds = {0, SIZE_MOST};

    for (size_t i = 0; i < ry_json_size(list); i++) {
        if (ry_json_as_count(ry_json_at(list, i), bounds, i) != i)
            ry_json_problem(list, RY_ERR_RANGE,
                            "dense layers other than the first ones change the "
                            "architecture and are not supported");
    }
    r->arch->dense_layers = (unsigned)ry_json_size(list);
}

static void read_qwen_moe(struct reading *r)
{
    read_llama(r);
    read_experts(r, "num_experts", "moe_intermediate_size");
    read_dense_list(r);
    r->arch->moe_period = optional(r, "decoder_sparse_step", 1);
    r->arch->shared_ffn = optional(r, "shared_expert_intermediate_size", 0);
    r->arch->shared_experts = r->arch->shared_ffn > 0 ? 1 : 0;
}

static void read_deepseek(struct reading *r)
{
    struct ry_arch *a = r->arch;

    read_llama(r);
    a->attention = RY_ATTENTION_MLA;
    a->q_lora = optional(r, "q_lora_rank", 0);
    a->kv_lora = needed(r, "kv_lora_rank");
    a->qk_nope = needed(r, "qk_nope_head_dim");
    a->qk_rope = needed(r, "qk_rope_head_dim");
    a->head_dim = needed(r, "v_head_dim");
    a->kv_heads = a->heads; /* every head has its own, from the latent */
    a->qkv_bias = false;
    a->moe_period = optional(r, "moe_layer_freq", 1);
    a->mtp_layers = optional(r, "num_nextn_predict_layers", 0);
    if (!ry_json_has(r->at, "n_routed_experts")) {
        (void)take(r, "n_routed_experts");
        return;
    }
    read_experts(r, "n_routed_experts", "moe_intermediate_size");
    a->dense_layers = optional(r, "first_k_dense_replace", 0);
    a->shared_experts = optional(r, "n_shared_experts", 0);
    if ((double)a->shared_experts * a->moe_ffn > SIZE_MOST)
        ry_json_problem(r->at, RY_ERR_RANGE, "shared experts of %u x %u, above %d",
                        a->shared_experts, a->moe_ffn, SIZE_MOST);
    else
        a->shared_ffn = a->shared_experts * a->moe_ffn;
}

static void read_gpt_oss(struct reading *r)
{
    read_llama(r);
    read_experts(r, "num_local_experts", "intermediate_size");
    (void)take(r, "experts_per_token");
}

static void read_gpt2(struct reading *r)
{
    struct ry_arch *a = r->arch;

    a->layers = needed(r, "n_layer");
    a->hidden = needed(r, "n_embd");
    a->heads = needed(r, "n_head");
    a->kv_heads = a->heads;
    a->head_dim = whole_head(r, a->hidden, a->heads);
    a->ffn = optional(r, "n_inner", 4 * a->hidden);
    a->positions = RY_POSITIONS_LEARNED;
    a->max_positions = needed(r, "n_positions");
    r->model->max_seq = a->max_positions;
}

static void read_gpt_neox(struct reading *r)
{
    read_llama(r);
    r->arch->qkv_bias = false;
    r->arch->parallel_block = flag(r, "use_parallel_residual", true);
    if (!flag(r, "attention_bias", true))
        r->arch->linear_bias = false;
}

static void read_bloom(struct reading *r)
{
    struct ry_arch *a = r->arch;

    a->layers = needed_of(r, "n_layer", "num_hidden_layers");
    a->hidden = needed_of(r, "hidden_size", "n_embed");
    a->heads = needed_of(r, "n_head", "num_attention_heads");
    a->kv_heads = a->heads;
    a->head_dim = whole_head(r, a->hidden, a->heads);
    a->ffn = 4 * a->hidden;
    a->positions = RY_POSITIONS_ALIBI;
}

static void read_opt(struct reading *r)
{
    struct ry_arch *a = r->arch;

    a->layers = needed(r, "num_hidden_layers");
    a->hidden = needed(r, "hidden_size");
    a->heads = needed(r, "num_attention_heads");
    a->kv_heads = a->heads;
    a->head_dim = whole_head(r, a->hidden, a->heads);
    a->ffn = needed(r, "ffn_dim");
    a->positions = RY_POSITIONS_LEARNED;
    a->max_positions = needed(r, "max_position_embeddings") + 2; /* an offset in its code */
    a->linear_bias = flag(r, "enable_bias", true);
    must_be(r, "_remove_final_layer_norm", false);
    must_be(r, "do_layer_norm_before", true);
    const struct ry_json width = take(r, "word_embed_proj_dim");
    const struct ry_json_bounds bounds = {1, SIZE_MOST};
    if (ry_json_as_count(width, bounds, a->hidden) != a->hidden)
        ry_json_problem(width, RY_ERR_RANGE,
                        "an embedding of another width than hidden_size changes the "
                        "architecture and is not supported");
}

static void read_falcon(struct reading *r)
{
    struct ry_arch *a = r->arch;
    const bool newer = flag(r, "new_decoder_architecture", false);
    const bool one = flag(r, "multi_query", true);

    a->layers = needed_of(r, "num_hidden_layers", "n_layer");
    a->hidden = needed(r, "hidden_size");
    a->heads = needed_of(r, "num_attention_heads", "n_head");
    a->head_dim = whole_head(r, a->hidden, a->heads);
    const unsigned kv_heads = ry_json_has(r->at, "num_kv_heads")
                                  ? optional(r, "num_kv_heads", a->heads)
                                  : optional(r, "n_head_kv", a->heads);
    (void)take(r, "num_kv_heads");
    (void)take(r, "n_head_kv");
    a->kv_heads = newer ? kv_heads : one ? 1 : a->heads;
    a->ffn = optional(r, "ffn_hidden_size", 4 * a->hidden);
    a->parallel_block = flag(r, "parallel_attn", true) || newer;
    a->linear_bias = flag(r, "bias", false);
    a->positions = flag(r, "alibi", false) ? RY_POSITIONS_ALIBI : RY_POSITIONS_ROTARY;
}

static const struct family {
    const char *type;
    void (*read)(struct reading *r);
    unsigned traits;
} families[] = {
#define X(type, reader, traits) {type, reader, traits},
#include "io/hf_families.def"
#undef X
};

enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

/* ------------------------------------------------------------- other keys */

/* Keys (or beginnings of keys, ending with '*') that change nothing modelled here. */
static const char *const harmless[] = {
    "_*", "model_type", "architectures", "auto_map", "transformers_version", "torch_dtype",
    "dtype", "use_cache", "*_token_id", "*_dropout", "*_pdrop", "*dropout*", "initializer_*",
    "init_*", "*_eps", "*_epsilon", "layer_norm_*", "hidden_act", "hidden_activation",
    "activation_function", "rope_*", "rotary_*", "partial_rotary_factor", "pretraining_tp",
    "*_softcapping", "query_pre_attn_scalar", "scale_attn_*", "reorder_and_upcast_attn",
    "router_*", "output_*", "norm_topk_prob", "routed_scaling_factor", "scoring_func",
    "topk_method", "n_group", "topk_group", "aux_loss_alpha", "seq_aux", "ep_size",
    "num_experts_per_token", "quantization_config", "attn_implementation", "cache_*",
    "task_specific_params", "summary_*", "n_ctx", "max_length", "model_max_length",
    "return_dict*", "tokenizer_*", "unk_*", "original_max_position_embeddings",
    "embd_layer_norm", "masked_softmax_fusion", "attention_softmax_in_fp32",
    "skip_bias_add*", "slow_but_exact", "offset_alibi", "seq_length", "layerdrop",
    "apply_residual_connection_post_layernorm", "layer_norm_elementwise_affine",
    "resid_*", "embd_*", "attn_pdrop", "prefix", "language", "license", "id2label",
    "label2id", "num_labels", "swiglu_limit", "rms_norm_eps", "initial_context_length",
    "use_mrope", "mscale*", "long_factor", "short_factor", "vision_*", "sliding_window_size", "image_*", "boi_*",
    "eoi_*", "mm_tokens_*", "problem_type", "qk_head_dim", "num_ln_in_parallel_attn",
    "max_window_layers", "gradient_checkpointing", "mlp_only_layers", "head_dim",
    "attention_type", "hidden_layers_*", "cls_token_id", "max_position_embeddings", NULL};

/* A name with a size in it: without a meaning here, it may not be passed over. */
static const char *const telling[] = {
    "layer", "expert", "head", "hidden", "dim", "size", "rank", "block", "moe", "ssm",
    "mamba", "conv", "state", "recurrent", "codebook", "mtp", "nextn", "lora", "tower",
    "window", "chunk", "encoder", "linear_", "embed", "width", "depth", "altup", "laurel",
    NULL};

static bool ends_with(const char *text, const char *end, size_t n)
{
    const size_t length = strlen(text);
    return length >= n && memcmp(text + length - n, end, n) == 0;
}

static bool matches(const char *key, const char *pattern)
{
    const size_t n = strlen(pattern);
    const bool front = pattern[0] == '*';
    const bool back = pattern[n - 1] == '*';
    char middle[48];

    if (!front && !back)
        return strcmp(key, pattern) == 0;
    (void)snprintf(middle, sizeof(middle), "%.*s", (int)(n - front - back), pattern + front);
    if (front && back)
        return strstr(key, middle) != NULL;
    return back ? strncmp(key, middle, strlen(middle)) == 0
                : ends_with(key, middle, strlen(middle));
}

static bool listed(const char *key, const char *const patterns[])
{
    for (size_t i = 0; patterns[i]; i++) {
        if (matches(key, patterns[i]))
            return true;
    }
    return false;
}

static bool holds_any(const char *key, const char *const pieces[])
{
    for (size_t i = 0; pieces[i]; i++) {
        if (strstr(key, pieces[i]))
            return true;
    }
    return false;
}

/* null, false, 0, "", [] and {} switch nothing on. */
static bool says_something(struct ry_json at)
{
    switch (ry_json_type(at)) {
    case RY_JSON_ABSENT:
    case RY_JSON_NULL:
        return false;
    case RY_JSON_BOOL:
        return ry_json_as_bool(at, false);
    case RY_JSON_NUMBER:
        return ry_json_as_number(at, 0.0) != 0.0;
    case RY_JSON_TEXT:
        return ry_json_as_text(at, "")[0] != '\0';
    case RY_JSON_LIST:
    case RY_JSON_OBJECT:
        break;
    }
    return ry_json_size(at) > 0;
}

static bool is_used(const struct reading *r, const char *key)
{
    for (size_t i = 0; i < r->n; i++) {
        if (strcmp(r->used[i], key) == 0)
            return true;
    }
    return false;
}

static const char *append(struct ry_arena *arena, const char *list, const char *key)
{
    char shown[RY_SHOWN_BYTES];
    const char *longer =
        strlen(list) < 4096
            ? ry_strfmt(arena, "%s%s%s", list, list[0] ? ", " : "", ry_shown(key, shown))
            : list;
    return longer ? longer : list;
}

/* They choose the family: they are not ignored. */
static const char *const used_elsewhere[] = {"model_type", "architectures", NULL};

static void sort_other_keys(struct reading *r, struct ry_json at, struct ry_arena *arena)
{
    for (size_t i = 0; i < ry_json_size(at); i++) {
        const struct ry_json member = ry_json_at(at, i);
        const char *key = ry_json_key(member);
        if (is_used(r, key) || listed(key, used_elsewhere))
            continue;
        if (listed(key, harmless) || !says_something(member) || !holds_any(key, telling))
            r->model->ignored = append(arena, r->model->ignored, key);
        else
            ry_json_problem(member, RY_ERR_RANGE,
                            "may change the architecture and is not supported for "
                            "model_type '%s'; remove it if it does not",
                            r->model->family);
    }
}

/* ------------------------------------------------------------- reading */

bool ry_hf_is_config(struct ry_json at)
{
    return ry_json_has(at, "model_type") || ry_json_has(at, "architectures");
}

static const char *type_at(const void *ctx, size_t i)
{
    (void)ctx;
    return i < FAMILIES ? families[i].type : NULL;
}

static const struct family *find_family(struct ry_json at)
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

bool ry_hf_read(struct ry_json at, struct ry_arena *arena, struct ry_model *model)
{
    const struct family *family = find_family(at);
    struct reading r = {.at = at, .arch = &model->arch, .model = model};
    const size_t before = ry_json_problem_count(at);

    if (!family)
        return false;
    model->family = family->type;
    r.traits = family->traits;
    if (family->traits & HF_WINDOW_PATTERN) /* Gemma3TextConfig of transformers 4.50 */
        r.absent = (struct sizes){8, 4, 256, 262208};
    /* A model that also sees pictures: the text tower is described apart. */
    const bool nested = ry_json_type(ry_json_get(at, "text_config")) == RY_JSON_OBJECT;
    if (nested)
        r.at = take(&r, "text_config");
    read_traits(&r);
    family->read(&r);
    sort_other_keys(&r, r.at, arena);
    if (nested)
        sort_other_keys(&r, at, arena);
    if (!(model->max_seq > 0.0))
        model->max_seq = NAN;
    return ry_json_problem_count(at) == before;
}
