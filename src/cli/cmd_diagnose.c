/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#include "report/diagnosis.h"

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
    size_t n_matrices;             /* of nvidia-smi topo -m */
    struct {
        const char *path;
        struct ry_topo_m topo;
    } matrices[RY_LIST_MOST];
    size_t n_fabrics;
    struct {
        const char *path;
        struct ry_ib_fabric fabric;
    } fabrics[RY_LIST_MOST];
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
                           (struct ry_text){job->texts[i].text, job->texts[i].bytes},
                           NULL, &file, NULL) != RY_OK)
            continue;
        for (size_t k = 0; k < file.n_runs; k++) {
            const struct ry_bench_run *run = &file.runs[k];
            for (size_t r = 0; r < run->n_rows && job->n_measured < MEASURED_MOST; r++) {
                if (run->rows[r].valid && run->rows[r].time_s > 0.0)
                    job->measured[job->n_measured++] =
                        (struct ry_log_measured){run->rows[r].bytes, run->rows[r].time_s};
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
    RY_TRY(ry_topo_input_read(job->arena, job->options->design, &job->options->catalog,
                              NULL, plan, diag));
    for (size_t i = 0; i < job->n_matrices && plan->design; i++)
        ry_topo_m_plan_findings(&job->matrices[i].topo, job->matrices[i].path,
                                plan->design, &job->findings);
    for (size_t i = 0; i < job->n_fabrics; i++) {
        struct ry_ib_fabric *fabric = &job->fabrics[i].fabric;
        RY_TRY(ry_fabric_rename(job->arena, fabric, plan->names, plan->n_names, diag));
        RY_TRY(ry_ibnet_plan_findings(fabric, job->fabrics[i].path, plan->graph,
                                      &job->findings, diag));
    }
    return RY_OK;
}

static enum ry_err diagnose(struct job *job, const struct ry_strings *paths,
                            struct ry_diag *diag)
{
    const struct options *options = job->options;

    if (options->workload && !options->design)
        return ry_fail(diag, RY_ERR_USAGE, "--workload",
                       "a step needs the machine: --design");
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
    RY_TRY(ry_nccl_findings(&job->log, &job->plan, job->n_measured, job->measured,
                            &job->findings, diag));
    if (options->workload)
        RY_TRY(ry_finding_costs(
            job->arena,
            &(struct ry_cost_ask){&options->catalog, options->design, options->workload},
            &job->findings, &job->costs, diag));
    const struct ry_diagnosis said = {&job->log, &job->findings, &job->fabric,
                                      &job->costs};
    RY_TRY(ry_diagnosis_print(job->arena, &said, (enum ry_table_format)options->format,
                              diag));
    return job->findings.worst > RY_FINDING_NOTE ? RY_ERR_NO : RY_OK;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    struct job *job = RY_NEW(arena, struct job, 1);

    if (!job)
        return ry_fail(diag, RY_ERR_NOMEM, "diagnose", "no memory");
    job->arena = arena;
    job->options = options;
    return diagnose(job, args, diag);
}

static const struct ry_opt opts[] = {
    RY_OPT_FORMAT(struct options),
    {.kind = RY_OPT_STRING,
     .letter = 'd',
     .offset = offsetof(struct options, design),
     .name = "design",
     .value = "FILE",
     .help = "what is planned: GPUs, NICs, nodes and cables to expect"},
    {.kind = RY_OPT_STRING,
     .letter = 'w',
     .offset = offsetof(struct options, workload),
     .name = "workload",
     .value = "FILE",
     .help = "what is trained: the step time that each finding costs"},
    {.kind = RY_OPT_COUNT,
     .offset = offsetof(struct options, nics),
     .name = "nics",
     .value = "N",
     .help = "NICs that each node should use"},
    {.kind = RY_OPT_QUANTITY,
     .offset = offsetof(struct options, nic_bytes_per_s),
     .dim = RY_DIM_BYTES_PER_S,
     .above_0 = true,
     .name = "nic-rate",
     .value = "RATE",
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
