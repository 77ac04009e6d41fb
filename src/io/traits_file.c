/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/traits_file.h"

#include "base/names.h"
#include "io/data.h"
#include "io/json.h"
#include "io/strategy_file.h"

#include <string.h>

enum field_kind { FIELD_NUMBER, FIELD_BOOL, FIELD_CHOICE };

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;
    const char *const *choices;
};

static const char *const fusions[] = {"eager", "jit", "engine", "compile", NULL};
static const char *const implementations[] = {"cudnn",  "cudnn_2025", "flash3", "flash2",
                                              "flash1", "unfused",    NULL};
static const char *const host_modes[] = {"async", "blocking", NULL};
static const char *const dp_styles[] = {"megatron", "torch", "tensorwise", NULL};
static const char *const selectives[] = {"core", "products", "half", "norms", NULL};
static const char *const paddings[] = {"as_is", "megatron", NULL};
static const char *const recomputes[] = {"none",  "selective", "full",     "layers",
                                         "norms", "mlp",       "products", NULL};

static const char *const whens[] = {"never", "lora", "always", NULL};

#define CHOICE(name, list)                                                               \
    {                                                                                    \
#name, FIELD_CHOICE, offsetof(struct ry_traits, name), list                      \
    }
#define NUMBER(name)                                                                     \
    {                                                                                    \
#name, FIELD_NUMBER, offsetof(struct ry_traits, name), NULL                      \
    }
#define BOOL(name)                                                                       \
    {                                                                                    \
#name, FIELD_BOOL, offsetof(struct ry_traits, name), NULL                        \
    }

static const struct field fields[] = {
    CHOICE(fusion, fusions),
    CHOICE(attention, implementations),
    CHOICE(host_mode, host_modes),
    CHOICE(dp_style, dp_styles),
    CHOICE(selective, selectives),
    CHOICE(vocab_padding, paddings),
    CHOICE(recompute_default, recomputes),
    CHOICE(fp8_attention, whens),
    BOOL(dropout),
    BOOL(fused_gradient_add),
    BOOL(checkpoint_stops_early),
    BOOL(separate_unshard_copies),
    BOOL(flat_parameters),
    BOOL(gathers_lists),
    BOOL(fp8_gather),
    BOOL(etp_follows_tp),
    BOOL(grouped_product),
    BOOL(frozen_in_product_precision),
    BOOL(whole_sends),
    BOOL(whole_gradient_sends),
    BOOL(gathers_in_product_precision),
    BOOL(cp_unbalanced),
    BOOL(lora_dropout),
    BOOL(lora_qkv_only),
    BOOL(fuses_operations),
    BOOL(vocab_replicated),
    BOOL(keeps_all_logits),
    BOOL(batched_experts),
    BOOL(expert_copies_deduplicated),
    BOOL(fsdp_fp32_shards),
    BOOL(fsdp_reduces_each),
    BOOL(accumulates_always),
    BOOL(tp_async_backward),
    BOOL(clips_gradients),
    BOOL(transient_gradients),
    NUMBER(host_op_scale),
    NUMBER(gradient_bytes),
    NUMBER(gradient_bytes_bf16),
    NUMBER(reduce_bytes),
    NUMBER(zero3_bytes_per_s),
    NUMBER(zero3_tensors),
    NUMBER(parameter_bytes),
    NUMBER(optimizer_bytes),
    NUMBER(optimizer_move_bytes),
    NUMBER(loss_bytes),
    NUMBER(metric_losses),
    NUMBER(logit_kept_bytes),
    NUMBER(cp_exposed_frac),
    NUMBER(pp_exposed_frac),
    NUMBER(hidden_slowdown),
    NUMBER(step_fixed_s),
    NUMBER(moe_host_s),
    NUMBER(jitter_frac),
    NUMBER(memory_overhead_bytes),
    NUMBER(fragmentation_frac),
    NUMBER(step_peak_bytes),
    NUMBER(cudnn_backward_times),
    NUMBER(partial_graph_host_frac),
    NUMBER(window_memory_frac),
    NUMBER(offload_hidden_frac),
    NUMBER(sigma_frac),
    NUMBER(moe_sigma_frac),
    NUMBER(lora_sigma_frac),
    NUMBER(traffic_sigma_frac),
    NUMBER(exchange_sigma_frac),
    NUMBER(exchange_rack_sigma_frac),
    NUMBER(host_sigma_frac),
    NUMBER(stream_sigma_frac),
    NUMBER(product_sigma_times),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void read_field(struct ry_json at, const struct field *f, struct ry_traits *traits)
{
    char *const to = (char *)traits + f->offset;
    if (!ry_json_has(at, f->key))
        return;
    switch (f->kind) {
    case FIELD_NUMBER: {
        double value;
        memcpy(&value, to, sizeof value);
        value = ry_json_number(at, f->key, value);
        memcpy(to, &value, sizeof value);
        break;
    }
    case FIELD_BOOL: {
        const bool value = ry_json_bool(at, f->key, false);
        memcpy(to, &value, sizeof value);
        break;
    }
    case FIELD_CHOICE: {
        const int value = ry_json_choice(at, f->key, f->choices, 0);
        memcpy(to, &value, sizeof value);
        break;
    }
    }
}

static void check_keys(struct ry_json traits)
{
    const char *keys[FIELDS + 1];
    for (size_t i = 0; i < FIELDS; i++)
        keys[i] = fields[i].key;
    keys[FIELDS] = NULL;
    ry_json_known_keys(traits, keys);
}

static void read_matches(struct ry_json list, struct ry_preset *p)
{
    const size_t n = ry_json_size(list);
    for (size_t i = 0; i < n && p->matches < RY_TRAITS_MATCHES_MOST; i++) {
        const struct ry_json m = ry_json_at(list, i);
        p->match[p->matches++] = (struct ry_traits_match){
            .framework = ry_json_text(m, "framework", ""),
            .from = ry_json_text(m, "from", NULL),
            .to = ry_json_text(m, "to", NULL),
        };
    }
}

static void set_before(const struct field *f, struct ry_json one,
                       struct ry_traits *traits)
{
    const double number = ry_json_number(one, "before", 0);
    const bool truth = number != 0;
    char *const to = (char *)traits + f->offset;
    if (f->kind == FIELD_NUMBER)
        memcpy(to, &number, sizeof number);
    else if (f->kind == FIELD_BOOL)
        memcpy(to, &truth, sizeof truth);
}

/** "tuned_on": {"moe_host_s": {"before": 0.001, "rows": "..."}}. */
static void read_tuned(struct ry_json tuned, struct ry_preset *p)
{
    p->untuned = p->traits;
    const size_t n = ry_json_size(tuned);
    for (size_t i = 0; i < n && p->tuned < RY_TRAITS_TUNED_MOST; i++) {
        const struct ry_json one = ry_json_at(tuned, i);
        p->tuned_field[p->tuned++] = ry_json_key(one);
        for (size_t k = 0; k < FIELDS; k++)
            if (strcmp(fields[k].key, ry_json_key(one)) == 0)
                set_before(&fields[k], one, &p->untuned);
    }
}

static void read_defaults(struct ry_json d, struct ry_preset *p)
{
    p->tp_overlap = ry_json_bool(d, "tp_overlap", false);
    p->dp_overlap = ry_json_bool(d, "dp_overlap", false);
    p->pp_overlap = ry_json_bool(d, "pp_overlap", false);
    p->ep_overlap = ry_json_bool(d, "ep_overlap", false);
    p->sequence_parallel = ry_json_bool(d, "sequence_parallel", false);
    static const char *const graphs[] = {"none", "partial", "full", NULL};
    p->cuda_graph = (enum ry_cuda_graph)ry_json_choice(d, "cuda_graph", graphs, 0);
    p->compile = ry_json_bool(d, "compile", false);
    p->zero_stage = (unsigned)ry_json_number(d, "zero_stage", 0);
    p->packed_tokens = ry_json_number(d, "packed_tokens", 0);
    p->lora_cp_kind =
        (enum ry_cp_kind)ry_json_choice(d, "lora_cp_kind", ry_cp_kind_choices, 0);
    p->unstated_interleaves = ry_json_bool(d, "interleaves", false);
    p->unstated_chunk_layers = ry_json_number(d, "chunk_layers", 0);
    p->unstated_recompute_full = ry_json_bool(d, "recompute_all_or_none", false);
}

/** Presets begin as @p common, which is a preset of no name. */
static enum ry_err preset_read(struct ry_arena *arena, const char *path,
                               const struct ry_traits *common,
                               struct ry_problems *problems, struct ry_preset *preset)
{
    struct ry_json root;
    RY_TRY(ry_json_open(arena, path, problems, &root));
    static const char *const keys[] = {"name",     "summary",  "frameworks", "traits",
                                       "defaults", "tuned_on", "sources",    NULL};
    ry_json_known_keys(root, keys);
    *preset = (struct ry_preset){.traits = *common};
    const struct ry_json traits = ry_json_need(root, "traits");
    check_keys(traits);
    for (size_t i = 0; i < FIELDS; i++)
        read_field(traits, &fields[i], &preset->traits);
    const char *name = ry_json_text(root, "name", "");
    strncpy(preset->traits.name, name, sizeof preset->traits.name - 1);
    preset->summary = ry_json_text(root, "summary", "");
    read_matches(ry_json_get(root, "frameworks"), preset);
    read_defaults(ry_json_get(root, "defaults"), preset);
    read_tuned(ry_json_get(root, "tuned_on"), preset);
    return ry_problems_err(problems, NULL);
}

enum ry_err ry_presets_read(struct ry_arena *arena, struct ry_problems *problems,
                            struct ry_presets *presets)
{
    static const struct ry_traits nothing = {0};
    const char *folder = ry_data_path(arena, "models/traits");
    const char *shared = ry_data_path(arena, "models/traits-common.json");
    struct ry_diag diag = {0};
    struct ry_file_names names;
    struct ry_preset common;
    if (!folder || !shared)
        return RY_ERR_NOMEM;
    RY_TRY(preset_read(arena, shared, &nothing, problems, &common));
    const enum ry_err err = ry_folder_list(arena, folder, ".json", &names, &diag);
    if (err != RY_OK)
        ry_problem(problems, err, folder, "%s", diag.text);
    presets->n = 0;
    for (size_t i = 0; err == RY_OK && i < names.n && i < RY_TRAITS_MOST; i++) {
        const char *path = ry_strfmt(arena, "%s/%s", folder, names.at[i]);
        if (!path)
            return RY_ERR_NOMEM;
        RY_TRY(preset_read(arena, path, &common.traits, problems, &presets->at[i]));
        presets->n++;
    }
    return err;
}

const struct ry_preset *ry_preset_named(const struct ry_presets *presets,
                                        const char *name)
{
    for (size_t i = 0; i < presets->n; i++)
        if (ry_name_eq(presets->at[i].traits.name, name))
            return &presets->at[i];
    return NULL;
}

static bool within(const struct ry_traits_match *m, const char *date)
{
    if (m->from == NULL && m->to == NULL)
        return true;
    if (date == NULL)
        return false;
    return (m->from == NULL || strncmp(date, m->from, strlen(m->from)) >= 0) &&
           (m->to == NULL || strncmp(date, m->to, strlen(m->to)) <= 0);
}

const struct ry_preset *ry_preset_find(const struct ry_presets *presets,
                                       const char *framework, const char *date)
{
    const struct ry_preset *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < presets->n; i++) {
        const struct ry_preset *p = &presets->at[i];
        for (size_t k = 0; k < p->matches; k++) {
            const struct ry_traits_match *m = &p->match[k];
            const size_t len = strlen(m->framework) + (m->from != NULL) + (m->to != NULL);
            if (len > longest && strstr(framework, m->framework) != NULL &&
                within(m, date)) {
                longest = len;
                best = p;
            }
        }
    }
    return best;
}
