/* SPDX-License-Identifier: GPL-3.0-or-later */
/* railyard bundle make, run, show, diff: a decision in one file. */
#include "base/names.h"
#include "cli/bundle_pack.h"
#include "cli/cmd.h"
#include "config.h"
#include "io/outfile.h"
#include "report/bundle_diff.h"

#include <stdio.h>
#include <string.h>

struct bundle_options {
    const char *output;
    bool installed;
    int format;
};

typedef enum ry_err bundle_work(struct ry_arena *arena, const struct bundle_options *o,
                                const struct ry_strings *args, struct ry_diag *diag);

/* The error that ends a command with @p status, so that make ends as the command did. */
static enum ry_err error_of(int status)
{
    return status == 2 ? RY_ERR_USAGE : status == 3 ? RY_ERR_SYNTAX : RY_ERR_IO;
}

static enum ry_err make(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct bundle_options *o = given;
    struct ry_bundle bundle;
    struct ry_outfile out;
    size_t inputs = 0;

    if (!o->output)
        return ry_fail(diag, RY_ERR_USAGE, "--output", "where to write the bundle?");
    RY_TRY(ry_bundle_pack(arena, args->n, args->at, &bundle, diag));
    RY_TRY(ry_bundle_run(arena, &bundle, false, &bundle.status, &bundle.output, diag));
    if (bundle.status > 1)
        return ry_fail(diag, error_of(bundle.status), args->at[0],
                       "failed with status %d; nothing is bundled", bundle.status);
    RY_TRY(ry_outfile_open(&out, o->output, diag));
    ry_bundle_write(&bundle, out.file);
    RY_TRY(ry_outfile_commit(&out, diag));
    for (size_t i = 0; i < bundle.files_n; i++)
        inputs += strncmp(bundle.files[i].path, "in/", 3) == 0;
    (void)fprintf(stderr, "railyard: bundled: %zu input%s, the catalog and the models\n",
                  inputs, inputs == 1 ? "" : "s");
    return RY_OK;
}

/* The first line that differs, for a message. */
static size_t first_difference(const char *a, const char *b)
{
    size_t line = 1;

    while (*a && *a == *b) {
        line += *a == '\n';
        a++;
        b++;
    }
    return line;
}

static enum ry_err run_again(struct ry_arena *arena, const void *given,
                             const struct ry_strings *args, struct ry_diag *diag)
{
    const struct bundle_options *o = given;
    struct ry_bundle bundle;
    struct ry_text output;
    int status = 0;

    RY_TRY(ry_bundle_read(arena, args->at[0], &bundle, diag));
    RY_TRY(ry_bundle_run(arena, &bundle, o->installed, &status, &output, diag));
    (void)fwrite(output.data, 1, output.bytes, stdout);
    (void)fflush(stdout);
    if (status == bundle.status && strcmp(output.data, bundle.output.data) == 0) {
        (void)fprintf(stderr, "railyard: the same %zu bytes\n", output.bytes);
        return RY_OK;
    }
    return ry_fail(
        diag, RY_ERR_NO, args->at[0], "the result differs from line %zu on%s%s%s",
        first_difference(output.data, bundle.output.data),
        o->installed ? ", with the catalog and models installed" : "",
        strcmp(bundle.version, PACKAGE_VERSION) == 0 ? "" : "; it was made by version ",
        strcmp(bundle.version, PACKAGE_VERSION) == 0 ? "" : bundle.version);
}

static enum ry_err show(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct bundle_options *o = given;
    static const struct ry_column columns[] = {
        {.key = "path", .title = "file"},
        {.key = "bytes", .title = "bytes", .show = RY_SHOW_COUNT},
        {.key = "sha256", .title = "sha256"},
    };
    struct ry_bundle bundle;

    RY_TRY(ry_bundle_read(arena, args->at[0], &bundle, diag));
    struct ry_table *table = ry_table_create(arena, columns, 3);
    for (size_t i = 0; i < bundle.files_n; i++)
        ry_table_row(table, (struct ry_cell[]){RY_TEXT(bundle.files[i].path),
                                               RY_NUM((double)bundle.files[i].text.bytes),
                                               RY_TEXT(bundle.files[i].sha256)});
    if (ry_format_for_people(o->format)) {
        printf("railyard");
        for (size_t i = 0; i < bundle.arguments_n; i++)
            printf(" %s", bundle.arguments[i]);
        printf("\nversion %s, status %d\n\n%s\n", bundle.version, bundle.status,
               bundle.output.data);
    }
    return ry_table_print(table, stdout, (enum ry_table_format)o->format, diag);
}

static enum ry_err diff(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct bundle_options *o = given;
    struct ry_bundle a;
    struct ry_bundle b;
    struct ry_table *table = NULL;

    RY_TRY(ry_bundle_read(arena, args->at[0], &a, diag));
    RY_TRY(ry_bundle_read(arena, args->at[1], &b, diag));
    RY_TRY(ry_bundle_diff(arena, &a, &b, &table, diag));
    if (ry_table_rows(table) == 0 && ry_format_for_people(o->format)) {
        printf("no difference\n");
        return RY_OK;
    }
    return ry_table_print(table, stdout, (enum ry_table_format)o->format, diag);
}

static const struct ry_opt make_opts[] = {
    {.kind = RY_OPT_STRING,
     .letter = 'o',
     .offset = offsetof(struct bundle_options, output),
     .name = "output",
     .value = "FILE",
     .help = "the bundle"},
    {.kind = RY_OPT_END},
};

static const struct ry_opt run_opts[] = {
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct bundle_options, installed),
     .name = "installed",
     .help = "with the catalog and models installed, not the bundle's"},
    {.kind = RY_OPT_END},
};

static const struct ry_opt print_opts[] = {
    RY_OPT_FORMAT(struct bundle_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_bundle_make = {
    .name = "bundle make",
    .args = "-- COMMAND...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Put a decision into one file: inputs, catalog, models, version, result",
    .example = "railyard bundle make -o decision.json -- rank examples/a100x8.json "
               "-w examples/workloads/llama3-8b-finetune.json --format json",
    .opts = make_opts,
    .options_bytes = sizeof(struct bundle_options),
    .run = make,
};

const struct ry_cmd cmd_bundle_run = {
    .name = "bundle run",
    .args = "BUNDLE",
    .min_args = 1,
    .max_args = 1,
    .summary = "Make a bundle's result again and compare it to the byte",
    .example =
        "railyard bundle make -o a.json -- rank examples/a100x8.json "
        "-w examples/workloads/llama3-8b-finetune.json && railyard bundle run a.json",
    .opts = run_opts,
    .options_bytes = sizeof(struct bundle_options),
    .run = run_again,
};

const struct ry_cmd cmd_bundle_show = {
    .name = "bundle show",
    .args = "BUNDLE",
    .min_args = 1,
    .max_args = 1,
    .summary = "Print a bundle's command, result and files",
    .example =
        "railyard bundle make -o a.json -- rank examples/a100x8.json "
        "-w examples/workloads/llama3-8b-finetune.json && railyard bundle show a.json",
    .opts = print_opts,
    .options_bytes = sizeof(struct bundle_options),
    .run = show,
};

const struct ry_cmd cmd_bundle_diff = {
    .name = "bundle diff",
    .args = "BUNDLE BUNDLE",
    .min_args = 2,
    .max_args = 2,
    .summary = "Say what differs between two bundles: inputs, prices, models, results",
    .example = "railyard bundle make -o a.json -- rank examples/a100x8.json "
               "-w examples/workloads/llama3-8b-finetune.json && railyard bundle diff "
               "a.json a.json",
    .opts = print_opts,
    .options_bytes = sizeof(struct bundle_options),
    .run = diff,
};
