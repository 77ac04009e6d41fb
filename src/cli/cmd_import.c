/* SPDX-License-Identifier: GPL-3.0-or-later */
/* railyard import FILE: a design of what a running system says of itself. */
#include "base/names.h"
#include "cli/catalog_opts.h"
#include "cli/cmd.h"
#include "cli/import_peer.h"
#include "io/fabric_import.h"
#include "io/fabric_match.h"
#include "io/file.h"
#include "io/outfile.h"
#include "io/problems_print.h"
#include "io/topo_m.h"
#include "report/number.h"

#include <stdio.h>
#include <string.h>

struct import_options {
    struct ry_catalog_sources catalog;
    const char *output, *node, *name;
    int from; /* index in ry_peer_choices, or -1 */
};

enum { DUMP_BYTES_MOST = 256 << 20, OTHERS_MOST = 4 };

struct job {
    struct ry_arena *arena;
    const struct import_options *options;
    const char *path;
    struct ry_text text;
    struct ry_diag *diag;
};

static enum ry_err no_memory(const struct job *job)
{
    return ry_fail(job->diag, RY_ERR_NOMEM, job->path, "out of memory");
}

static void put_head(FILE *out, const struct job *job)
{
    (void)fputs("{\n    \"name\": ", out);
    ry_json_put_text(out,
                     job->options->name ? job->options->name : ry_base_name(job->path));
    (void)fputs(",\n    \"note\": ", out);
    const char *note = ry_strfmt(job->arena, "imported from %s", ry_base_name(job->path));
    ry_json_put_text(out, note ? note : "imported");
}

static void put_fabric(FILE *out, const struct job *job,
                       const struct ry_fabric_import *import)
{
    put_head(out, job);
    (void)fputs(",\n    \"topology\": ", out);
    ry_json_put_text(out, import->text);
    if (import->n_names > 0)
        (void)fputs(",\n    \"names\": {", out);
    for (size_t i = 0; i < import->n_names; i++) {
        (void)fputs(i ? ",\n        " : "\n        ", out);
        ry_json_put_text(out, import->names[i].plan);
        (void)fputs(": ", out);
        ry_json_put_text(out, import->names[i].found);
    }
    (void)fputs(import->n_names > 0 ? "\n    }\n}\n" : "\n}\n", out);
}

/* The design is written, and what was found otherwise than it is named. */
static enum ry_err import_fabric(const struct job *job, const struct ry_ib_fabric *found)
{
    struct ry_problems *problems = RY_NEW(job->arena, struct ry_problems, 1);
    struct ry_fabric_import *import = RY_NEW(job->arena, struct ry_fabric_import, 1);
    struct ry_fabric_matched matched;
    struct ry_outfile out;

    if (!problems || !import)
        return no_memory(job);
    RY_TRY(ry_fabric_import(job->arena, found, import, job->diag));
    RY_TRY(ry_fabric_match(job->arena, import->graph, &import->fabric, problems, &matched,
                           job->diag));
    RY_TRY(ry_outfile_open(&out, job->options->output ? job->options->output : "-",
                           job->diag));
    put_fabric(out.file, job, import);
    RY_TRY(ry_outfile_commit(&out, job->diag));
    (void)fprintf(
        stderr,
        "railyard: %zu hosts of %zu NICs, %zu leaves, %zu spines, %zu cores: %s; "
        "%zu of %zu links as that plan has them\n",
        import->hosts, import->nics, import->switches[0], import->switches[1],
        import->switches[2], import->text, matched.same, matched.planned);
    return ry_problems_print(problems, job->diag);
}

/* Whether a node of the catalog may look like that. */
static bool looks_like(const struct ry_catalog *catalog, const struct ry_node *node,
                       const struct ry_topo_m *topo)
{
    const struct ry_gpu *gpu = ry_find_gpu(catalog, node->gpu_model);
    const struct ry_topo_cell pair = topo->gpus > 1
                                         ? ry_topo_m_cell(topo, 0, 1)
                                         : (struct ry_topo_cell){RY_TOPO_NONE, 0};
    const bool switched = strcmp(node->fabric, "nvswitch") == 0;
    const bool bare = strcmp(node->fabric, "pcie") == 0;

    if (!gpu || node->gpu_count != (double)topo->gpus || strcmp(node->kind, "rack") == 0)
        return false;
    if (pair.path == RY_TOPO_NV)
        return switched && gpu->scaleup_links == (double)pair.nvlinks;
    return topo->gpus == 1 || bare;
}

/* The node that was named, or the one that looks like it; others that do are told. */
static enum ry_err choose_node(const struct job *job, const struct ry_catalog *catalog,
                               const struct ry_topo_m *topo, const struct ry_node **node)
{
    const struct ry_node *others[OTHERS_MOST] = {NULL};
    size_t n = 0;

    if (job->options->node) {
        *node = ry_find_node(catalog, job->options->node);
        if (!*node)
            return ry_fail(job->diag, RY_ERR_NOTFOUND, "--node",
                           "no node '%.60s' in the catalog", job->options->node);
        return (*node)->gpu_count == (double)topo->gpus
                   ? RY_OK
                   : ry_fail(job->diag, RY_ERR_NO, job->path, "%zu GPUs, %s has %g",
                             topo->gpus, (*node)->part.name, (*node)->gpu_count);
    }
    for (size_t i = 0; ry_catalog_at(catalog, RY_KIND_NODE, i); i++) {
        const struct ry_node *at =
            (const struct ry_node *)(const void *)ry_catalog_at(catalog, RY_KIND_NODE, i);
        if (looks_like(catalog, at, topo) && n++ < OTHERS_MOST)
            others[n - 1] = at;
    }
    if (n == 0)
        return ry_fail(
            job->diag, RY_ERR_NOTFOUND, job->path,
            "no node of the catalog has %zu GPUs linked like these; give --node",
            topo->gpus);
    *node = others[0];
    if (n > 1)
        return ry_fail(
            job->diag, RY_ERR_USAGE, job->path,
            "%zu nodes of the catalog look like that (%s, %s%s%s%s); say which "
            "with --node",
            n, others[0]->part.name, others[1]->part.name, others[2] ? ", " : "",
            others[2] ? others[2]->part.name : "", n > 3 ? ", ..." : "");
    return RY_OK;
}

/* NICs that are some GPU's nearest; others, such as a front end's, are left out. */
static size_t gpu_nics(const struct ry_topo_m *topo)
{
    bool used[RY_TOPO_DEVICES_MOST] = {false};
    size_t n = 0;

    for (size_t g = 0; g < topo->gpus; g++) {
        const size_t nic = ry_topo_m_nearest_nic(topo, g);
        if (nic < topo->nics && !used[nic])
            n++;
        if (nic < topo->nics)
            used[nic] = true;
    }
    return n;
}

static enum ry_err import_node(const struct job *job, const struct ry_topo_m *topo)
{
    struct ry_catalog *catalog = RY_NEW(job->arena, struct ry_catalog, 1);
    const struct ry_node *node = NULL;
    struct ry_outfile out;

    if (!catalog)
        return no_memory(job);
    if (topo->gpu_rows_missing > 0)
        return ry_fail(job->diag, RY_ERR_SYNTAX, job->path,
                       "%zu of the %zu rows of GPUs are missing", topo->gpu_rows_missing,
                       topo->gpus);
    RY_TRY(ry_catalog_opened(job->arena, &job->options->catalog, catalog, job->diag));
    RY_TRY(choose_node(job, catalog, topo, &node));
    RY_TRY(ry_outfile_open(&out, job->options->output ? job->options->output : "-",
                           job->diag));
    put_head(out.file, job);
    (void)fputs(",\n    \"node\": ", out.file);
    ry_json_put_text(out.file, node->part.name);
    (void)fprintf(out.file,
                  ",\n    \"nodes\": 1,\n    \"nics\": {\"per_node\": %zu}\n}\n",
                  gpu_nics(topo));
    return ry_outfile_commit(&out, job->diag);
}

static enum ry_err import(struct job *job)
{
    struct ry_topo_m *topo = RY_NEW(job->arena, struct ry_topo_m, 1);
    struct ry_ib_fabric *fabric = RY_NEW(job->arena, struct ry_ib_fabric, 1);

    if (!topo || !fabric)
        return no_memory(job);
    RY_TRY(ry_file_read(job->arena, job->path, DUMP_BYTES_MOST, &job->text, job->diag));
    if (ry_topo_m_parse(job->arena, job->path, job->text.data, job->text.bytes, topo,
                        NULL) == RY_OK)
        return import_node(job, topo);
    if (ry_ibnet_parse(job->arena, job->path, job->text.data, job->text.bytes, fabric,
                       NULL) == RY_OK)
        return import_fabric(job, fabric);
    return ry_fail(
        job->diag, RY_ERR_SYNTAX, job->path,
        "is neither a list of ibnetdiscover nor a matrix of nvidia-smi topo -m");
}

static enum ry_err import_peers(const struct job *job, const struct ry_strings *args)
{
    const struct import_options *o = job->options;
    const struct ry_import_peer in = {&o->catalog, (size_t)o->from, o->node, o->name,
                                      o->output};

    return ry_import_peers(job->arena, &in, args, job->diag);
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    const struct import_options *given = options;
    struct job job = {
        .arena = arena, .options = options, .path = args->at[0], .diag = diag};

    if (given->from >= 0)
        return import_peers(&job, args);
    return args->n > 1 ? ry_fail(diag, RY_ERR_USAGE, "import", "one dump at a time")
                       : import(&job);
}

static const struct import_options defaults = {.from = -1};

#define FIELD(field) .offset = offsetof(struct import_options, field)

static const struct ry_opt opts[] = {
    RY_OPTS_CATALOG(struct import_options, catalog),
    {.kind = RY_OPT_CHOICE,
     FIELD(from),
     .name = "from",
     .value = "PROGRAM",
     .choices = ry_peer_choices,
     .help = "inputs of"},
    {.kind = RY_OPT_STRING,
     FIELD(node),
     .name = "node",
     .value = "NAME",
     .help = "node of the catalog that it is of"},
    {.kind = RY_OPT_STRING,
     FIELD(name),
     .name = "name",
     .value = "NAME",
     .help = "name of the design (default the file's)"},
    {.kind = RY_OPT_STRING,
     .letter = 'o',
     FIELD(output),
     .name = "output",
     .value = "FILE",
     .help = "where to write (default standard output)"},
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_import = {
    .name = "import",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary =
        "Make a design of ibnetdiscover, nvidia-smi topo -m or another planner's inputs",
    .example =
        "railyard import tests/fabric/topo-m-h800x8-9nic-spaces.txt --node DGX-H100 "
        "-o node.json",
    .opts = opts,
    .options_bytes = sizeof(struct import_options),
    .defaults = &defaults,
    .run = run,
};
