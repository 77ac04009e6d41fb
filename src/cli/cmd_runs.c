/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/runs_results.h"
#include "cli/store_opts.h"
#include "io/bench.h"
#include "io/comm_model.h"
#include "io/compute_model.h"
#include "io/file.h"
#include "io/json.h"
#include "io/problems_print.h"
#include "io/sha256.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

struct options {
    int format;
    const char *db;
    const char *label;
    bool fits, results;
    const char *collective;
    size_t ranks, nodes;
};

enum { FIT_BYTES_MOST = 16 * 1024 * 1024 };

/* import */

/* What is kept can be used: a model of either kind, read as a whole. */
static enum ry_err check_model(struct ry_arena *arena, const char *path,
                               struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_compute_file *compute = RY_NEW(arena, struct ry_compute_file, 1);
    struct ry_comm_model *comm = RY_NEW(arena, struct ry_comm_model, 1);
    struct ry_json root;

    if (!problems || !compute || !comm)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
    enum ry_err err = ry_json_open(arena, path, problems, &root);
    if (err == RY_OK && strncmp(ry_json_text(root, "schema", ""), "railyard-compute", 16) == 0)
        err = ry_compute_model_read(arena, path, problems, compute);
    else if (err == RY_OK)
        err = ry_comm_model_read(arena, path, problems, comm);
    return problems->count > 0 ? ry_problems_print(problems, diag) : err;
}

static enum ry_err import_fit(struct ry_store *store, struct ry_arena *arena,
                              const char *path, const struct ry_text *text,
                              const struct ry_import *from, struct ry_diag *diag)
{
    const char *slash = strrchr(path, '/');
    const struct ry_stored_fit fit = {.saved = from->imported,
                                      .name = slash ? slash + 1 : path,
                                      .sha256 = from->sha256,
                                      .json = text->data};

    RY_TRY(check_model(arena, path, diag));
    RY_TRY(ry_store_add_fit(store, &fit, diag));
    printf("%s: model saved\n", path);
    return RY_OK;
}

static enum ry_err import_file(struct ry_store *store, struct ry_arena *arena,
                               const struct options *options, const char *path,
                               struct ry_diag *diag)
{
    const struct ry_bench_hints hints = {options->collective, options->ranks,
                                         options->nodes};
    char sha256[RY_SHA256_TEXT];
    char imported[RY_STORE_TIME_BYTES];
    struct ry_text text;
    struct ry_bench_file file;
    size_t added = 0;

    RY_TRY(ry_file_read(arena, path, options->fits ? FIT_BYTES_MOST : RY_BENCH_FILE_BYTES_MOST,
                        &text, diag));
    ry_sha256(text.data, text.bytes, sha256);
    RY_TRY(ry_store_now(imported, diag));
    const struct ry_import from = {options->label ? options->label : "", sha256, imported};
    if (options->fits)
        return import_fit(store, arena, path, &text, &from, diag);
    RY_TRY(ry_bench_parse(arena, path, text, &hints, &file, diag));
    if (ry_bench_refused(&file))
        return ry_fail(diag, RY_ERR_NO, path, "not saved: %s",
                       file.runs[0].reason ? file.runs[0].reason : "no usable row");
    RY_TRY(ry_store_import(store, &file, &from, &added, diag));
    if (added)
        printf("%s: %zu run%s saved\n", path, added, added == 1 ? "" : "s");
    else
        printf("%s: this file is in the store already\n", path);
    return RY_OK;
}

/* What would go without a word. */
static enum ry_err check_import(const struct options *options, struct ry_diag *diag)
{
    if (options->fits && (options->label || options->collective || options->ranks ||
                          options->nodes))
        return ry_fail(diag, RY_ERR_USAGE, "--fits",
                       "models have no %s, which runs have",
                       options->label        ? "--label"
                       : options->collective ? "--collective"
                       : options->ranks      ? "--ranks"
                                             : "--nodes");
    return RY_OK;
}

/* Every file by itself; the worst outcome is the command's. */
static enum ry_err import_files(struct ry_store *store, struct ry_arena *arena,
                                const void *options, const struct ry_strings *args,
                                struct ry_diag *diag)
{
    enum ry_err worst = RY_OK;

    for (size_t i = 0; i < args->n; i++) {
        struct ry_diag mine = {.code = RY_OK};
        const enum ry_err err = import_file(store, arena, options, args->at[i], &mine);
        (void)fflush(stdout); /* what is saved is said at once */
        if (err == RY_OK)
            continue;
        if (worst != RY_OK && mine.text[0] != '\0')
            (void)fprintf(stderr, "railyard: %s: %s: %s\n", ry_err_text(err), mine.where,
                          mine.text);
        else if (worst == RY_OK)
            *diag = mine;
        if (worst == RY_OK || worst == RY_ERR_NO)
            worst = err;
    }
    return worst;
}

static enum ry_err run_import(const void *options, const struct ry_strings *args,
                              struct ry_diag *diag)
{
    RY_TRY(check_import(options, diag));
    return ry_with_new_store(((const struct options *)options)->db, import_files, options,
                             args, diag);
}

/* list */

static const struct ry_column run_columns[] = {
    {.key = "id", .title = "run", .show = RY_SHOW_COUNT},
    {.key = "imported", .title = "imported"},
    {.key = "label", .title = "label"},
    {.key = "collective", .title = "collective"},
    {.key = "ranks", .title = "ranks", .show = RY_SHOW_COUNT},
    {.key = "nodes", .title = "nodes", .show = RY_SHOW_COUNT},
    {.key = "gpu", .title = "GPU"},
    {.key = "nccl", .title = "NCCL"},
    {.key = "launch", .title = "launch"},
    {.key = "rows", .title = "rows", .show = RY_SHOW_COUNT},
    {.key = "valid_rows", .title = "usable", .show = RY_SHOW_COUNT},
    {.key = "best_busbw_bytes_per_s", .title = "best busbw", .show = RY_SHOW_BYTES_PER_S},
    {.key = "file", .title = "file"},
    {.key = "sha256", .title = NULL},
    {.key = "tool", .title = NULL},
};

static enum ry_err list_fits(struct ry_store *store, struct ry_arena *arena,
                             const struct options *options, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "id", .title = "model", .show = RY_SHOW_COUNT},
        {.key = "saved", .title = "saved"},
        {.key = "name", .title = "name"},
        {.key = "sha256", .title = "sha256"}};
    struct ry_table *table = ry_table_create(arena, columns, 4);
    struct ry_stored_fits fits;

    RY_TRY(ry_store_fits(store, arena, &fits, diag));
    for (size_t i = 0; i < fits.n; i++)
        ry_table_row(table, (struct ry_cell[]){RY_NUM((double)fits.at[i].id),
                                               RY_TEXT(fits.at[i].saved),
                                               RY_TEXT(fits.at[i].name),
                                               RY_TEXT(fits.at[i].sha256)});
    return ry_table_print(table, stdout, (enum ry_table_format)options->format, diag);
}

static enum ry_err list(struct ry_store *store, struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct options *options = given;
    struct ry_table *table =
        ry_table_create(arena, run_columns, sizeof(run_columns) / sizeof(run_columns[0]));
    struct ry_stored_runs runs;

    (void)args;
    if (options->results)
        return ry_results_list(store, arena, options->format, diag);
    if (options->fits)
        return list_fits(store, arena, options, diag);
    RY_TRY(ry_store_runs(store, arena, &runs, diag));
    for (size_t i = 0; i < runs.n; i++) {
        const struct ry_stored_run *run = &runs.at[i];
        ry_table_row(table, (struct ry_cell[]){
                                RY_NUM((double)run->id), RY_TEXT(run->imported),
                                RY_TEXT(run->label), RY_TEXT(run->collective),
                                RY_NUM(run->ranks), RY_NUM(run->nodes), RY_TEXT(run->gpu),
                                RY_TEXT(run->nccl), RY_TEXT(run->launch), RY_NUM(run->rows),
                                RY_NUM(run->valid_rows), RY_NUM(run->best_busbw_bytes_per_s),
                                RY_TEXT(run->file), RY_TEXT(run->sha256),
                                RY_TEXT(run->tool)});
    }
    return ry_table_print(table, stdout, (enum ry_table_format)options->format, diag);
}

static enum ry_err run_list(const void *options, const struct ry_strings *args,
                            struct ry_diag *diag)
{
    return ry_with_store(((const struct options *)options)->db, list, options, args, diag);
}

/* show */

static enum ry_err print_rows(struct ry_arena *arena, const struct ry_bench_run *run,
                              int format, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "bytes", .title = "bytes", .show = RY_SHOW_COUNT},
        {.key = "in_place", .title = "in place", .show = RY_SHOW_BOOL},
        {.key = "dtype", .title = "type"},
        {.key = "time_s", .title = "time", .show = RY_SHOW_SECONDS},
        {.key = "algbw_bytes_per_s", .title = "algbw", .show = RY_SHOW_BYTES_PER_S},
        {.key = "busbw_bytes_per_s", .title = "busbw", .show = RY_SHOW_BYTES_PER_S},
        {.key = "valid", .title = "valid", .show = RY_SHOW_BOOL},
        {.key = "reason", .title = "reason", .wrap = true}};
    struct ry_table *table = ry_table_create(arena, columns, 8);

    for (size_t i = 0; i < run->n_rows; i++) {
        const struct ry_bench_row *row = &run->rows[i];
        const double in_place = row->place == RY_PLACE_UNKNOWN ? RY_UNKNOWN
                                                               : row->place == RY_PLACE_IN;
        ry_table_row(table, (struct ry_cell[]){
                                RY_NUM(row->bytes), RY_NUM(in_place), RY_TEXT(row->dtype),
                                RY_NUM(row->time_s), RY_NUM(row->algbw_bytes_per_s),
                                RY_NUM(row->busbw_bytes_per_s), RY_NUM(row->valid),
                                RY_TEXT(row->reason)});
    }
    return ry_table_print(table, stdout, (enum ry_table_format)format, diag);
}

static enum ry_err show(struct ry_store *store, struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct options *options = given;
    struct ry_bench_run run;
    long long id = 0;

    RY_TRY(ry_run_id(args->at[0], &id, diag));
    if (options->results)
        return ry_results_show(store, arena, id, options->format, diag);
    RY_TRY(ry_store_rows(store, arena, id, &run, diag));
    return print_rows(arena, &run, options->format, diag);
}

static enum ry_err run_show(const void *options, const struct ry_strings *args,
                            struct ry_diag *diag)
{
    return ry_with_store(((const struct options *)options)->db, show, options, args, diag);
}

/* export: node-bench JSON, which `calibrate read` and `runs import` take. */

static void put_text(const char *key, const char *value)
{
    printf("\"%s\": ", key);
    ry_json_put_text(stdout, value);
    printf(", ");
}

static void put_number(const char *key, double value, const char *behind)
{
    printf("\"%s\": ", key);
    ry_json_put_number(stdout, value);
    printf("%s", behind);
}

static enum ry_err export_fit(struct ry_store *store, struct ry_arena *arena, long long id,
                              struct ry_diag *diag)
{
    struct ry_stored_fits fits;

    RY_TRY(ry_store_fits(store, arena, &fits, diag));
    for (size_t i = 0; i < fits.n; i++) {
        if (fits.at[i].id != id)
            continue;
        printf("%s", fits.at[i].json);
        return RY_OK;
    }
    return ry_fail(diag, RY_ERR_NOTFOUND, "runs export", "no model %lld in the store", id);
}

static enum ry_err export_run(struct ry_store *store, struct ry_arena *arena,
                              const void *given, const struct ry_strings *args,
                              struct ry_diag *diag)
{
    static const char *const buffers[] = {[RY_PLACE_UNKNOWN] = NULL,
                                          [RY_PLACE_OUT] = "out-of-place",
                                          [RY_PLACE_IN] = "in-place"};
    const struct options *options = given;
    struct ry_bench_run run;
    long long id = 0;
    bool first = true;

    RY_TRY(ry_run_id(args->at[0], &id, diag));
    if (options->fits && options->format != RY_FORMAT_JSON)
        return ry_fail(diag, RY_ERR_USAGE, "--format", "a model is JSON only");
    if (options->fits)
        return export_fit(store, arena, id, diag);
    RY_TRY(ry_store_rows(store, arena, id, &run, diag));
    if (options->format != RY_FORMAT_JSON)
        return print_rows(arena, &run, options->format, diag);
    printf("{\"schema\": \"node-bench/1\", ");
    put_text("gpu", run.gpu);
    put_text("nccl", run.nccl);
    printf("\"collectives\": [");
    for (size_t i = 0; i < run.n_rows; i++) {
        const struct ry_bench_row *row = &run.rows[i];
        if (!row->valid)
            continue;
        printf("%s\n  {", first ? "" : ",");
        put_text("op", run.collective);
        put_number("ranks", run.ranks, ", ");
        put_number("nodes", run.nodes, ", ");
        put_number("bytes", row->bytes, ", ");
        put_text("dtype", row->dtype);
        put_text("launch", run.launch ? run.launch : buffers[row->place]);
        put_number("time_s", row->time_s, ", ");
        put_number("algbw_bytes_per_s", row->algbw_bytes_per_s, ", ");
        put_number("busbw_bytes_per_s", row->busbw_bytes_per_s, "}");
        first = false;
    }
    printf("\n]}\n");
    return RY_OK;
}

static enum ry_err run_export(const void *options, const struct ry_strings *args,
                              struct ry_diag *diag)
{
    return ry_with_store(((const struct options *)options)->db, export_run, options, args,
                         diag);
}

static const struct ry_opt import_opts[] = {
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_STRING, .offset = offsetof(struct options, label), .name = "label",
     .value = "TEXT", .help = "what to call these runs: a month, a cluster"},
    {.kind = RY_OPT_FLAG, .offset = offsetof(struct options, fits), .name = "fits",
     .help = "the files are models that calibrate fit wrote"},
    {.kind = RY_OPT_STRING, .offset = offsetof(struct options, collective),
     .name = "collective", .value = "NAME",
     .help = "what was run, where the file does not say it"},
    {.kind = RY_OPT_COUNT, .offset = offsetof(struct options, ranks), .name = "ranks",
     .value = "N", .help = "how many ranks, where the file does not say it"},
    {.kind = RY_OPT_COUNT, .offset = offsetof(struct options, nodes), .name = "nodes",
     .value = "N", .help = "how many nodes, where the file does not say it"},
    {.kind = RY_OPT_END},
};

static const struct ry_opt list_opts[] = {
    RY_OPT_FORMAT(struct options),
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_FLAG, .offset = offsetof(struct options, fits), .name = "fits",
     .help = "models instead of runs"},
    {.kind = RY_OPT_FLAG, .offset = offsetof(struct options, results), .name = "results",
     .help = "kept searches and rankings instead of runs"},
    {.kind = RY_OPT_END},
};

static const struct ry_opt show_opts[] = {
    RY_OPT_FORMAT(struct options),
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_FLAG, .offset = offsetof(struct options, results), .name = "results",
     .help = "a kept search or ranking instead of a run"},
    {.kind = RY_OPT_END},
};

static const struct options export_defaults = {.format = RY_FORMAT_JSON};

static const struct ry_opt export_opts[] = {
    {.kind = RY_OPT_CHOICE, .offset = offsetof(struct options, format), .name = "format",
     .value = "FORMAT", .choices = ry_format_choices, .help = "how it is printed"},
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_FLAG, .offset = offsetof(struct options, fits), .name = "fits",
     .help = "a model instead of a run"},
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_runs_import = {
    .name = "runs import",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Keep benchmark runs or fitted models in the store",
    .example = "railyard runs import --label 2026-11 tests/bench/crlf.txt",
    .opts = import_opts,
    .options_bytes = sizeof(struct options),
    .run = run_import,
};

const struct ry_cmd cmd_runs_list = {
    .name = "runs list",
    .args = "",
    .summary = "List the runs in the store",
    .example = "railyard runs list",
    .opts = list_opts,
    .options_bytes = sizeof(struct options),
    .run = run_list,
};

const struct ry_cmd cmd_runs_show = {
    .name = "runs show",
    .args = "RUN",
    .min_args = 1,
    .max_args = 1,
    .summary = "Print the rows of one run",
    .example = "railyard runs show 1",
    .opts = show_opts,
    .options_bytes = sizeof(struct options),
    .run = run_show,
};

const struct ry_cmd cmd_runs_export = {
    .name = "runs export",
    .args = "RUN",
    .min_args = 1,
    .max_args = 1,
    .summary = "Print one run as JSON that calibrate and runs import read",
    .example = "railyard runs export 1",
    .opts = export_opts,
    .options_bytes = sizeof(struct options),
    .defaults = &export_defaults,
    .run = run_export,
};
