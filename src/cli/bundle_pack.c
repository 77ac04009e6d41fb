/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bundle_pack.h"

#include "base/names.h"
#include "cli/bundle_words.h"
#include "config.h"
#include "io/data.h"
#include "io/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES_MOST = 512 };

/* Files of the user, and where each is in the bundle. */
struct sources {
    struct ry_arena *arena;
    size_t n;
    struct {
        const char *real, *path;
    } at[SOURCES_MOST];
};

static enum ry_err no_memory(const char *where, struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, where, "out of memory");
}

static enum ry_err real_path(struct ry_arena *arena, const char *path, const char **real,
                             struct ry_diag *diag)
{
    char *resolved = realpath(path, NULL);

    if (!resolved)
        return ry_fail(diag, RY_ERR_NOTFOUND, path, "%s", strerror(errno));
    *real = ry_strdup(arena, resolved);
    free(resolved);
    return *real ? RY_OK : no_memory(path, diag);
}

/* A path that no other file has: "in/a.json", else "in/2/a.json". */
static const char *free_path(struct sources *s, const char *name)
{
    const char *path = ry_strfmt(s->arena, "in/%s", name);

    for (size_t i = 0; i < s->n && path; i++)
        if (strcmp(s->at[i].path, path) == 0)
            return ry_strfmt(s->arena, "in/%zu/%s", s->n + 1, name);
    return path;
}

/* @p path NULL: any; set to where it is, also when it was there already. */
static enum ry_err add_source(struct sources *s, const char *real, const char **path,
                              struct ry_diag *diag)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->at[i].real, real) == 0 &&
            (!*path || strcmp(s->at[i].path, *path) == 0)) {
            *path = s->at[i].path;
            return RY_OK;
        }
    }
    if (s->n == SOURCES_MOST)
        return ry_fail(diag, RY_ERR_RANGE, real, "more than %d files", SOURCES_MOST);
    if (!*path)
        *path = free_path(s, ry_base_name(real));
    if (!*path)
        return no_memory(real, diag);
    s->at[s->n].real = real;
    s->at[s->n++].path = *path;
    return RY_OK;
}

/* A model that a workload names by a path beside it, or NULL. */
static enum ry_err model_beside(struct sources *s, const char *real, struct ry_json at,
                                const char **model, struct ry_diag *diag)
{
    const char *name = ry_json_type(at) == RY_JSON_TEXT ? ry_json_as_text(at, "") : "";
    const char *path =
        ry_strfmt(s->arena, "%.*s%s", (int)(ry_base_name(real) - real), real, name);

    *model = NULL;
    if (name[0] == '/')
        return ry_fail(
            diag, RY_ERR_USAGE, real,
            "names its model by an absolute path; a bundle needs a relative one");
    if (!path)
        return no_memory(real, diag);
    return name[0] != '\0' && ry_file_exists(path)
               ? real_path(s->arena, path, model, diag)
               : RY_OK;
}

enum { MODELS_MOST = 32 };

/* Models of a design or workload, also those of {"any": [...]}. */
static enum ry_err models_of(struct sources *s, const char *real, const char *models[],
                             size_t *n, struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(s->arena, struct ry_problems, 1);
    struct ry_json root;

    *n = 0;
    if (!problems)
        return no_memory(real, diag);
    if (ry_json_open(s->arena, real, problems, &root) != RY_OK)
        return RY_OK; /* its command says what is wrong with it, or it is a CSV */
    const struct ry_json own = ry_json_get(root, "workload");
    const struct ry_json model =
        ry_json_get(ry_json_type(own) == RY_JSON_OBJECT ? own : root, "model");
    const struct ry_json any = ry_json_get(model, "any");
    for (size_t i = 0; i <= ry_json_size(any) && *n < MODELS_MOST; i++) {
        const struct ry_json one = i < ry_json_size(any) ? ry_json_at(any, i) : model;
        RY_TRY(model_beside(s, real, one, &models[*n], diag));
        *n += models[*n] != NULL;
    }
    return RY_OK;
}

/* Bytes of the folder, with its slash, that both are below. */
static size_t shared_folder(const char *first, size_t common, const char *path)
{
    while (common > 0 && strncmp(first, path, common) != 0) {
        common--;
        while (common > 0 && first[common - 1] != '/')
            common--;
    }
    return common;
}

/* A file, with the models that it names: they keep their places to each other. */
static enum ry_err add_file(struct sources *s, const char *typed, const char **path,
                            struct ry_diag *diag)
{
    const char *models[MODELS_MOST + 1];
    const char *real = NULL;
    size_t n = 0;

    RY_TRY(real_path(s->arena, typed, &real, diag));
    RY_TRY(models_of(s, real, models, &n, diag));
    size_t common = (size_t)(ry_base_name(real) - real);
    for (size_t i = 0; i < n; i++)
        common = shared_folder(real, common, models[i]);
    const size_t group = s->n + 1;
    *path = n > 0 ? ry_strfmt(s->arena, "in/%zu/%s", group, real + common) : NULL;
    RY_TRY(add_source(s, real, path, diag));
    for (size_t i = 0; i < n; i++) {
        const char *its = ry_strfmt(s->arena, "in/%zu/%s", group, models[i] + common);
        if (!its)
            return no_memory(real, diag);
        RY_TRY(add_source(s, models[i], &its, diag));
    }
    return RY_OK;
}

/* A folder of the user's own catalog. */
static enum ry_err add_folder(struct sources *s, const char *typed, const char **path,
                              struct ry_diag *diag)
{
    struct ry_file_names names = {0};
    const char *real = NULL;

    RY_TRY(real_path(s->arena, typed, &real, diag));
    RY_TRY(ry_folder_list(s->arena, real, ".csv", &names, diag));
    *path = ry_strfmt(s->arena, "in/%zu-%s", s->n + 1, ry_base_name(real));
    for (size_t i = 0; i < names.n && *path; i++) {
        const char *from = ry_strfmt(s->arena, "%s/%s", real, names.at[i]);
        const char *its = ry_strfmt(s->arena, "%s/%s", *path, names.at[i]);
        if (!from || !its)
            return no_memory(typed, diag);
        RY_TRY(add_source(s, from, &its, diag));
    }
    return *path ? RY_OK : no_memory(typed, diag);
}

/* The words again, with paths of the bundle. */
static enum ry_err gather(struct sources *s, size_t n,
                          const struct ry_bundle_word words[], struct ry_bundle *bundle,
                          struct ry_diag *diag)
{
    for (size_t i = 0; i < n; i++) {
        const char *typed = words[i].text + words[i].value_from;
        const char *path = NULL;
        bundle->arguments[bundle->arguments_n++] = words[i].text;
        if (!words[i].is_file)
            continue;
        RY_TRY(ry_folder_exists(typed) ? add_folder(s, typed, &path, diag)
                                       : add_file(s, typed, &path, diag));
        bundle->arguments[i] =
            ry_strfmt(s->arena, "%.*s%s", (int)words[i].value_from, words[i].text, path);
        if (!bundle->arguments[i])
            return no_memory(typed, diag);
    }
    return RY_OK;
}

static enum ry_err add_text(struct ry_arena *arena, struct ry_bundle *bundle,
                            const char *from, const char *path, struct ry_diag *diag)
{
    struct ry_text text;

    if (!path)
        return no_memory(from, diag);
    RY_TRY(ry_file_read(arena, from, RY_BUNDLE_BYTES_MOST, &text, diag));
    return ry_bundle_add(bundle, path, text, diag);
}

/* What is installed and may be read by a plan. */
static const struct {
    const char *folder, *suffix;
} data[] = {{"catalog", ".csv"},
            {"models", ".json"},
            {"models/comm", ".json"},
            {"models/compute", ".json"},
            {"models/compute/parts", ".json"},
            {"models/traits", ".json"},
            {"models/llm", ".json"}};

static enum ry_err add_data_folder(struct ry_arena *arena, struct ry_bundle *bundle,
                                   const char *name, const char *suffix,
                                   struct ry_diag *diag)
{
    const char *folder = ry_data_path(arena, name);
    struct ry_file_names names = {0};

    if (!folder)
        return no_memory(name, diag);
    RY_TRY(ry_folder_list(arena, folder, suffix, &names, diag));
    for (size_t i = 0; i < names.n; i++) {
        const char *from = ry_strfmt(arena, "%s/%s", folder, names.at[i]);
        const char *path = ry_strfmt(arena, "%s/%s", name, names.at[i]);
        if (!from || !path)
            return no_memory(name, diag);
        RY_TRY(add_text(arena, bundle, from, path, diag));
    }
    return RY_OK;
}

static enum ry_err add_data(struct ry_arena *arena, struct ry_bundle *bundle,
                            struct ry_diag *diag)
{
    for (size_t k = 0; k < sizeof(data) / sizeof(data[0]); k++)
        RY_TRY(add_data_folder(arena, bundle, data[k].folder, data[k].suffix, diag));
    return RY_OK;
}

/* The page of a report; its type is no text and is left out, its charts may be
 * missing. */
static enum ry_err add_page(struct ry_arena *arena, struct ry_bundle *bundle,
                            struct ry_diag *diag)
{
    static const char *const parts[] = {"share/report/page.css", "share/report/page.html",
                                        "share/report/page.js",
                                        "share/report/vendor/charts.js"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const char *from = ry_data_path(arena, parts[i]);
        if (from && ry_file_exists(from))
            RY_TRY(add_text(arena, bundle, from, parts[i], diag));
    }
    return RY_OK;
}

/* A report says its day, which would be another one the next time. */
static enum ry_err check_date(size_t n, const char *const words[], struct ry_diag *diag)
{
    bool dated = strcmp(words[0], "report") != 0;

    for (size_t i = 0; i < n; i++)
        dated = dated || strncmp(words[i], "--date", 6) == 0;
    return dated ? RY_OK
                 : ry_fail(diag, RY_ERR_USAGE, "bundle",
                           "a report needs --date DAY, so that it is the same again");
}

enum ry_err ry_bundle_pack(struct ry_arena *arena, size_t n, const char *const words[],
                           struct ry_bundle *bundle, struct ry_diag *diag)
{
    struct ry_bundle_word sorted[RY_BUNDLE_ARGUMENTS_MOST] = {{0}};
    struct sources sources = {.arena = arena};

    *bundle = (struct ry_bundle){
        .version = PACKAGE_VERSION,
        .files = RY_NEW(arena, struct ry_bundle_file, RY_BUNDLE_FILES_MOST)};
    if (!bundle->files)
        return no_memory("bundle", diag);
    RY_TRY(ry_bundle_words(n, words, sorted, diag));
    RY_TRY(check_date(n, words, diag));
    RY_TRY(gather(&sources, n, sorted, bundle, diag));
    for (size_t i = 0; i < sources.n; i++)
        RY_TRY(add_text(arena, bundle, sources.at[i].real, sources.at[i].path, diag));
    RY_TRY(add_data(arena, bundle, diag));
    if (strcmp(words[0], "report") == 0)
        RY_TRY(add_page(arena, bundle, diag));
    return ry_bundle_sort(bundle, diag);
}
