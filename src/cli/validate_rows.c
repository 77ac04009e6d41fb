/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/validate_rows.h"

#include "base/names.h"
#include "cli/progress.h"
#include "io/corrections.h"
#include "io/data.h"
#include "io/run_machine.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MOST = 256 };

struct ry_validation {
    struct ry_arena *arena;
    struct ry_problems *problems;
    struct ry_presets presets;
    struct ry_run_parts *parts;
    bool untuned;
    size_t files;
    struct ry_run_file file[FILES_MOST];
    enum ry_ablation ablation;
    struct ry_compute_model scratch; /**< without the term that is switched off */
    struct ry_corrections corrections;
    size_t n;
    struct ry_check *check;
};

enum ry_err ry_validation_open(struct ry_arena *arena, bool untuned,
                               struct ry_problems *problems,
                               struct ry_validation **validation)
{
    struct ry_validation *v = RY_NEW(arena, struct ry_validation, 1);
    if (v == NULL)
        return RY_ERR_NOMEM;
    v->arena = arena;
    v->problems = problems;
    v->untuned = untuned;
    *validation = v;
    RY_TRY(ry_presets_read(arena, problems, &v->presets));
    return ry_run_parts_read(arena, untuned, problems, &v->parts);
}

static enum ry_err add_file(struct ry_validation *v, const char *path, bool alone,
                            struct ry_diag *diag)
{
    if (v->files == FILES_MOST)
        return ry_fail(diag, RY_ERR_RANGE, path, "more than %d files", FILES_MOST);
    const enum ry_err err =
        ry_run_file_read(v->arena, path, v->problems, &v->file[v->files]);
    if (err == RY_ERR_NOTFOUND && v->problems->count == 0) {
        if (alone)
            return ry_fail(diag, RY_ERR_SYNTAX, path,
                           "neither published rows nor train steps");
        return RY_OK;
    }
    RY_TRY(err);
    v->files++;
    return RY_OK;
}

/** Folders that are still to be read: the given one and what is below it. */
struct folders {
    size_t n;
    const char *at[FILES_MOST];
};

static bool is_json(const char *name)
{
    const size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

static enum ry_err add_folder(struct ry_validation *v, const char *path,
                              struct folders *below, struct ry_diag *diag)
{
    const char *fixes = ry_strfmt(v->arena, "%s/data_corrections.json", path);
    struct ry_file_names names;
    struct stat info;
    if (fixes == NULL)
        return RY_ERR_NOMEM;
    RY_TRY(ry_corrections_read(v->arena, fixes, v->problems, &v->corrections));
    RY_TRY(ry_folder_list(v->arena, path, "", &names, diag));
    for (size_t i = 0; i < names.n; i++) {
        const char *whole = ry_strfmt(v->arena, "%s/%s", path, names.at[i]);
        if (whole == NULL)
            return RY_ERR_NOMEM;
        /* a link to a folder is not followed: it may lead back */
        if (lstat(whole, &info) == 0 && S_ISDIR(info.st_mode)) {
            if (below->n == FILES_MOST)
                return ry_fail(diag, RY_ERR_RANGE, path, "more than %d folders",
                               FILES_MOST);
            below->at[below->n++] = whole;
        } else if (is_json(whole)) {
            RY_TRY(add_file(v, whole, false, diag));
        }
    }
    return RY_OK;
}

enum ry_err ry_validation_add(struct ry_validation *v, const char *path,
                              struct ry_diag *diag)
{
    struct folders left = {1, {path}};
    struct stat info;
    if (stat(path, &info) != 0)
        return ry_fail(diag, RY_ERR_NOTFOUND, path, "no such file or folder");
    if (!S_ISDIR(info.st_mode))
        return add_file(v, path, true, diag);
    for (size_t i = 0; i < left.n; i++)
        RY_TRY(add_folder(v, left.at[i], &left, diag));
    return RY_OK;
}

size_t ry_validation_files(const struct ry_validation *v)
{
    return v->files;
}

static void ablate_traits(const void *context, struct ry_traits *traits)
{
    const struct ry_validation *v = context;
    struct ry_compute_model unused = {0};
    ry_ablate(v->ablation, &unused, traits);
}

static struct ry_resolve_how how_of(const struct ry_validation *v)
{
    return (struct ry_resolve_how){.presets = &v->presets,
                                   .untuned = v->untuned,
                                   .change = ablate_traits,
                                   .context = v};
}

/** The error of a row once what its table got wrong is put right. */
static double corrected_error(struct ry_validation *v, const struct ry_check *c,
                              const struct ry_machine *machine)
{
    const struct ry_correction *fix = ry_correction_of(
        &v->corrections, ry_base_name(v->file[c->file].path), c->run->id);
    if (fix == NULL)
        return c->error;
    const double measured_s =
        isfinite(fix->step_time_s) ? fix->step_time_s : c->measured->step_time_s;
    struct ry_job run = *c->run;
    struct ry_resolved again;
    if (fix->no_recompute)
        run.strategy.recompute = RY_RECOMPUTE_NONE;
    if (fix->nvfp4)
        run.strategy.precision = RY_TRAIN_NVFP4;
    if (fix->micro_batch > 0)
        run.strategy.micro_batch = fix->micro_batch;
    const struct ry_resolve_how how = how_of(v);
    ry_run_resolve(v->arena, &how, &run, machine, &again);
    return again.skip == NULL ? again.step.step_time_s / measured_s - 1 : c->error;
}

static void check_row(struct ry_validation *v, size_t file, size_t i)
{
    struct ry_check *c = &v->check[v->n++];
    struct ry_machine machine = {0};
    struct ry_diag diag = {0};
    c->run = &v->file[file].run[i];
    c->measured = &v->file[file].measured[i];
    c->file = file;
    c->error = NAN;
    if (c->run->skip == NULL &&
        ry_run_machine(v->arena, v->parts, c->run, &machine, &diag) != RY_OK) {
        c->predicted.skip = ry_strdup(v->arena, diag.text);
        return;
    }
    const struct ry_resolve_how how = how_of(v);
    if (v->ablation != RY_ABLATE_NONE && machine.compute != NULL) {
        struct ry_traits unused = {0};
        v->scratch = *machine.compute;
        ry_ablate(v->ablation, &v->scratch, &unused);
        machine.compute = &v->scratch;
    }
    ry_run_resolve(v->arena, &how, c->run, &machine, &c->predicted);
    if (c->predicted.skip == NULL)
        c->error = c->predicted.step.step_time_s / c->measured->step_time_s - 1;
    c->corrected_error =
        c->predicted.skip == NULL ? corrected_error(v, c, &machine) : (double)NAN;
}

enum ry_err ry_validation_run(struct ry_validation *v, enum ry_ablation ablation,
                              bool quiet, struct ry_checks *checks)
{
    size_t rows = 0;
    for (size_t f = 0; f < v->files; f++)
        rows += v->file[f].n;
    v->ablation = ablation;
    v->n = 0;
    v->check = RY_NEW(v->arena, struct ry_check, rows + 1);
    if (v->check == NULL)
        return RY_ERR_NOMEM;
    struct ry_progress progress = ry_progress_start("rows", quiet);
    for (size_t f = 0, done = 0; f < v->files; f++) {
        for (size_t i = 0; i < v->file[f].n; i++) {
            check_row(v, f, i);
            ry_progress_show(&progress, ++done, rows);
        }
    }
    (void)ry_progress_end(&progress);
    *checks = (struct ry_checks){v->files, v->file, v->n, v->check};
    return RY_OK;
}

const struct ry_presets *ry_validation_presets(const struct ry_validation *v)
{
    return &v->presets;
}
