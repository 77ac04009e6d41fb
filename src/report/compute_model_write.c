/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/compute_model_write.h"

#include "io/outfile.h"
#include "report/number.h"

#include <math.h>

static void put_pair(FILE *out, const char *key, const char *text, const char *end)
{
    (void)fprintf(out, "\"%s\": ", key);
    ry_json_put_text(out, text);
    (void)fputs(end, out);
}

/* Digits that a fit repeats on another machine. */
static void put_number(FILE *out, double value)
{
    if (isfinite(value))
        (void)fprintf(out, "%.7g", value);
    else
        (void)fputs("null", out);
}

static void put_source(FILE *out, const struct ry_kernel_source *s)
{
    (void)fputs("    {", out);
    put_pair(out, "file", s->file, ", ");
    put_pair(out, "sha256", s->sha256, ",\n     ");
    if (s->source)
        put_pair(out, "source", s->source, ", ");
    if (s->licence)
        put_pair(out, "licence", s->licence, ", ");
    if (s->date)
        put_pair(out, "date", s->date, ", ");
    if (s->hardware)
        put_pair(out, "hardware", s->hardware, ",\n     ");
    if (s->software)
        put_pair(out, "software", s->software, ", ");
    (void)fprintf(out, "\"samples\": %zu}", s->samples);
}

static void put_sources(FILE *out, const struct ry_kernel_data *data)
{
    (void)fputs("  \"sources\": [", out);
    for (size_t i = 0; data && i < data->sources; i++) {
        (void)fputs(i == 0 ? "\n" : ",\n", out);
        put_source(out, &data->source[i]);
    }
    (void)fputs(data && data->sources > 0 ? "\n  ],\n" : "],\n", out);
}

static void put_accuracy(FILE *out, const struct ry_kernel_fit *fit)
{
    (void)fputs("  \"accuracy\": [", out);
    for (size_t i = 0; fit && i < fit->classes; i++) {
        const struct ry_fit_class *c = &fit->classed[i];

        (void)fputs(i == 0 ? "\n    {" : ",\n    {", out);
        put_pair(out, "kernels", c->name, ", ");
        (void)fprintf(out, "\"samples\": %zu, \"mean_abs\": %.4f, \"bias\": %.4f, ",
                      c->samples, c->mean_abs, c->bias);
        (void)fprintf(out, "\"p95\": %.4f, \"held_out_mean_abs\": ", c->p95);
        if (isfinite(c->held_out))
            (void)fprintf(out, "%.4f}", c->held_out);
        else
            (void)fputs("null}", out);
    }
    (void)fputs(fit && fit->classes > 0 ? "\n  ],\n" : "],\n", out);
}

static void put_params(FILE *out, const struct ry_compute_file *file)
{
    (void)fputs("  \"parameters\": {", out);
    for (size_t i = 0; i < ry_param_count(); i++) {
        const struct ry_param_info *info = &file->info[i];

        (void)fprintf(out, "%s\n    \"%s\": {\"value\": ", i == 0 ? "" : ",",
                      ry_param_at(i).name);
        put_number(out, ry_param_get(&file->model, i));
        (void)fprintf(out, ", \"sigma_rel\": %.3g, ", info->sigma_rel);
        if (info->origin == RY_ORIGIN_TUNED && isfinite(info->untuned)) {
            (void)fputs("\"untuned\": ", out);
            put_number(out, info->untuned);
            (void)fputs(", ", out);
        }
        put_pair(out, "origin", ry_origin_name(info->origin), info->from ? ", " : "}");
        if (info->from)
            put_pair(out, "from", info->from, "}");
    }
    (void)fputs("\n  }\n", out);
}

enum ry_err ry_compute_model_write(const char *path, const struct ry_compute_file *file,
                                   const struct ry_compute_made *made,
                                   struct ry_diag *diag)
{
    struct ry_outfile out;

    RY_TRY(ry_outfile_open(&out, path, diag));
    (void)fputs("{\n  ", out.file);
    put_pair(out.file, "schema", "railyard-compute-model/1", ",\n  ");
    put_pair(out.file, "gpu", file->gpu, ",\n");
    if (file->note) {
        (void)fputs("  ", out.file);
        put_pair(out.file, "note", file->note, ",\n");
    }
    put_sources(out.file, made->data);
    put_accuracy(out.file, made->fit);
    put_params(out.file, file);
    (void)fputs("}\n", out.file);
    return ry_outfile_commit(&out, diag);
}
