/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/published.h"

#include "base/names.h"
#include "io/json.h"
#include "io/published_strategy.h"
#include "io/stated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The number after @p word in a text like "MLA (q_lora 1536, kv_lora 512, ...)". */
static unsigned after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at != NULL ? (unsigned)strtoul(at + strlen(word), NULL, 10) : 0;
}

static void read_attention(struct ry_json m, struct ry_arch *a)
{
    const char *attention = ry_stated_text(m, "attention", NULL);
    if (!ry_has_text(attention, "MLA"))
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
    const char *positions = ry_stated_text(extra, "positional", "");
    const bool nemotron = ry_has_text(a->name, "Nemotron");
    a->layer_norm = true;
    a->linear_bias = !nemotron;
    a->tied_embeddings = !nemotron;
    a->positions = nemotron                          ? RY_POSITIONS_ROTARY
                   : ry_has_text(positions, "ALiBi") ? RY_POSITIONS_ALIBI
                                                     : RY_POSITIONS_LEARNED;
    if (ry_has_text(a->name, "NeoX")) {
        a->positions = RY_POSITIONS_ROTARY;
        a->parallel_block = true;
        a->tied_embeddings = false;
    }
}

static void read_experts(struct ry_json m, struct ry_arch *a)
{
    a->experts = ry_stated_count(m, "experts", 0);
    if (a->experts <= 1) {
        a->experts = 0;
        return;
    }
    if (ry_has_text(a->name, "DeepSeek-V3"))
        a->route_groups = 4; /* arXiv:2412.19437, section 2.1.2: at most four nodes */
    a->top_k = ry_stated_count(m, "top_k", 0);
    a->moe_ffn = ry_stated_count(m, "moe_ffn_hidden", a->ffn);
    a->shared_experts = ry_stated_count(m, "shared_experts", 0);
    a->dense_layers = ry_stated_count(m, "dense_layers", 0);
    a->mtp_layers = ry_stated_count(m, "mtp_layers", 0);
}

static void read_model(struct ry_json m, struct ry_job *r)
{
    struct ry_arch *a = &r->arch;
    a->name = ry_stated_text(m, "name", "");
    a->layers = ry_stated_count(m, "layers", 0);
    a->hidden = ry_stated_count(m, "hidden", 0);
    a->heads = ry_stated_count(m, "heads", 0);
    a->kv_heads = ry_stated_count(m, "kv_heads", a->heads);
    a->head_dim = ry_stated_count(m, "head_dim", a->heads > 0 ? a->hidden / a->heads : 0);
    a->ffn = ry_stated_count(m, "ffn_hidden", 4 * a->hidden);
    bool known;
    a->gated = ry_stated_flag(m, "gated_mlp", &known);
    a->vocab = ry_stated_count(m, "vocab", 0);
    r->strategy.seq = ry_stated_count(m, "seq_len", 0);
    read_experts(m, a);
    read_attention(m, a);
    if (!a->gated)
        gpt_style(m, a);
    if (ry_has_text(a->name, "Qwen3"))
        a->qk_norm = true;
    if (a->positions == RY_POSITIONS_LEARNED)
        a->max_positions = r->strategy.seq;
    /* GPT models whose table does not print a vocabulary use GPT-2's tokenizer. */
    if (a->vocab == 0 && ry_has_text(a->name, "GPT"))
        a->vocab = 50257;
    if (a->vocab == 0 && ry_has_text(a->name, "MT-NLG"))
        a->vocab = 50257;
}

static enum ry_train_precision precision_of(const char *p, bool *known)
{
    static const struct {
        const char *name;
        enum ry_train_precision precision;
    } all[] = {{"bf16", RY_TRAIN_BF16},   {"fp16", RY_TRAIN_FP16},
               {"fp8", RY_TRAIN_FP8},     {"mxfp8", RY_TRAIN_MXFP8},
               {"nvfp4", RY_TRAIN_NVFP4}, {"fp32", RY_TRAIN_FP32}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (p != NULL && ry_name_eq(p, all[i].name)) {
            *known = true;
            return all[i].precision;
        }
    *known = false;
    return RY_TRAIN_BF16;
}

static void read_task(struct ry_json row, struct ry_job *r)
{
    const char *task = ry_stated_text(row, "task", "pretrain");
    if (ry_has_text(task, "lora"))
        r->strategy.task = RY_TASK_LORA;
    else if (ry_has_text(task, "sft"))
        r->strategy.task = RY_TASK_SFT;
    else if (!ry_has_text(task, "pretrain"))
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
 * A row's own release where it shows.  LLM Foundry's table of 2023-05 (PyTorch 1.13.1)
 * calls its precision "bf16", those run again in 2023-10 (2.1.0) "amp_bf16"; DGX Cloud's
 * tables are read at "(tag v24.11.1)".
 */
static const char *release_date(struct ry_arena *arena, struct ry_json row,
                                const char *date)
{
    const struct ry_json extra = ry_json_get(ry_json_get(row, "parallel"), "extra");
    const char *composer = ry_stated_text(extra, "composer_precision", NULL);
    const char *tag = strstr(ry_stated_text(row, "where", ""), "(tag v2");
    if (composer != NULL)
        return strncmp(composer, "amp_", 4) == 0 ? "2023-10" : "2023-05";
    if (tag != NULL && strcspn(tag, ")") >= strlen("(tag v24.11"))
        return ry_strfmt(arena, "20%.2s-%.2s", tag + 6, tag + 9);
    return date;
}

/** "NVIDIA/dgxc-benchmarking@741c886 (tag v25.04):README.md": what is before the file. */
static const char *release_of(struct ry_arena *arena, struct ry_json row)
{
    const char *where = ry_stated_text(row, "where", NULL);
    return where != NULL ? ry_strfmt(arena, "%.*s", (int)strcspn(where, ":"), where)
                         : NULL;
}

static void read_row(struct ry_arena *arena, struct ry_json row, const char *date,
                     struct ry_job *r, struct ry_measured *measured)
{
    *r = (struct ry_job){.id = ry_stated_text(row, "id", ""),
                         .date = release_date(arena, row, date),
                         .release = release_of(arena, row)};
    r->gpu = ry_stated_text(row, "gpu", "");
    r->gpus = ry_stated_count(row, "gpus", 0);
    r->gpus_per_node = fmax(ry_stated_count(row, "gpus_per_node", 8), 1);
    r->network = ry_stated_text(row, "network", NULL);
    r->framework = ry_stated_text(row, "framework", "");
    r->notes = ry_stated_text(row, "notes", "");
    read_task(row, r);
    read_model(ry_json_get(row, "model"), r);
    ry_published_strategy_read(row, r);
    bool precision;
    r->strategy.precision =
        precision_of(ry_stated_text(row, "precision", NULL), &precision);
    /* torch's row-scaled fp8 products of 2025 ran no faster than 16-bit on Hopper. */
    if (ry_has_text(ry_stated_text(ry_json_get(ry_json_get(row, "parallel"), "extra"),
                                   "fp8_recipe", NULL),
                    "rowwise"))
        r->strategy.precision = RY_TRAIN_BF16;
    r->strategy.micro_batch = ry_stated_count(row, "micro_batch", 0);
    r->unstated.micro_batch = r->strategy.micro_batch == 0;
    r->strategy.global_batch = ry_stated_count(row, "global_batch", 0);
    if (r->skip == NULL)
        r->skip = missing(r, precision);
    finish_degrees(r);
    const struct ry_json m = ry_json_get(row, "measured");
    const struct ry_json d = ry_json_get(row, "derived");
    measured->step_time_s =
        ry_stated_number(m, "step_time_s",
                         ry_stated_number(d, "step_time_from_tflops_s",
                                          ry_stated_number(d, "step_time_s", NAN)));
    const double gib = ry_stated_number(m, "peak_alloc_gib",
                                        ry_stated_number(m, "peak_memory_gib", NAN));
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
    r->arch.ffn = ry_stated_count(a, "ffn", 0);
    r->arch.gated = ry_json_bool(a, "gated", false);
    if (r->arch.experts > 0)
        r->arch.moe_ffn = r->arch.ffn;
}

static void bench_parallel(struct ry_json row, struct ry_job *r)
{
    struct ry_strategy *s = &r->strategy;
    const char *p = ry_stated_text(row, "parallel", "none");
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
    s->micro_batches = ry_stated_count(row, "accumulate", 1);
    s->global_batch = s->micro_batch * s->dp * s->micro_batches;
    s->reduce_fp32 = ry_has_text(ry_stated_text(row, "reduce", NULL), "fp32");
    s->compile = ry_stated_number(row, "compile", 0) > 0;
    if (ry_has_text(ry_stated_text(row, "recompute", NULL), "full"))
        s->recompute = RY_RECOMPUTE_FULL;
}

static const char *bench_id(struct ry_arena *arena, struct ry_json row,
                            const struct ry_job *r)
{
    return ry_strfmt(
        arena, "%s-%s-%s-mb%u-s%u-a%u%s%s%s", ry_stated_text(row, "model", ""),
        ry_stated_text(row, "parallel", ""), r->link, r->strategy.micro_batch,
        r->strategy.seq, r->strategy.micro_batches,
        r->strategy.recompute == RY_RECOMPUTE_FULL ? "-recompute" : "",
        r->strategy.compile ? "-compile" : "", r->strategy.reduce_fp32 ? "-fp32" : "");
}

static void bench_row(struct ry_arena *arena, struct ry_json root, struct ry_json row,
                      struct ry_job *r, struct ry_measured *measured)
{
    *r = (struct ry_job){.gpu = ry_stated_text(root, "gpu", ""),
                         .date = ry_stated_text(root, "date", NULL)};
    const bool experts = ry_json_has(ry_json_get(row, "architecture"), "experts");
    r->framework = experts ? "node-bench expert parallel" : "node-bench PyTorch eager";
    if (strcmp(ry_stated_text(row, "parallel", ""), "fsdp") == 0)
        r->framework = "node-bench FSDP2";
    r->gpus = ry_stated_count(row, "gpus", ry_stated_count(root, "gpus", 1));
    r->gpus_per_node = fmax(r->gpus, 2);
    r->link = ry_stated_text(row, "link", r->gpus > 1 ? "nvlink" : "single");
    bench_arch(ry_json_get(row, "architecture"), r);
    r->strategy.seq = ry_stated_count(row, "seq", 0);
    r->strategy.micro_batch = ry_stated_count(row, "micro_batch", 0);
    bench_parallel(row, r);
    r->strategy.precision = RY_TRAIN_BF16;
    r->id = bench_id(arena, row, r);
    if (ry_json_has(row, "error"))
        r->skip = "the run failed";
    else if (ry_json_has(row, "skipped"))
        r->skip = "the run was skipped";
    else
        r->skip = missing(r, true);
    measured->step_time_s = ry_stated_number(row, "step_time_s", NAN);
    measured->peak_bytes = ry_stated_number(row, "peak_bytes_rank", NAN);
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
    file->title = ry_stated_text(source, "title", "node-bench training steps");
    file->run = RY_NEW(arena, struct ry_job, file->n + 1);
    file->measured = RY_NEW(arena, struct ry_measured, file->n + 1);
    if (file->run == NULL || file->measured == NULL)
        return RY_ERR_NOMEM;
    const char *date = month_of(ry_stated_text(source, "date", NULL));
    for (size_t i = 0; i < file->n; i++) {
        const struct ry_json row = ry_json_at(rows, i);
        if (file->node_bench)
            bench_row(arena, root, row, &file->run[i], &file->measured[i]);
        else
            read_row(arena, row, date, &file->run[i], &file->measured[i]);
    }
    return RY_OK;
}
