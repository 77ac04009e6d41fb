/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/inputs.h"

#include "base/names.h"
#include "config.h"
#include "io/data.h"
#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_BYTES_MOST = 1 << 28, FOLDERS_MOST = 256 };

/* The list of digests that is digested: a line a file. */
struct list {
    struct ry_arena *arena;
    FILE *text;
    struct ry_diag *diag;
};

static enum ry_err add_file(const struct list *list, const char *label, const char *path)
{
    struct ry_arena *scratch = ry_arena_create(0);
    char sha256[RY_SHA256_TEXT];
    struct ry_text text;
    struct stat info;

    if (!scratch)
        return ry_fail(list->diag, RY_ERR_NOMEM, path, "its digest");
    enum ry_err err = RY_OK;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        err = ry_fail(list->diag, RY_ERR_RANGE, path,
                      "is not a regular file: it cannot be read again");
    if (err == RY_OK)
        err = ry_file_read(scratch, path, FILE_BYTES_MOST, &text, list->diag);
    if (err == RY_OK) {
        ry_sha256(text.data, text.bytes, sha256);
        (void)fprintf(list->text, "%s %s\n", sha256, label);
    }
    ry_arena_destroy(scratch);
    return err;
}

/* Folders still to be looked at; none is deeper than their number allows. */
struct folders {
    size_t n;
    const char *path[FOLDERS_MOST];
    const char *label[FOLDERS_MOST];
};

static enum ry_err add_entry(const struct list *list, struct folders *folders,
                             const char *path, const char *label)
{
    if (!path || !label)
        return ry_fail(list->diag, RY_ERR_NOMEM, "inputs", "the names of files");
    if (!ry_folder_exists(path))
        return add_file(list, label, path);
    if (folders->n == FOLDERS_MOST)
        return ry_fail(list->diag, RY_ERR_RANGE, path, "more than %d folders",
                       FOLDERS_MOST);
    folders->path[folders->n] = path;
    folders->label[folders->n++] = label;
    return RY_OK;
}

static enum ry_err add_folder(const struct list *list, const char *path,
                              const char *label)
{
    struct folders folders = {1, {path}, {label}};

    while (folders.n > 0) {
        const char *folder = folders.path[--folders.n];
        const char *name = folders.label[folders.n];
        struct ry_file_names names;
        RY_TRY(ry_folder_list(list->arena, folder, "", &names, list->diag));
        for (size_t i = 0; i < names.n; i++)
            RY_TRY(add_entry(list, &folders,
                             ry_strfmt(list->arena, "%s/%s", folder, names.at[i]),
                             ry_strfmt(list->arena, "%s/%s", name, names.at[i])));
    }
    return RY_OK;
}

static enum ry_err add_data(const struct list *list, const char *name)
{
    const char *path = ry_data_path(list->arena, name);

    return path ? add_folder(list, path, name)
                : ry_fail(list->diag, RY_ERR_NOMEM, name, "its path");
}

static enum ry_err add_files(const struct list *list, const struct ry_inputs *in)
{
    const struct ry_catalog_sources *catalog = in->catalog;

    for (size_t i = 0; i < in->files->n; i++)
        RY_TRY(add_file(list, "file", in->files->at[i]));
    for (size_t i = 0; i < in->workloads->n; i++)
        RY_TRY(add_file(list, "workload", in->workloads->at[i]));
    for (size_t i = 0; i < in->read->workloads_n; i++) {
        const char *model = in->read->workloads[i]->model;
        if (ry_file_exists(model))
            RY_TRY(add_file(list, "model", model));
    }
    if (catalog->own)
        RY_TRY(add_folder(list, catalog->own, "own"));
    if (catalog->prices)
        RY_TRY(add_file(list, "prices", catalog->prices));
    RY_TRY(add_data(list, "catalog"));
    return add_data(list, "models");
}

/* The program is its own version: a result of another build is another result. */
static enum ry_err add_program(const struct list *list)
{
    static const char self[] = "/proc/self/exe";

    (void)fprintf(list->text, "%s\n", PACKAGE_STRING);
    return ry_file_exists(self) ? add_file(list, "program", self) : RY_OK;
}

static enum ry_err add_all(const struct list *list, const struct ry_inputs *in)
{
    RY_TRY(add_program(list));
    (void)fprintf(list->text, "%s\n", in->command);
    for (size_t i = 0; i < in->words->n; i++)
        (void)fprintf(list->text, "%zu %s\n", strlen(in->words->at[i]), in->words->at[i]);
    return add_files(list, in);
}

enum ry_err ry_inputs_digest(struct ry_arena *arena, const struct ry_inputs *inputs,
                             char sha256[RY_SHA256_TEXT], struct ry_diag *diag)
{
    char *text = NULL;
    size_t bytes = 0;
    const struct list list = {arena, open_memstream(&text, &bytes), diag};

    if (!list.text)
        return ry_fail(diag, RY_ERR_NOMEM, "inputs", "their digests");
    enum ry_err err = add_all(&list, inputs);
    if (fclose(list.text) != 0 && err == RY_OK)
        err = ry_fail(diag, RY_ERR_NOMEM, "inputs", "their digests");
    if (err == RY_OK)
        ry_sha256(text, bytes, sha256);
    free(text);
    return err;
}
