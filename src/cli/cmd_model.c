/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "cli/cmd.h"
#include "io/model_file.h"
#include "io/problems_print.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>

struct model_options {
    int format;
    bool explain;
};

static const struct ry_column columns[] = {
    {.key = "name", .title = "name"},
    {.key = "family"},
    {.key = "params", .title = "parameters", .show = RY_SHOW_SCALED},
    {.key = "active_params", .title = "active", .show = RY_SHOW_SCALED},
    {.key = "published_params", .show = RY_SHOW_SCALED},
    {.key = "published_active_params", .show = RY_SHOW_SCALED},
    {.key = "params_exact", .show = RY_SHOW_BOOL},
    {.key = "layers", .title = "layers", .show = RY_SHOW_COUNT},
    {.key = "hidden", .title = "hidden", .show = RY_SHOW_COUNT},
    {.key = "heads", .title = "heads", .show = RY_SHOW_COUNT},
    {.key = "kv_heads", .title = "kv", .show = RY_SHOW_COUNT},
    {.key = "head_dim", .show = RY_SHOW_COUNT},
    {.key = "ffn", .title = "ffn", .show = RY_SHOW_COUNT},
    {.key = "experts", .title = "experts", .show = RY_SHOW_COUNT},
    {.key = "top_k", .title = "top-k", .show = RY_SHOW_COUNT},
    {.key = "moe_ffn", .show = RY_SHOW_COUNT},
    {.key = "vocab", .title = "vocab", .show = RY_SHOW_COUNT},
    {.key = "max_seq", .title = "max seq", .show = RY_SHOW_COUNT},
    {.key = "source"},
    {.key = "verified", .show = RY_SHOW_BOOL},
    {.key = "file"},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Published totals leave the MTP layers out. */
static struct ry_params params_of(const struct ry_model *model)
{
    struct ry_arch arch = model->arch;

    arch.mtp_layers = 0;
    return ry_arch_params(&arch, arch.vocab);
}

static double moe_only(const struct ry_arch *arch, unsigned value)
{
    return arch->experts > 0 ? (double)value : (double)NAN;
}

static void add_row(struct ry_table *table, const struct ry_model *model)
{
    const struct ry_arch *a = &model->arch;
    const struct ry_params params = params_of(model);

    ry_table_row(table, (struct ry_cell[COLUMNS]){
                            RY_TEXT(a->name),
                            RY_TEXT(model->family),
                            RY_NUM(params.total),
                            RY_NUM(params.active),
                            RY_NUM(model->published_params),
                            RY_NUM(model->published_active),
                            RY_NUM(model->params_exact),
                            RY_NUM(a->layers),
                            RY_NUM(a->hidden),
                            RY_NUM(a->heads),
                            RY_NUM(a->kv_heads),
                            RY_NUM(a->head_dim),
                            RY_NUM(a->ffn),
                            RY_NUM(moe_only(a, a->experts)),
                            RY_NUM(moe_only(a, a->top_k)),
                            RY_NUM(moe_only(a, a->moe_ffn)),
                            RY_NUM(a->vocab),
                            RY_NUM(model->max_seq),
                            RY_TEXT(model->source),
                            RY_NUM(model->verified),
                            RY_TEXT(model->file),
                        });
}

static enum ry_err list(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct model_options *options = given;
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);

    (void)args;
    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, "model", "cannot read it");
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);
    const char *const *names = ry_model_names(arena, problems);

    for (; names && *names; names++) {
        struct ry_model model;
        if (ry_model_load(arena, *names, problems, &model) == RY_OK)
            add_row(table, &model);
    }
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)options->format, diag));
    return ry_problems_print(problems, diag);
}

/* ------------------------------------------------------------------ show */

static const struct ry_column show_columns[] = {
    {.key = "field", .title = "field"},
    {.key = "value", .title = "value", .wrap = true},
};

struct showing {
    struct ry_arena *arena;
    struct ry_table *table;
};

static void show_text(struct showing *to, const char *field, const char *value)
{
    if (value[0] != '\0')
        ry_table_row(to->table, (struct ry_cell[]){RY_TEXT(field), RY_TEXT(value)});
}

static void show_number(struct showing *to, const char *field, enum ry_show show,
                        double value)
{
    char text[RY_NUMBER_BYTES];
    const char *copy = ry_strdup(to->arena, ry_number_show(show, value, text));

    if (!isnan(value) && value != 0.0)
        show_text(to, field, copy ? copy : "");
}

static void show_flag(struct showing *to, const char *field, bool value)
{
    if (value)
        show_text(to, field, "yes");
}

static void show_arch(struct showing *to, const struct ry_arch *a)
{
    static const char *const positions[] = {[RY_POSITIONS_ROTARY] = "rotary",
                                            [RY_POSITIONS_LEARNED] = "learned",
                                            [RY_POSITIONS_ALIBI] = "alibi",
                                            [RY_POSITIONS_NONE] = "none"};

#define SHOW(field) show_number(to, #field, RY_SHOW_COUNT, a->field)
    SHOW(layers);
    SHOW(dense_layers);
    SHOW(moe_period);
    SHOW(mtp_layers);
    SHOW(hidden);
    show_text(to, "attention", a->attention == RY_ATTENTION_MLA ? "mla" : "gqa");
    SHOW(heads);
    SHOW(kv_heads);
    SHOW(head_dim);
    SHOW(q_lora);
    SHOW(kv_lora);
    SHOW(qk_nope);
    SHOW(qk_rope);
    SHOW(window);
    SHOW(window_layers);
    SHOW(ffn);
    SHOW(experts);
    SHOW(top_k);
    SHOW(moe_ffn);
    SHOW(shared_experts);
    SHOW(shared_ffn);
    SHOW(vocab);
    show_text(to, "positions", positions[a->positions]);
    SHOW(max_positions);
#undef SHOW
#define SHOW(field) show_flag(to, #field, a->field)
    SHOW(gated);
    SHOW(parallel_block);
    SHOW(layer_norm);
    SHOW(linear_bias);
    SHOW(qkv_bias);
    SHOW(qk_norm);
    SHOW(post_norms);
    SHOW(tied_embeddings);
#undef SHOW
}

static enum ry_err show_table(struct ry_arena *arena, const struct ry_model *model,
                              const struct model_options *options, struct ry_diag *diag)
{
    struct showing to = {arena, ry_table_create(arena, show_columns, 2)};
    const struct ry_params params = params_of(model);

    show_text(&to, "name", model->arch.name);
    show_text(&to, "family", model->family);
    show_number(&to, "parameters", RY_SHOW_COUNT, params.total);
    show_number(&to, "published", RY_SHOW_COUNT, model->published_params);
    show_number(&to, "active", RY_SHOW_COUNT, params.active);
    show_number(&to, "published active", RY_SHOW_COUNT, model->published_active);
    show_number(&to, "max_seq", RY_SHOW_COUNT, model->max_seq);
    show_arch(&to, &model->arch);
    show_text(&to, "source", model->source);
    show_text(&to, "verified",
              model->source[0] == '\0' ? ""
              : model->verified        ? "yes"
                                       : "no");
    show_text(&to, "notes", model->notes);
    if (options->explain)
        show_text(&to, "ignored keys", model->ignored);
    show_text(&to, "file", model->file);
    return ry_table_print(to.table, stdout, (enum ry_table_format)options->format, diag);
}

static enum ry_err show(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct model_options *options = given;
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_model model;

    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, "model", "cannot read it");
    if (ry_model_load(arena, args->at[0], problems, &model) != RY_OK)
        return ry_problems_print(problems, diag);
    if (ry_format_for_people(options->format))
        return show_table(arena, &model, options, diag);
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);
    add_row(table, &model);
    return ry_table_print(table, stdout, (enum ry_table_format)options->format, diag);
}

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct model_options, explain),
     .name = "explain",
     .help = "also list the keys of a config.json that are ignored"},
    RY_OPT_FORMAT(struct model_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_model_list = {
    .name = "model list",
    .args = "",
    .summary = "List the models that can be named",
    .example = "railyard model list",
    .opts = &opts[1],
    .options_bytes = sizeof(struct model_options),
    .run = list,
};

const struct ry_cmd cmd_model_show = {
    .name = "model show",
    .args = "NAME|FILE",
    .min_args = 1,
    .max_args = 1,
    .summary = "Show an architecture, computed and published parameters",
    .example = "railyard model show llama3-70b",
    .opts = opts,
    .options_bytes = sizeof(struct model_options),
    .run = show,
};
