/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "cli/cmd.h"
#include "io/compute_model.h"
#include "io/data.h"
#include "io/kernel_bench.h"
#include "io/problems_print.h"
#include "report/compute_model_write.h"
#include "report/table.h"

#include <gsl/gsl_errno.h>
#include <stddef.h>
#include <stdio.h>

struct options {
    const char *out;
    const char *part;
    bool waves, kernels;
    int format;
};

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_STRING,
     .letter = 'o',
     .offset = offsetof(struct options, out),
     .name = "output",
     .value = "MODEL",
     .help = "write the model to this file (models/compute/GPU.json)"},
    {.kind = RY_OPT_STRING,
     .letter = 'p',
     .offset = offsetof(struct options, part),
     .name = "part",
     .value = "PART",
     .help = "data-sheet values, sibling and published values of the GPU (default: the "
             "shipped one that the benchmark names)"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, waves),
     .name = "waves",
     .help = "print the cross-validation of the wave treatment instead"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, kernels),
     .name = "kernels",
     .help = "print every kernel, measured and predicted, instead"},
    RY_OPT_FORMAT(struct options),
    {.kind = RY_OPT_END},
};

struct session {
    struct ry_arena *arena;
    const struct options *options;
    struct ry_problems problems;
    struct ry_compute_part part;
    struct ry_kernel_data data;
    struct ry_kernel_fit fit;
};

static enum ry_err print_classes(const struct session *s, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "kernels", .title = "kernels"},
        {.key = "samples", .title = "samples", .show = RY_SHOW_COUNT},
        {.key = "mean_abs", .title = "mean error", .show = RY_SHOW_FRACTION},
        {.key = "bias", .title = "bias", .show = RY_SHOW_FRACTION},
        {.key = "p95", .title = "95th percentile", .show = RY_SHOW_FRACTION},
        {.key = "held_out_mean_abs", .title = "other half", .show = RY_SHOW_FRACTION},
    };
    struct ry_table *table = ry_table_create(s->arena, columns, 6);

    for (size_t i = 0; i < s->fit.classes; i++) {
        const struct ry_fit_class *c = &s->fit.classed[i];

        ry_table_row(table,
                     (struct ry_cell[]){RY_TEXT(c->name), RY_NUM((double)c->samples),
                                        RY_NUM(c->mean_abs), RY_NUM(c->bias),
                                        RY_NUM(c->p95), RY_NUM(c->held_out)});
    }
    return ry_table_print(table, stdout, (enum ry_table_format)s->options->format, diag);
}

static enum ry_err print_waves(const struct session *s, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "wave_q", .title = "whole waves", .show = RY_SHOW_NUMBER},
        {.key = "held_out_mean_abs", .title = "other half", .show = RY_SHOW_FRACTION},
    };
    struct ry_table *table = ry_table_create(s->arena, columns, 2);

    for (size_t i = 0; i < s->fit.waves; i++)
        ry_table_row(table, (struct ry_cell[]){RY_NUM(s->fit.wave[i].q),
                                               RY_NUM(s->fit.wave[i].held_out)});
    return ry_table_print(table, stdout, (enum ry_table_format)s->options->format, diag);
}

/* One line that names a kernel by what decides its time. */
static const char *describe(struct ry_arena *arena, const struct ry_sample *s)
{
    static const char *const roles[] = {"forward", "dgrad", "wgrad"};

    switch (s->kind) {
    case RY_SAMPLE_GEMM:
        return ry_strfmt(arena, "gemm %s %s m=%.0f n=%.0f k=%.0f",
                         ry_precision_name(s->gemm.precision), roles[s->gemm.role],
                         s->gemm.m, s->gemm.n, s->gemm.k);
    case RY_SAMPLE_GROUPED:
        return ry_strfmt(arena, "grouped %s%s groups=%.0f rows=%.0f n=%.0f k=%.0f",
                         roles[s->grouped.role], s->grouped.uneven ? " uneven" : "",
                         s->grouped.groups, s->grouped.rows, s->grouped.n, s->grouped.k);
    case RY_SAMPLE_ATTENTION:
        return ry_strfmt(arena,
                         "attention %s heads=%.0f/%.0f dim=%.0f seq=%.0f batch=%.0f",
                         s->backward ? "backward" : "forward", s->attention.heads,
                         s->attention.kv_heads, s->attention.head_dim, s->attention.seq_q,
                         s->attention.batch);
    case RY_SAMPLE_STREAM:
        return ry_strfmt(arena, "%s %.0f bytes", ry_stream_name(s->stream), s->bytes);
    }
    return "";
}

static enum ry_err print_kernels(const struct session *s, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "kernel", .title = "kernel"},
        {.key = "measured_s", .title = "measured", .show = RY_SHOW_SECONDS},
        {.key = "predicted_s", .title = "predicted", .show = RY_SHOW_SECONDS},
        {.key = "error", .title = "error", .show = RY_SHOW_FRACTION},
        {.key = "held_out_s", .title = "by other half", .show = RY_SHOW_SECONDS},
    };
    struct ry_table *table = ry_table_create(s->arena, columns, 5);

    for (size_t i = 0; i < s->data.samples; i++) {
        const struct ry_sample *k = &s->data.sample[i];

        ry_table_row(table, (struct ry_cell[]){RY_TEXT(describe(s->arena, k)),
                                               RY_NUM(k->time_s), RY_NUM(k->fitted_s),
                                               RY_NUM(k->fitted_s / k->time_s - 1.0),
                                               RY_NUM(k->held_out_s)});
    }
    return ry_table_print(table, stdout, (enum ry_table_format)s->options->format, diag);
}

static enum ry_err read_part(struct session *s)
{
    if (s->options->part)
        return ry_compute_part_read(s->arena, s->options->part, &s->problems, &s->part);
    if (!s->data.gpu) {
        ry_problem(&s->problems, RY_ERR_USAGE, "calibrate kernels",
                   "give benchmark files, or --part");
        return RY_ERR_USAGE;
    }
    return ry_compute_part_find(s->arena, s->data.gpu, &s->problems, &s->part);
}

/* The files of the command line, or those that the part names; what fails is a
 * problem. */
static enum ry_err read_all(struct session *s, const struct ry_strings *args)
{
    for (size_t i = 0; i < args->n; i++)
        (void)!ry_kernel_bench_read(s->arena, args->at[i], &s->data, &s->problems);
    if (s->problems.count > 0)
        return RY_OK;
    RY_TRY(read_part(s));
    for (size_t i = 0; args->n == 0 && i < s->part.files; i++)
        (void)!ry_kernel_bench_read(s->arena, ry_data_path(s->arena, s->part.measured[i]),
                                    &s->data, &s->problems);
    return RY_OK;
}

static enum ry_err fit_and_print(struct session *s, struct ry_diag *diag)
{
    const bool measured = s->data.sources > 0;
    const struct ry_compute_made made = {measured ? &s->data : NULL,
                                         measured ? &s->fit : NULL};

    if (measured)
        RY_TRY(ry_kernel_fit(s->arena, &s->data, &s->part.start, &s->fit, diag));
    ry_compute_part_finish(&s->part);
    if (s->problems.count > 0)
        return ry_problems_print(&s->problems, diag);
    if (s->options->out)
        RY_TRY(ry_compute_model_write(s->options->out, &s->part.start, &made, diag));
    if (s->options->kernels)
        return print_kernels(s, diag);
    if (s->options->waves)
        return print_waves(s, diag);
    return print_classes(s, diag);
}

static enum ry_err run_in(struct session *s, const struct ry_strings *args,
                          struct ry_diag *diag)
{
    if (s->options->waves && s->options->kernels)
        return ry_fail(diag, RY_ERR_USAGE, "--waves",
                       "does not go with --kernels: one at a time");
    const enum ry_err err = read_all(s, args);

    if (s->problems.count > 0)
        return ry_problems_print(&s->problems, diag);
    if (err != RY_OK)
        return ry_fail(diag, err, "calibrate kernels", "the part of the GPU");
    return fit_and_print(s, diag);
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    struct session session = {.arena = arena, .options = options};
    const enum ry_err err = run_in(&session, args, diag);

    (void)gsl_set_error_handler(handler);
    return err;
}

const struct ry_cmd cmd_calibrate_kernels = {
    .name = "calibrate kernels",
    .args = "[BENCH.json]...",
    .max_args = RY_KERNEL_SOURCES_MOST,
    .summary = "Fit a GPU's compute model to kernel timings",
    .example = "railyard calibrate kernels tests/measured/h200x2/kernels.json "
               "tests/measured/h200x2/kernels-more.json",
    .opts = opts,
    .options_bytes = sizeof(struct options),
    .run = run,
};
