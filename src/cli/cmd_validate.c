/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd.h"
#include "cli/progress.h"

#include "base/names.h"
#include "io/corrections.h"
#include "io/data.h"
#include "io/problems_print.h"
#include "io/published.h"
#include "io/run_machine.h"
#include "io/run_resolve.h"
#include "io/traits_file.h"
#include "report/ablation.h"
#include "report/number.h"
#include "report/plot.h"
#include "report/table.h"
#include "report/validate.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MOST = 256, REASONS_MOST = 64 };

struct validate_options {
    int format;
    const char *explain;
    bool quiet;
    bool untuned;
    bool ablate;
    bool intervals;
    const char *plot;
};

struct state {
    struct ry_arena *arena;
    struct ry_problems *problems;
    struct ry_presets *presets;
    struct ry_run_parts *parts;
    bool untuned, quiet;
    size_t files;
    struct ry_run_file file[FILES_MOST];
    enum ry_ablation ablation;
    struct ry_compute_model scratch; /**< without the term that is switched off */
    struct ry_corrections corrections;
    size_t n;
    struct ry_check *check;
};

static enum ry_err add_file(struct state *s, const char *path, bool alone,
                            struct ry_diag *diag)
{
    if (s->files == FILES_MOST)
        return ry_fail(diag, RY_ERR_RANGE, path, "more than %d files", FILES_MOST);
    const enum ry_err err =
        ry_run_file_read(s->arena, path, s->problems, &s->file[s->files]);
    if (err == RY_ERR_NOTFOUND && s->problems->count == 0) {
        if (alone)
            return ry_fail(diag, RY_ERR_SYNTAX, path,
                           "neither published rows nor train steps");
        return RY_OK;
    }
    RY_TRY(err);
    s->files++;
    return RY_OK;
}

/** Folders that are still to be read: the given one and what is below it. */
struct folders {
    size_t n;
    const char *at[FILES_MOST];
};

static bool is_json(const char *name)
{
    const size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

static enum ry_err add_folder(struct state *s, const char *path, struct folders *below,
                              struct ry_diag *diag)
{
    const char *fixes = ry_strfmt(s->arena, "%s/data_corrections.json", path);
    struct ry_file_names names;
    struct stat info;
    if (fixes == NULL)
        return RY_ERR_NOMEM;
    RY_TRY(ry_corrections_read(s->arena, fixes, s->problems, &s->corrections));
    RY_TRY(ry_folder_list(s->arena, path, "", &names, diag));
    for (size_t i = 0; i < names.n; i++) {
        const char *whole = ry_strfmt(s->arena, "%s/%s", path, names.at[i]);
        if (whole == NULL)
            return RY_ERR_NOMEM;
        /* a link to a folder is not followed: it may lead back */
        if (lstat(whole, &info) == 0 && S_ISDIR(info.st_mode)) {
            if (below->n == FILES_MOST)
                return ry_fail(diag, RY_ERR_RANGE, path, "more than %d folders", FILES_MOST);
            below->at[below->n++] = whole;
        } else if (is_json(whole)) {
            RY_TRY(add_file(s, whole, false, diag));
        }
    }
    return RY_OK;
}

static enum ry_err add_path(struct state *s, const char *path, struct ry_diag *diag)
{
    struct folders left = {1, {path}};
    struct stat info;
    if (stat(path, &info) != 0)
        return ry_fail(diag, RY_ERR_NOTFOUND, path, "no such file or folder");
    if (!S_ISDIR(info.st_mode))
        return add_file(s, path, true, diag);
    for (size_t i = 0; i < left.n; i++)
        RY_TRY(add_folder(s, left.at[i], &left, diag));
    return RY_OK;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Files of the same name in several folders are told apart by their path. */
static const char *source_name(const struct state *s, size_t f)
{
    const char *name = base_name(s->file[f].path);
    for (size_t i = 0; i < s->files; i++)
        if (i != f && strcmp(base_name(s->file[i].path), name) == 0)
            return s->file[f].path;
    return name;
}

static void ablate_traits(const void *context, struct ry_traits *traits)
{
    const struct state *s = context;
    struct ry_compute_model unused = {0};
    ry_ablate(s->ablation, &unused, traits);
}

static struct ry_resolve_how how_of(const struct state *s)
{
    return (struct ry_resolve_how){.presets = s->presets, .untuned = s->untuned,
                                   .change = ablate_traits, .context = s};
}

/** The error of a row once what its table got wrong is put right. */
static double corrected_error(struct state *s, const struct ry_check *c,
                              const struct ry_machine *machine)
{
    const struct ry_correction *fix = ry_correction_of(
        &s->corrections, base_name(s->file[c->file].path), c->run->id);
    if (fix == NULL)
        return c->error;
    const double measured_s =
        isfinite(fix->step_time_s) ? fix->step_time_s : c->measured->step_time_s;
    struct ry_job run = *c->run;
    struct ry_resolved again;
    if (fix->no_recompute)
        run.strategy.recompute = RY_RECOMPUTE_NONE;
    if (fix->nvfp4)
        run.strategy.precision = RY_TRAIN_NVFP4;
    if (fix->micro_batch > 0)
        run.strategy.micro_batch = fix->micro_batch;
    const struct ry_resolve_how how = how_of(s);
    ry_run_resolve(s->arena, &how, &run, machine, &again);
    return again.skip == NULL ? again.step.step_time_s / measured_s - 1 : c->error;
}

static void check_row(struct state *s, size_t file, size_t i)
{
    struct ry_check *c = &s->check[s->n++];
    struct ry_machine machine = {0};
    struct ry_diag diag = {0};
    c->run = &s->file[file].run[i];
    c->measured = &s->file[file].measured[i];
    c->file = file;
    c->error = NAN;
    if (c->run->skip == NULL &&
        ry_run_machine(s->arena, s->parts, c->run, &machine, &diag) != RY_OK) {
        c->predicted.skip = ry_strdup(s->arena, diag.text);
        return;
    }
    const struct ry_resolve_how how = how_of(s);
    if (s->ablation != RY_ABLATE_NONE && machine.compute != NULL) {
        struct ry_traits unused = {0};
        s->scratch = *machine.compute;
        ry_ablate(s->ablation, &s->scratch, &unused);
        machine.compute = &s->scratch;
    }
    ry_run_resolve(s->arena, &how, c->run, &machine, &c->predicted);
    if (c->predicted.skip == NULL)
        c->error = c->predicted.step.step_time_s / c->measured->step_time_s - 1;
    c->corrected_error = c->predicted.skip == NULL ? corrected_error(s, c, &machine) : (double)NAN;
}

static enum ry_err check_all(struct state *s)
{
    size_t rows = 0;
    for (size_t f = 0; f < s->files; f++)
        rows += s->file[f].n;
    s->check = RY_NEW(s->arena, struct ry_check, rows + 1);
    if (s->check == NULL)
        return RY_ERR_NOMEM;
    struct ry_progress progress = ry_progress_start("rows", s->quiet);
    for (size_t f = 0, done = 0; f < s->files; f++) {
        for (size_t i = 0; i < s->file[f].n; i++) {
            check_row(s, f, i);
            ry_progress_show(&progress, ++done, rows);
        }
    }
    (void)ry_progress_end(&progress);
    return RY_OK;
}

/* ---- printing ---- */

/** Reasons of skipped rows of a file, each with its count. */
struct reasons {
    size_t n;
    const char *text[REASONS_MOST];
    size_t count[REASONS_MOST];
};

static struct reasons reasons_of(const struct state *s, size_t file)
{
    struct reasons r = {0};
    for (size_t i = 0; i < s->n; i++) {
        const char *skip = s->check[i].predicted.skip;
        if (s->check[i].file != file || skip == NULL)
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

static void json_source(const struct state *s, size_t f)
{
    const struct ry_errors e = ry_errors_of(s->arena, s->check, s->n, f);
    const struct reasons r = reasons_of(s, f);
    fputs("    {\"path\": ", stdout);
    ry_json_put_text(stdout, s->file[f].path);
    printf(", \"rows\": %zu, \"used\": %zu, \"skipped\": {", s->file[f].n, e.used);
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
    json_pair("coverage", ry_coverage_of(s->check, s->n, f), f + 1 < s->files ? "},\n" : "}\n");
}

/** Mean over sources of their mean absolute error. */
static double mean_of_sources(const struct state *s)
{
    double sum = 0, sources = 0;
    for (size_t f = 0; f < s->files; f++) {
        const struct ry_errors e = ry_errors_of(s->arena, s->check, s->n, f);
        if (e.used > 0) {
            sum += e.mape;
            sources++;
        }
    }
    return sources > 0 ? sum / sources : (double)NAN;
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

static void print_json(const struct state *s)
{
    const struct ry_errors e = ry_errors_of(s->arena, s->check, s->n, (size_t)-1);
    const struct ry_order o = ry_order_of(s->check, s->n, (size_t)-1);
    fputs("{\n  \"sources\": [\n", stdout);
    for (size_t f = 0; f < s->files; f++)
        json_source(s, f);
    printf("  ],\n  \"overall\": {\"used\": %zu, ", e.used);
    json_pair("mape_by_source_mean", mean_of_sources(s), ", ");
    json_pair("p95", e.p95, ", ");
    json_pair("coverage", ry_coverage_of(s->check, s->n, (size_t)-1), ", ");
    for (int k = 0; k < RY_RUN_KINDS; k++) {
        const enum ry_kind_of_run kind = (enum ry_kind_of_run)k;
        const struct ry_widths w = ry_widths_of(s->arena, s->check, s->n, NULL, kind);
        printf("\"coverage_%s\": ", ry_kind_of_run_name(kind));
        ry_json_put_number(stdout, w.coverage);
        printf(", \"half_width_%s\": ", ry_kind_of_run_name(kind));
        ry_json_put_number(stdout, w.half_width);
        fputs(", ", stdout);
    }
    json_pair("pair_order", o.right_frac, ", ");
    json_pair("regret", o.regret, "},\n  \"rows\": [\n");
    size_t left = e.used;
    for (size_t i = 0; i < s->n; i++)
        if (s->check[i].predicted.skip == NULL)
            json_row(&s->check[i], --left == 0);
    fputs("  ]\n}\n", stdout);
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

static const char *worst_row(const struct state *s, size_t f)
{
    const struct ry_check *worst = NULL;
    for (size_t i = 0; i < s->n; i++)
        if (s->check[i].file == f && s->check[i].predicted.skip == NULL &&
            (worst == NULL || fabs(s->check[i].error) > fabs(worst->error)))
            worst = &s->check[i];
    return worst == NULL ? NULL
                         : ry_strfmt(s->arena, "%+.0f %% %s", 100 * worst->error,
                                     worst->run->id);
}

static enum ry_err print_sources(const struct state *s, int format, struct ry_diag *diag)
{
    struct ry_table *t = ry_table_create(s->arena, source_columns, SOURCE_COLUMNS);
    for (size_t f = 0; f < s->files; f++) {
        const struct ry_errors e = ry_errors_of(s->arena, s->check, s->n, f);
        const struct ry_order o = ry_order_of(s->check, s->n, f);
        ry_table_row(t, (struct ry_cell[]){
                            RY_TEXT(source_name(s, f)),
                            RY_NUM((double)s->file[f].n), RY_NUM((double)e.used),
                            RY_NUM(e.mape),
                            RY_NUM(e.corrected != e.mape ? e.corrected : (double)NAN),
                            RY_NUM(e.bias), RY_NUM(e.p95),
                            RY_NUM(ry_coverage_of(s->check, s->n, f)),
                            RY_NUM(o.right_frac), RY_NUM(o.regret),
                            RY_TEXT(worst_row(s, f))});
    }
    return ry_table_print(t, stdout, (enum ry_table_format)format, diag);
}

static void print_skipped(const struct state *s)
{
    for (size_t f = 0; f < s->files; f++) {
        const struct reasons r = reasons_of(s, f);
        for (size_t k = 0; k < r.n; k++)
            printf("%s: %zu skipped: %s\n", source_name(s, f), r.count[k],
                   r.text[k]);
    }
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
                   100 * p->part_s[i] / p->step_time_s, ry_part_text((enum ry_step_part)i),
                   p->hidden_s[i]);
    printf("memory of stage %u: %.2f GB of %.2f GB, measured %.2f GB\n", p->worst_stage,
           p->peak_bytes / 1e9, p->usable_bytes / 1e9, c->measured->peak_bytes / 1e9);
    for (int i = 0; i < RY_MEMORY_PARTS; i++)
        printf("  %10.2f GB  %s\n", p->memory_bytes[i] / 1e9,
               ry_memory_part_text((enum ry_memory_part)i));
}

static enum ry_err explain_all(const struct state *s, const char *id, struct ry_diag *diag)
{
    size_t found = 0;
    for (size_t i = 0; i < s->n; i++)
        if (strstr(s->check[i].run->id, id) != NULL) {
            explain(&s->check[i]);
            found++;
        }
    return found > 0 ? RY_OK
                     : ry_fail(diag, RY_ERR_NOTFOUND, "--explain", "no row named %s", id);
}

static const struct ry_column ablation_columns[] = {
    {.key = "term", .title = "switched off"},
    {.key = "mape_by_source_mean", .title = "mean of sources", .show = RY_SHOW_FRACTION},
    {.key = "mape", .title = "all rows", .show = RY_SHOW_FRACTION},
    {.key = "bias", .title = "bias", .show = RY_SHOW_FRACTION},
    {.key = "p95", .title = "95 %", .show = RY_SHOW_FRACTION},
    {.key = "pair_order", .title = "order", .show = RY_SHOW_FRACTION},
};

static enum ry_err ablate_all(struct state *s, int format, struct ry_diag *diag)
{
    struct ry_table *t = ry_table_create(
        s->arena, ablation_columns, sizeof ablation_columns / sizeof ablation_columns[0]);
    for (int a = 0; a < RY_ABLATIONS; a++) {
        s->ablation = (enum ry_ablation)a;
        s->n = 0;
        RY_TRY(check_all(s));
        const struct ry_errors e = ry_errors_of(s->arena, s->check, s->n, (size_t)-1);
        const struct ry_order o = ry_order_of(s->check, s->n, (size_t)-1);
        ry_table_row(t, (struct ry_cell[]){RY_TEXT(ry_ablation_text(s->ablation)),
                                           RY_NUM(mean_of_sources(s)), RY_NUM(e.mape),
                                           RY_NUM(e.bias), RY_NUM(e.p95),
                                           RY_NUM(o.right_frac)});
    }
    return ry_table_print(t, stdout, (enum ry_table_format)format, diag);
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
        ry_table_row(t, (struct ry_cell[]){RY_TEXT(name), RY_TEXT(ry_kind_of_run_name(kind)),
                                           RY_NUM((double)w.used), RY_NUM(w.coverage),
                                           RY_NUM(w.half_width), RY_NUM(w.needed)});
}

/** Intervals by preset and kind of model, then of all presets, then by their width. */
static enum ry_err print_intervals(const struct state *s, int format, struct ry_diag *diag)
{
    static const char *const quarters[] = {"narrowest quarter", "second quarter",
                                           "third quarter", "widest quarter"};
    struct ry_table *t = ry_table_create(
        s->arena, interval_columns, sizeof interval_columns / sizeof interval_columns[0]);
    for (size_t i = 0; i <= s->presets->n; i++)
        for (int k = 0; k < RY_RUN_KINDS; k++) {
            const char *preset = i < s->presets->n ? s->presets->at[i].traits.name : NULL;
            const enum ry_kind_of_run kind = (enum ry_kind_of_run)k;
            interval_row(t, preset != NULL ? preset : "all", kind,
                         ry_widths_of(s->arena, s->check, s->n, preset, kind));
        }
    for (int k = 0; k < RY_RUN_KINDS; k++)
        for (size_t i = 0; i < 4; i++)
            interval_row(t, quarters[i], (enum ry_kind_of_run)k,
                         ry_widths_quarter(s->arena, s->check, s->n, (enum ry_kind_of_run)k, i));
    return ry_table_print(t, stdout, (enum ry_table_format)format, diag);
}

/** Used rows of a file: measured across, predicted up. */
static enum ry_err plot_points(const struct state *s, size_t f, struct ry_plot_series *out)
{
    double *x = RY_NEW(s->arena, double, s->file[f].n + 1);
    double *y = RY_NEW(s->arena, double, s->file[f].n + 1);
    if (x == NULL || y == NULL)
        return RY_ERR_NOMEM;
    *out = (struct ry_plot_series){.name = base_name(s->file[f].path), .x = x, .y = y};
    for (size_t i = 0; i < s->n; i++)
        if (s->check[i].file == f && s->check[i].predicted.skip == NULL) {
            x[out->points] = s->check[i].measured->step_time_s;
            y[out->points++] = s->check[i].predicted.step.step_time_s;
        }
    return RY_OK;
}

/** Predicted over measured step times of every source, and where they are equal. */
static enum ry_err plot_all(const struct state *s, const char *path, struct ry_diag *diag)
{
    struct ry_plot_series *series = RY_NEW(s->arena, struct ry_plot_series, s->files + 1);
    double *ends = RY_NEW(s->arena, double, 2);
    size_t n = 0;
    if (series == NULL || ends == NULL)
        return RY_ERR_NOMEM;
    ends[0] = INFINITY;
    for (size_t f = 0; f < s->files; f++) {
        RY_TRY(plot_points(s, f, &series[n]));
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
                                 .x_title = "measured", .y_title = "predicted",
                                 .x_show = RY_SHOW_SECONDS, .y_show = RY_SHOW_SECONDS,
                                 .n = n, .series = series};
    return ry_plot_write(s->arena, &plot, path, diag);
}

/* What would go without a word. */
static enum ry_err check_together(const struct validate_options *o, struct ry_diag *diag)
{
    const char *const views[] = {o->explain ? "--explain" : NULL, o->ablate ? "--ablate" : NULL,
                                 o->intervals ? "--intervals" : NULL};
    const char *one = NULL;

    for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
        if (views[i] && one)
            return ry_fail(diag, RY_ERR_USAGE, views[i], "does not go with %s: one at a time",
                           one);
        one = views[i] ? views[i] : one;
    }
    if (o->explain && o->format != RY_FORMAT_TABLE)
        return ry_fail(diag, RY_ERR_USAGE, "--explain", "prints text alone; %s goes without it",
                       ry_format_choices[o->format]);
    if (o->ablate && o->plot)
        return ry_fail(diag, RY_ERR_USAGE, "--ablate", "does not go with --plot");
    return RY_OK;
}

static enum ry_err print_all(const struct state *s, const struct validate_options *o,
                             struct ry_diag *diag)
{
    if (o->explain != NULL)
        return explain_all(s, o->explain, diag);
    if (o->intervals)
        return print_intervals(s, o->format, diag);
    if (o->format == RY_FORMAT_JSON) {
        print_json(s);
        return RY_OK;
    }
    RY_TRY(print_sources(s, o->format, diag));
    if (o->format == RY_FORMAT_TABLE) {
        if (!isnan(mean_of_sources(s)))
            printf("mean over sources %.2f %%\n", 100 * mean_of_sources(s));
        print_skipped(s);
    }
    return RY_OK;
}

static enum ry_err work(struct state *s, const struct validate_options *o,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    RY_TRY(check_together(o, diag));
    RY_TRY(ry_presets_read(s->arena, s->problems, s->presets));
    RY_TRY(ry_run_parts_read(s->arena, o->untuned, s->problems, &s->parts));
    s->untuned = o->untuned;
    s->quiet = o->quiet;
    for (size_t i = 0; i < args->n; i++)
        RY_TRY(add_path(s, args->at[i], diag));
    if (s->files == 0 && s->problems->count == 0)
        return ry_fail(diag, RY_ERR_NO, args->at[0],
                       "nothing to compare: no published rows and no train steps in it");
    if (o->ablate)
        return ablate_all(s, o->format, diag);
    RY_TRY(check_all(s));
    RY_TRY(print_all(s, o, diag));
    if (o->plot != NULL)
        RY_TRY(plot_all(s, o->plot, diag));
    if (ry_errors_of(s->arena, s->check, s->n, (size_t)-1).used == 0)
        return ry_fail(diag, RY_ERR_NO, args->at[0], "none of its %zu rows could be used",
                       s->n);
    return RY_OK;
}

static enum ry_err run(const void *options, const struct ry_strings *args,
                       struct ry_diag *diag)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct state *s = arena != NULL ? RY_NEW(arena, struct state, 1) : NULL;
    enum ry_err err = RY_ERR_NOMEM;
    if (s != NULL) {
        s->arena = arena;
        s->problems = RY_NEW(arena, struct ry_problems, 1);
        s->presets = RY_NEW(arena, struct ry_presets, 1);
    }
    if (s != NULL && s->problems != NULL && s->presets != NULL) {
        err = work(s, options, args, diag);
        if (s->problems->count > 0)
            err = ry_problems_print(s->problems, diag);
    }
    ry_arena_destroy(arena);
    return err;
}

static const struct ry_opt opts[] = {
    RY_OPT_FORMAT(struct validate_options),
    {.kind = RY_OPT_STRING, .offset = offsetof(struct validate_options, explain),
     .name = "explain", .value = "ID",
     .help = "print the breakdown of the rows whose id has this in it"},
    {.kind = RY_OPT_FLAG, .offset = offsetof(struct validate_options, untuned),
     .name = "untuned", .help = "without what was set with step times in view"},
    {.kind = RY_OPT_FLAG, .offset = offsetof(struct validate_options, ablate),
     .name = "ablate", .help = "error with each term of the model switched off"},
    {.kind = RY_OPT_FLAG, .offset = offsetof(struct validate_options, intervals),
     .name = "intervals", .help = "coverage and width of the 90 % intervals by preset"},
    {.kind = RY_OPT_STRING, .offset = offsetof(struct validate_options, plot),
     .name = "plot", .value = "FILE",
     .help = "draw predicted against measured step times too"},
    RY_OPT_QUIET(struct validate_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_validate = {
    .name = "validate",
    .args = "PATH...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Compare predicted with measured training steps, by source",
    .example = "railyard validate tests/measured",
    .opts = opts,
    .options_bytes = sizeof(struct validate_options),
    .run = run,
};
