/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/runs_results.h"
#include "cli/store_opts.h"
#include "io/bench.h"
#include "report/table.h"

#include <stdio.h>

struct options {
    int format;
    const char *db;
    bool fits, results;
};

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
        ry_table_row(table, (struct ry_cell[]){
                                RY_NUM((double)fits.at[i].id), RY_TEXT(fits.at[i].saved),
                                RY_TEXT(fits.at[i].name), RY_TEXT(fits.at[i].sha256)});
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
    if (options->results && options->fits)
        return ry_fail(diag, RY_ERR_USAGE, "--results",
                       "does not go with --fits: one at a time");
    if (options->results)
        return ry_results_list(store, arena, options->format, diag);
    if (options->fits)
        return list_fits(store, arena, options, diag);
    RY_TRY(ry_store_runs(store, arena, &runs, diag));
    for (size_t i = 0; i < runs.n; i++) {
        const struct ry_stored_run *run = &runs.at[i];
        ry_table_row(table,
                     (struct ry_cell[]){
                         RY_NUM((double)run->id), RY_TEXT(run->imported),
                         RY_TEXT(run->label), RY_TEXT(run->collective),
                         RY_NUM(run->ranks), RY_NUM(run->nodes), RY_TEXT(run->gpu),
                         RY_TEXT(run->nccl), RY_TEXT(run->launch), RY_NUM(run->rows),
                         RY_NUM(run->valid_rows), RY_NUM(run->best_busbw_bytes_per_s),
                         RY_TEXT(run->file), RY_TEXT(run->sha256), RY_TEXT(run->tool)});
    }
    return ry_table_print(table, stdout, (enum ry_table_format)options->format, diag);
}

static enum ry_err run_list(struct ry_arena *arena, const void *options,
                            const struct ry_strings *args, struct ry_diag *diag)
{
    return ry_with_store(arena, ((const struct options *)options)->db, list, options,
                         args, diag);
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
        const double in_place =
            row->place == RY_PLACE_UNKNOWN ? RY_UNKNOWN : row->place == RY_PLACE_IN;
        ry_table_row(table, (struct ry_cell[]){RY_NUM(row->bytes), RY_NUM(in_place),
                                               RY_TEXT(row->dtype), RY_NUM(row->time_s),
                                               RY_NUM(row->algbw_bytes_per_s),
                                               RY_NUM(row->busbw_bytes_per_s),
                                               RY_NUM(row->valid), RY_TEXT(row->reason)});
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

static enum ry_err run_show(struct ry_arena *arena, const void *options,
                            const struct ry_strings *args, struct ry_diag *diag)
{
    return ry_with_store(arena, ((const struct options *)options)->db, show, options,
                         args, diag);
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

static enum ry_err export_fit(struct ry_store *store, struct ry_arena *arena,
                              long long id, struct ry_diag *diag)
{
    struct ry_stored_fits fits;

    RY_TRY(ry_store_fits(store, arena, &fits, diag));
    for (size_t i = 0; i < fits.n; i++) {
        if (fits.at[i].id != id)
            continue;
        printf("%s", fits.at[i].json);
        return RY_OK;
    }
    return ry_fail(diag, RY_ERR_NOTFOUND, "runs export", "no model %lld in the store",
                   id);
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
    if (options->fits && options->format != RY_TABLE_JSON)
        return ry_fail(diag, RY_ERR_USAGE, "--format", "a model is JSON only");
    if (options->fits)
        return export_fit(store, arena, id, diag);
    RY_TRY(ry_store_rows(store, arena, id, &run, diag));
    if (options->format != RY_TABLE_JSON)
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

static enum ry_err run_export(struct ry_arena *arena, const void *options,
                              const struct ry_strings *args, struct ry_diag *diag)
{
    return ry_with_store(arena, ((const struct options *)options)->db, export_run,
                         options, args, diag);
}

static const struct ry_opt list_opts[] = {
    RY_OPT_FORMAT(struct options),
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, fits),
     .name = "fits",
     .help = "models instead of runs"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, results),
     .name = "results",
     .help = "kept searches and rankings instead of runs"},
    {.kind = RY_OPT_END},
};

static const struct ry_opt show_opts[] = {
    RY_OPT_FORMAT(struct options),
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, results),
     .name = "results",
     .help = "a kept search or ranking instead of a run"},
    {.kind = RY_OPT_END},
};

static const struct options export_defaults = {.format = RY_TABLE_JSON};

static const struct ry_opt export_opts[] = {
    {.kind = RY_OPT_CHOICE,
     .offset = offsetof(struct options, format),
     .name = "format",
     .value = "FORMAT",
     .choices = ry_format_choices,
     .help = "how it is printed"},
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, fits),
     .name = "fits",
     .help = "a model instead of a run"},
    {.kind = RY_OPT_END},
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
