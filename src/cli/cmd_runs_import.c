/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "cli/store_opts.h"
#include "io/bench.h"
#include "io/comm_model.h"
#include "io/compute_model.h"
#include "io/file.h"
#include "io/json.h"
#include "io/problems_print.h"
#include "io/sha256.h"

#include <stdio.h>
#include <string.h>

struct options {
    const char *db;
    const char *label;
    bool fits;
    const char *collective;
    size_t ranks, nodes;
};

enum { FIT_BYTES_MOST = 16 * 1024 * 1024 };

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
    if (err == RY_OK &&
        strncmp(ry_json_text(root, "schema", ""), "railyard-compute", 16) == 0)
        err = ry_compute_model_read(arena, path, problems, compute);
    else if (err == RY_OK)
        err = ry_comm_model_read(arena, path, problems, comm);
    return problems->count > 0 ? ry_problems_print(problems, diag) : err;
}

static enum ry_err import_fit(struct ry_store *store, struct ry_arena *arena,
                              const char *path, const struct ry_text *text,
                              const struct ry_import *from, struct ry_diag *diag)
{
    const struct ry_stored_fit fit = {.saved = from->imported,
                                      .name = ry_base_name(path),
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

    RY_TRY(ry_file_read(arena, path,
                        options->fits ? FIT_BYTES_MOST : RY_BENCH_FILE_BYTES_MOST, &text,
                        diag));
    ry_sha256(text.data, text.bytes, sha256);
    RY_TRY(ry_store_now(imported, diag));
    const struct ry_import from = {options->label ? options->label : "", sha256,
                                   imported};
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
    if (options->fits &&
        (options->label || options->collective || options->ranks || options->nodes))
        return ry_fail(diag, RY_ERR_USAGE, "--fits", "models have no %s, which runs have",
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

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    RY_TRY(check_import(options, diag));
    return ry_with_new_store(arena, ((const struct options *)options)->db, import_files,
                             options, args, diag);
}

static const struct ry_opt opts[] = {
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_STRING,
     .offset = offsetof(struct options, label),
     .name = "label",
     .value = "TEXT",
     .help = "what to call these runs: a month, a cluster"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, fits),
     .name = "fits",
     .help = "the files are models that calibrate fit wrote"},
    {.kind = RY_OPT_STRING,
     .offset = offsetof(struct options, collective),
     .name = "collective",
     .value = "NAME",
     .help = "what was run, where the file does not say it"},
    {.kind = RY_OPT_COUNT,
     .offset = offsetof(struct options, ranks),
     .name = "ranks",
     .value = "N",
     .help = "how many ranks, where the file does not say it"},
    {.kind = RY_OPT_COUNT,
     .offset = offsetof(struct options, nodes),
     .name = "nodes",
     .value = "N",
     .help = "how many nodes, where the file does not say it"},
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_runs_import = {
    .name = "runs import",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Keep benchmark runs or fitted models in the store",
    .example = "railyard runs import --label 2026-11 tests/bench/crlf.txt",
    .opts = opts,
    .options_bytes = sizeof(struct options),
    .run = run,
};
