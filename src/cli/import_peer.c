/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/import_peer.h"

#include "base/names.h"
#include "catalog/parts.h"
#include "io/outfile.h"
#include "io/problems_print.h"
#include "io/strategy_file.h"
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { BYTES_MOST = 256 << 20 };

/* How near a figure must be for a part to be the one meant: peaks and memory are from
 * data sheets on both sides, link rates are often what a benchmark reached. */
static const double same_frac = 0.07, like_frac = 0.25;

struct job {
    struct ry_arena *arena;
    const struct ry_import_peer *in;
    struct ry_catalog catalog;
    struct ry_peer peer;
    const char *name, *model_file, *model_path;
    const struct ry_node *node;
    const struct ry_switch *leaf;
    bool infiniband;
    struct ry_diag *diag;
};

static bool near(double said, double part, double frac)
{
    return isnan(said) || fabs(said / part - 1.0) <= frac;
}

static bool looks_like(const struct job *job, const struct ry_node *node)
{
    const struct ry_peer *p = &job->peer;
    const struct ry_gpu *gpu = ry_find_gpu(&job->catalog, node->gpu_model);

    if (!gpu || node->gpu_count != (double)p->domain_gpus || strstr(node->kind, "tray"))
        return false;
    if (p->gpu)
        return ry_name_contains(gpu->part.name, p->gpu) ||
               ry_name_contains(p->gpu, gpu->part.name);
    const double flop_per_s =
        isnan(gpu->bf16_flop_per_s) ? gpu->fp16_flop_per_s : gpu->bf16_flop_per_s;
    const bool memory = near(p->mem_bytes, gpu->hbm_bytes, same_frac) ||
                        near(p->mem_bytes, gpu->mem_nominal_bytes, same_frac);
    return near(p->flop_per_s, flop_per_s, like_frac) && memory &&
           near(p->mem_bytes_per_s, gpu->hbm_bytes_per_s, like_frac) &&
           near(p->link_bytes_per_s, gpu->scaleup_bytes_per_s, like_frac);
}

/* The first node of the catalog that looks like it; others are told. */
static enum ry_err guess_node(struct job *job)
{
    struct ry_peer *p = &job->peer;
    size_t n = 0;

    if (!p->gpu && isnan(p->flop_per_s) && isnan(p->mem_bytes) &&
        isnan(p->mem_bytes_per_s) && isnan(p->link_bytes_per_s))
        return ry_fail(job->diag, RY_ERR_USAGE, job->name,
                       "nothing says what the GPUs are; give --node");
    for (size_t i = 0; ry_catalog_at(&job->catalog, RY_KIND_NODE, i); i++) {
        const struct ry_node *at = (const struct ry_node *)(const void *)ry_catalog_at(
            &job->catalog, RY_KIND_NODE, i);
        if (looks_like(job, at) && n++ == 0)
            job->node = at;
    }
    if (!job->node)
        return ry_fail(job->diag, RY_ERR_NOTFOUND, job->name,
                       "no node of the catalog has %zu GPUs like these; give --node",
                       p->domain_gpus);
    ry_peer_note(p, "node", "%s assumed, %s (--node says another)", job->node->part.name,
                 n == 1 ? "the only one of the catalog that looks like it"
                        : "the first of the catalog that look like it");
    return RY_OK;
}

static enum ry_err choose_node(struct job *job)
{
    if (!job->in->node)
        return guess_node(job);
    job->node = ry_find_node(&job->catalog, job->in->node);
    if (!job->node)
        return ry_fail(job->diag, RY_ERR_NOTFOUND, "--node",
                       "no node '%.60s' in the catalog", job->in->node);
    if (job->node->gpu_count == (double)job->peer.domain_gpus)
        return RY_OK;
    return ry_fail(job->diag, RY_ERR_NO, job->name, "%zu GPUs in a domain, %s has %g",
                   job->peer.domain_gpus, job->node->part.name, job->node->gpu_count);
}

/* The slowest switch of the technology that has the NIC's rate. */
static enum ry_err choose_switch(struct job *job)
{
    struct ry_peer *p = &job->peer;
    const char *technology = job->infiniband ? "infiniband" : "ethernet";

    for (size_t i = 0; ry_catalog_at(&job->catalog, RY_KIND_SWITCH, i); i++) {
        const struct ry_switch *at =
            (const struct ry_switch *)(const void *)ry_catalog_at(&job->catalog,
                                                                  RY_KIND_SWITCH, i);
        if (strcmp(at->technology, technology) == 0 &&
            at->port_bytes_per_s >= p->nic_bytes_per_s * (1.0 - 1e-9) &&
            at->ports <= 256.0 &&
            (!job->leaf || at->port_bytes_per_s < job->leaf->port_bytes_per_s ||
             (at->port_bytes_per_s == job->leaf->port_bytes_per_s &&
              at->ports > job->leaf->ports)))
            job->leaf = at;
    }
    if (!job->leaf)
        return ry_fail(job->diag, RY_ERR_NOTFOUND, job->name,
                       "no %s switch of the catalog has ports of %g Gb/s", technology,
                       p->nic_bytes_per_s * 8e-9);
    ry_peer_note(p, "switch", "%s assumed: which switches and technology is not said",
                 job->leaf->part.name);
    return RY_OK;
}

static void put_member(FILE *out, const char *key, const char *text)
{
    (void)fprintf(out, ", \"%s\": ", key);
    ry_json_put_text(out, text);
}

static void put_fabric(const struct job *job, FILE *out, const char *indent)
{
    const struct ry_peer *p = &job->peer;
    const double per_node = (double)p->nics_per_domain;

    (void)fprintf(out, ",\n%s\"nics\": {\"per_node\": %.0f, \"rate\": ", indent,
                  per_node);
    ry_json_put_number(out, p->nic_bytes_per_s);
    (void)fprintf(out, "},\n%s\"fabric\": {\"technology\": \"%s\"", indent,
                  job->infiniband ? "infiniband" : "roce");
    put_member(out, "leaf", job->leaf->part.name);
    (void)fputs(", \"oversubscription\": ", out);
    ry_json_put_number(out, p->oversubscription);
    (void)fprintf(out, ", \"rail_optimised\": %s}", p->rail_optimised ? "true" : "false");
}

static void put_design(const struct job *job, FILE *out, const char *indent)
{
    const struct ry_peer *p = &job->peer;
    const size_t domain = p->domain_gpus;
    const size_t nodes = p->gpus ? (p->gpus + domain - 1) / domain : 1;

    (void)fprintf(out, "{\n%s\"name\": ", indent);
    ry_json_put_text(out, job->name);
    (void)fprintf(out, ",\n%s\"node\": ", indent);
    ry_json_put_text(out, job->node->part.name);
    (void)fprintf(out, ",\n%s\"nodes\": %zu", indent, nodes);
    if (job->leaf)
        put_fabric(job, out, indent);
    (void)fprintf(out, "\n%.*s}", (int)strlen(indent) - 4, indent);
}

static void put_strategy(const struct ry_strategy *s, FILE *out)
{
    (void)fprintf(
        out,
        "{\"tp\": %u, \"pp\": %u, \"vpp\": %u, \"dp\": %u, \"micro_batch\": %u, "
        "\"sequence_parallel\": %s, \"recompute\": \"%s\", \"schedule\": \"1f1b\", "
        "\"zero\": %u, \"tp_overlap\": %s, \"dp_overlap\": %s, "
        "\"offload_optimizer\": %g, \"offload_activations\": %g}",
        s->tp, s->pp, s->vpp, s->dp, s->micro_batch,
        s->sequence_parallel ? "true" : "false", ry_recompute_choices[s->recompute],
        s->zero_stage, s->tp_overlap ? "true" : "false", s->dp_overlap ? "true" : "false",
        s->offload_optimizer_frac, s->offload_activations_frac);
}

static void put_workload(const struct job *job, FILE *out, const char *indent)
{
    const struct ry_strategy *s = &job->peer.strategy;

    (void)fprintf(out, "{\n%s\"name\": ", indent);
    ry_json_put_text(out, job->name);
    (void)fprintf(out, ",\n%s\"model\": ", indent);
    ry_json_put_text(out, job->model_file);
    (void)fprintf(out,
                  ",\n%s\"seq\": %u,\n%s\"global_batch\": %u,\n%s\"tokens\": %.0f,\n%s"
                  "\"precision\": \"%s\",\n%s\"strategy\": ",
                  indent, s->seq, indent, s->global_batch, indent,
                  (double)s->seq * s->global_batch, indent,
                  ry_precision_choices[s->precision], indent);
    put_strategy(s, out);
    (void)fprintf(out, "\n%.*s}", (int)strlen(indent) - 4, indent);
}

static void put_model(const struct job *job, FILE *out)
{
    const struct ry_arch *a = &job->peer.arch;

    (void)fputs("{\n    \"name\": ", out);
    ry_json_put_text(out, job->name);
    (void)fprintf(
        out,
        ",\n    \"arch\": {\"layers\": %u, \"hidden\": %u, \"heads\": %u, \"kv_heads\": "
        "%u, \"head_dim\": %u,\n        \"ffn\": %u, \"gated\": false, \"vocab\": %u, "
        "\"tied_embeddings\": true,\n        \"layer_norm\": true, \"linear_bias\": "
        "true, \"positions\": \"learned\", \"max_positions\": %u}\n}\n",
        a->layers, a->hidden, a->heads, a->kv_heads, a->head_dim, a->ffn, a->vocab,
        a->max_positions);
}

/* The first file's name without folders and ending. */
static const char *stem(struct ry_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');

    return ry_strfmt(arena, "%.*s",
                     (int)(dot && dot > base ? dot - base : (long)strlen(base)), base);
}

static enum ry_err name_model(struct job *job)
{
    const char *output = job->in->output ? job->in->output : "";
    const char *slash = strrchr(output, '/');
    const size_t folder = slash ? (size_t)(slash - output) + 1 : 0;

    job->model_file = ry_strfmt(job->arena, "%s.model.json", stem(job->arena, output));
    job->model_path =
        ry_strfmt(job->arena, "%.*s%s", (int)folder, output, job->model_file);
    return job->model_path ? RY_OK
                           : ry_fail(job->diag, RY_ERR_NOMEM, "import", "out of memory");
}

/* What is read stays: neither the plan nor the model beside it goes over an input. */
static enum ry_err check_apart(const struct job *job, const struct ry_strings *files)
{
    const char *const written[] = {job->in->output, job->model_path};
    struct stat out, in;

    for (size_t w = 0; job->in->output && w < 2; w++) {
        for (size_t i = 0; i < files->n; i++) {
            if (written[w] && stat(written[w], &out) == 0 &&
                stat(files->at[i], &in) == 0 && out.st_ino == in.st_ino &&
                out.st_dev == in.st_dev)
                return ry_fail(job->diag, RY_ERR_USAGE, "--output",
                               "'%.100s' would go over an input; give another name",
                               written[w]);
        }
    }
    return RY_OK;
}

/* Model and execution make a workload; one alone does not. */
static bool has_workload(const struct job *job)
{
    return job->peer.has_arch && job->peer.training;
}

static void put_plan(const struct job *job, FILE *out)
{
    const bool design = job->peer.cluster;
    const bool workload = has_workload(job);
    const bool both = design && workload;
    const char *indent = both ? "        " : "    ";

    if (both)
        (void)fputs("{\n    \"design\": ", out);
    if (design)
        put_design(job, out, indent);
    if (both)
        (void)fputs(",\n    \"workload\": ", out);
    if (workload)
        put_workload(job, out, indent);
    (void)fputs(both ? "\n}\n" : "\n", out);
}

static enum ry_err write_model(const struct job *job)
{
    struct ry_outfile out;

    RY_TRY(ry_outfile_open(&out, job->model_path, job->diag));
    put_model(job, out.file);
    return ry_outfile_commit(&out, job->diag);
}

/* The model is in its place before the plan that names it: a plan never lacks its
 * model. */
static enum ry_err write_all(const struct job *job)
{
    struct ry_outfile plan;

    RY_TRY(ry_outfile_open(&plan, job->in->output ? job->in->output : "-", job->diag));
    put_plan(job, plan.file);
    const enum ry_err err = has_workload(job) ? write_model(job) : RY_OK;
    if (err == RY_OK)
        return ry_outfile_commit(&plan, job->diag);
    ry_outfile_abort(&plan);
    return err;
}

/* What the files said is enough for something to be written. */
static enum ry_err check_said(const struct job *job)
{
    const struct ry_peer *p = &job->peer;

    if (!p->cluster && !has_workload(job))
        return ry_fail(
            job->diag, RY_ERR_USAGE, job->name, "%s",
            p->has_arch   ? "a model alone makes no workload; give its execution too"
            : p->training ? "an execution alone makes no workload; give its LLM too"
                          : "nothing is said of a cluster; give the network too");
    if (has_workload(job) && !job->in->output)
        return ry_fail(job->diag, RY_ERR_USAGE, "--output",
                       "a model is written beside the workload: give -o FILE");
    return RY_OK;
}

/* NICs and switches, where there is more than one node. */
static enum ry_err join_nodes(struct job *job)
{
    struct ry_peer *p = &job->peer;

    job->infiniband = !p->ethernet;
    if (p->gpus == 0)
        ry_peer_note(p, "nodes", "1: how many GPUs there are is not said");
    if (p->nics_per_domain == 0 || p->gpus <= p->domain_gpus)
        return RY_OK;
    if (isnan(p->nic_bytes_per_s))
        p->nic_bytes_per_s = job->node->scaleout_nic_bytes_per_s;
    if (!(p->nic_bytes_per_s > 0.0))
        return ry_fail(job->diag, RY_ERR_INFEASIBLE, job->name,
                       "no rate between nodes is said");
    return choose_switch(job);
}

static enum ry_err complete(struct job *job)
{
    RY_TRY(check_said(job));
    if (has_workload(job))
        ry_peer_note(&job->peer, "tokens", "one step: how long is trained is not said");
    if (!job->peer.cluster)
        return RY_OK;
    RY_TRY(choose_node(job));
    return join_nodes(job);
}

static enum ry_err read_files(struct job *job, const struct ry_strings *files)
{
    struct ry_problems *problems = RY_NEW(job->arena, struct ry_problems, 1);

    if (!problems)
        return ry_fail(job->diag, RY_ERR_NOMEM, "import", "out of memory");
    ry_peer_init(&job->peer, job->arena, problems);
    for (size_t i = 0; i < files->n; i++) {
        struct ry_text text;
        RY_TRY(ry_file_read(job->arena, files->at[i], BYTES_MOST, &text, job->diag));
        if (ry_peer_read(&job->peer, job->in->planner, files->at[i], text) != RY_OK)
            return ry_fail(job->diag, RY_ERR_NOMEM, files->at[i], "out of memory");
    }
    return ry_problems_print(problems, job->diag);
}

enum ry_err ry_import_peers(struct ry_arena *arena, const struct ry_import_peer *in,
                            const struct ry_strings *files, struct ry_diag *diag)
{
    struct job *job = RY_NEW(arena, struct job, 1);

    if (!job)
        return ry_fail(diag, RY_ERR_NOMEM, "import", "out of memory");
    *job = (struct job){.arena = arena, .in = in, .diag = diag};
    job->name = in->name ? in->name : stem(arena, files->at[0]);
    if (!job->name)
        return ry_fail(diag, RY_ERR_NOMEM, "import", "out of memory");
    RY_TRY(name_model(job));
    RY_TRY(check_apart(job, files));
    RY_TRY(ry_catalog_opened(arena, in->catalog, &job->catalog, diag));
    RY_TRY(read_files(job, files));
    RY_TRY(complete(job));
    RY_TRY(write_all(job));
    if (job->peer.notes_n > 0)
        (void)fprintf(stderr, "railyard: %s: not taken over, or assumed:\n", job->name);
    for (size_t i = 0; i < job->peer.notes_n; i++)
        (void)fprintf(stderr, "  %s: %s\n", job->peer.notes[i].what,
                      job->peer.notes[i].text);
    return RY_OK;
}
