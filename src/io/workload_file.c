/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/workload_file.h"

#include "base/names.h"
#include "design/design.h"
#include "io/model_file.h"
#include "io/strategy_file.h"
#include "io/traits_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const char *const ry_workload_keys[] = {"name",
                                        "note",
                                        "model",
                                        "task",
                                        "lora_rank",
                                        "seq",
                                        "global_batch",
                                        "tokens",
                                        "precision",
                                        "optimizer",
                                        "preset",
                                        "strategy",
                                        "compile",
                                        "cuda_graph",
                                        "packed_sequence_tokens",
                                        "reduce_fp32",
                                        "reshard_kept",
                                        "first_stage_layers",
                                        "last_stage_layers",
                                        "batch_at_gpus",
                                        NULL};

static const char *const optimizer_keys[] = {"name", "state_bytes", "move_bytes", NULL};

const struct ry_key_table ry_workload_key_tables[] = {
    {"", ry_workload_keys}, {"/optimizer", optimizer_keys}, {NULL, NULL}};

/* What a run without special flags resembles; models/traits has the others. */
static const char default_preset[] = "megatron-example";

enum { SEQ_MOST = 1 << 24, BATCH_MOST = 1 << 26, LAYERS_MOST = 1 << 16 };

/* What reading one workload needs at hand. */
struct reader {
    struct ry_arena *arena;
    struct ry_json at;
    const char *file;
    const struct ry_library *library;
    struct ry_problems *problems;
    struct ry_workload *workload;
};

static void note(const struct reader *r, struct ry_json at, const char *what,
                 const char *value)
{
    struct ry_workload *workload = r->workload;

    if (workload->origins_n == RY_WORKLOAD_ORIGINS_MOST || !workload->origins)
        return;
    const char *copy = value ? ry_strdup(r->arena, value) : NULL;
    workload->origins[workload->origins_n++] = (struct ry_input_origin){
        .what = what,
        .value = copy ? copy : "",
        .from = ry_json_type(at) == RY_JSON_ABSENT ? "default" : ry_json_where(at)};
}

static unsigned read_count(struct ry_json at, const char *key, unsigned most)
{
    return (unsigned)ry_json_count(at, key, (struct ry_json_bounds){1, most}, 1);
}

static void need(struct ry_json at, const char *key)
{
    (void)ry_json_need(at, key);
}

static struct ry_strategy read_base(struct ry_json at)
{
    struct ry_strategy base = {
        .task =
            (enum ry_task)ry_json_choice(at, "task", ry_task_choices, RY_TASK_PRETRAIN),
        .precision = (enum ry_train_precision)ry_json_choice(
            at, "precision", ry_precision_choices, RY_TRAIN_BF16),
        .seq = read_count(at, "seq", SEQ_MOST),
        .global_batch = read_count(at, "global_batch", BATCH_MOST),
        .compile = ry_json_bool(at, "compile", false),
        .cuda_graph = (enum ry_cuda_graph)ry_json_choice(
            at, "cuda_graph", ry_cuda_graph_choices, RY_GRAPH_NONE),
        .packed_sequence_tokens =
            ry_json_quantity(at, "packed_sequence_tokens", RY_DIM_COUNT, 0.0),
        .reduce_fp32 = ry_json_bool(at, "reduce_fp32", false),
        .reshard_kept = ry_json_bool(at, "reshard_kept", false),
    };
    const struct ry_json_bounds layers = {0, LAYERS_MOST};

    base.first_stage_layers =
        (unsigned)ry_json_count(at, "first_stage_layers", layers, 0);
    base.last_stage_layers = (unsigned)ry_json_count(at, "last_stage_layers", layers, 0);
    if (base.task == RY_TASK_LORA)
        base.lora_rank = (unsigned)ry_json_count(at, "lora_rank",
                                                 (struct ry_json_bounds){1, 4096}, 16);
    else if (ry_json_has(at, "lora_rank"))
        ry_json_problem(ry_json_get(at, "lora_rank"), RY_ERR_RANGE,
                        "a rank, but the task is %s; set \"task\": \"lora\"",
                        ry_task_choices[base.task]);
    need(at, "seq");
    need(at, "global_batch");
    return base;
}

/* The states of an optimizer other than the preset's: memory, and traffic that follows
 * from it (each state is read and written once a step). */
static void read_optimizer(const struct reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "optimizer");
    struct ry_traits *traits = &r->workload->traits;
    struct ry_optimizer *out = &r->workload->optimizer;

    *out = (struct ry_optimizer){.name = "as the preset"};
    r->workload->traits.host_update_s = r->library->host_update_s;
    if (ry_json_type(at) == RY_JSON_TEXT) {
        out->name = ry_json_as_text(at, "adam");
        if (!ry_library_optimizer(r->library, out->name, &out->state_bytes))
            ry_json_problem(at, RY_ERR_NOTFOUND,
                            "no such optimizer; %s, or an object with \"state_bytes\"",
                            ry_library_optimizer_names(r->library));
    } else if (ry_json_type(at) == RY_JSON_OBJECT) {
        ry_json_known_keys(at, optimizer_keys);
        out->name = ry_json_as_name(ry_json_get(at, "name"), "own");
        out->state_bytes = ry_json_quantity(at, "state_bytes", RY_DIM_BYTES, 0.0);
        out->move_bytes = ry_json_quantity(at, "move_bytes", RY_DIM_BYTES, 0.0);
    } else if (ry_json_type(at) != RY_JSON_ABSENT) {
        (void)ry_json_expect(at, RY_JSON_TEXT);
    }
    note(r, at, "optimizer", out->name);
    if (!(out->state_bytes > 0.0))
        return;
    const double moved =
        traits->optimizer_move_bytes + 2.0 * (out->state_bytes - traits->optimizer_bytes);
    traits->optimizer_move_bytes = out->move_bytes > 0.0 ? out->move_bytes : moved;
    traits->optimizer_bytes = out->state_bytes;
}

static const char *preset_at(const void *presets, size_t i)
{
    const struct ry_presets *list = presets;

    return i < list->n ? list->at[i].traits.name : NULL;
}

static void unless_given(struct ry_set *set, bool value)
{
    if (set->n == 0)
        *set = (struct ry_set){.n = 1, .at = {value}};
}

/* What the framework overlaps by itself, where the strategy does not say. */
static void preset_overlaps(const struct ry_preset *preset, struct ry_bounds *bounds)
{
    unless_given(&bounds->tp_overlap, preset->tp_overlap);
    unless_given(&bounds->dp_overlap, preset->dp_overlap);
    unless_given(&bounds->pp_overlap, preset->pp_overlap);
    unless_given(&bounds->ep_overlap, preset->ep_overlap);
}

static void read_preset(const struct reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "preset");
    const struct ry_presets *presets = r->library->presets;
    const char *name = ry_json_as_text(at, default_preset);
    const struct ry_preset *preset = ry_preset_named(presets, name);

    if (!preset) {
        const size_t near = ry_name_nearest(name, preset_at, presets);
        ry_json_problem(ry_json_type(at) == RY_JSON_ABSENT ? r->at : at, RY_ERR_NOTFOUND,
                        "no framework preset '%s'%s%s%s", name,
                        near == (size_t)-1 ? "" : "; did you mean '",
                        near == (size_t)-1 ? "" : presets->at[near].traits.name,
                        near == (size_t)-1 ? "" : "'?");
        return;
    }
    r->workload->traits = preset->traits;
    preset_overlaps(preset, &r->workload->bounds);
    note(r, at, "preset", name);
}

/* A path is relative to the folder of the file that names it. */
static const char *beside(const struct reader *r, const char *name)
{
    const char *slash = strrchr(r->file, '/');
    const size_t length = strlen(name);
    const bool path = strchr(name, '/') != NULL ||
                      (length > 5 && strcmp(name + length - 5, ".json") == 0);

    if (!path || name[0] == '/' || !slash)
        return name;
    return ry_strfmt(r->arena, "%.*s/%s", (int)(slash - r->file), r->file, name);
}

static enum ry_err read_model(const struct reader *r)
{
    const struct ry_json at = ry_json_need(r->at, "model");
    const char *name = ry_json_as_text(at, NULL);
    struct ry_model model;
    struct ry_problems own = {0};

    if (!name)
        return RY_OK;
    const char *path = beside(r, name);
    if (!path)
        return RY_ERR_NOMEM;
    const enum ry_err err = ry_model_load(r->arena, path, &own, &model);
    if (err == RY_ERR_NOMEM)
        return err;
    for (size_t i = 0; i < own.count && i < RY_PROBLEMS_KEPT; i++)
        ry_problem(r->problems, own.diags[i].code, ry_json_where(at), "%s: %s",
                   own.diags[i].where, own.diags[i].text);
    if (err != RY_OK)
        return RY_OK;
    r->workload->arch = model.arch;
    r->workload->model = name;
    note(r, at, "model",
         ry_strfmt(r->arena, "%s (%s%s%s)", name, model.file, model.source[0] ? "; " : "",
                   model.source));
    if (model.ignored[0] != '\0')
        note(r, at, "keys of the model without effect", model.ignored);
    if (r->workload->base.seq > model.max_seq)
        note(r, at, "seq",
             ry_strfmt(r->arena, "longer than the %g that the model was made for",
                       model.max_seq));
    return RY_OK;
}

static void note_base(const struct reader *r)
{
    static const char *const shown[] = {"task", "seq", "global_batch", "tokens",
                                        "precision"};
    const struct ry_workload *w = r->workload;
    const char *values[] = {
        ry_task_choices[w->base.task],
        ry_strfmt(r->arena, "%u tokens", w->base.seq),
        w->batch_at_gpus
            ? ry_strfmt(r->arena, "%u sequences at %zu GPUs, growing with them",
                        w->base.global_batch, w->batch_at_gpus)
            : ry_strfmt(r->arena, "%u sequences", w->base.global_batch),
        ry_strfmt(r->arena, "%.6g", w->tokens),
        ry_precision_choices[w->base.precision],
    };

    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        note(r, ry_json_get(r->at, shown[i]), shown[i], values[i]);
}

enum ry_err ry_workload_read(const struct ry_library *library, struct ry_json at,
                             const char *file, struct ry_problems *problems,
                             struct ry_workload *workload)
{
    struct ry_arena *arena = library->arena;
    const struct reader r = {arena, at, file, library, problems, workload};

    *workload = (struct ry_workload){.name = file, .file = file, .choice = ""};
    workload->origins = RY_NEW(arena, struct ry_input_origin, RY_WORKLOAD_ORIGINS_MOST);
    if (!workload->origins)
        return RY_ERR_NOMEM;
    if (!ry_json_expect(at, RY_JSON_OBJECT))
        return RY_OK;
    ry_json_known_keys(at, ry_workload_keys);
    workload->name = ry_json_as_name(ry_json_get(at, "name"), file);
    workload->base = read_base(at);
    if (ry_json_has(at, "batch_at_gpus"))
        workload->batch_at_gpus = read_count(at, "batch_at_gpus", BATCH_MOST);
    (void)ry_json_need(at, "tokens");
    workload->tokens = ry_json_quantity(at, "tokens", RY_DIM_COUNT, 1.0);
    if (!(workload->tokens > 0.0))
        ry_json_problem(ry_json_get(at, "tokens"), RY_ERR_RANGE, "no tokens to train on");
    RY_TRY(read_model(&r));
    ry_bounds_read(ry_json_get(at, "strategy"), &workload->bounds);
    read_preset(&r);
    read_optimizer(&r);
    note_base(&r);
    return RY_OK;
}
