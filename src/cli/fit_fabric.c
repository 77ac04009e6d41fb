/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/fit_fabric.h"

#include "base/names.h"
#include "calibrate/fabric_move.h"
#include "io/comm_model.h"
#include "io/problems_print.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The hardware that the facts state for a file, over what the options say. */
static struct ry_net_options hardware_of(const struct ry_fabric_job *job,
                                         const struct ry_coll_run *run)
{
    const struct ry_json inputs = ry_json_get(ry_json_get(job->facts, "fit"), "inputs");
    const char *base = strrchr(run->file, '/') ? strrchr(run->file, '/') + 1 : run->file;
    struct ry_net_options options = *job->options;

    for (size_t i = 0; i < ry_json_size(inputs); i++) {
        const struct ry_json at = ry_json_at(inputs, i);
        if (strcmp(ry_json_text(at, "file", ""), base) != 0)
            continue;
        options.gpu = ry_json_text(at, "gpu", options.gpu);
        options.gpus_per_node =
            ry_json_number(at, "gpus_per_node", options.gpus_per_node);
        options.nics = ry_json_number(at, "nics_per_node", options.nics);
        options.nic_bytes_per_s =
            ry_json_number(at, "nic_bytes_per_s", options.nic_bytes_per_s);
        options.nvls_off = ry_json_bool(at, "nvls_off", options.nvls_off);
        options.sharp = ry_json_bool(at, "sharp", options.sharp);
    }
    if (job->facts_path) {
        options.transport = ry_json_text(job->facts, "transport", options.transport);
        options.fabric_model = ry_json_text(job->facts, "name", NULL);
    }
    return options;
}

static enum ry_err open_source(const struct ry_fabric_job *job,
                               struct ry_net_source *source, struct ry_diag *diag)
{
    struct ry_comm_model *base = RY_NEW(job->arena, struct ry_comm_model, 1);
    struct ry_problems *problems = RY_NEW(job->arena, struct ry_problems, 1);

    if (!base || !problems)
        return ry_fail(diag, RY_ERR_NOMEM, "fit", "no memory");
    RY_TRY(ry_net_source_open(job->arena, job->options, source, diag));
    if (!job->facts_path)
        return RY_OK;
    if (ry_comm_model_read(job->arena, job->facts_path, problems, base) != RY_OK)
        return ry_problems_print(problems, diag);
    ry_comm_models_prefer(&source->models, base);
    return RY_OK;
}

static enum ry_err add_case(struct ry_fabric_job *job, const struct ry_net_source *source,
                            const struct ry_coll_run *run, struct ry_diag *diag)
{
    const struct ry_net_options options = hardware_of(job, run);
    const struct ry_net_hint hint = {run->gpu, run->ranks,
                                     run->nodes_known ? run->nodes : 0};
    struct ry_net_known *known = RY_NEW(job->arena, struct ry_net_known, 1);

    if (!known || job->cases == RY_FIT_CASES_MOST)
        return ry_fail(diag, RY_ERR_NOMEM, run->file, "more than %d runs",
                       RY_FIT_CASES_MOST);
    RY_TRY(ry_net_input(source, &options, &hint, known, diag));
    if (known->group.ranks <= known->group.per_domain) {
        job->skipped++;
        return RY_OK;
    }
    job->one[job->cases++] = (struct ry_fabric_case){&known->net, known->group, run};
    return RY_OK;
}

enum ry_err ry_fabric_job_run(struct ry_fabric_job *job, struct ry_diag *diag)
{
    struct ry_net_source source;

    job->one = RY_NEW(job->arena, struct ry_fabric_case, RY_FIT_CASES_MOST);
    if (!job->one)
        return ry_fail(diag, RY_ERR_NOMEM, "fit", "no memory");
    RY_TRY(open_source(job, &source, diag));
    for (size_t i = 0; i < job->input->runs; i++)
        if (job->input->run[i].n > 0)
            RY_TRY(add_case(job, &source, &job->input->run[i], diag));
    RY_TRY(ry_fabric_fit(job->one, job->cases, &job->fit, diag));
    job->fabric = job->one[0].net->fabric;
    ry_fabric_apply(&job->fit, &job->fabric);
    return RY_OK;
}

static const struct ry_column columns[] = {
    {.key = "parameter", .title = "parameter"},
    {.key = "value", .title = "value", .show = RY_SHOW_NUMBER},
    {.key = "lo90", .title = "5 %", .show = RY_SHOW_NUMBER},
    {.key = "hi90", .title = "95 %", .show = RY_SHOW_NUMBER},
    {.key = "known", .title = "from the data", .show = RY_SHOW_BOOL},
    {.key = "points", .title = "points", .show = RY_SHOW_COUNT},
};

enum ry_err ry_fabric_job_show(const struct ry_fabric_job *job, int format,
                               struct ry_diag *diag)
{
    static const char *const names[RY_FABRIC_PARAMETERS] = {
        [RY_FABRIC_STEP] = "LL steps between domains, times the base",
        [RY_FABRIC_STEP_LL128] = "LL128 steps between domains, times the base",
        [RY_FABRIC_STEP_SIMPLE] = "Simple steps, times the base",
        [RY_FABRIC_RATE_LL128] = "LL128 rate, times the base",
        [RY_FABRIC_NIC] = "nic_frac",
        [RY_FABRIC_TREE] = "tree_frac",
        [RY_FABRIC_LOSS] = "loss_per_doubling",
        [RY_FABRIC_MESSAGE] = "cost of a message to one more peer, times the base",
    };
    struct ry_table *table =
        ry_table_create(job->arena, columns, sizeof(columns) / sizeof(columns[0]));

    for (size_t i = 0; i < RY_FABRIC_PARAMETERS; i++)
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(names[i]),
                                RY_NUM(job->fit.parameter[i].value),
                                RY_NUM(job->fit.parameter[i].lo90),
                                RY_NUM(job->fit.parameter[i].hi90),
                                RY_NUM(job->fit.known[i]),
                                RY_NUM((double)job->fit.points),
                            });
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)format, diag));
    if (ry_format_for_people(format))
        (void)printf("%zu runs, %zu points: median error %.1f %%, worst %.0f %%\n",
                     job->cases, job->fit.points, 100.0 * job->fit.median_error,
                     100.0 * job->fit.worst_error);
    return RY_OK;
}

static const struct ry_column left_columns[] = {
    {.key = "domains_left_out", .title = "domains left out", .show = RY_SHOW_COUNT},
    {.key = "points", .title = "points", .show = RY_SHOW_COUNT},
    {.key = "median_error", .title = "median error", .show = RY_SHOW_FRACTION},
    {.key = "worst_error", .title = "worst", .show = RY_SHOW_FRACTION},
    {.key = "bias", .title = "bias", .show = RY_SHOW_FRACTION},
    {.key = "interval_half_width", .title = "90 % interval +-", .show = RY_SHOW_FRACTION},
    {.key = "covered", .title = "inside it", .show = RY_SHOW_FRACTION},
    {.key = "above_bound", .title = "above a bound", .show = RY_SHOW_COUNT},
    {.key = "fitted_on_others", .title = "fitted on others", .show = RY_SHOW_BOOL},
};

static void add_left_out(struct ry_table *table, const struct ry_left_out *row)
{
    ry_table_row(table, (struct ry_cell[]){
                            RY_NUM((double)row->domains),
                            RY_NUM((double)row->points),
                            RY_NUM(row->median_error),
                            RY_NUM(row->worst_error),
                            RY_NUM(row->bias),
                            RY_NUM(row->half_width),
                            RY_NUM((double)row->covered / (double)row->points),
                            RY_NUM((double)row->above_bound),
                            RY_NUM(row->fitted),
                        });
}

enum ry_err ry_fabric_job_leave_one_out(const struct ry_fabric_job *job, int format,
                                        struct ry_diag *diag)
{
    struct ry_left_out *rows = RY_NEW(job->arena, struct ry_left_out, RY_LEFT_OUT_MOST);
    struct ry_table *table = ry_table_create(
        job->arena, left_columns, sizeof(left_columns) / sizeof(left_columns[0]));
    size_t points = 0, covered = 0;

    if (!rows)
        return ry_fail(diag, RY_ERR_NOMEM, "leave one out", "no memory");
    const size_t n =
        ry_fabric_leave_one_out(job->one, job->cases, rows, RY_LEFT_OUT_MOST);
    for (size_t i = 0; i < n; i++) {
        add_left_out(table, &rows[i]);
        points += rows[i].points;
        covered += rows[i].covered;
    }
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)format, diag));
    if (ry_format_for_people(format))
        (void)printf("%zu of %zu points (%.0f %%) inside the 90 %% interval\n", covered,
                     points, points ? 100.0 * (double)covered / (double)points : 0.0);
    return RY_OK;
}
