/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "cli/catalog_opts.h"
#include "cli/cmd.h"
#include "cli/diagnose_cost.h"
#include "cli/topo_input.h"
#include "io/bench.h"
#include "io/design_file.h"
#include "io/file.h"
#include "io/nccl_findings.h"
#include "io/plan_findings.h"
#include "io/problems_print.h"
#include "io/topo_findings.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

struct options {
    int format;
    const char *design, *workload;
    struct ry_catalog_sources catalog;
    size_t nics;
    double nic_bytes_per_s;
};

enum { MEASURED_MOST = 4096 };

/* One diagnosis from the files to the findings. */
struct job {
    struct ry_arena *arena;
    const struct options *options;
    struct ry_log_text texts[RY_LIST_MOST];
    size_t n_texts;
    struct ry_log_plan plan;
    struct ry_nccl_log log;
    struct ry_findings findings;
    struct ry_finding_costs costs; /* of --workload; planned_s 0: not asked for */
    size_t n_matrices; /* of nvidia-smi topo -m */
    struct { const char *path; struct ry_topo_m topo; } matrices[RY_LIST_MOST];
    size_t n_fabrics;
    struct { const char *path; struct ry_ib_fabric fabric; } fabrics[RY_LIST_MOST];
    struct ry_ib_fabric fabric; /* the last one */
    size_t n_measured;
    struct ry_log_measured measured[MEASURED_MOST];
};

/* A matrix or a fabric is judged at once; everything else is a log of the job. */
static enum ry_err read_file(struct job *job, const char *path, struct ry_diag *diag)
{
    struct ry_text text;
    struct ry_topo_m topo;
    struct ry_ib_fabric fabric;

    RY_TRY(ry_file_read(job->arena, path, RY_LOG_BYTES_MOST, &text, diag));
    if (ry_topo_m_parse(job->arena, path, text.data, text.bytes, &topo, NULL) == RY_OK) {
        ry_topo_m_findings(&topo, path, &job->findings);
        job->matrices[job->n_matrices].path = path;
        job->matrices[job->n_matrices++].topo = topo;
        return RY_OK;
    }
    if (ry_ibnet_parse(job->arena, path, text.data, text.bytes, &fabric, NULL) == RY_OK) {
        ry_ibnet_findings(&fabric, path, &job->findings);
        job->fabric = fabric;
        job->fabrics[job->n_fabrics].path = path;
        job->fabrics[job->n_fabrics++].fabric = fabric;
        return RY_OK;
    }
    job->texts[job->n_texts++] = (struct ry_log_text){path, text.data, text.bytes};
    return RY_OK;
}

static enum ry_err read_files(struct job *job, const struct ry_strings *paths,
                              struct ry_diag *diag)
{
    for (size_t i = 0; i < paths->n; i++)
        RY_TRY(read_file(job, paths->at[i], diag));
    if (job->n_texts == 0)
        return RY_OK;
    return ry_nccl_log_parse(job->arena, job->n_texts, job->texts, &job->log, diag);
}

/* A log of nccl-tests holds the timings as well. */
static void read_timings(struct job *job)
{
    for (size_t i = 0; i < job->n_texts && job->log.n_predictions > 0; i++) {
        struct ry_bench_file file;
        if (ry_bench_parse(job->arena, job->texts[i].path,
                           (struct ry_text){job->texts[i].text, job->texts[i].bytes}, NULL,
                           &file, NULL) != RY_OK)
            continue;
        for (size_t k = 0; k < file.n_runs; k++) {
            const struct ry_bench_run *run = &file.runs[k];
            for (size_t r = 0; r < run->n_rows && job->n_measured < MEASURED_MOST; r++) {
                if (run->rows[r].valid && run->rows[r].time_s > 0.0)
                    job->measured[job->n_measured++] = (struct ry_log_measured){
                        run->rows[r].bytes, run->rows[r].time_s};
            }
        }
    }
}

static enum ry_err read_design(struct job *job, struct ry_diag *diag)
{
    struct ry_catalog catalog;
    struct ry_json root;
    struct ry_design design;
    struct ry_problems *problems = RY_NEW(job->arena, struct ry_problems, 1);
    const char *path = job->options->design;

    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
    RY_TRY(ry_catalog_opened(job->arena, &job->options->catalog, &catalog, diag));
    if (ry_json_open(job->arena, path, problems, &root) != RY_OK)
        return ry_problems_print(problems, diag);
    if (ry_json_has(root, "design"))
        root = ry_json_get(root, "design");
    RY_TRY(ry_design_read(job->arena, root, &catalog, path, &design));
    ry_design_read_check(root, &design);
    RY_TRY(ry_problems_print(problems, diag));
    job->plan = (struct ry_log_plan){
        .nodes = (double)design.nodes,
        .nics_per_node = (double)design.nics_per_node,
        .nic_bytes_per_s = design.nic_bytes_per_s,
        .rdma = design.fabric.technology == RY_FABRIC_INFINIBAND ||
                design.fabric.technology == RY_FABRIC_ROCE,
        .nvswitch = design.local_link == RY_LOCAL_SWITCHED,
    };
    return RY_OK;
}

/* What nodes and fabrics have against the design, or against a topology alone. */
static enum ry_err compare_with_plan(struct job *job, struct ry_diag *diag)
{
    struct ry_topo_input *plan = RY_NEW(job->arena, struct ry_topo_input, 1);

    if (!plan)
        return ry_fail(diag, RY_ERR_NOMEM, "diagnose", "no memory");
    RY_TRY(ry_topo_input_read(job->arena, job->options->design, &job->options->catalog, NULL,
                              plan, diag));
    for (size_t i = 0; i < job->n_matrices && plan->design; i++)
        ry_topo_m_plan_findings(&job->matrices[i].topo, job->matrices[i].path, plan->design,
                                &job->findings);
    for (size_t i = 0; i < job->n_fabrics; i++) {
        struct ry_ib_fabric *fabric = &job->fabrics[i].fabric;
        RY_TRY(ry_fabric_rename(job->arena, fabric, plan->names, plan->n_names, diag));
        RY_TRY(ry_ibnet_plan_findings(fabric, job->fabrics[i].path, plan->graph,
                                      &job->findings, diag));
    }
    return RY_OK;
}

static const struct ry_column columns[] = {
    {.key = "severity", .title = "severity"},
    {.key = "id", .title = "finding"},
    {.key = "file", .title = NULL},
    {.key = "line", .title = NULL, .show = RY_SHOW_COUNT},
    {.key = "where", .title = "where"},
    {.key = "text", .title = "what is seen", .wrap = true},
    {.key = "action", .title = "what to do", .wrap = true},
    {.key = "left_frac", .title = "left", .show = RY_SHOW_FRACTION, .less = 1},
    {.key = "expected_bytes_per_s", .title = "of", .show = RY_SHOW_BYTES_PER_S, .less = 2},
    {.key = "left_bytes_per_s", .title = NULL, .show = RY_SHOW_BYTES_PER_S},
    {.key = "basis", .title = NULL},
    {.key = "step_time_with_s", .title = "step with it", .show = RY_SHOW_SECONDS},
    {.key = "step_times_planned", .title = "times", .show = RY_SHOW_NUMBER},
    {.key = "step_basis", .title = NULL},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* The columns; those of the step are for people only where it is asked for. */
static const struct ry_column *columns_of(const struct job *job)
{
    struct ry_column *own = RY_NEW(job->arena, struct ry_column, COLUMNS);

    for (size_t i = 0; own && i < COLUMNS; i++) {
        own[i] = columns[i];
        if (strncmp(own[i].key, "step_time", strlen("step_time")) == 0 &&
            !(job->costs.planned_s > 0.0))
            own[i].title = NULL;
    }
    return own;
}

static struct ry_table *table_of(const struct job *job)
{
    const struct ry_column *own = columns_of(job);
    struct ry_table *table = own ? ry_table_create(job->arena, own, COLUMNS) : NULL;
    const bool planned = job->costs.planned_s > 0.0;

    for (size_t i = 0; i < job->findings.n; i++) {
        const struct ry_finding *finding = &job->findings.at[i];
        const double with_s = planned ? job->costs.with_s[i] : (double)NAN;
        char where[320] = "";
        if (finding->file)
            (void)snprintf(where, sizeof(where), "%s:%zu", finding->file, finding->line);
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(ry_finding_severity_text(finding->severity)),
                                RY_TEXT(finding->id),
                                RY_TEXT(finding->file),
                                RY_NUM(finding->file ? (double)finding->line : RY_UNKNOWN),
                                RY_TEXT(ry_strdup(job->arena, where)),
                                RY_TEXT(finding->text),
                                RY_TEXT(finding->action),
                                RY_NUM(finding->left_frac),
                                RY_NUM(finding->expected_bytes_per_s),
                                RY_NUM(finding->left_bytes_per_s),
                                RY_TEXT(finding->basis),
                                RY_NUM(with_s),
                                RY_NUM(with_s / job->costs.planned_s),
                                RY_TEXT(planned ? job->costs.basis[i] : NULL),
                            });
    }
    return table;
}

/* What the log says, apart from what is wrong. */

static size_t count(const struct job *job, enum ry_log_event_id id)
{
    return ry_nccl_log_event(&job->log, id).count;
}

static const char *transport(const struct job *job)
{
    const struct ry_log_event network = ry_nccl_log_event(&job->log, RY_LOG_NETWORK);

    if (network.text)
        return network.text;
    if (count(job, RY_LOG_NET_SOCKET))
        return "Socket";
    return count(job, RY_LOG_NET_IB) ? "IB" : NULL;
}

/* -1 not said, 0 off somewhere, 1 on wherever it is said. */
static int gdr_of(const struct job *job, int direction)
{
    size_t with = 0;
    size_t without = 0;

    for (size_t i = 0; i < job->log.n_hosts; i++) {
        for (size_t k = 0; k < job->log.hosts[i].n_nics; k++) {
            const struct ry_log_nic *nic = &job->log.hosts[i].nics[k];
            const bool channels = nic->with_gdr[0] + nic->with_gdr[1] +
                                      nic->without_gdr[0] + nic->without_gdr[1] > 0;
            if (direction >= 0) {
                with += nic->with_gdr[direction];
                without += nic->without_gdr[direction];
                continue;
            }
            with += nic->with_gdr[0] + nic->with_gdr[1] + (nic->gdr == RY_GDR_ON);
            without += nic->without_gdr[0] + nic->without_gdr[1] +
                       (nic->gdr == RY_GDR_OFF && !channels);
        }
    }
    return without ? 0 : with ? 1 : -1;
}

static void put_bool(const char *key, int value)
{
    printf("  \"%s\": %s,\n", key, value < 0 ? "null" : value ? "true" : "false");
}

static const struct ry_log_host *host_with_most(const struct job *job, bool nics)
{
    static const struct ry_log_host nobody = {.name = NULL};
    const struct ry_log_host *best = &nobody;

    for (size_t i = 0; i < job->log.n_hosts; i++) {
        const struct ry_log_host *host = &job->log.hosts[i];
        if (nics ? host->n_nics > best->n_nics : host->n_ifaces > best->n_ifaces)
            best = host;
    }
    return best;
}

static void put_names(const struct job *job)
{
    const struct ry_log_host *nics = host_with_most(job, true);
    const struct ry_log_host *ifaces = host_with_most(job, false);

    printf("  \"nics\": [");
    for (size_t i = 0; i < nics->n_nics; i++) {
        printf("%s", i ? ", " : "");
        ry_json_put_text(stdout, nics->nics[i].name);
    }
    printf("],\n  \"link\": ");
    ry_json_put_text(stdout, nics->n_nics ? nics->nics[0].link : NULL);
    printf(",\n  \"interfaces\": [");
    for (size_t i = 0; i < ifaces->n_ifaces; i++) {
        printf("%s", i ? ", " : "");
        ry_json_put_text(stdout, ifaces->ifaces[i].name);
    }
    printf("],\n  \"bootstrap_interface\": ");
    ry_json_put_text(stdout, ry_nccl_log_event(&job->log, RY_LOG_BOOTSTRAP).text);
}

/* Channels by the transport that each got. */
static const struct {
    enum ry_log_event_id id;
    const char *key, *text;
} channel_kinds[] = {
    {RY_LOG_P2P, "peer_access", "peer access"},
    {RY_LOG_SHM, "host_memory", "host memory"},
    {RY_LOG_NET_IB, "rdma", "RDMA"},
    {RY_LOG_NET_SOCKET, "sockets", "sockets"},
};
enum { CHANNEL_KINDS = sizeof(channel_kinds) / sizeof(channel_kinds[0]) };

static size_t channels_with_gdr(const struct job *job)
{
    size_t n = 0;

    for (size_t i = 0; i < job->log.n_hosts; i++) {
        for (size_t k = 0; k < job->log.hosts[i].n_nics; k++)
            n += job->log.hosts[i].nics[k].with_gdr[0] + job->log.hosts[i].nics[k].with_gdr[1];
    }
    return n;
}

static void put_channels(const struct job *job)
{
    printf("  \"channels\": {");
    for (size_t i = 0; i < CHANNEL_KINDS; i++)
        printf("\"%s\": %zu, ", channel_kinds[i].key, count(job, channel_kinds[i].id));
    printf("\"with_gpudirect\": %zu, \"network_within_host\": %zu},\n", channels_with_gdr(job),
           count(job, RY_LOG_NET_LOCAL));
}

/* "channels: 14 by peer access, 8 by RDMA, 8 with GPUDirect" */
static void print_channels(const struct job *job)
{
    const char *comma = "channels:";

    for (size_t i = 0; i < CHANNEL_KINDS; i++) {
        const size_t n = count(job, channel_kinds[i].id);
        if (n > 0)
            printf("%s %zu by %s", comma, n, channel_kinds[i].text);
        comma = n > 0 ? "," : comma;
    }
    if (channels_with_gdr(job) > 0)
        printf(", %zu with GPUDirect", channels_with_gdr(job));
    if (count(job, RY_LOG_NET_LOCAL) > 0)
        printf(", %zu of them within a host", count(job, RY_LOG_NET_LOCAL));
    if (*comma == ',')
        printf("\n");
}

static void print_json(const struct job *job, const struct ry_table *table)
{
    printf("{\n  \"healthy\": %s,\n",
           job->findings.worst == RY_FINDING_NOTE ? "true" : "false");
    printf("  \"hosts\": %zu,\n  \"ranks\": ", job->log.n_hosts);
    ry_json_put_number(stdout, job->log.ranks);
    printf(",\n  \"nodes\": ");
    ry_json_put_number(stdout, job->log.nodes);
    printf(",\n  \"transport\": ");
    ry_json_put_text(stdout, transport(job));
    printf(",\n");
    put_bool("gdr", gdr_of(job, -1));
    put_bool("gdr_send", gdr_of(job, 0));
    put_bool("gdr_receive", gdr_of(job, 1));
    put_bool("p2p", count(job, RY_LOG_P2P) ? 1 : count(job, RY_LOG_SHM) ? 0 : -1);
    put_bool("nvls", count(job, RY_LOG_NO_NVLS)     ? 0
                     : count(job, RY_LOG_WITH_NVLS) ? 1
                                                    : -1);
    put_bool("plugin_failed", count(job, RY_LOG_PLUGIN_SYMBOL) > 0);
    put_channels(job);
    put_names(job);
    if (job->fabric.n_nodes > 0)
        printf(",\n  \"fabric\": {\"switches\": %zu, \"hosts\": %zu, \"adapters\": %zu, "
               "\"aggregation_nodes\": %zu, \"links\": %zu}",
               job->fabric.switches, job->fabric.hosts, job->fabric.adapters,
               job->fabric.aggregation, job->fabric.n_links);
    if (job->costs.planned_s > 0.0) {
        printf(",\n  \"step_time_planned_s\": ");
        ry_json_put_number(stdout, job->costs.planned_s);
        printf(",\n  \"step_time_with_all_s\": ");
        ry_json_put_number(stdout, job->costs.all_s);
        printf(",\n  \"strategy\": ");
        ry_json_put_text(stdout, job->costs.strategy);
    }
    printf(",\n  \"findings\": ");
    ry_table_print_json(table, stdout, 2);
    printf("\n}\n");
}

static void print_summary(const struct job *job)
{
    const char *network = transport(job);
    const struct ry_log_host *nics = host_with_most(job, true);

    if (job->fabric.n_nodes > 0)
        printf("fabric: %zu switches, %zu hosts with %zu adapters, %zu links\n",
               job->fabric.switches, job->fabric.hosts, job->fabric.adapters,
               job->fabric.n_links);
    if (job->log.n_hosts == 0) {
        if (job->findings.n == 0)
            printf("nothing wrong is seen\n");
        return;
    }
    printf("%zu host%s", job->log.n_hosts, job->log.n_hosts == 1 ? "" : "s");
    if (isfinite(job->log.ranks))
        printf(", %.0f ranks", job->log.ranks);
    printf(", network %s", network ? network : "not said");
    if (nics->n_nics)
        printf(", %zu NIC%s a host", nics->n_nics, nics->n_nics == 1 ? "" : "s");
    const int gdr = gdr_of(job, -1);
    if (gdr >= 0)
        printf(", GPUDirect %s", gdr ? "on" : "off or in part");
    printf("%s\n", job->findings.n ? "" : ": nothing wrong is seen");
    print_channels(job);
}

/* "step as planned 32.0 s, with what is found about 246 s, 7.7 times" */
static void print_costs(const struct job *job)
{
    const struct ry_finding_costs *c = &job->costs;
    char planned[RY_NUMBER_BYTES];
    char with[RY_NUMBER_BYTES];

    if (!(c->planned_s > 0.0))
        return;
    printf("%s, %s: step as planned %s", c->design, c->strategy,
           ry_number_show(RY_SHOW_SECONDS, c->planned_s, planned));
    if (c->all_s > c->planned_s * 1.0005)
        printf(", with what is found %s %s, %.3g times",
               c->least ? "at least" : "about",
               ry_number_show(RY_SHOW_SECONDS, c->all_s, with), c->all_s / c->planned_s);
    printf("\n");
}

static enum ry_err print(const struct job *job, struct ry_diag *diag)
{
    struct ry_table *table = table_of(job);

    if (!table)
        return ry_fail(diag, RY_ERR_NOMEM, "diagnose", "no memory");
    if (job->options->format == RY_FORMAT_JSON) {
        print_json(job, table);
        return RY_OK;
    }
    if (job->options->format == RY_FORMAT_TABLE)
        print_summary(job);
    if (job->options->format == RY_FORMAT_TABLE)
        print_costs(job);
    if (job->options->format == RY_FORMAT_TABLE && job->findings.n == 0)
        return RY_OK;
    return ry_table_print(table, stdout, (enum ry_table_format)job->options->format, diag);
}

static enum ry_err diagnose(struct job *job, const struct ry_strings *paths,
                            struct ry_diag *diag)
{
    const struct options *options = job->options;

    if (options->workload && !options->design)
        return ry_fail(diag, RY_ERR_USAGE, "--workload", "a step needs the machine: --design");
    job->findings.arena = job->arena;
    job->log.ranks = job->log.nodes = RY_UNKNOWN;
    RY_TRY(read_files(job, paths, diag));
    read_timings(job);
    if (options->design && job->n_matrices + job->n_fabrics > 0)
        RY_TRY(compare_with_plan(job, diag));
    if (options->design && job->n_texts > 0)
        RY_TRY(read_design(job, diag));
    if (options->nics)
        job->plan.nics_per_node = (double)options->nics;
    if (options->nic_bytes_per_s > 0.0)
        job->plan.nic_bytes_per_s = options->nic_bytes_per_s;
    RY_TRY(ry_nccl_findings(&job->log, &job->plan, job->n_measured,
                            job->measured, &job->findings, diag));
    if (options->workload)
        RY_TRY(ry_finding_costs(job->arena,
                                &(struct ry_cost_ask){&options->catalog, options->design,
                                                      options->workload},
                                &job->findings, &job->costs, diag));
    RY_TRY(print(job, diag));
    return job->findings.worst > RY_FINDING_NOTE ? RY_ERR_NO : RY_OK;
}

static enum ry_err run(const void *options, const struct ry_strings *args,
                       struct ry_diag *diag)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct job *job = arena ? RY_NEW(arena, struct job, 1) : NULL;
    enum ry_err err = RY_ERR_NOMEM;

    if (job) {
        job->arena = arena;
        job->options = options;
        err = diagnose(job, args, diag);
    } else
        err = ry_fail(diag, RY_ERR_NOMEM, "diagnose", "no memory");
    ry_arena_destroy(arena);
    return err;
}

static const struct ry_opt opts[] = {
    RY_OPT_FORMAT(struct options),
    {.kind = RY_OPT_STRING, .letter = 'd', .offset = offsetof(struct options, design),
     .name = "design", .value = "FILE", .help = "what is planned: GPUs, NICs, nodes and cables to expect"},
    {.kind = RY_OPT_STRING, .letter = 'w', .offset = offsetof(struct options, workload),
     .name = "workload", .value = "FILE",
     .help = "what is trained: the step time that each finding costs"},
    {.kind = RY_OPT_COUNT, .offset = offsetof(struct options, nics), .name = "nics",
     .value = "N", .help = "NICs that each node should use"},
    {.kind = RY_OPT_QUANTITY, .offset = offsetof(struct options, nic_bytes_per_s),
     .dim = RY_DIM_BYTES_PER_S, .above_0 = true, .name = "nic-rate", .value = "RATE",
     .help = "line rate of a NIC, such as 400Gb/s"},
    RY_OPTS_CATALOG(struct options, catalog),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_diagnose = {
    .name = "diagnose",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Say what network a job got and what is wrong, from its logs and dumps",
    .example = "railyard diagnose tests/nccl/socket-instead-of-ib-bond.log",
    .opts = opts,
    .options_bytes = sizeof(struct options),
    .run = run,
};
