/* SPDX-License-Identifier: GPL-3.0-or-later */
/* railyard launch DESIGN: the job as it is started, and what a setting costs it. */
#include "base/names.h"
#include "cli/catalog_opts.h"
#include "cli/launch_print.h"
#include "cli/launch_what_if.h"
#include "cli/trained.h"
#include "io/data.h"
#include "io/file.h"
#include "io/problems_print.h"
#include "io/strategy_file.h"
#include "report/launch.h"

#include <stdio.h>
#include <string.h>

struct launch_options {
    struct ry_catalog_sources catalog;
    const char *workload, *output, *hosts, *hca, *interface, *topo, *framework;
    struct ry_strings what_if;
    size_t member;
    bool ranks, settings;
    int format;
};

enum { MATRIX_BYTES_MOST = 1 << 20 };

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "launch", "out of memory");
}

static enum ry_err check_plain(const char *option, const char *name, struct ry_diag *diag)
{
    char shown[RY_SHOWN_BYTES];

    return ry_launch_plain(name)
               ? RY_OK
               : ry_fail(diag, RY_ERR_RANGE, option,
                         "'%s' is no device name: letters, digits, '.', '_', '-', ':'",
                         ry_shown(name, shown));
}

/* "mlx5_0,mlx5_3" as names; as many as the plan has NICs of a host. */
static enum ry_err read_nics(struct ry_launch_plan *launch, struct ry_diag *diag)
{
    const size_t planned = ry_host_nics(launch->job.design);
    const char *list = launch->job.hca;
    size_t n = 1;

    for (const char *c = list; *c; c++)
        n += *c == ',';
    launch->nics = (struct ry_names){0, RY_NEW(launch->arena, const char *, n)};
    while (launch->nics.at && launch->nics.n < n) {
        char *name = ry_strdup(launch->arena, list);
        if (!name)
            return no_memory(diag);
        name[strcspn(list, ",")] = '\0';
        RY_TRY(check_plain("--hca", name, diag));
        for (size_t i = 0; i < launch->nics.n; i++) {
            if (strcmp(launch->nics.at[i], name) == 0)
                return ry_fail(diag, RY_ERR_RANGE, "--hca", "'%.60s' is there twice",
                               name);
        }
        launch->nics.at[launch->nics.n++] = name;
        list += strlen(name) + 1;
    }
    if (!launch->nics.at)
        return no_memory(diag);
    return n == planned ? RY_OK
                        : ry_fail(diag, RY_ERR_RANGE, "--hca",
                                  "%zu names, the plan has %zu compute NICs in a host", n,
                                  planned);
}

static enum ry_err read_matrix(struct ry_launch_plan *launch, const char *path,
                               struct ry_diag *diag)
{
    struct ry_topo_m *topo = RY_NEW(launch->arena, struct ry_topo_m, 1);
    struct ry_text text;

    if (!topo)
        return no_memory(diag);
    RY_TRY(ry_file_read(launch->arena, path, MATRIX_BYTES_MOST, &text, diag));
    RY_TRY(ry_topo_m_parse(launch->arena, path, text.data, text.bytes, topo, diag));
    if (topo->gpus != launch->job.design->gpus_per_host)
        return ry_fail(diag, RY_ERR_RANGE, path, "%zu GPUs, a host of the plan has %zu",
                       topo->gpus, launch->job.design->gpus_per_host);
    for (size_t i = 0; i < topo->nics; i++)
        RY_TRY(check_plain(path, topo->devices[i], diag));
    launch->job.topo = topo;
    if (!launch->job.hca && ry_host_nics(launch->job.design) > 0)
        launch->job.hca = ry_launch_nearest_nics(launch->arena, topo);
    /* without a legend NICs are called NIC0, which no driver knows */
    if (!launch->job.hca || launch->job.hca[0] == '\0' || strstr(launch->job.hca, "NIC"))
        launch->job.hca = NULL;
    return RY_OK;
}

static enum ry_err read_rows(struct ry_launch_plan *launch, struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(launch->arena, struct ry_problems, 1);
    const struct {
        const char *file;
        struct ry_settings *settings;
    } files[] = {{"share/launch/nccl.csv", &launch->nccl},
                 {"share/launch/roce.csv", &launch->roce},
                 {"share/launch/frameworks.csv", &launch->frameworks}};
    const bool roce = launch->job.design->fabric.technology == RY_FABRIC_ROCE;
    struct ry_facts facts;

    if (!problems || ry_launch_facts(launch->arena, &launch->job, &facts) != RY_OK)
        return no_memory(diag);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        const char *path = ry_data_path(launch->arena, files[i].file);
        if (!path)
            return no_memory(diag);
        if (ry_settings_read(launch->arena, path, &facts, problems, files[i].settings) ==
            RY_ERR_NOMEM)
            return no_memory(diag);
    }
    if (!roce)
        launch->roce.n = 0;
    return ry_problems_print(problems, diag);
}

static enum ry_err make_title(struct ry_launch_plan *launch,
                              const struct ry_case *planned, struct ry_diag *diag)
{
    char strategy[160];

    ry_strategy_text(launch->job.strategy, strategy, sizeof(strategy));
    launch->title = ry_strfmt(launch->arena, "%s on %s: %s",
                              ry_case_workload_text(launch->arena, planned),
                              ry_case_design_text(launch->arena, planned), strategy);
    return launch->title ? RY_OK : no_memory(diag);
}

/* The strategy with the expert degree that its preset means. */
static const struct ry_strategy *resolved(struct ry_arena *arena,
                                          const struct ry_case *planned)
{
    struct ry_strategy *strategy = RY_NEW(arena, struct ry_strategy, 1);

    if (!strategy)
        return NULL;
    *strategy = planned->result.strategy;
    if (strategy->etp == 0)
        strategy->etp = planned->workload->traits.etp_follows_tp && strategy->tp > 1
                            ? strategy->tp
                            : 1;
    return strategy;
}

static enum ry_err prepare(struct ry_launch_plan *launch, const struct ry_case *planned,
                           const struct launch_options *o, struct ry_diag *diag)
{
    launch->job = (struct ry_launch_job){.design = planned->design,
                                         .workload = planned->workload,
                                         .strategy = resolved(launch->arena, planned),
                                         .hca = o->hca,
                                         .interface = o->interface};
    if (!launch->job.strategy)
        return no_memory(diag);
    RY_TRY(make_title(launch, planned, diag));
    if (o->interface)
        RY_TRY(check_plain("--interface", o->interface, diag));
    if (o->topo)
        RY_TRY(read_matrix(launch, o->topo, diag));
    if (launch->job.hca)
        RY_TRY(read_nics(launch, diag));
    RY_TRY(ry_launch_hosts(launch, o->hosts, diag));
    return read_rows(launch, diag);
}

static void say_written(const struct ry_launch_plan *launch, const char *folder)
{
    (void)fprintf(stderr, "railyard: %s: %zu ranks on %zu host%s%s\n", folder,
                  ry_rank_count(launch->job.strategy), launch->hosts.n,
                  launch->hosts.n == 1 ? "" : "s",
                  launch->hosts_given ? "" : ", whose names are the plan's (--hosts)");
    for (size_t i = 0; ry_launch_framework(i); i++) {
        const char *why = ry_launch_refusal(launch, ry_launch_framework(i));
        if (why)
            (void)fprintf(stderr, "railyard: no options of %s: %s\n",
                          ry_launch_framework(i), why);
    }
}

/* What would go without a word. */
static enum ry_err check_together(const struct launch_options *o,
                                  const struct ry_strings *args, struct ry_diag *diag)
{
    if (o->settings && (args->n > 0 || o->what_if.n > 0 || o->output))
        return ry_fail(diag, RY_ERR_USAGE, "--settings",
                       "goes alone: it lists what --what-if knows");
    if (o->what_if.n > 0 && (o->output || o->ranks || o->framework))
        return ry_fail(diag, RY_ERR_USAGE, "--what-if",
                       "prints step times; %s goes without it",
                       o->output  ? "--output"
                       : o->ranks ? "--ranks"
                                  : "--framework");
    if (o->output && (o->ranks || o->framework || o->format != RY_TABLE_HUMAN))
        return ry_fail(diag, RY_ERR_USAGE, "--output",
                       "writes every file; %s, of what is printed, goes without it",
                       o->ranks       ? "--ranks"
                       : o->framework ? "--framework"
                                      : "--format");
    return RY_OK;
}

static enum ry_err launch_in(struct ry_arena *arena, const void *given,
                             const struct ry_strings *args, struct ry_diag *diag)
{
    const struct launch_options *o = given;
    struct ry_launch_plan launch = {.arena = arena};
    const struct ry_case *planned = NULL;

    RY_TRY(check_together(o, args, diag));
    if (o->settings)
        return ry_launch_settings(arena, o->format, diag);
    if (args->n == 0)
        return ry_fail(diag, RY_ERR_USAGE, "launch", "of which design?");
    const struct ry_trained_input in = {&o->catalog, args->at[0], o->workload, o->member};
    RY_TRY(ry_trained(arena, &in, &planned, diag));
    RY_TRY(prepare(&launch, planned, o, diag));
    if (o->what_if.n > 0)
        return ry_launch_what_if(&launch, planned, &o->what_if, o->format, diag);
    if (!o->output)
        return ry_launch_print(&launch, o->framework, o->ranks,
                               (enum ry_table_format)o->format, diag);
    RY_TRY(ry_launch_write(&launch, o->output, diag));
    say_written(&launch, o->output);
    return RY_OK;
}

static const struct launch_options defaults = {.member = 1};

#define FIELD(field) .offset = offsetof(struct launch_options, field)

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_STRING,
     .letter = 'w',
     FIELD(workload),
     .name = "workload",
     .value = "FILE",
     .help = "what is trained, unless the design's file says"},
    {.kind = RY_OPT_STRING,
     .letter = 'o',
     FIELD(output),
     .name = "output",
     .value = "DIR",
     .help = "write scripts, rank map, environment and options there"},
    {.kind = RY_OPT_STRING,
     FIELD(hosts),
     .name = "hosts",
     .value = "LIST",
     .help = "names of the hosts, as Slurm folds them: n[01-32]"},
    {.kind = RY_OPT_STRING,
     FIELD(hca),
     .name = "hca",
     .value = "NAMES",
     .help = "names of a host's compute NICs, comma between: mlx5_0,mlx5_3"},
    {.kind = RY_OPT_STRING,
     FIELD(interface),
     .name = "interface",
     .value = "NAME",
     .help = "IP interface that joins the hosts: eth0"},
    {.kind = RY_OPT_STRING,
     FIELD(topo),
     .name = "topo",
     .value = "FILE",
     .help = "nvidia-smi topo -m of a host: NICs and their distance are taken from it"},
    {.kind = RY_OPT_STRING,
     FIELD(framework),
     .name = "framework",
     .value = "NAME",
     .help = "megatron-lm, megatron-bridge, torchtitan, deepspeed or accelerate"},
    {.kind = RY_OPT_LIST,
     FIELD(what_if),
     .name = "what-if",
     .value = "NAME=VALUE",
     .help = "what a setting costs in step time; may be given again"},
    {.kind = RY_OPT_FLAG,
     FIELD(settings),
     .name = "settings",
     .help = "list the settings that --what-if knows"},
    {.kind = RY_OPT_FLAG, FIELD(ranks), .name = "ranks", .help = "print every rank"},
    {.kind = RY_OPT_COUNT,
     FIELD(member),
     .name = "member",
     .value = "N",
     .help = "of a family of designs (default 1)"},
    RY_OPTS_CATALOG(struct launch_options, catalog),
    RY_OPT_FORMAT(struct launch_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_launch = {
    .name = "launch",
    .args = "DESIGN",
    .min_args = 0,
    .max_args = 1,
    .summary = "Write what starts a planned job, or say what a setting costs it",
    .example = "railyard launch examples/h100-32-ndr-rail.json --workload "
               "examples/workloads/llama3-70b-pretrain.json --what-if NCCL_P2P_DISABLE=1",
    .opts = opts,
    .options_bytes = sizeof(struct launch_options),
    .defaults = &defaults,
    .run = launch_in,
};
