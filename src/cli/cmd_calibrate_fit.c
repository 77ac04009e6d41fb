/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "cli/cmd.h"
#include "cli/collective_input.h"
#include "cli/fit_fabric.h"
#include "cli/fit_plot.h"
#include "cli/fitted.h"
#include "cli/net_input.h"
#include "cli/utc.h"
#include "io/comm_model.h"
#include "io/data.h"
#include "io/outfile.h"
#include "io/problems_print.h"
#include "report/comm_model_put.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct options {
    int format;
    const char *output;
    const char *facts;
    const char *plot;
    struct ry_collective_opts files;
    struct ry_net_options net;
    bool leave_one_out;
};

enum { DATE_BYTES = 16 };

/* One fit from reading to writing. */
struct job {
    struct ry_arena *arena;
    const struct options *options;
    struct ry_problems *problems;
    struct ry_collective_input input;
    struct ry_coll_fits fits;
    struct ry_fabric_job *fabric; /* NULL: a domain is fitted */
    struct ry_fitted fitted;
};

static const struct ry_column columns[] = {
    {.key = "collective", .title = "collective"},
    {.key = "ranks", .title = "ranks", .show = RY_SHOW_COUNT},
    {.key = "nodes", .title = "nodes", .show = RY_SHOW_COUNT},
    {.key = "from_bytes", .title = "from", .show = RY_SHOW_BYTES},
    {.key = "alpha_s", .title = "alpha", .show = RY_SHOW_SECONDS},
    {.key = "alpha_lo90_s", .title = "5 %", .show = RY_SHOW_SECONDS},
    {.key = "alpha_hi90_s", .title = "95 %", .show = RY_SHOW_SECONDS},
    {.key = "busbw_bytes_per_s", .title = "busbw", .show = RY_SHOW_BYTES_PER_S},
    {.key = "busbw_lo90_bytes_per_s", .title = "5 %", .show = RY_SHOW_BYTES_PER_S},
    {.key = "busbw_hi90_bytes_per_s", .title = "95 %", .show = RY_SHOW_BYTES_PER_S},
    {.key = "points", .title = "points", .show = RY_SHOW_COUNT},
    {.key = "dropped", .title = "dropped", .show = RY_SHOW_COUNT},
    {.key = "median_error", .title = "median error", .show = RY_SHOW_FRACTION},
    {.key = "worst_error", .title = "worst", .show = RY_SHOW_FRACTION},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void add_rows(struct ry_table *table, const struct ry_coll_fit *fit)
{
    for (size_t i = 0; i < fit->fit.pieces; i++) {
        const struct ry_link_piece *piece = &fit->fit.piece[i];
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(ry_coll_name(fit->coll)),
                                RY_NUM((double)fit->ranks),
                                RY_NUM(fit->nodes > 0 ? (double)fit->nodes : (double)NAN),
                                RY_NUM(piece->from_bytes),
                                RY_NUM(piece->alpha_s.value),
                                RY_NUM(piece->alpha_s.lo90),
                                RY_NUM(piece->alpha_s.hi90),
                                RY_NUM(piece->bytes_per_s.value * fit->bus_factor),
                                RY_NUM(piece->bytes_per_s.lo90 * fit->bus_factor),
                                RY_NUM(piece->bytes_per_s.hi90 * fit->bus_factor),
                                RY_NUM((double)piece->points),
                                RY_NUM((double)fit->fit.dropped),
                                RY_NUM(piece->median_error),
                                RY_NUM(piece->worst_error),
                            });
    }
}

/* The file's own name without folder and ".json". */
static const char *model_name(const struct job *job)
{
    const char *path = job->options->output;
    char *name = ry_strdup(job->arena, ry_base_name(path));
    char *end = name ? strrchr(name, '.') : NULL;

    if (end && end != name)
        *end = '\0';
    return name ? name : path;
}

static void put_model(const struct job *job, const char *date, FILE *out)
{
    struct ry_model_source source[RY_LIST_MOST];

    for (size_t i = 0; i < job->input.files; i++) {
        const struct ry_input_file *file = &job->input.file[i];
        source[i] = (struct ry_model_source){file->path, file->sha256, file->gpu,
                                             file->nccl, file->points};
    }
    const struct ry_comm_model_doc doc = {
        .facts = job->fitted.facts,
        .name = model_name(job),
        .kind =
            job->fabric ? "fabric" : ry_json_text(job->fitted.facts, "kind", "domain"),
        .date = date,
        .fits = &job->fits,
        .fabric = job->fabric ? &job->fabric->fabric : NULL,
        .transport = job->options->net.transport ? job->options->net.transport : "ib",
        .gpu = job->options->net.gpu,
        .lines_from = "NCCL 2.30 constants (models/comm/nccl-2.30.json), steps between "
                      "domains times what the fit says",
        .parameters = job->fitted.parameters,
        .parameter = job->fitted.parameter,
        .sources = job->input.files,
        .source = source,
        .notes = job->fitted.notes,
        .note = job->fitted.note,
    };
    ry_comm_model_put(out, &doc);
}

static enum ry_err write_model(const struct job *job, struct ry_diag *diag)
{
    char date[DATE_BYTES] = "";
    struct ry_outfile out;
    struct tm utc;

    if (!job->options->output)
        return RY_OK;
    RY_TRY(ry_utc(&utc, diag));
    (void)strftime(date, sizeof(date), "%Y-%m-%d", &utc);
    RY_TRY(ry_outfile_open(&out, job->options->output, diag));
    put_model(job, date, out.file);
    return ry_outfile_commit(&out, diag);
}

static enum ry_err show(struct job *job, struct ry_diag *diag)
{
    struct ry_table *table = ry_table_create(job->arena, columns, COLUMNS);

    for (size_t i = 0; i < job->fits.n; i++) {
        add_rows(table, &job->fits.at[i]);
        ry_fitted_check(&job->fitted, &job->fits.at[i]);
    }
    if (!job->options->files.quiet)
        for (size_t i = 0; i < job->fitted.notes; i++)
            (void)fprintf(stderr, "note: %s\n", job->fitted.note[i]);
    if (job->fits.n == 0)
        return RY_OK;
    return ry_table_print(table, stdout, (enum ry_table_format)job->options->format,
                          diag);
}

static enum ry_err read_facts(struct job *job)
{
    if (!job->options->facts)
        return RY_OK;
    RY_TRY(
        ry_json_open(job->arena, job->options->facts, job->problems, &job->fitted.facts));
    ry_comm_facts_check(job->fitted.facts);
    return ry_problems_err(job->problems, NULL);
}

/* The files that the facts name, in models/data; or those of the command line. */
static enum ry_err input_paths(const struct job *job, const struct ry_strings *args,
                               struct ry_strings *paths, struct ry_diag *diag)
{
    const struct ry_json inputs =
        ry_json_get(ry_json_get(job->fitted.facts, "fit"), "inputs");

    *paths = *args;
    if (args->n > 0)
        return RY_OK;
    if (!job->options->facts)
        return ry_fail(diag, RY_ERR_USAGE, "calibrate fit",
                       "give benchmark files, or --facts with \"inputs\"");
    for (size_t i = 0; i < ry_json_size(inputs) && paths->n < RY_LIST_MOST; i++) {
        const char *name = ry_json_text(ry_json_at(inputs, i), "file", "");
        const char *path =
            ry_data_path(job->arena, ry_strfmt(job->arena, "models/data/%s", name));
        if (!path)
            return ry_fail(diag, RY_ERR_NOMEM, "inputs", "%s", name);
        paths->at[paths->n++] = path;
    }
    return RY_OK;
}

static enum ry_err fit_curves(struct job *job, const struct ry_strings *paths,
                              struct ry_diag *diag)
{
    const struct options *options = job->options;
    const struct ry_json fit = ry_json_get(job->fitted.facts, "fit");
    const struct ry_input_rules rules = {
        .hints = {options->files.collective, options->files.ranks, options->files.nodes},
        .mixed_gpus = ry_json_size(ry_json_get(fit, "inputs")) > 0,
    };

    RY_TRY(ry_collective_input_read(job->arena, paths, &rules, &job->input, diag));
    for (size_t i = 0; i < job->input.notes; i++)
        ry_fitted_note(&job->fitted, job->input.note[i]);
    RY_TRY(
        ry_coll_fits_make(job->arena, job->input.run, job->input.runs, &job->fits, diag));
    ry_fitted_domain(&job->fitted, &job->fits, &job->input);
    return RY_OK;
}

/* Runs over several domains whose hardware is known: a fabric.  Else curves. */
static bool wants_fabric(const struct job *job)
{
    const struct ry_net_options *net = &job->options->net;

    return strcmp(ry_json_text(job->fitted.facts, "kind", ""), "fabric") == 0 ||
           net->design || net->nics > 0.0 || net->nic_bytes_per_s > 0.0;
}

static enum ry_err fit_fabric(struct job *job, const struct ry_strings *paths,
                              struct ry_diag *diag)
{
    const struct options *options = job->options;
    const struct ry_input_rules rules = {
        .hints = {options->files.collective, options->files.ranks, options->files.nodes},
        .mixed_gpus = true,
        .apart = true,
    };
    struct ry_fabric_job *fabric = RY_NEW(job->arena, struct ry_fabric_job, 1);

    if (!fabric)
        return ry_fail(diag, RY_ERR_NOMEM, "fit", "no memory");
    RY_TRY(ry_collective_input_read(job->arena, paths, &rules, &job->input, diag));
    for (size_t i = 0; i < job->input.notes; i++)
        ry_fitted_note(&job->fitted, job->input.note[i]);
    *fabric = (struct ry_fabric_job){.arena = job->arena,
                                     .options = &options->net,
                                     .facts = job->fitted.facts,
                                     .facts_path = options->facts,
                                     .input = &job->input};
    RY_TRY(ry_fabric_job_run(fabric, diag));
    job->fabric = fabric;
    if (fabric->skipped > 0)
        ry_fitted_note(&job->fitted,
                       ry_strfmt(job->arena,
                                 "%zu runs inside one domain left out of the "
                                 "fit of what joins domains",
                                 fabric->skipped));
    ry_fitted_fabric(&job->fitted, fabric);
    if (options->leave_one_out)
        return ry_fabric_job_leave_one_out(fabric, options->format, diag);
    return ry_fabric_job_show(fabric, options->format, diag);
}

static enum ry_err draw(const struct job *job, struct ry_diag *diag)
{
    const char *path = job->options->plot;

    if (!path)
        return RY_OK;
    if (job->fabric)
        return ry_fit_plot_fabric(job->arena, path, job->fabric->one, job->fabric->cases,
                                  &job->fabric->fabric, diag);
    return ry_fit_plot_curves(job->arena, path, &job->input, &job->fits, diag);
}

static enum ry_err fit(struct job *job, const struct ry_strings *args,
                       struct ry_diag *diag)
{
    struct ry_strings paths;

    if (read_facts(job) != RY_OK)
        return ry_problems_print(job->problems, diag);
    RY_TRY(input_paths(job, args, &paths, diag));
    if (job->options->leave_one_out && !(paths.n > 0 && wants_fabric(job)))
        return ry_fail(
            diag, RY_ERR_USAGE, "--leave-one-out",
            "is for runs over several nodes: give --design, or --gpu, --nics and "
            "--nic-rate");
    if (paths.n > 0 && wants_fabric(job))
        RY_TRY(fit_fabric(job, &paths, diag));
    else if (paths.n > 0)
        RY_TRY(fit_curves(job, &paths, diag));
    if (job->problems->count > 0)
        return ry_problems_print(job->problems, diag);
    RY_TRY(show(job, diag));
    RY_TRY(draw(job, diag));
    return write_model(job, diag);
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    struct job *job = RY_NEW(arena, struct job, 1);

    if (!job || !(job->problems = RY_NEW(arena, struct ry_problems, 1)))
        return RY_ERR_NOMEM;
    job->arena = job->fitted.arena = arena;
    job->options = options;
    return fit(job, args, diag);
}

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_STRING,
     .letter = 'o',
     .offset = offsetof(struct options, output),
     .name = "output",
     .value = "MODEL",
     .help = "write the model to this JSON file"},
    {.kind = RY_OPT_STRING,
     .offset = offsetof(struct options, facts),
     .name = "facts",
     .value = "FILE",
     .help = "what is known of the hardware: JSON with parameters of a model"},
    {.kind = RY_OPT_STRING,
     .offset = offsetof(struct options, plot),
     .name = "plot",
     .value = "FILE",
     .help = "draw measured points, fit and 90 % band to a .svg, .pdf or .png file"},
    RY_OPTS_COLLECTIVE(struct options, files),
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, leave_one_out),
     .name = "leave-one-out",
     .help = "leave each node count out, predict it, and print the errors"},
    RY_OPTS_NET(struct options, net),
    RY_OPT_FORMAT(struct options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_calibrate_fit = {
    .name = "calibrate fit",
    .args = "[FILE...]",
    .min_args = 0,
    .max_args = RY_LIST_MOST,
    .summary = "Fit a communication model to collective benchmarks",
    .example = "railyard calibrate fit models/data/h200x2-nvlink.json -o my-node.json",
    .opts = opts,
    .options_bytes = sizeof(struct options),
    .run = run,
};
