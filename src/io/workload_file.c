/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/workload_file.h"

#include "base/names.h"
#include "design/design.h"
#include "io/strategy_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *const keys[] = {
    "name",      "note",       "model",     "task",          "lora_rank",
    "seq",       "global_batch", "tokens",  "precision",     "optimizer",
    "preset",    "strategy",   "compile",   "cuda_graph",    "packed_sequence_tokens",
    "reduce_fp32", "reshard_kept", "first_stage_layers", "last_stage_layers", NULL};

static const char *const optimizer_keys[] = {"name", "state_bytes", "move_bytes", NULL};

enum { SEQ_MOST = 1 << 24, BATCH_MOST = 1 << 26, LAYERS_MOST = 1 << 16 };

static void note(struct ry_arena *arena, struct ry_workload *workload, struct ry_json at,
                 const char *what, const char *value)
{
    if (workload->origins_n == RY_WORKLOAD_ORIGINS_MOST || !workload->origins)
        return;
    const char *copy = value ? ry_strdup(arena, value) : NULL;
    workload->origins[workload->origins_n++] = (struct ry_input_origin){
        .what = what,
        .value = copy ? copy : "",
        .from = ry_json_type(at) == RY_JSON_ABSENT ? "default" : ry_json_where(at)};
}

static void note_number(struct ry_arena *arena, struct ry_workload *workload,
                        struct ry_json at, const char *key, double value)
{
    note(arena, workload, ry_json_get(at, key), key, ry_strfmt(arena, "%.10g", value));
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
        .task = (enum ry_task)ry_json_choice(at, "task", ry_task_choices, RY_TASK_PRETRAIN),
        .precision = (enum ry_train_precision)ry_json_choice(
            at, "precision", ry_precision_choices, RY_TRAIN_BF16),
        .seq = read_count(at, "seq", SEQ_MOST),
        .global_batch = read_count(at, "global_batch", BATCH_MOST),
        .compile = ry_json_bool(at, "compile", false),
        .cuda_graph = (enum ry_cuda_graph)ry_json_choice(
            at, "cuda_graph", ry_cuda_graph_choices, RY_GRAPH_NONE),
        .packed_sequence_tokens = ry_json_quantity(at, "packed_sequence_tokens",
                                                   RY_DIM_COUNT, 0.0),
        .reduce_fp32 = ry_json_bool(at, "reduce_fp32", false),
        .reshard_kept = ry_json_bool(at, "reshard_kept", false),
    };
    const struct ry_json_bounds layers = {0, LAYERS_MOST};

    base.first_stage_layers = (unsigned)ry_json_count(at, "first_stage_layers", layers, 0);
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
static void read_optimizer(struct ry_arena *arena, struct ry_json at,
                           struct ry_workload *workload)
{
    const struct ry_json optimizer = ry_json_get(at, "optimizer");
    struct ry_traits *traits = &workload->traits;
    struct ry_optimizer *out = &workload->optimizer;

    *out = (struct ry_optimizer){.name = "as the preset"};
    if (ry_json_type(optimizer) == RY_JSON_TEXT) {
        out->name = ry_json_as_text(optimizer, "adam");
        if (!ry_optimizer_find(out->name, &out->state_bytes))
            ry_json_problem(optimizer, RY_ERR_NOTFOUND,
                            "no such optimizer; %s, or an object with \"state_bytes\"",
                            ry_optimizer_names(arena));
    } else if (ry_json_type(optimizer) == RY_JSON_OBJECT) {
        ry_json_known_keys(optimizer, optimizer_keys);
        out->name = ry_json_text(optimizer, "name", "own");
        out->state_bytes = ry_json_quantity(optimizer, "state_bytes", RY_DIM_BYTES, 0.0);
        out->move_bytes = ry_json_quantity(optimizer, "move_bytes", RY_DIM_BYTES, 0.0);
    } else if (ry_json_type(optimizer) != RY_JSON_ABSENT) {
        (void)ry_json_expect(optimizer, RY_JSON_TEXT);
    }
    if (!(out->state_bytes > 0.0))
        return;
    traits->optimizer_move_bytes = out->move_bytes > 0.0
                                       ? out->move_bytes
                                       : traits->optimizer_move_bytes +
                                             2.0 * (out->state_bytes -
                                                    traits->optimizer_bytes);
    traits->optimizer_bytes = out->state_bytes;
}
