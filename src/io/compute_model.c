/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compute_model.h"

#include "base/names.h"
#include "io/data.h"
#include "io/file.h"
#include "io/json.h"

#include <math.h>
#include <string.h>

static const char *const model_keys[] = {"schema",   "gpu",        "note", "sources",
                                         "accuracy", "parameters", NULL};
static const char *const part_keys[] = {"schema", "gpu",   "note",     "benchmark_names",
                                        "base",   "widen", "measured", "parameters",
                                        "after",  NULL};
static const char *const param_keys[] = {"value", "times",   "sigma_rel", "origin",
                                         "from",  "untuned", NULL};

static const char *param_name(const void *context, size_t i)
{
    (void)context;
    return i < ry_param_count() ? ry_param_at(i).name : NULL;
}

/* "gemm.*.burst": a star stands for any letters. */
static bool matches(const char *pattern, const char *name)
{
    const char *star = strchr(pattern, '*');
    const size_t head = star ? (size_t)(star - pattern) : 0;
    const size_t tail = star ? strlen(star + 1) : 0;

    if (!star)
        return strcmp(pattern, name) == 0;
    return strlen(name) >= head + tail && strncmp(pattern, name, head) == 0 &&
           strcmp(star + 1, name + strlen(name) - tail) == 0;
}

static enum ry_origin origin_of(struct ry_json at)
{
    const struct ry_json where = ry_json_get(at, "origin");
    const char *name = ry_json_as_text(where, "assumed");
    const enum ry_origin origin = ry_origin_find(name);

    if (origin != RY_ORIGINS)
        return origin;
    ry_json_problem(where, RY_ERR_NOTFOUND,
                    "'%s': assumed, catalog, fit, published, scaled or tuned_on", name);
    return RY_ORIGIN_ASSUMED;
}

static void read_param(struct ry_json at, size_t i, struct ry_compute_file *file)
{
    const struct ry_param param = ry_param_at(i);
    const double old = ry_param_get(&file->model, i);
    const double value = ry_json_has(at, "times") ? old * ry_json_number(at, "times", 1.0)
                                                  : ry_json_number(at, "value", old);

    if (!(value >= param.least && value <= param.most)) {
        ry_json_problem(at, RY_ERR_RANGE, "%s %g is outside %g to %g", param.name, value,
                        param.least, param.most);
        return;
    }
    ry_param_set(&file->model, i, value);
    file->info[i] = (struct ry_param_info){
        .sigma_rel = ry_json_number(at, "sigma_rel", file->info[i].sigma_rel),
        .origin = origin_of(at),
        .from = ry_json_text(at, "from", NULL),
        .untuned = ry_json_number(at, "untuned", (double)NAN),
    };
}

static void read_params(struct ry_json list, struct ry_compute_file *file)
{
    for (size_t k = 0; k < ry_json_size(list); k++) {
        const struct ry_json at = ry_json_at(list, k);
        size_t found = 0;

        ry_json_known_keys(at, param_keys);
        for (size_t i = 0; i < ry_param_count(); i++) {
            if (!matches(ry_json_key(at), ry_param_at(i).name))
                continue;
            read_param(at, i, file);
            found++;
        }
        if (found > 0)
            continue;
        const size_t near = ry_name_nearest(ry_json_key(at), param_name, NULL);
        ry_json_problem(at, RY_ERR_NOTFOUND, "no such parameter%s%s",
                        near == (size_t)-1 ? "" : "; did you mean ",
                        near == (size_t)-1 ? "" : ry_param_at(near).name);
    }
}

static enum ry_err start(struct ry_arena *arena, struct ry_compute_file *file)
{
    *file = (struct ry_compute_file){.model = ry_compute_model_default()};
    file->info = RY_NEW(arena, struct ry_param_info, ry_param_count());
    if (!file->info)
        return RY_ERR_NOMEM;
    for (size_t i = 0; i < ry_param_count(); i++)
        file->info[i] = (struct ry_param_info){ry_param_at(i).sigma_rel,
                                               RY_ORIGIN_ASSUMED, NULL, (double)NAN};
    return RY_OK;
}

/* No product may beat the data sheet, whatever a calibration says. */
static void check(struct ry_json root, const struct ry_compute_model *model)
{
    bool any = false;

    for (int p = 0; p < RY_PRECISIONS; p++) {
        const double rate = model->gemm[p].rate_flop_per_s;

        any = any || rate > 0.0;
        if (rate > model->peak_flop_per_s[p] * 1.001)
            ry_json_problem(root, RY_ERR_RANGE,
                            "%s products at %g FLOP/s are above the data sheet's %g",
                            ry_precision_name((enum ry_precision)p), rate,
                            model->peak_flop_per_s[p]);
    }
    if (!any)
        ry_json_problem(root, RY_ERR_RANGE, "no precision has a rate of products");
}

static void expect_schema(struct ry_json root, const char *wanted)
{
    const struct ry_json at = ry_json_need(root, "schema");

    if (ry_json_type(root) != RY_JSON_OBJECT)
        ry_json_problem(root, RY_ERR_SYNTAX, "is not an object of schema %s", wanted);
    else if (strcmp(ry_json_as_text(at, wanted), wanted) != 0)
        ry_json_problem(at, RY_ERR_SYNTAX, "'%s' is not \"%s\"", ry_json_as_text(at, ""),
                        wanted);
}

enum ry_err ry_compute_model_read(struct ry_arena *arena, const char *path,
                                  struct ry_problems *problems,
                                  struct ry_compute_file *file)
{
    const size_t before = problems->count;
    struct ry_json root;

    RY_TRY(start(arena, file));
    RY_TRY(ry_json_open(arena, path, problems, &root));
    expect_schema(root, "railyard-compute-model/1");
    ry_json_known_keys(root, model_keys);
    file->gpu = ry_json_as_text(ry_json_need(root, "gpu"), "");
    file->note = ry_json_text(root, "note", NULL);
    read_params(ry_json_need(root, "parameters"), file);
    check(root, &file->model);
    return ry_problems_since(problems, before);
}

static enum ry_err no_memory(struct ry_problems *problems, const char *where)
{
    ry_problem(problems, RY_ERR_NOMEM, where, "out of memory");
    return RY_ERR_NOMEM;
}

/* The names of a folder of the data; none where there is no such folder. */
static enum ry_err list_folder(struct ry_arena *arena, const char *folder,
                               struct ry_problems *problems, struct ry_file_names *names,
                               const char **path)
{
    struct ry_diag diag = {0};

    *path = ry_data_path(arena, folder);
    if (!*path)
        return no_memory(problems, folder);
    const enum ry_err err = ry_folder_list(arena, *path, ".json", names, &diag);
    if (err == RY_OK || err == RY_ERR_NOTFOUND)
        return RY_OK;
    ry_problem_diag(problems, &diag);
    return err;
}

static const char *known_name(const void *context, size_t i)
{
    const struct ry_file_names *names = context;

    return i < names->n ? names->at[i] : NULL;
}

enum ry_err ry_compute_model_load(struct ry_arena *arena, const char *gpu,
                                  struct ry_problems *problems,
                                  struct ry_compute_file *file)
{
    struct ry_file_names names = {0};
    const char *folder = NULL;
    const char *wanted = ry_strfmt(arena, "%s.json", gpu);

    if (!wanted)
        return no_memory(problems, gpu);
    RY_TRY(list_folder(arena, "models/compute", problems, &names, &folder));
    for (size_t i = 0; i < names.n; i++) {
        if (!ry_name_eq(names.at[i], wanted))
            continue;
        const char *path = ry_strfmt(arena, "%s/%s", folder, names.at[i]);
        return path ? ry_compute_model_read(arena, path, problems, file)
                    : no_memory(problems, gpu);
    }
    const size_t near = ry_name_nearest(wanted, known_name, &names);
    if (near == (size_t)-1)
        ry_problem(problems, RY_ERR_NOTFOUND, gpu,
                   "no compute model of this GPU in models/compute");
    else
        ry_problem(problems, RY_ERR_NOTFOUND, gpu,
                   "no compute model of this GPU; the nearest is %.*s",
                   (int)strlen(names.at[near]) - 5, names.at[near]);
    return RY_ERR_NOTFOUND;
}

/* What a sibling's model says is less certain for another part. */
static enum ry_err read_base(struct ry_arena *arena, struct ry_json root,
                             struct ry_problems *problems, struct ry_compute_file *file)
{
    const char *base = ry_json_text(root, "base", NULL);
    const double widen = ry_json_number(root, "widen", 1.5);

    if (!base)
        return RY_OK;
    RY_TRY(ry_compute_model_load(arena, base, problems, file));
    for (size_t i = 0; i < ry_param_count(); i++) {
        struct ry_param_info *info = &file->info[i];

        info->sigma_rel *= widen;
        if (info->origin == RY_ORIGIN_FIT || info->origin == RY_ORIGIN_PUBLISHED ||
            info->origin == RY_ORIGIN_SCALED) {
            info->origin = RY_ORIGIN_SCALED;
            info->from = ry_strfmt(arena, "as %s", base);
        }
    }
    return RY_OK;
}

static size_t read_names(struct ry_json list, const char *out[], size_t most)
{
    size_t n = 0;

    if (ry_json_size(list) > most)
        ry_json_problem(list, RY_ERR_RANGE, "%zu values, at most %zu", ry_json_size(list),
                        most);
    for (size_t i = 0; i < ry_json_size(list) && n < most; i++)
        out[n++] = ry_json_as_text(ry_json_at(list, i), "");
    return n;
}

enum ry_err ry_compute_part_read(struct ry_arena *arena, const char *path,
                                 struct ry_problems *problems,
                                 struct ry_compute_part *part)
{
    const size_t before = problems->count;
    struct ry_json root;

    RY_TRY(start(arena, &part->start));
    RY_TRY(ry_json_open(arena, path, problems, &root));
    expect_schema(root, "railyard-compute-part/1");
    ry_json_known_keys(root, part_keys);
    RY_TRY(read_base(arena, root, problems, &part->start));
    part->start.gpu = ry_json_as_text(ry_json_need(root, "gpu"), "");
    part->start.note = ry_json_text(root, "note", NULL);
    part->names = read_names(ry_json_get(root, "benchmark_names"), part->benchmark_names,
                             RY_PART_NAMES_MOST);
    part->files =
        read_names(ry_json_get(root, "measured"), part->measured, RY_KERNEL_SOURCES_MOST);
    read_params(ry_json_need(root, "parameters"), &part->start);
    part->after = ry_json_get(root, "after");
    return ry_problems_since(problems, before);
}

void ry_compute_part_finish(struct ry_compute_part *part)
{
    read_params(part->after, &part->start);
}

enum ry_err ry_compute_part_find(struct ry_arena *arena, const char *name,
                                 struct ry_problems *problems,
                                 struct ry_compute_part *part)
{
    struct ry_file_names names = {0};
    const char *folder = NULL;

    RY_TRY(list_folder(arena, "models/compute/parts", problems, &names, &folder));
    for (size_t i = 0; i < names.n; i++) {
        const char *path = ry_strfmt(arena, "%s/%s", folder, names.at[i]);

        if (!path)
            return no_memory(problems, name);
        RY_TRY(ry_compute_part_read(arena, path, problems, part));
        for (size_t k = 0; k < part->names; k++)
            if (ry_name_eq(part->benchmark_names[k], name))
                return RY_OK;
    }
    ry_problem(problems, RY_ERR_NOTFOUND, name,
               "no part in models/compute/parts has this benchmark name; give --part");
    return RY_ERR_NOTFOUND;
}
