/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cmd.h"
#include "cli/collective_input.h"
#include "io/bench.h"
#include "report/table.h"

#include <stdio.h>

struct options {
    int format;
    struct ry_collective_opts files;
};

static const struct ry_column columns[] = {
    {.key = "file", .title = "file"},
    {.key = "collective", .title = "collective"},
    {.key = "ranks", .title = "ranks", .show = RY_SHOW_COUNT},
    {.key = "nodes", .title = "nodes", .show = RY_SHOW_COUNT, .less = 4},
    {.key = "ranks_inferred", .title = "inferred", .show = RY_SHOW_BOOL, .less = 5},
    {.key = "dtype", .title = "type", .less = 3},
    {.key = "in_place", .title = "in place", .show = RY_SHOW_BOOL, .less = 2},
    {.key = "bytes", .title = "bytes", .show = RY_SHOW_COUNT},
    {.key = "time_s", .title = "time", .show = RY_SHOW_SECONDS},
    {.key = "algbw_bytes_per_s", .title = "algbw", .show = RY_SHOW_BYTES_PER_S},
    {.key = "busbw_bytes_per_s", .title = "busbw", .show = RY_SHOW_BYTES_PER_S},
    {.key = "valid", .title = "valid", .show = RY_SHOW_BOOL},
    {.key = "reason", .title = "reason", .wrap = true},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static double in_place(enum ry_bench_place place)
{
    switch (place) {
    case RY_PLACE_OUT:
        return 0.0;
    case RY_PLACE_IN:
        return 1.0;
    case RY_PLACE_UNKNOWN:
        break;
    }
    return RY_UNKNOWN;
}

static void add_run(struct ry_table *table, const struct ry_bench_run *run)
{
    for (size_t i = 0; i < run->n_rows; i++) {
        const struct ry_bench_row *row = &run->rows[i];
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(run->file),
                                RY_TEXT(run->collective),
                                RY_NUM(run->ranks),
                                RY_NUM(run->nodes),
                                RY_NUM(run->ranks_inferred),
                                RY_TEXT(row->dtype),
                                RY_NUM(in_place(row->place)),
                                RY_NUM(row->bytes),
                                RY_NUM(row->time_s),
                                RY_NUM(row->algbw_bytes_per_s),
                                RY_NUM(row->busbw_bytes_per_s),
                                RY_NUM(row->valid),
                                RY_TEXT(row->reason),
                            });
    }
}

static void print_notes(const struct ry_bench_file *file)
{
    for (size_t i = 0; i < file->n_notes; i++)
        (void)fprintf(stderr, "%s: %s\n", file->path, file->notes[i]);
    for (size_t i = 0; i < file->n_runs; i++)
        if (!file->runs[i].valid)
            (void)fprintf(stderr, "%s: refused: %s\n", file->path, file->runs[i].reason);
}

static enum ry_err read_file(const struct options *options, const char *path,
                             struct ry_arena *arena, struct ry_table *table,
                             struct ry_diag *diag)
{
    const struct ry_bench_hints hints = {options->files.collective, options->files.ranks,
                                         options->files.nodes};
    struct ry_bench_file file;

    RY_TRY(ry_bench_read(arena, path, &hints, &file, diag));
    for (size_t i = 0; i < file.n_runs; i++)
        add_run(table, &file.runs[i]);
    if (!options->files.quiet)
        print_notes(&file);
    return ry_bench_refused(&file) ? RY_ERR_NO : RY_OK;
}

/* Every file is read; the worst outcome is the command's. */
static enum ry_err read_files(const struct options *options,
                              const struct ry_strings *args, struct ry_arena *arena,
                              struct ry_diag *diag)
{
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);
    enum ry_err worst = RY_OK;

    for (size_t i = 0; i < args->n; i++) {
        struct ry_diag mine = {.code = RY_OK};
        const enum ry_err err = read_file(options, args->at[i], arena, table, &mine);
        if (mine.text[0] != '\0')
            (void)fprintf(stderr, "railyard: %s: %s: %s\n", ry_err_text(err), mine.where,
                          mine.text);
        if (worst == RY_OK || (worst == RY_ERR_NO && err != RY_OK))
            worst = err;
    }
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)options->format, diag));
    return worst;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    return read_files(options, args, arena, diag);
}

static const struct ry_opt opts[] = {
    RY_OPT_FORMAT(struct options),
    RY_OPTS_COLLECTIVE(struct options, files),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_calibrate_read = {
    .name = "calibrate read",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Read benchmark outputs of any tool and version into one table",
    .example = "railyard calibrate read tests/bench/layout-v2.0-all_reduce.txt",
    .opts = opts,
    .options_bytes = sizeof(struct options),
    .run = run,
};
