/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/published_strategy.h"

#include "io/stated.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void read_recompute(struct ry_json row, struct ry_json extra, struct ry_job *r)
{
    const char *say = ry_stated_text(row, "recompute", NULL);
    struct ry_strategy *s = &r->strategy;
    r->unstated.recompute = say == NULL;
    if (ry_has_text(say, "full"))
        s->recompute = RY_RECOMPUTE_FULL;
    r->selective = ry_has_text(say, "selective");
    const struct ry_json modules = ry_json_get(extra, "recompute_modules");
    const size_t n = ry_json_size(modules);
    bool mlp = false, light = false, dense = false;
    for (size_t i = 0; i < n; i++) {
        const struct ry_json at = ry_json_at(modules, i);
        const char *module =
            ry_json_type(at) == RY_JSON_TEXT ? ry_json_as_text(at, "") : "";
        /* "mlp" is the FFN of dense layers; of a model with experts those are few. */
        dense = dense || (strcmp(module, "mlp") == 0 && r->arch.experts > 0);
        mlp = mlp || (strcmp(module, "mlp") == 0 && r->arch.experts == 0) ||
              strcmp(module, "moe") == 0;
        light = light || strcmp(module, "layernorm") == 0 ||
                strcmp(module, "moe_act") == 0 || strcmp(module, "mla_up_proj") == 0;
    }
    if (n > 0) {
        r->unstated.recompute = r->selective = false;
        s->recompute = mlp               ? RY_RECOMPUTE_MLP
                       : light           ? RY_RECOMPUTE_NORMS
                       : dense && n == 1 ? RY_RECOMPUTE_NONE
                                         : RY_RECOMPUTE_SELECTIVE;
    }
    const char *recipe = ry_stated_text(extra, "recipe_recompute_override", NULL);
    if (ry_has_text(recipe, "none") && say == NULL && n == 0)
        r->unstated.recompute = false;
}

/** "FULL_SHARD", "FSDP2 32", "HSDP", "megatron-fsdp, sharding group 64", "none (...)". */
static void read_fsdp(struct ry_json parallel, struct ry_job *r)
{
    struct ry_strategy *s = &r->strategy;
    const char *say = ry_stated_text(parallel, "fsdp", NULL);
    s->zero_stage = ry_stated_count(parallel, "zero_stage", UINT_MAX);
    r->unstated.zero_stage = s->zero_stage == UINT_MAX;
    if (r->unstated.zero_stage)
        s->zero_stage = 0;
    if (say == NULL || strncmp(say, "none", 4) == 0)
        return;
    r->unstated.zero_stage = false;
    s->fsdp = true;
    s->zero_stage = 3;
    if (ry_has_text(say, "SHARD_GRAD_OP"))
        s->reshard_kept = true;
    if (ry_has_text(say, "HSDP"))
        s->shard_ranks = (unsigned)r->gpus_per_node;
    const char *group = strstr(say, "group ");
    if (group == NULL)
        group = strstr(say, "size ");
    if (group != NULL)
        s->shard_ranks = (unsigned)strtoul(strchr(group, ' ') + 1, NULL, 10);
}

static void read_graphs(struct ry_json extra, struct ry_job *r)
{
    const char *impl = ry_stated_text(extra, "cuda_graph_impl", NULL);
    const char *scope = ry_stated_text(extra, "cuda_graph_scope", NULL);
    const struct ry_json list = ry_json_get(extra, "cuda_graph_scope");
    bool known;
    const bool on = ry_stated_flag(extra, "cuda_graph", &known);
    r->unstated.cuda_graph = ry_json_type(extra) != RY_JSON_OBJECT;
    if (ry_has_text(impl, "full") || ry_has_text(scope, "full") || (known && on))
        r->strategy.cuda_graph = RY_GRAPH_FULL;
    else if (ry_json_size(list) > 0 || ry_has_text(impl, "transformer_engine"))
        r->strategy.cuda_graph = RY_GRAPH_PARTIAL;
}

void ry_published_strategy_read(struct ry_json row, struct ry_job *r)
{
    struct ry_strategy *s = &r->strategy;
    const struct ry_json p = ry_json_get(row, "parallel");
    const struct ry_json extra = ry_json_get(p, "extra");
    s->tp = ry_stated_count(p, "tp", 0);
    s->pp = ry_stated_count(p, "pp", 0);
    s->vpp = ry_stated_count(p, "vpp", 0);
    r->unstated.vpp = s->vpp == 0;
    s->cp = ry_stated_count(p, "cp", 1);
    s->ep = ry_stated_count(p, "ep", 1);
    s->etp = ry_stated_count(p, "etp", 0);
    s->dp = ry_stated_count(p, "dp", 0);
    bool known;
    s->sequence_parallel = ry_stated_flag(p, "sequence_parallel", &known);
    r->unstated.sequence_parallel = !known;
    s->tp_overlap = ry_stated_flag(extra, "tp_comm_overlap", &known);
    r->unstated.tp_overlap = !known;
    if (!known) {
        s->tp_overlap = ry_stated_flag(extra, "async_tp", &known);
        r->unstated.tp_overlap = !known;
    }
    s->compile = ry_stated_flag(extra, "torch_compile", &known);
    s->ep_overlap = ry_stated_flag(extra, "moe_a2a_overlap", &known);
    r->unstated.ep_overlap = !known;
    const unsigned product = ry_stated_count(extra, "model_parallel_size", 0);
    if (s->tp == 0 && s->pp == 0 && product > 0) {
        /* The natural reading that the row itself notes: TP inside a node first. */
        s->tp = product < 8 ? product : 8;
        s->pp = product / s->tp;
    }
    if (ry_has_text(ry_stated_text(extra, "mixed_precision_mode", NULL), "DEFAULT"))
        s->reduce_fp32 = true;
    const char *schedule = ry_stated_text(extra, "pp_schedule", NULL);
    if (s->vpp == 0 && ry_has_text(schedule, "interleaved"))
        s->vpp = 2;
    if (s->vpp == 0 && ry_has_text(schedule, "1f1b"))
        s->vpp = 1;
    r->unstated.vpp = s->vpp == 0;
    r->unfused_attention =
        ry_has_text(ry_stated_text(extra, "transformer_engine", NULL), "no TE");
    read_fsdp(p, r);
    read_graphs(extra, r);
    read_recompute(row, extra, r);
    if (ry_json_size(ry_json_get(extra, "cpu_offloading_num_layers")) > 0 ||
        ry_stated_number(extra, "cpu_offloading_num_layers", 0) > 0)
        s->offload_activations_frac =
            fmin(ry_stated_number(extra, "cpu_offloading_num_layers", 0) /
                     fmax(r->arch.layers, 1),
                 1);
}
