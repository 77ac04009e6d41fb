/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/published.h"

#include "base/names.h"
#include "io/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows are other people's: a value of a wrong type is read as not stated. */

static double number(struct ry_json at, const char *key, double fallback)
{
    const struct ry_json v = ry_json_get(at, key);
    return ry_json_type(v) == RY_JSON_NUMBER ? ry_json_as_number(v, fallback) : fallback;
}

static unsigned count(struct ry_json at, const char *key, unsigned fallback)
{
    const double v = number(at, key, fallback);
    return v >= 0 && v <= 1e9 ? (unsigned)(v + 0.5) : fallback;
}

static const char *text(struct ry_json at, const char *key, const char *fallback)
{
    const struct ry_json v = ry_json_get(at, key);
    return ry_json_type(v) == RY_JSON_TEXT ? ry_json_as_text(v, fallback) : fallback;
}

/** true, false, "True", "1"; @p known says whether the row has it. */
static bool flag(struct ry_json at, const char *key, bool *known)
{
    const struct ry_json v = ry_json_get(at, key);
    const enum ry_json_type type = ry_json_type(v);
    *known = type == RY_JSON_BOOL || type == RY_JSON_TEXT || type == RY_JSON_NUMBER;
    if (type == RY_JSON_BOOL)
        return ry_json_as_bool(v, false);
    if (type == RY_JSON_NUMBER)
        return ry_json_as_number(v, 0) != 0;
    const char *t = type == RY_JSON_TEXT ? ry_json_as_text(v, "") : "";
    return ry_name_eq(t, "true") || strcmp(t, "1") == 0 || ry_name_eq(t, "yes");
}

static bool has_text(const char *text, const char *part)
{
    return text != NULL && strstr(text, part) != NULL;
}

/** The number after @p word in a text like "MLA (q_lora 1536, kv_lora 512, ...)". */
static unsigned after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at != NULL ? (unsigned)strtoul(at + strlen(word), NULL, 10) : 0;
}

static void read_attention(struct ry_json m, struct ry_arch *a)
{
    const char *attention = text(m, "attention", NULL);
    if (!has_text(attention, "MLA"))
        return;
    a->attention = RY_ATTENTION_MLA;
    a->q_lora = after(attention, "q_lora ");
    a->kv_lora = after(attention, "kv_lora ");
    a->qk_nope = after(attention, "qk_nope ");
    a->qk_rope = after(attention, "qk_rope ");
    const unsigned v = after(attention, ", v ");
    a->head_dim = v > 0 ? v : 128;
}

/** What a GPT of the Megatron kind has: LayerNorm, biases, learned positions. */
static void gpt_style(struct ry_json m, struct ry_arch *a)
{
    const struct ry_json extra = ry_json_get(m, "extra");
    const char *positions = text(extra, "positional", "");
    const bool nemotron = has_text(a->name, "Nemotron");
    a->layer_norm = true;
    a->linear_bias = !nemotron;
    a->tied_embeddings = !nemotron;
    a->positions = nemotron                     ? RY_POSITIONS_ROTARY
                   : has_text(positions, "ALiBi") ? RY_POSITIONS_ALIBI
                                                  : RY_POSITIONS_LEARNED;
    if (has_text(a->name, "NeoX")) {
        a->positions = RY_POSITIONS_ROTARY;
        a->parallel_block = true;
        a->tied_embeddings = false;
    }
}

static void read_experts(struct ry_json m, struct ry_arch *a)
{
    a->experts = count(m, "experts", 0);
    if (a->experts <= 1) {
        a->experts = 0;
        return;
    }
    if (has_text(a->name, "DeepSeek-V3"))
        a->route_groups = 4; /* arXiv:2412.19437, section 2.1.2: at most four nodes */
    a->top_k = count(m, "top_k", 0);
    a->moe_ffn = count(m, "moe_ffn_hidden", a->ffn);
    a->shared_experts = count(m, "shared_experts", 0);
    a->dense_layers = count(m, "dense_layers", 0);
    a->mtp_layers = count(m, "mtp_layers", 0);
}

static void read_model(struct ry_json m, struct ry_job *r)
{
    struct ry_arch *a = &r->arch;
    a->name = text(m, "name", "");
    a->layers = count(m, "layers", 0);
    a->hidden = count(m, "hidden", 0);
    a->heads = count(m, "heads", 0);
    a->kv_heads = count(m, "kv_heads", a->heads);
    a->head_dim = count(m, "head_dim", a->heads > 0 ? a->hidden / a->heads : 0);
    a->ffn = count(m, "ffn_hidden", 4 * a->hidden);
    bool known;
    a->gated = flag(m, "gated_mlp", &known);
    a->vocab = count(m, "vocab", 0);
    r->strategy.seq = count(m, "seq_len", 0);
    read_experts(m, a);
    read_attention(m, a);
    if (!a->gated)
        gpt_style(m, a);
    if (has_text(a->name, "Qwen3"))
        a->qk_norm = true;
    if (a->positions == RY_POSITIONS_LEARNED)
        a->max_positions = r->strategy.seq;
    /* GPT models whose table does not print a vocabulary use GPT-2's tokenizer. */
    if (a->vocab == 0 && has_text(a->name, "GPT"))
        a->vocab = 50257;
    if (a->vocab == 0 && has_text(a->name, "MT-NLG"))
        a->vocab = 50257;
}

static enum ry_train_precision precision_of(const char *p, bool *known)
{
    static const struct {
        const char *name;
        enum ry_train_precision precision;
    } all[] = {{"bf16", RY_TRAIN_BF16}, {"fp16", RY_TRAIN_FP16},   {"fp8", RY_TRAIN_FP8},
               {"mxfp8", RY_TRAIN_MXFP8}, {"nvfp4", RY_TRAIN_NVFP4}, {"fp32", RY_TRAIN_FP32}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (p != NULL && ry_name_eq(p, all[i].name)) {
            *known = true;
            return all[i].precision;
        }
    *known = false;
    return RY_TRAIN_BF16;
}

static void read_recompute(struct ry_json row, struct ry_json extra, struct ry_job *r)
{
    const char *say = text(row, "recompute", NULL);
    struct ry_strategy *s = &r->strategy;
    r->unstated.recompute = say == NULL;
    if (has_text(say, "full"))
        s->recompute = RY_RECOMPUTE_FULL;
    r->selective = has_text(say, "selective");
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
        s->recompute = mlp              ? RY_RECOMPUTE_MLP
                       : light          ? RY_RECOMPUTE_NORMS
                       : dense && n == 1 ? RY_RECOMPUTE_NONE
                                        : RY_RECOMPUTE_SELECTIVE;
    }
    const char *recipe = text(extra, "recipe_recompute_override", NULL);
    if (has_text(recipe, "none") && say == NULL && n == 0)
        r->unstated.recompute = false;
}

/** "FULL_SHARD", "FSDP2 32", "HSDP", "megatron-fsdp, sharding group 64", "none (...)". */
static void read_fsdp(struct ry_json parallel, struct ry_job *r)
{
    struct ry_strategy *s = &r->strategy;
    const char *say = text(parallel, "fsdp", NULL);
    const double zero = number(parallel, "zero_stage", NAN);
    r->unstated.zero_stage = !isfinite(zero);
    s->zero_stage = isfinite(zero) ? (unsigned)zero : 0;
    if (say == NULL || strncmp(say, "none", 4) == 0)
        return;
    r->unstated.zero_stage = false;
    s->fsdp = true;
    s->zero_stage = 3;
    if (has_text(say, "SHARD_GRAD_OP"))
        s->reshard_kept = true;
    if (has_text(say, "HSDP"))
        s->shard_ranks = (unsigned)r->gpus_per_node;
    const char *group = strstr(say, "group ");
    if (group == NULL)
        group = strstr(say, "size ");
    if (group != NULL)
        s->shard_ranks = (unsigned)strtoul(strchr(group, ' ') + 1, NULL, 10);
}

static void read_graphs(struct ry_json extra, struct ry_job *r)
{
    const char *impl = text(extra, "cuda_graph_impl", NULL);
    const char *scope = text(extra, "cuda_graph_scope", NULL);
    const struct ry_json list = ry_json_get(extra, "cuda_graph_scope");
    bool known;
    const bool on = flag(extra, "cuda_graph", &known);
    r->unstated.cuda_graph = ry_json_type(extra) != RY_JSON_OBJECT;
    if (has_text(impl, "full") || has_text(scope, "full") || (known && on))
        r->strategy.cuda_graph = RY_GRAPH_FULL;
    else if (ry_json_size(list) > 0 || has_text(impl, "transformer_engine"))
        r->strategy.cuda_graph = RY_GRAPH_PARTIAL;
}

static void read_parallel(struct ry_json row, struct ry_job *r)
{
    struct ry_strategy *s = &r->strategy;
    const struct ry_json p = ry_json_get(row, "parallel");
    const struct ry_json extra = ry_json_get(p, "extra");
    s->tp = count(p, "tp", 0);
    s->pp = count(p, "pp", 0);
    s->vpp = count(p, "vpp", 0);
    r->unstated.vpp = s->vpp == 0;
    s->cp = count(p, "cp", 1);
    s->ep = count(p, "ep", 1);
    s->etp = count(p, "etp", 0);
    s->dp = count(p, "dp", 0);
    bool known;
    s->sequence_parallel = flag(p, "sequence_parallel", &known);
    r->unstated.sequence_parallel = !known;
    s->tp_overlap = flag(extra, "tp_comm_overlap", &known);
    r->unstated.tp_overlap = !known;
    if (!known) {
        s->tp_overlap = flag(extra, "async_tp", &known);
        r->unstated.tp_overlap = !known;
    }
    s->compile = flag(extra, "torch_compile", &known);
    s->ep_overlap = flag(extra, "moe_a2a_overlap", &known);
    r->unstated.ep_overlap = !known;
    const unsigned product = count(extra, "model_parallel_size", 0);
    if (s->tp == 0 && s->pp == 0 && product > 0) {
        /* The natural reading that the row itself notes: TP inside a node first. */
        s->tp = product < 8 ? product : 8;
        s->pp = product / s->tp;
    }
    if (has_text(text(extra, "mixed_precision_mode", NULL), "DEFAULT"))
        s->reduce_fp32 = true;
    const char *schedule = text(extra, "pp_schedule", NULL);
    if (s->vpp == 0 && has_text(schedule, "interleaved"))
        s->vpp = 2;
    if (s->vpp == 0 && has_text(schedule, "1f1b"))
        s->vpp = 1;
    r->unstated.vpp = s->vpp == 0;
    r->unfused_attention = has_text(text(extra, "transformer_engine", NULL), "no TE");
    read_fsdp(p, r);
    read_graphs(extra, r);
    read_recompute(row, extra, r);
    if (ry_json_size(ry_json_get(extra, "cpu_offloading_num_layers")) > 0 ||
        number(extra, "cpu_offloading_num_layers", 0) > 0)
        s->offload_activations_frac =
            fmin(number(extra, "cpu_offloading_num_layers", 0) / fmax(r->arch.layers, 1), 1);
}

static void read_task(struct ry_json row, struct ry_job *r)
{
    const char *task = text(row, "task", "pretrain");
    if (has_text(task, "lora"))
        r->strategy.task = RY_TASK_LORA;
    else if (has_text(task, "sft"))
        r->strategy.task = RY_TASK_SFT;
    else if (!has_text(task, "pretrain"))
        r->skip = "not a training step";
}

/** The first thing that stops a prediction, or NULL. */
static const char *missing(const struct ry_job *r, bool precision)
{
    const struct ry_strategy *s = &r->strategy;
    const struct ry_arch *a = &r->arch;
    if (a->layers == 0 || a->hidden == 0)
        return "architecture not stated";
    if (a->heads == 0)
        return "head count not stated";
    if (a->vocab == 0)
        return "vocabulary not stated";
    if (s->seq == 0)
        return "sequence length not stated";
    if (!precision)
        return "precision not stated";
    if (s->tp == 0 || s->pp == 0)
        return "tensor or pipeline parallel degree not stated";
    if (s->global_batch == 0)
        return "global batch not stated";
    if (!(r->gpus >= 1))
        return "GPU count not stated";
    return NULL;
}

static void finish_degrees(struct ry_job *r)
{
    struct ry_strategy *s = &r->strategy;
    const double model = fmax(s->tp, 1) * fmax(s->pp, 1) * fmax(s->cp, 1);
    if (r->skip != NULL)
        return;
    const double dp = r->gpus / model;
    if (dp < 1 || dp != floor(dp)) {
        r->skip = "GPUs are not tp * pp * cp * dp";
        return;
    }
    s->dp = (unsigned)dp;
    if (!r->unstated.micro_batch && s->micro_batch * dp > s->global_batch)
        r->skip = "micro-batch and dp exceed the global batch";
}

/**
 * A row's own release where it shows.  LLM Foundry's table of 2023-05 (PyTorch 1.13.1) calls
 * its precision "bf16", those run again in 2023-10 (2.1.0) "amp_bf16"; DGX Cloud's tables are
 * read at "(tag v24.11.1)".
 */
static const char *release_date(struct ry_arena *arena, struct ry_json row, const char *date)
{
    const struct ry_json extra = ry_json_get(ry_json_get(row, "parallel"), "extra");
    const char *composer = text(extra, "composer_precision", NULL);
    const char *tag = strstr(text(row, "where", ""), "(tag v2");
    if (composer != NULL)
        return strncmp(composer, "amp_", 4) == 0 ? "2023-10" : "2023-05";
    if (tag != NULL && strcspn(tag, ")") >= strlen("(tag v24.11"))
        return ry_strfmt(arena, "20%.2s-%.2s", tag + 6, tag + 9);
    return date;
}

/** "NVIDIA/dgxc-benchmarking@741c886 (tag v25.04):README.md": what stands before the file. */
static const char *release_of(struct ry_arena *arena, struct ry_json row)
{
    const char *where = text(row, "where", NULL);
    return where != NULL ? ry_strfmt(arena, "%.*s", (int)strcspn(where, ":"), where) : NULL;
}

static void read_row(struct ry_arena *arena, struct ry_json row, const char *date,
                     struct ry_job *r, struct ry_measured *measured)
{
    *r = (struct ry_job){.id = text(row, "id", ""), .date = release_date(arena, row, date),
                         .release = release_of(arena, row)};
    r->gpu = text(row, "gpu", "");
    r->gpus = number(row, "gpus", 0);
    r->gpus_per_node = number(row, "gpus_per_node", 8);
    r->network = text(row, "network", NULL);
    r->framework = text(row, "framework", "");
    r->notes = text(row, "notes", "");
    read_task(row, r);
    read_model(ry_json_get(row, "model"), r);
    read_parallel(row, r);
    bool precision;
    r->strategy.precision = precision_of(text(row, "precision", NULL), &precision);
    /* torch's row-scaled fp8 products of 2025 ran no faster than 16-bit ones on Hopper. */
    if (has_text(text(ry_json_get(ry_json_get(row, "parallel"), "extra"), "fp8_recipe", NULL),
                 "rowwise"))
        r->strategy.precision = RY_TRAIN_BF16;
    r->strategy.micro_batch = count(row, "micro_batch", 0);
    r->unstated.micro_batch = r->strategy.micro_batch == 0;
    r->strategy.global_batch = count(row, "global_batch", 0);
    if (r->skip == NULL)
        r->skip = missing(r, precision);
    finish_degrees(r);
    const struct ry_json m = ry_json_get(row, "measured");
    const struct ry_json d = ry_json_get(row, "derived");
    measured->step_time_s = number(
        m, "step_time_s",
        number(d, "step_time_from_tflops_s", number(d, "step_time_s", NAN)));
    const double gib = number(m, "peak_alloc_gib", number(m, "peak_memory_gib", NAN));
    measured->peak_bytes = gib * 1073741824.0;
    if (r->skip == NULL && !(measured->step_time_s > 0))
        r->skip = "no step time";
}

/* ---- node-bench ---- */

static void bench_arch(struct ry_json a, struct ry_job *r)
{
    read_model(a, r);
    r->arch.layer_norm = r->arch.linear_bias = r->arch.tied_embeddings = false;
    r->arch.positions = RY_POSITIONS_NONE;
    r->arch.ffn = count(a, "ffn", 0);
    r->arch.gated = ry_json_bool(a, "gated", false);
    if (r->arch.experts > 0)
        r->arch.moe_ffn = r->arch.ffn;
}

static void bench_parallel(struct ry_json row, struct ry_job *r)
{
    struct ry_strategy *s = &r->strategy;
    const char *p = text(row, "parallel", "none");
    const unsigned n = (unsigned)r->gpus;
    s->tp = s->pp = s->dp = s->ep = s->cp = s->vpp = 1;
    if (strcmp(p, "tp") == 0)
        s->tp = n;
    else if (strcmp(p, "pp") == 0)
        s->pp = n;
    else
        s->dp = n;
    if (strcmp(p, "fsdp") == 0) {
        s->fsdp = true;
        s->zero_stage = 3;
    }
    if (strcmp(p, "ep") == 0)
        s->ep = n;
    s->micro_batches = count(row, "accumulate", 1);
    s->global_batch = s->micro_batch * s->dp * s->micro_batches;
    s->reduce_fp32 = has_text(text(row, "reduce", NULL), "fp32");
    s->compile = number(row, "compile", 0) > 0;
    if (has_text(text(row, "recompute", NULL), "full"))
        s->recompute = RY_RECOMPUTE_FULL;
}

static const char *bench_id(struct ry_arena *arena, struct ry_json row, const struct ry_job *r)
{
    return ry_strfmt(arena, "%s-%s-%s-mb%u-s%u-a%u%s%s%s", text(row, "model", ""),
                     text(row, "parallel", ""), r->link, r->strategy.micro_batch,
                     r->strategy.seq, r->strategy.micro_batches,
                     r->strategy.recompute == RY_RECOMPUTE_FULL ? "-recompute" : "",
                     r->strategy.compile ? "-compile" : "",
                     r->strategy.reduce_fp32 ? "-fp32" : "");
}

static void bench_row(struct ry_arena *arena, struct ry_json root, struct ry_json row,
                      struct ry_job *r, struct ry_measured *measured)
{
    *r = (struct ry_job){.gpu = text(root, "gpu", ""), .date = text(root, "date", NULL)};
    const bool experts = ry_json_has(ry_json_get(row, "architecture"), "experts");
    r->framework = experts ? "node-bench expert parallel" : "node-bench PyTorch eager";
    if (strcmp(text(row, "parallel", ""), "fsdp") == 0)
        r->framework = "node-bench FSDP2";
    r->gpus = number(row, "gpus", number(root, "gpus", 1));
    r->gpus_per_node = fmax(r->gpus, 2);
    r->link = text(row, "link", r->gpus > 1 ? "nvlink" : "single");
    bench_arch(ry_json_get(row, "architecture"), r);
    r->strategy.seq = count(row, "seq", 0);
    r->strategy.micro_batch = count(row, "micro_batch", 0);
    bench_parallel(row, r);
    r->strategy.precision = RY_TRAIN_BF16;
    r->id = bench_id(arena, row, r);
    if (ry_json_has(row, "error"))
        r->skip = "the run failed";
    else if (ry_json_has(row, "skipped"))
        r->skip = "the run was skipped";
    else
        r->skip = missing(r, true);
    measured->step_time_s = number(row, "step_time_s", NAN);
    measured->peak_bytes = number(row, "peak_bytes_rank", NAN);
    if (r->skip == NULL && !(measured->step_time_s > 0))
        r->skip = "no step time";
}

/** The year and month of a text like "2022-05", "2023-05..2024-04", "2024". */
static const char *month_of(const char *date)
{
    return date != NULL && date[0] >= '1' && date[0] <= '2' ? date : NULL;
}

enum ry_err ry_run_file_read(struct ry_arena *arena, const char *path,
                             struct ry_problems *problems, struct ry_run_file *file)
{
    struct ry_json root;
    *file = (struct ry_run_file){.path = path};
    RY_TRY(ry_json_open(arena, path, problems, &root));
    struct ry_json rows = ry_json_get(root, "rows");
    const struct ry_json source = ry_json_get(root, "source");
    if (ry_json_type(rows) != RY_JSON_LIST) {
        rows = ry_json_get(root, "train_steps");
        file->node_bench = true;
    }
    if (ry_json_type(rows) != RY_JSON_LIST ||
        (!file->node_bench && ry_json_type(source) != RY_JSON_OBJECT))
        return RY_ERR_NOTFOUND;
    file->n = ry_json_size(rows);
    file->title = text(source, "title", "node-bench training steps");
    file->run = RY_NEW(arena, struct ry_job, file->n + 1);
    file->measured = RY_NEW(arena, struct ry_measured, file->n + 1);
    if (file->run == NULL || file->measured == NULL)
        return RY_ERR_NOMEM;
    const char *date = month_of(text(source, "date", NULL));
    for (size_t i = 0; i < file->n; i++) {
        const struct ry_json row = ry_json_at(rows, i);
        if (file->node_bench)
            bench_row(arena, root, row, &file->run[i], &file->measured[i]);
        else
            read_row(arena, row, date, &file->run[i], &file->measured[i]);
    }
    return RY_OK;
}
