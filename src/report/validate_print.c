/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/validate_print.h"

#include "base/names.h"
#include "report/number.h"
#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REASONS_MOST = 64 };

/** Reasons of skipped rows of a file, each with its count. */
struct reasons {
    size_t n;
    const char *text[REASONS_MOST];
    size_t count[REASONS_MOST];
};

static struct reasons reasons_of(const struct ry_checks *checks, size_t file)
{
    struct reasons r = {0};
    for (size_t i = 0; i < checks->n; i++) {
        const char *skip = checks->check[i].predicted.skip;
        if (checks->check[i].file != file || skip == NULL)
            continue;
        size_t k = 0;
        while (k < r.n && strcmp(r.text[k], skip) != 0)
            k++;
        if (k == REASONS_MOST)
            continue;
        if (k == r.n)
            r.text[r.n++] = skip;
        r.count[k]++;
    }
    return r;
}

static void json_pair(const char *key, double value, const char *after)
{
    printf("\"%s\": ", key);
    ry_json_put_number(stdout, value);
    fputs(after, stdout);
}

static void json_source(struct ry_arena *arena, const struct ry_checks *checks, size_t f)
{
    const struct ry_errors e = ry_errors_of(arena, checks->check, checks->n, f);
    const struct reasons r = reasons_of(checks, f);
    fputs("    {\"path\": ", stdout);
    ry_json_put_text(stdout, checks->file[f].path);
    printf(", \"rows\": %zu, \"used\": %zu, \"skipped\": {", checks->file[f].n, e.used);
    for (size_t k = 0; k < r.n; k++) {
        fputs(k > 0 ? ", " : "", stdout);
        ry_json_put_text(stdout, r.text[k]);
        printf(": %zu", r.count[k]);
    }
    fputs("}, ", stdout);
    json_pair("mape", e.mape, ", ");
    json_pair("mape_corrected", e.corrected, ", ");
    json_pair("bias", e.bias, ", ");
    json_pair("p95", e.p95, ", ");
    json_pair("coverage", ry_coverage_of(checks->check, checks->n, f),
              f + 1 < checks->files ? "},\n" : "}\n");
}

static void json_row(const struct ry_check *c, bool last)
{
    const struct ry_step *p = &c->predicted.step;
    fputs("    {\"id\": ", stdout);
    ry_json_put_text(stdout, c->run->id);
    fputs(", ", stdout);
    json_pair("measured_s", c->measured->step_time_s, ", ");
    json_pair("predicted_s", p->step_time_s, ", ");
    json_pair("error", c->error, ", ");
    json_pair("lo_s", p->lo_s, ", ");
    json_pair("hi_s", p->hi_s, ", ");
    json_pair("peak_bytes_measured", c->measured->peak_bytes, ", ");
    json_pair("peak_bytes_predicted", p->peak_bytes, last ? "}\n" : "},\n");
}

void ry_validate_json(struct ry_arena *arena, const struct ry_checks *checks)
{
    const struct ry_errors e = ry_errors_of(arena, checks->check, checks->n, (size_t)-1);
    const struct ry_order o = ry_order_of(checks->check, checks->n, (size_t)-1);
    fputs("{\n  \"sources\": [\n", stdout);
    for (size_t f = 0; f < checks->files; f++)
        json_source(arena, checks, f);
    printf("  ],\n  \"overall\": {\"used\": %zu, ", e.used);
    json_pair("mape_by_source_mean", ry_mean_of_files(arena, checks), ", ");
    json_pair("p95", e.p95, ", ");
    json_pair("coverage", ry_coverage_of(checks->check, checks->n, (size_t)-1), ", ");
    for (int k = 0; k < RY_RUN_KINDS; k++) {
        const enum ry_kind_of_run kind = (enum ry_kind_of_run)k;
        const struct ry_widths w =
            ry_widths_of(arena, checks->check, checks->n, NULL, kind);
        printf("\"coverage_%s\": ", ry_kind_of_run_name(kind));
        ry_json_put_number(stdout, w.coverage);
        printf(", \"half_width_%s\": ", ry_kind_of_run_name(kind));
        ry_json_put_number(stdout, w.half_width);
        fputs(", ", stdout);
    }
    json_pair("pair_order", o.right_frac, ", ");
    json_pair("regret", o.regret, "},\n  \"rows\": [\n");
    size_t left = e.used;
    for (size_t i = 0; i < checks->n; i++)
        if (checks->check[i].predicted.skip == NULL)
            json_row(&checks->check[i], --left == 0);
    fputs("  ]\n}\n", stdout);
}

/* Files of the same name in several folders are told apart by their path. */
static const char *source_name(const struct ry_checks *checks, size_t f)
{
    const char *name = ry_base_name(checks->file[f].path);
    for (size_t i = 0; i < checks->files; i++)
        if (i != f && strcmp(ry_base_name(checks->file[i].path), name) == 0)
            return checks->file[f].path;
    return name;
}

static const struct ry_column source_columns[] = {
    {.key = "source", .title = "source"},
    {.key = "rows", .title = "rows", .show = RY_SHOW_COUNT},
    {.key = "used", .title = "used", .show = RY_SHOW_COUNT},
    {.key = "mape", .title = "error", .show = RY_SHOW_FRACTION},
    {.key = "mape_corrected", .title = "corrected", .show = RY_SHOW_FRACTION},
    {.key = "bias", .title = "bias", .show = RY_SHOW_FRACTION},
    {.key = "p95", .title = "95 %", .show = RY_SHOW_FRACTION},
    {.key = "coverage", .title = "in interval", .show = RY_SHOW_FRACTION},
    {.key = "pair_order", .title = "order", .show = RY_SHOW_FRACTION},
    {.key = "regret", .title = "regret", .show = RY_SHOW_FRACTION},
    {.key = "worst", .title = "worst row"},
};
enum { SOURCE_COLUMNS = sizeof source_columns / sizeof source_columns[0] };

static const char *worst_row(struct ry_arena *arena, const struct ry_checks *checks,
                             size_t f)
{
    const struct ry_check *worst = NULL;
    for (size_t i = 0; i < checks->n; i++)
        if (checks->check[i].file == f && checks->check[i].predicted.skip == NULL &&
            (worst == NULL || fabs(checks->check[i].error) > fabs(worst->error)))
            worst = &checks->check[i];
    return worst == NULL
               ? NULL
               : ry_strfmt(arena, "%+.0f %% %s", 100 * worst->error, worst->run->id);
}

static void print_skipped(const struct ry_checks *checks)
{
    for (size_t f = 0; f < checks->files; f++) {
        const struct reasons r = reasons_of(checks, f);
        for (size_t k = 0; k < r.n; k++)
            printf("%s: %zu skipped: %s\n", source_name(checks, f), r.count[k],
                   r.text[k]);
    }
}

enum ry_err ry_validate_sources(struct ry_arena *arena, const struct ry_checks *checks,
                                enum ry_table_format format, struct ry_diag *diag)
{
    struct ry_table *t = ry_table_create(arena, source_columns, SOURCE_COLUMNS);
    for (size_t f = 0; f < checks->files; f++) {
        const struct ry_errors e = ry_errors_of(arena, checks->check, checks->n, f);
        const struct ry_order o = ry_order_of(checks->check, checks->n, f);
        ry_table_row(t, (struct ry_cell[]){
                            RY_TEXT(source_name(checks, f)),
                            RY_NUM((double)checks->file[f].n), RY_NUM((double)e.used),
                            RY_NUM(e.mape),
                            RY_NUM(e.corrected != e.mape ? e.corrected : (double)NAN),
                            RY_NUM(e.bias), RY_NUM(e.p95),
                            RY_NUM(ry_coverage_of(checks->check, checks->n, f)),
                            RY_NUM(o.right_frac), RY_NUM(o.regret),
                            RY_TEXT(worst_row(arena, checks, f))});
    }
    RY_TRY(ry_table_print(t, stdout, format, diag));
    if (ry_table_for_people(format)) {
        const double mean = ry_mean_of_files(arena, checks);
        if (!isnan(mean))
            printf("mean over sources %.2f %%\n", 100 * mean);
        print_skipped(checks);
    }
    return RY_OK;
}

static void explain(const struct ry_check *c)
{
    const struct ry_resolved *r = &c->predicted;
    const struct ry_step *p = &r->step;
    const struct ry_strategy *s = &r->strategy;
    printf("%s: %s, %s\n", c->run->id, c->run->gpu, c->run->framework);
    if (r->skip != NULL) {
        printf("skipped: %s\n", r->skip);
        return;
    }
    printf("preset %s; tp %u pp %u vpp %u dp %u cp %u ep %u micro-batch %u x %.1f, "
           "recompute %d (%u layers), zero %u%s%s%s%s\n",
           r->traits.name, s->tp, s->pp, s->vpp, s->dp, s->cp, s->ep, s->micro_batch,
           p->micro_batches, (int)s->recompute, s->recompute_layers, s->zero_stage,
           s->fsdp ? ", fsdp" : "", s->sequence_parallel ? ", sp" : "",
           s->tp_overlap ? ", tp overlap" : "", s->compile ? ", compiled" : "");
    printf("measured %.4f s, predicted %.4f s (%+.1f %%), 90 %% within %.4f to %.4f s\n",
           c->measured->step_time_s, p->step_time_s, 100 * c->error, p->lo_s, p->hi_s);
    for (int i = 0; i < RY_PARTS; i++)
        if (p->part_s[i] != 0 || p->hidden_s[i] != 0)
            printf("  %10.4f s %5.1f %%  %-36s (hidden %.4f s)\n", p->part_s[i],
                   100 * p->part_s[i] / p->step_time_s,
                   ry_part_text((enum ry_step_part)i), p->hidden_s[i]);
    printf("memory of stage %u: %.2f GB of %.2f GB, measured %.2f GB\n", p->worst_stage,
           p->peak_bytes / 1e9, p->usable_bytes / 1e9, c->measured->peak_bytes / 1e9);
    for (int i = 0; i < RY_MEMORY_PARTS; i++)
        printf("  %10.2f GB  %s\n", p->memory_bytes[i] / 1e9,
               ry_memory_part_text((enum ry_memory_part)i));
}

size_t ry_validate_explain(const struct ry_checks *checks, const char *id)
{
    size_t found = 0;
    for (size_t i = 0; i < checks->n; i++)
        if (strstr(checks->check[i].run->id, id) != NULL) {
            explain(&checks->check[i]);
            found++;
        }
    return found;
}

static const struct ry_column interval_columns[] = {
    {.key = "preset", .title = "preset"},
    {.key = "kind", .title = "kind"},
    {.key = "used", .title = "used", .show = RY_SHOW_COUNT},
    {.key = "coverage", .title = "in interval", .show = RY_SHOW_FRACTION},
    {.key = "half_width", .title = "half-width", .show = RY_SHOW_FRACTION},
    {.key = "needed", .title = "factor for 90 %", .show = RY_SHOW_NUMBER},
};

static void interval_row(struct ry_table *t, const char *name, enum ry_kind_of_run kind,
                         struct ry_widths w)
{
    if (w.used > 0)
        ry_table_row(t,
                     (struct ry_cell[]){RY_TEXT(name), RY_TEXT(ry_kind_of_run_name(kind)),
                                        RY_NUM((double)w.used), RY_NUM(w.coverage),
                                        RY_NUM(w.half_width), RY_NUM(w.needed)});
}

enum ry_err ry_validate_intervals(struct ry_arena *arena, const struct ry_checks *checks,
                                  const struct ry_presets *presets,
                                  enum ry_table_format format, struct ry_diag *diag)
{
    static const char *const quarters[] = {"narrowest quarter", "second quarter",
                                           "third quarter", "widest quarter"};
    struct ry_table *t = ry_table_create(
        arena, interval_columns, sizeof interval_columns / sizeof interval_columns[0]);
    for (size_t i = 0; i <= presets->n; i++)
        for (int k = 0; k < RY_RUN_KINDS; k++) {
            const char *preset = i < presets->n ? presets->at[i].traits.name : NULL;
            const enum ry_kind_of_run kind = (enum ry_kind_of_run)k;
            interval_row(t, preset != NULL ? preset : "all", kind,
                         ry_widths_of(arena, checks->check, checks->n, preset, kind));
        }
    for (int k = 0; k < RY_RUN_KINDS; k++)
        for (size_t i = 0; i < 4; i++)
            interval_row(t, quarters[i], (enum ry_kind_of_run)k,
                         ry_widths_quarter(arena, checks->check, checks->n,
                                           (enum ry_kind_of_run)k, i));
    return ry_table_print(t, stdout, format, diag);
}

/** Used rows of a file: measured across, predicted up. */
static enum ry_err plot_points(struct ry_arena *arena, const struct ry_checks *checks,
                               size_t f, struct ry_plot_series *out)
{
    double *x = RY_NEW(arena, double, checks->file[f].n + 1);
    double *y = RY_NEW(arena, double, checks->file[f].n + 1);
    if (x == NULL || y == NULL)
        return RY_ERR_NOMEM;
    *out = (struct ry_plot_series){
        .name = ry_base_name(checks->file[f].path), .x = x, .y = y};
    for (size_t i = 0; i < checks->n; i++)
        if (checks->check[i].file == f && checks->check[i].predicted.skip == NULL) {
            x[out->points] = checks->check[i].measured->step_time_s;
            y[out->points++] = checks->check[i].predicted.step.step_time_s;
        }
    return RY_OK;
}

enum ry_err ry_validate_plot(struct ry_arena *arena, const struct ry_checks *checks,
                             const char *path, struct ry_diag *diag)
{
    struct ry_plot_series *series =
        RY_NEW(arena, struct ry_plot_series, checks->files + 1);
    double *ends = RY_NEW(arena, double, 2);
    size_t n = 0;
    if (series == NULL || ends == NULL)
        return RY_ERR_NOMEM;
    ends[0] = INFINITY;
    for (size_t f = 0; f < checks->files; f++) {
        RY_TRY(plot_points(arena, checks, f, &series[n]));
        for (size_t i = 0; i < series[n].points; i++) {
            ends[0] = fmin(ends[0], series[n].x[i]);
            ends[1] = fmax(ends[1], series[n].x[i]);
        }
        n += series[n].points > 0;
    }
    if (n > 0)
        series[n++] = (struct ry_plot_series){
            .name = "predicted = measured", .line = 2, .line_x = ends, .line_y = ends};
    const struct ry_plot plot = {.title = "Step time, predicted against measured",
                                 .x_title = "measured",
                                 .y_title = "predicted",
                                 .x_show = RY_SHOW_SECONDS,
                                 .y_show = RY_SHOW_SECONDS,
                                 .n = n,
                                 .series = series};
    return ry_plot_write(arena, &plot, path, diag);
}
