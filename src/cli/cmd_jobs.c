/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_cases.h"

#include "base/names.h"
#include "io/strategy_file.h"
#include "report/table.h"
#include "search/jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOBS_MOST = 64 };

struct jobs_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    const char *nodes;
    int objective;
    int format;
};

static const struct ry_column columns[] = {
    {.key = "design"},
    {.key = "job", .title = "job"},
    {.key = "nodes", .title = "nodes", .show = RY_SHOW_COUNT},
    {.key = "gpus", .title = "GPUs", .show = RY_SHOW_COUNT},
    {.key = "strategy", .title = "best strategy", .wrap = true},
    {.key = "packed_s", .title = "packed", .show = RY_SHOW_SECONDS},
    {.key = "spread_quiet_s", .title = "spread, quiet", .show = RY_SHOW_SECONDS},
    {.key = "spread_busy_s", .title = "spread, busy", .show = RY_SHOW_SECONDS},
    {.key = "slowdown_frac", .title = "lost at most", .show = RY_SHOW_FRACTION},
    {.key = "between_frac", .title = "traffic", .show = RY_SHOW_FRACTION},
    {.key = "days", .title = "days, packed", .show = RY_SHOW_NUMBER},
    {.key = "feasible", .show = RY_SHOW_BOOL},
    {.key = "reason"},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void add_row(struct ry_arena *arena, struct ry_table *table,
                    const struct ry_job *job)
{
    const struct ry_case *c = &job->packed;
    const bool fits = c->has_result;
    const double packed_s = fits ? c->result.step.step_time_s : (double)NAN;
    char text[160];

    ry_strategy_text(&c->best.strategy, text, sizeof(text));
    ry_table_row(table, (struct ry_cell[COLUMNS]){
                            RY_TEXT(ry_case_design_text(arena, c)),
                            RY_TEXT(job->workload->name),
                            RY_NUM((double)job->nodes),
                            RY_NUM((double)ry_design_gpus(c->design)),
                            RY_TEXT(fits ? ry_strdup(arena, text) : "cannot"),
                            RY_NUM(packed_s),
                            RY_NUM(job->quiet_s),
                            RY_NUM(job->busy_s),
                            RY_NUM(fmax(job->busy_s, job->quiet_s) / packed_s - 1.0),
                            RY_NUM(fits ? job->between_frac : (double)NAN),
                            RY_NUM(fits ? c->result.days : (double)NAN),
                            RY_NUM(c->feasible),
                            RY_TEXT(c->feasible ? NULL : c->why),
                        });
}

static enum ry_err read_nodes(const char *text, struct ry_job jobs[], size_t n,
                              struct ry_diag *diag)
{
    const char *at = text ? text : "";

    for (size_t i = 0; i < n; i++) {
        char *end = NULL;
        const unsigned long nodes = *at >= '1' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (nodes == 0 || nodes > 100000000 || (i + 1 < n ? *end != ',' : *end != '\0'))
            return ry_fail(
                diag, RY_ERR_RANGE, "--nodes",
                "'%s' is not %zu whole number%s above 0, one for each job; a job "
                "is a --workload (give one file again for each)",
                text ? text : "", n, n == 1 ? "" : "s");
        jobs[i].nodes = (size_t)nodes;
        at = end + 1;
    }
    return RY_OK;
}

static void print_notes(const struct ry_job jobs[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (jobs[i].packed.has_result && !jobs[i].whole_leaves)
            printf(
                "%s: %zu nodes do not fill leaves of %zu: packed, one leaf is shared\n",
                jobs[i].workload->name, jobs[i].nodes,
                jobs[i].packed.site->network.nodes_per_leaf);
        if (!jobs[i].packed.has_result)
            printf("cannot: %s: %s\n", jobs[i].workload->name, jobs[i].packed.why);
    }
}

/* The jobs of one design. */
static enum ry_err plan_design(struct ry_plan_session *s, const struct ry_case *ask,
                               const struct jobs_options *o, struct ry_table *table,
                               struct ry_diag *diag)
{
    const struct ry_plan_files *f = &s->files;
    struct ry_job *jobs = RY_NEW(s->arena, struct ry_job, f->workloads_n);

    if (!jobs)
        return ry_fail(diag, RY_ERR_NOMEM, "jobs", "%zu jobs", f->workloads_n);
    for (size_t i = 0; i < f->workloads_n; i++)
        jobs[i].workload = f->workloads[i];
    RY_TRY(read_nodes(o->nodes, jobs, f->workloads_n, diag));
    RY_TRY(ry_jobs_plan(s->arena, &s->catalog, ask, jobs, f->workloads_n, diag));
    for (size_t i = 0; i < f->workloads_n; i++)
        add_row(s->arena, table, &jobs[i]);
    if (ry_format_for_people(o->format))
        print_notes(jobs, f->workloads_n);
    for (size_t i = 0; i < f->workloads_n; i++) {
        if (!jobs[i].packed.feasible)
            return ry_fail(diag, RY_ERR_INFEASIBLE, jobs[i].workload->name, "%s",
                           jobs[i].packed.why);
    }
    return RY_OK;
}

static enum ry_err jobs(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct jobs_options *o = given;
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases all;
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);

    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &all, diag));
    if (all.designs_n != 1 || session->files.workloads_n > JOBS_MOST)
        return ry_fail(diag, RY_ERR_USAGE, "jobs",
                       "%zu designs and %zu workloads; give one design and up to %d "
                       "workloads",
                       all.designs_n, session->files.workloads_n, JOBS_MOST);
    all.at[0].objective = (enum ry_objective)o->objective;
    const enum ry_err err = plan_design(session, &all.at[0], o, table, diag);
    if (err != RY_OK && err != RY_ERR_INFEASIBLE)
        return err;
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)o->format, diag));
    if (ry_format_for_people(o->format))
        printf(
            "packed: leaves of its own; spread over all leaves while the other jobs are "
            "quiet, or all communicate at once; a step is between.  A batch "
            "grows with a job's GPUs only where its workload says so.\n");
    return err;
}

static const struct jobs_options defaults = {.objective = RY_BY_COST_PER_TOKEN};

#define FIELD(name) offsetof(struct jobs_options, name)

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_LIST,
     .letter = 'w',
     .offset = FIELD(workloads),
     .name = "workload",
     .value = "FILE",
     .help = "a job; given once for each"},
    {.kind = RY_OPT_STRING,
     .letter = 'n',
     .offset = FIELD(nodes),
     .name = "nodes",
     .value = "N[,N]",
     .help = "nodes of each job, in the order of the workloads"},
    {.kind = RY_OPT_CHOICE,
     .letter = 'o',
     .offset = FIELD(objective),
     .name = "objective",
     .value = "NAME",
     .choices = ry_objective_choices,
     .help = "each job's strategy is chosen by"},
    RY_OPTS_CATALOG(struct jobs_options, catalog),
    RY_OPT_FORMAT(struct jobs_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_jobs = {
    .name = "jobs",
    .args = "DESIGN",
    .min_args = 1,
    .max_args = 1,
    .summary = "Show what jobs at the same time on one cluster take from each other",
    .example = "railyard jobs examples/h100-32-roce-3to1.json --nodes 24,8 "
               "-w examples/workloads/llama3-70b-pretrain.json "
               "-w examples/workloads/llama3-8b-finetune.json",
    .opts = opts,
    .options_bytes = sizeof(struct jobs_options),
    .defaults = &defaults,
    .run = jobs,
};
