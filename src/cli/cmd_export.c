/* SPDX-License-Identifier: GPL-3.0-or-later */
/* railyard export FORMAT DESIGN: files of other programs. */
#include "base/names.h"
#include "cli/net_input.h"
#include "cli/topo_input.h"
#include "io/outfile.h"
#include "report/export.h"
#include "report/table.h"

#include <stdio.h>
#include <string.h>

struct export_options {
    struct ry_catalog_sources catalog;
    struct ry_strings failed;
    const char *output;
    int format;
};

static const char *name_at(const void *ctx, size_t i)
{
    const struct ry_export *format = ry_export_at(i);

    (void)ctx;
    return format ? format->name : NULL;
}

static enum ry_err unknown(const char *name, struct ry_diag *diag)
{
    const size_t near = ry_name_nearest(name, name_at, NULL);

    if (near != (size_t)-1)
        return ry_fail(diag, RY_ERR_NOTFOUND, "export",
                       "no format '%.40s'; did you mean %s?", name, name_at(NULL, near));
    return ry_fail(diag, RY_ERR_NOTFOUND, "export",
                   "no format '%.40s'; 'railyard export list' lists them", name);
}

static enum ry_err write(const struct ry_export *format, const struct ry_export_input *in,
                         const char *path, struct ry_diag *diag)
{
    struct ry_outfile out;

    RY_TRY(ry_outfile_open(&out, path ? path : "-", diag));
    const enum ry_err err = format->write(in, out.file, diag);
    if (err != RY_OK) {
        ry_outfile_abort(&out);
        return err;
    }
    return ry_outfile_commit(&out, diag);
}

static enum ry_err list(struct ry_arena *arena, int format, struct ry_diag *diag)
{
    static const struct ry_column columns[] = {
        {.key = "format", .title = "format"},
        {.key = "takes_fail", .title = "--fail", .show = RY_SHOW_BOOL},
        {.key = "summary", .title = "what it is"},
    };
    struct ry_table *table = ry_table_create(arena, columns, 3);

    for (size_t i = 0; ry_export_at(i); i++)
        ry_table_row(table, (struct ry_cell[]){RY_TEXT(ry_export_at(i)->name),
                                               RY_NUM(ry_export_at(i)->leaves_out_failed),
                                               RY_TEXT(ry_export_at(i)->summary)});
    return ry_table_print(table, stdout, (enum ry_table_format)format, diag);
}

static enum ry_err run_in(struct ry_arena *arena, const struct export_options *options,
                          const struct ry_strings *args, struct ry_diag *diag)
{
    const struct ry_export *format = ry_export_find(args->at[0]);
    struct ry_topo_input input;

    if (!format)
        return unknown(args->at[0], diag);
    if (options->failed.n > 0 && !format->leaves_out_failed)
        return ry_fail(diag, RY_ERR_USAGE, "--fail",
                       "%s is of the fabric as built; 'railyard export list' says "
                       "which leave out what failed",
                       format->name);
    RY_TRY(ry_topo_input_read(arena, args->at[1], &options->catalog, &options->failed,
                              &input, diag));
    struct ry_export_input in = {
        .arena = arena, .graph = input.graph, .design = input.design, .name = input.name};
    if (format->wants_net && input.design) {
        const struct ry_net_options none = {0};
        struct ry_net_source *source = RY_NEW(arena, struct ry_net_source, 1);
        struct ry_net *net = RY_NEW(arena, struct ry_net, 1);
        if (!source || !net)
            return ry_export_no_memory(diag);
        RY_TRY(ry_net_source_open(arena, &none, source, diag));
        RY_TRY(ry_net_of_design(source, input.design, net, diag));
        in.net = net;
    }
    return write(format, &in, options->output, diag);
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    const struct export_options *given = options;

    if (args->n == 2 && given->format != RY_TABLE_HUMAN)
        return ry_fail(diag, RY_ERR_USAGE, "--format",
                       "is for 'export list'; FORMAT says what is written");
    if (args->n == 1) {
        if (!ry_export_find(args->at[0]))
            return strcmp(args->at[0], "list") == 0 ? list(arena, given->format, diag)
                                                    : unknown(args->at[0], diag);
        return ry_fail(diag, RY_ERR_USAGE, "export", "%s of which design?", args->at[0]);
    }
    return run_in(arena, options, args, diag);
}

static const struct ry_opt opts[] = {
    RY_OPTS_CATALOG(struct export_options, catalog),
    {.kind = RY_OPT_LIST,
     .offset = offsetof(struct export_options, failed),
     .name = "fail",
     .value = "DEVICE",
     .help = "leave out a device's links (spine3) or one (cable:17, label C000017), in "
             "formats that take it; repeat for more"},
    {.kind = RY_OPT_STRING,
     .letter = 'o',
     .offset = offsetof(struct export_options, output),
     .name = "output",
     .value = "FILE",
     .help = "where to write (default standard output)"},
    {.kind = RY_OPT_CHOICE,
     .offset = offsetof(struct export_options, format),
     .name = "format",
     .value = "FORMAT",
     .choices = ry_format_choices,
     .help = "of 'export list'"},
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_export = {
    .name = "export",
    .args = "FORMAT DESIGN|TEXT",
    .min_args = 1,
    .max_args = 2,
    .summary = "Write a fabric for another program; 'export list' lists the formats",
    .example = "railyard export slurm-tree examples/h100-32-ndr-rail.json",
    .opts = opts,
    .options_bytes = sizeof(struct export_options),
    .run = run,
};
