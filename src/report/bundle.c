/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/bundle.h"

#include "base/names.h"
#include "io/json.h"
#include "io/problems_print.h"
#include "report/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char schema[] = "railyard-bundle/1";

static bool plain_part(const char *part, size_t bytes)
{
    if (bytes == 0 || (bytes == 1 && part[0] == '.') ||
        (bytes == 2 && part[0] == '.' && part[1] == '.'))
        return false;
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)part[i] < 0x20 || part[i] == 0x7f || part[i] == '\\')
            return false;
    return true;
}

bool ry_bundle_path_ok(const char *path)
{
    static const char *const roots[] = {"in", "catalog", "models", "share"};
    const size_t first = strcspn(path, "/");
    bool known = false;

    for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
        known =
            known || (strlen(roots[i]) == first && strncmp(path, roots[i], first) == 0);
    if (!known || path[first] != '/' || strlen(path) > 1000)
        return false;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (!plain_part(at, strcspn(at, "/")))
            return false;
    }
    return true;
}

static bool is_text(struct ry_text text)
{
    for (size_t i = 0; i < text.bytes;) {
        const size_t bytes = ry_utf8_bytes(text.data + i, text.bytes - i);
        if (bytes == 0 || text.data[i] == '\0')
            return false;
        i += bytes;
    }
    return true;
}

enum ry_err ry_bundle_add(struct ry_bundle *bundle, const char *path, struct ry_text text,
                          struct ry_diag *diag)
{
    size_t bytes = text.bytes;

    for (size_t i = 0; i < bundle->files_n; i++)
        bytes += bundle->files[i].text.bytes;
    if (!ry_bundle_path_ok(path))
        return ry_fail(diag, RY_ERR_RANGE, path, "is no path of a bundle");
    if (bundle->files_n == RY_BUNDLE_FILES_MOST || bytes > RY_BUNDLE_BYTES_MOST)
        return ry_fail(diag, RY_ERR_RANGE, path,
                       "a bundle has at most %d files and %d MiB", RY_BUNDLE_FILES_MOST,
                       RY_BUNDLE_BYTES_MOST >> 20);
    if (!is_text(text))
        return ry_fail(diag, RY_ERR_SYNTAX, path, "is not text in UTF-8");
    struct ry_bundle_file *file = &bundle->files[bundle->files_n++];
    *file = (struct ry_bundle_file){.path = path, .text = text};
    ry_sha256(text.data, text.bytes, file->sha256);
    return RY_OK;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct ry_bundle_file *)a)->path,
                  ((const struct ry_bundle_file *)b)->path);
}

enum ry_err ry_bundle_sort(struct ry_bundle *bundle, struct ry_diag *diag)
{
    qsort(bundle->files, bundle->files_n, sizeof(bundle->files[0]), by_path);
    for (size_t i = 1; i < bundle->files_n; i++)
        if (strcmp(bundle->files[i - 1].path, bundle->files[i].path) == 0)
            return ry_fail(diag, RY_ERR_RANGE, bundle->files[i].path, "is there twice");
    return RY_OK;
}

void ry_bundle_write(const struct ry_bundle *bundle, FILE *out)
{
    (void)fprintf(out, "{\n  \"schema\": \"%s\",\n  \"version\": ", schema);
    ry_json_put_text(out, bundle->version);
    (void)fputs(",\n  \"arguments\": [", out);
    for (size_t i = 0; i < bundle->arguments_n; i++) {
        (void)fputs(i ? ", " : "", out);
        ry_json_put_text(out, bundle->arguments[i]);
    }
    (void)fprintf(out, "],\n  \"status\": %d,\n  \"output\": ", bundle->status);
    ry_json_put_text(out, bundle->output.data);
    (void)fputs(",\n  \"files\": [", out);
    for (size_t i = 0; i < bundle->files_n; i++) {
        const struct ry_bundle_file *file = &bundle->files[i];
        (void)fputs(i ? ",\n    {\"path\": " : "\n    {\"path\": ", out);
        ry_json_put_text(out, file->path);
        (void)fprintf(out, ", \"sha256\": \"%s\", \"text\": ", file->sha256);
        ry_json_put_text(out, file->text.data);
        (void)fputs("}", out);
    }
    (void)fputs("\n  ]\n}\n", out);
}

static struct ry_text text_of(struct ry_json at, const char *key)
{
    const char *text = ry_json_as_text(ry_json_need(at, key), "");

    return (struct ry_text){text, strlen(text)};
}

static void read_arguments(struct ry_json at, struct ry_bundle *bundle)
{
    if (!ry_json_expect(at, RY_JSON_LIST))
        return;
    if (ry_json_size(at) == 0 || ry_json_size(at) > RY_BUNDLE_ARGUMENTS_MOST)
        ry_json_problem(at, RY_ERR_RANGE, "%zu arguments, 1 to %d", ry_json_size(at),
                        RY_BUNDLE_ARGUMENTS_MOST);
    for (size_t i = 0; i < ry_json_size(at) && i < RY_BUNDLE_ARGUMENTS_MOST; i++)
        bundle->arguments[bundle->arguments_n++] = ry_json_as_text(ry_json_at(at, i), "");
}

static void read_file(struct ry_json at, struct ry_bundle *bundle)
{
    static const char *const known[] = {"path", "sha256", "text", NULL};
    struct ry_diag diag = {0};

    if (!ry_json_expect(at, RY_JSON_OBJECT))
        return;
    ry_json_known_keys(at, known);
    const char *path = ry_json_as_text(ry_json_need(at, "path"), "");
    const char *sha256 = ry_json_as_text(ry_json_need(at, "sha256"), "");
    const enum ry_err err = ry_bundle_add(bundle, path, text_of(at, "text"), &diag);
    if (err != RY_OK)
        ry_json_problem(at, err, "%s: %s", diag.where, diag.text);
    else if (strcmp(bundle->files[bundle->files_n - 1].sha256, sha256) != 0)
        ry_json_problem(ry_json_get(at, "sha256"), RY_ERR_RANGE,
                        "the text of %.60s has another digest: it was changed", path);
}

static void read_root(struct ry_json root, struct ry_bundle *bundle)
{
    static const char *const known[] = {"schema", "version", "arguments", "status",
                                        "output", "files",   NULL};
    const struct ry_json files = ry_json_need(root, "files");
    const struct ry_json its = ry_json_need(root, "schema");

    ry_json_known_keys(root, known);
    if (strcmp(ry_json_as_text(its, schema), schema) != 0)
        ry_json_problem(its, RY_ERR_SYNTAX, "is not \"%s\"", schema);
    bundle->version = ry_json_as_text(ry_json_need(root, "version"), "");
    bundle->status = (int)ry_json_count(root, "status", (struct ry_json_bounds){0, 4}, 0);
    bundle->output = text_of(root, "output");
    read_arguments(ry_json_need(root, "arguments"), bundle);
    for (size_t i = 0; ry_json_expect(files, RY_JSON_LIST) && i < ry_json_size(files) &&
                       i <= RY_BUNDLE_FILES_MOST;
         i++)
        read_file(ry_json_at(files, i), bundle);
}

enum ry_err ry_bundle_read(struct ry_arena *arena, const char *path,
                           struct ry_bundle *bundle, struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_json root;

    *bundle = (struct ry_bundle){
        .files = RY_NEW(arena, struct ry_bundle_file, RY_BUNDLE_FILES_MOST)};
    if (!problems || !bundle->files)
        return ry_fail(diag, RY_ERR_NOMEM, path, "out of memory");
    if (ry_json_open(arena, path, problems, &root) != RY_OK)
        return ry_problems_print(problems, diag);
    if (ry_json_expect(root, RY_JSON_OBJECT))
        read_root(root, bundle);
    RY_TRY(ry_problems_print(problems, diag));
    return ry_bundle_sort(bundle, diag);
}

static enum ry_err make_folders(char *path, struct ry_diag *diag)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const int made = mkdir(path, 0700);
        const int cause = errno;
        if (made != 0 && cause != EEXIST)
            return ry_fail(diag, RY_ERR_IO, path, "cannot make the folder: %s",
                           strerror(cause));
        *slash = '/';
    }
    return RY_OK;
}

enum ry_err ry_bundle_unpack(struct ry_arena *arena, const struct ry_bundle *bundle,
                             const char *folder, struct ry_diag *diag)
{
    for (size_t i = 0; i < bundle->files_n; i++) {
        const struct ry_bundle_file *file = &bundle->files[i];
        char *path = ry_strfmt(arena, "%s/%s", folder, file->path);
        if (!path)
            return ry_fail(diag, RY_ERR_NOMEM, folder, "out of memory");
        RY_TRY(make_folders(path, diag));
        FILE *out = fopen(path, "wx");
        const bool written =
            out && fwrite(file->text.data, 1, file->text.bytes, out) == file->text.bytes;
        if ((out && fclose(out) != 0) || !written)
            return ry_fail(diag, RY_ERR_IO, path, "cannot write it");
    }
    return RY_OK;
}
