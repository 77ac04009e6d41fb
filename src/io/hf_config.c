/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hf_config.h"

#include "base/names.h"
#include "io/file.h"
#include "io/hf_family.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void read_traits(struct ry_hf_reading *r)
{
    struct ry_arch *a = r->arch;

    a->gated = r->traits & RY_HF_GATED;
    a->layer_norm = r->traits & RY_HF_LAYER_NORM;
    a->linear_bias = r->traits & RY_HF_BIAS;
    a->qkv_bias = r->traits & RY_HF_QKV_BIAS;
    a->qk_norm = r->traits & RY_HF_QK_NORM;
    a->post_norms = r->traits & RY_HF_POST_NORMS;
    a->parallel_block = r->traits & RY_HF_PARALLEL;
    a->tied_embeddings = ry_hf_flag(r, "tie_word_embeddings", r->traits & RY_HF_TIED);
    a->vocab = ry_hf_needed_unless(r, "vocab_size", r->absent.vocab);
    r->model->max_seq = (double)ry_hf_optional(r, "max_position_embeddings", 0);
    ry_hf_must_be(r, "is_encoder_decoder", false);
    ry_hf_must_be(r, "add_cross_attention", false);
}

/* Keys (or beginnings of keys, ending with '*') that change nothing modelled here. */
static const char *const harmless[] = {"_*",
                                       "model_type",
                                       "architectures",
                                       "auto_map",
                                       "transformers_version",
                                       "torch_dtype",
                                       "dtype",
                                       "use_cache",
                                       "*_token_id",
                                       "*_dropout",
                                       "*_pdrop",
                                       "*dropout*",
                                       "initializer_*",
                                       "init_*",
                                       "*_eps",
                                       "*_epsilon",
                                       "layer_norm_*",
                                       "hidden_act",
                                       "hidden_activation",
                                       "activation_function",
                                       "rope_*",
                                       "rotary_*",
                                       "partial_rotary_factor",
                                       "pretraining_tp",
                                       "*_softcapping",
                                       "query_pre_attn_scalar",
                                       "scale_attn_*",
                                       "reorder_and_upcast_attn",
                                       "router_*",
                                       "output_*",
                                       "norm_topk_prob",
                                       "routed_scaling_factor",
                                       "scoring_func",
                                       "topk_method",
                                       "n_group",
                                       "topk_group",
                                       "aux_loss_alpha",
                                       "seq_aux",
                                       "ep_size",
                                       "num_experts_per_token",
                                       "quantization_config",
                                       "attn_implementation",
                                       "cache_*",
                                       "task_specific_params",
                                       "summary_*",
                                       "n_ctx",
                                       "max_length",
                                       "model_max_length",
                                       "return_dict*",
                                       "tokenizer_*",
                                       "unk_*",
                                       "original_max_position_embeddings",
                                       "embd_layer_norm",
                                       "masked_softmax_fusion",
                                       "attention_softmax_in_fp32",
                                       "skip_bias_add*",
                                       "slow_but_exact",
                                       "offset_alibi",
                                       "seq_length",
                                       "layerdrop",
                                       "apply_residual_connection_post_layernorm",
                                       "layer_norm_elementwise_affine",
                                       "resid_*",
                                       "embd_*",
                                       "attn_pdrop",
                                       "prefix",
                                       "language",
                                       "license",
                                       "id2label",
                                       "label2id",
                                       "num_labels",
                                       "swiglu_limit",
                                       "rms_norm_eps",
                                       "initial_context_length",
                                       "use_mrope",
                                       "mscale*",
                                       "long_factor",
                                       "short_factor",
                                       "vision_*",
                                       "sliding_window_size",
                                       "image_*",
                                       "boi_*",
                                       "eoi_*",
                                       "mm_tokens_*",
                                       "problem_type",
                                       "qk_head_dim",
                                       "num_ln_in_parallel_attn",
                                       "max_window_layers",
                                       "gradient_checkpointing",
                                       "mlp_only_layers",
                                       "head_dim",
                                       "attention_type",
                                       "hidden_layers_*",
                                       "cls_token_id",
                                       "max_position_embeddings",
                                       NULL};

/* A name with a size in it: without a meaning here, it may not be passed over. */
static const char *const telling[] = {
    "layer", "expert", "head",  "hidden", "dim",   "size",      "rank",     "block",
    "moe",   "ssm",    "mamba", "conv",   "state", "recurrent", "codebook", "mtp",
    "nextn", "lora",   "tower", "window", "chunk", "encoder",   "linear_",  "embed",
    "width", "depth",  "altup", "laurel", NULL};

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
    (void)snprintf(middle, sizeof(middle), "%.*s", (int)(n - front - back),
                   pattern + front);
    if (front && back)
        return strstr(key, middle) != NULL;
    return back ? strncmp(key, middle, strlen(middle)) == 0
                : ends_with(key, middle, strlen(middle));
}

static bool listed(const char *key, const char *const patterns[])
{
    for (size_t i = 0; patterns[i]; i++)
        if (matches(key, patterns[i]))
            return true;
    return false;
}

static bool holds_any(const char *key, const char *const pieces[])
{
    for (size_t i = 0; pieces[i]; i++)
        if (strstr(key, pieces[i]))
            return true;
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

static bool is_used(const struct ry_hf_reading *r, const char *key)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->used[i], key) == 0)
            return true;
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

static void sort_other_keys(struct ry_hf_reading *r, struct ry_json at,
                            struct ry_arena *arena)
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

bool ry_hf_is_config(struct ry_json at)
{
    return ry_json_has(at, "model_type") || ry_json_has(at, "architectures");
}

bool ry_hf_read(struct ry_json at, struct ry_arena *arena, struct ry_model *model)
{
    const struct ry_hf_family *family = ry_hf_family_find(at);
    struct ry_hf_reading r = {.at = at, .arch = &model->arch, .model = model};
    const size_t before = ry_json_problem_count(at);

    if (!family)
        return false;
    model->family = family->type;
    r.traits = family->traits;
    if (family->traits & RY_HF_WINDOW_PATTERN) /* Gemma3TextConfig of transformers 4.50 */
        r.absent = (struct ry_hf_sizes){8, 4, 256, 262208};
    /* A model that also sees pictures: the text tower is described apart. */
    const bool nested = ry_json_type(ry_json_get(at, "text_config")) == RY_JSON_OBJECT;
    if (nested)
        r.at = ry_hf_take(&r, "text_config");
    read_traits(&r);
    family->read(&r);
    sort_other_keys(&r, r.at, arena);
    if (nested)
        sort_other_keys(&r, at, arena);
    if (!(model->max_seq > 0.0))
        model->max_seq = NAN;
    return ry_json_problem_count(at) == before;
}
