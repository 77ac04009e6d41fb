/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/model_file.h"

#include "base/names.h"
#include "io/data.h"
#include "io/file.h"
#include "io/hf_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Members of "arch": those of struct ry_arch, by its own names. */
static const struct {
    const char *key;
    size_t offset;
    size_t most;
} counts[] = {
#define COUNT(field, most) {#field, offsetof(struct ry_arch, field), most},
    COUNT(layers, 10000) COUNT(dense_layers, 10000) COUNT(moe_period, 1000) COUNT(
        mtp_layers, 100) COUNT(hidden, 1000000) COUNT(heads, 10000) COUNT(kv_heads, 10000)
        COUNT(head_dim, 100000) COUNT(ffn, 10000000) COUNT(max_positions, 1000000000)
            COUNT(vocab, 100000000) COUNT(window, 1000000000) COUNT(window_layers, 10000)
                COUNT(experts, 100000) COUNT(top_k, 100000) COUNT(moe_ffn, 10000000)
                    COUNT(shared_experts, 10000) COUNT(shared_ffn, 10000000)
                        COUNT(q_lora, 1000000) COUNT(kv_lora, 1000000)
                            COUNT(qk_nope, 100000) COUNT(qk_rope, 100000)
#undef COUNT
};

static const struct {
    const char *key;
    size_t offset;
} flags[] = {
#define FLAG(field) {#field, offsetof(struct ry_arch, field)},
    FLAG(gated) FLAG(parallel_block) FLAG(layer_norm) FLAG(linear_bias) FLAG(qkv_bias)
        FLAG(qk_norm) FLAG(post_norms) FLAG(tied_embeddings)
#undef FLAG
};

enum {
    COUNTS = sizeof(counts) / sizeof(counts[0]),
    FLAGS = sizeof(flags) / sizeof(flags[0])
};

static const char *const attentions[] = {
    [RY_ATTENTION_GQA] = "gqa", [RY_ATTENTION_MLA] = "mla", NULL};

static const char *const positions[] = {[RY_POSITIONS_ROTARY] = "rotary",
                                        [RY_POSITIONS_LEARNED] = "learned",
                                        [RY_POSITIONS_ALIBI] = "alibi",
                                        [RY_POSITIONS_NONE] = "none",
                                        NULL};

static void arch_read(struct ry_json at, struct ry_arch *arch)
{
    const char *keys[COUNTS + FLAGS + 3] = {NULL};
    size_t n = 0;

    if (!ry_json_expect(at, RY_JSON_OBJECT))
        return;
    for (size_t i = 0; i < COUNTS; i++) {
        unsigned *field = (unsigned *)(void *)((char *)arch + counts[i].offset);
        const struct ry_json_bounds bounds = {0, counts[i].most};
        *field = (unsigned)ry_json_count(at, counts[i].key, bounds, *field);
        keys[n++] = counts[i].key;
    }
    for (size_t i = 0; i < FLAGS; i++) {
        bool *field = (bool *)((char *)arch + flags[i].offset);
        *field = ry_json_bool(at, flags[i].key, *field);
        keys[n++] = flags[i].key;
    }
    arch->attention = (enum ry_attention_kind)ry_json_choice(at, "attention", attentions,
                                                             (int)arch->attention);
    arch->positions = (enum ry_positions)ry_json_choice(at, "positions", positions,
                                                        (int)arch->positions);
    keys[n++] = "attention";
    keys[n++] = "positions";
    ry_json_known_keys(at, keys);
}

static void check_arch(struct ry_json at, const struct ry_arch *arch)
{
    struct ry_diag diag = {0};

    if (ry_arch_check(arch, &diag) != RY_OK)
        ry_json_problem(at, diag.code, "%s: %s", diag.where, diag.text);
}

static void read_own_form(struct ry_json at, struct ry_model *model)
{
    static const char *const known[] = {
        "name",         "family",  "arch",   "total_params", "active_params",
        "params_exact", "max_seq", "source", "verified",     "unverified_fields",
        "notes",        NULL};
    const size_t before = ry_json_problem_count(at);
    const struct ry_json arch = ry_json_need(at, "arch");

    ry_json_known_keys(at, known);
    model->family = ry_json_text(at, "family", "");
    model->source = ry_json_text(at, "source", "");
    model->notes = ry_json_text(at, "notes", "");
    model->verified = ry_json_bool(at, "verified", false);
    model->params_exact = ry_json_bool(at, "params_exact", false);
    model->published_params = ry_json_quantity(at, "total_params", RY_DIM_COUNT, NAN);
    model->published_active = ry_json_quantity(at, "active_params", RY_DIM_COUNT, NAN);
    model->max_seq = ry_json_number(at, "max_seq", NAN);
    model->arch.name = ry_json_text(at, "name", model->arch.name);
    arch_read(arch, &model->arch);
    if (ry_json_problem_count(at) == before)
        check_arch(arch, &model->arch);
}

void ry_model_read(struct ry_json at, struct ry_arena *arena, struct ry_model *model)
{
    *model = (struct ry_model){.family = "",
                               .file = "",
                               .source = "",
                               .notes = "",
                               .published_params = NAN,
                               .published_active = NAN,
                               .max_seq = NAN,
                               .ignored = ""};
    if (!ry_json_expect(at, RY_JSON_OBJECT))
        return;
    if (!ry_hf_is_config(at)) {
        read_own_form(at, model);
        return;
    }
    if (ry_hf_read(at, arena, model))
        check_arch(at, &model->arch);
}

/* "config" says little: a Hugging Face config is called by its folder. */
static const char *name_of_file(struct ry_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t n = strlen(base);

    if (slash && slash != path && strcmp(base, "config.json") == 0) {
        const char *start = slash;
        while (start > path && start[-1] != '/')
            start--;
        base = start;
        n = (size_t)(slash - start);
    } else if (n > 5 && strcmp(base + n - 5, ".json") == 0) {
        n -= 5;
    }
    return ry_strfmt(arena, "%.*s", (int)(n < 256 ? n : 256), base);
}

static enum ry_err load_file(struct ry_arena *arena, const char *path,
                             struct ry_problems *problems, struct ry_model *model)
{
    struct ry_json root = {0};
    struct ry_model read;
    const size_t before = problems->count;

    RY_TRY(ry_json_open(arena, path, problems, &root));
    ry_model_read(root, arena, &read);
    RY_TRY(ry_problems_since(problems, before));
    if (!read.arch.name)
        read.arch.name = name_of_file(arena, path);
    read.file = ry_strdup(arena, path);
    if (!read.arch.name || !read.file) {
        ry_problem(problems, RY_ERR_NOMEM, path, "its name");
        return RY_ERR_NOMEM;
    }
    *model = read;
    return RY_OK;
}

const char *const *ry_model_names(struct ry_arena *arena, struct ry_problems *problems)
{
    struct ry_file_names files = {0};
    struct ry_diag diag = {
        .code = RY_ERR_NOMEM, .where = "models", .text = "their names"};
    const char *folder = ry_data_path(arena, "models/llm");

    if (!folder || ry_folder_list(arena, folder, ".json", &files, &diag) != RY_OK) {
        ry_problem_diag(problems, &diag);
        return NULL;
    }
    const char **names = RY_NEW(arena, const char *, files.n + 1);
    for (size_t i = 0; names && i < files.n; i++) {
        names[i] = name_of_file(arena, files.at[i]);
        if (!names[i])
            names = NULL;
    }
    if (!names)
        ry_problem(problems, RY_ERR_NOMEM, folder, "the names of its files");
    return names;
}

static const char *name_at(const void *ctx, size_t i)
{
    return ((const char *const *)ctx)[i];
}

static enum ry_err unknown_name(struct ry_arena *arena, const char *name,
                                struct ry_problems *problems)
{
    char shown[RY_SHOWN_BYTES];
    const char *const *names = ry_model_names(arena, problems);

    if (!names)
        return RY_ERR_IO;
    const size_t near = ry_name_nearest(name, name_at, names);
    if (near == (size_t)-1)
        ry_problem(
            problems, RY_ERR_NOTFOUND, ry_shown(name, shown),
            "no such model; 'railyard model list' lists them, or give the path of a "
            "config.json");
    else
        ry_problem(problems, RY_ERR_NOTFOUND, ry_shown(name, shown),
                   "no such model, did you mean '%s'?", names[near]);
    return RY_ERR_NOTFOUND;
}

/* The shipped file of a name, ASCII case apart; NULL when there is none. */
static const char *find_shipped(struct ry_arena *arena, const char *name,
                                struct ry_problems *problems)
{
    const char *const *names = ry_model_names(arena, problems);

    for (size_t i = 0; names && names[i]; i++) {
        const char *file = ry_name_eq(names[i], name)
                               ? ry_strfmt(arena, "models/llm/%s.json", names[i])
                               : NULL;
        if (file)
            return ry_data_path(arena, file);
    }
    return NULL;
}

static bool is_path(const char *name)
{
    const size_t n = strlen(name);
    return strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".json") == 0);
}

enum ry_err ry_model_load(struct ry_arena *arena, const char *name,
                          struct ry_problems *problems, struct ry_model *model)
{
    const size_t before = problems->count;

    if (is_path(name))
        return load_file(arena, name, problems, model);
    const char *path = find_shipped(arena, name, problems);
    if (!path)
        return problems->count > before ? ry_problems_since(problems, before)
                                        : unknown_name(arena, name, problems);
    RY_TRY(load_file(arena, path, problems, model));
    model->file =
        strstr(model->file, "models/llm/"); /* the same wherever it is installed */
    return RY_OK;
}
