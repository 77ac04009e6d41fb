/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/collective_input.h"

#include "base/names.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUNS_MOST = 512, NOTES_MOST = 256 };

/* What the whole reading shares. */
struct reading {
    struct ry_arena *arena;
    const struct ry_input_rules *rules;
    struct ry_collective_input *input;
};

static void note(struct reading *reading, const char *text)
{
    if (text && reading->input->notes < NOTES_MOST)
        reading->input->note[reading->input->notes++] = text;
}

/* The half that is fitted: out of place, or in place where there is nothing else. */
static enum ry_bench_place wanted_place(const struct ry_bench_run *run)
{
    for (size_t i = 0; i < run->n_rows; i++)
        if (run->rows[i].valid && run->rows[i].place != RY_PLACE_IN)
            return RY_PLACE_OUT;
    return RY_PLACE_IN;
}

static bool usable(const struct ry_bench_row *row, enum ry_bench_place place)
{
    return row->valid && row->bytes > 0.0 && row->time_s > 0.0 && isfinite(row->time_s) &&
           isfinite(row->bytes) && (place == RY_PLACE_IN) == (row->place == RY_PLACE_IN);
}

static struct ry_coll_run *find_run(struct reading *reading, size_t coll,
                                    const struct ry_bench_run *run)
{
    struct ry_collective_input *input = reading->input;
    const size_t ranks = (size_t)run->ranks;
    const size_t nodes = run->nodes >= 1.0 ? (size_t)run->nodes : 0;

    for (size_t i = 0; i < input->runs; i++) {
        struct ry_coll_run *one = &input->run[i];
        if (one->coll == (enum ry_coll)coll && one->ranks == ranks &&
            one->nodes == nodes &&
            (!reading->rules->apart || strcmp(one->file, run->file) == 0))
            return one;
    }
    if (input->runs == RUNS_MOST)
        return NULL;
    struct ry_coll_run *made = &input->run[input->runs++];
    *made = (struct ry_coll_run){.coll = (enum ry_coll)coll,
                                 .ranks = ranks,
                                 .nodes = nodes,
                                 .nodes_known = run->nodes >= 1.0,
                                 .file = run->file,
                                 .gpu = run->gpu};
    return made;
}

/* Put the rows of a run to those of its kind; two launches of one size: the lower. */
static enum ry_err add_rows(struct reading *reading, const struct ry_bench_run *run,
                            struct ry_coll_run *to, size_t *points, struct ry_diag *diag)
{
    const enum ry_bench_place place = wanted_place(run);
    struct ry_link_point *all =
        RY_NEW(reading->arena, struct ry_link_point, to->n + run->n_rows + 1);

    if (!all)
        return ry_fail(diag, RY_ERR_NOMEM, run->file, "%zu rows", run->n_rows);
    if (to->n > 0)
        memcpy(all, to->points, to->n * sizeof(*all));
    const size_t before = to->n;
    for (size_t i = 0; i < run->n_rows; i++) {
        const struct ry_bench_row *row = &run->rows[i];
        if (!usable(row, place))
            continue;
        size_t same = run->launch ? 0 : before;
        while (same < before && all[same].bytes != row->bytes)
            same++;
        if (same == before)
            all[to->n++] = (struct ry_link_point){row->bytes, row->time_s};
        else if (row->time_s < all[same].time_s)
            all[same].time_s = row->time_s;
        (*points)++;
    }
    to->points = all;
    return RY_OK;
}

static enum ry_err add_run(struct reading *reading, const struct ry_bench_run *run,
                           size_t *points, struct ry_diag *diag)
{
    const size_t coll = run->collective ? ry_coll_find(run->collective) : RY_COLLS;

    if (!run->valid)
        return ry_fail(diag, RY_ERR_NO, run->file, "refused as evidence: %s",
                       run->reason ? run->reason : "invalid run");
    if (coll == RY_COLLS) {
        note(reading, ry_strfmt(reading->arena,
                                "%s: %s is not a collective of the model, "
                                "left out",
                                run->file, run->collective ? run->collective : "a run"));
        return RY_OK;
    }
    if (!(run->ranks >= 1.0))
        return ry_fail(diag, RY_ERR_NO, run->file,
                       "the file does not say how many ranks; give --ranks");
    if (run->ranks < 2.0) {
        note(reading, ry_strfmt(reading->arena,
                                "%s: one rank communicates with nobody, "
                                "left out",
                                run->file));
        return RY_OK;
    }
    struct ry_coll_run *to = find_run(reading, coll, run);
    if (!to)
        return ry_fail(diag, RY_ERR_RANGE, run->file, "more than %d different runs",
                       RUNS_MOST);
    return add_rows(reading, run, to, points, diag);
}

static enum ry_err add_file(struct reading *reading, const char *path,
                            struct ry_diag *diag)
{
    struct ry_input_file *made = &reading->input->file[reading->input->files];
    struct ry_bench_file file;
    struct ry_text text;

    RY_TRY(ry_file_read(reading->arena, path, RY_BENCH_FILE_BYTES_MOST, &text, diag));
    RY_TRY(
        ry_bench_parse(reading->arena, path, text, &reading->rules->hints, &file, diag));
    made->path = path;
    ry_sha256(text.data, text.bytes, made->sha256);
    for (size_t i = 0; i < file.n_notes; i++)
        note(reading, ry_strfmt(reading->arena, "%s: %s", path, file.notes[i]));
    for (size_t i = 0; i < file.n_runs; i++) {
        made->gpu = made->gpu ? made->gpu : file.runs[i].gpu;
        made->nccl = made->nccl ? made->nccl : file.runs[i].nccl;
        RY_TRY(add_run(reading, &file.runs[i], &made->points, diag));
    }
    if (made->points == 0)
        return ry_fail(diag, RY_ERR_NO, path, "no usable row of a collective");
    reading->input->files++;
    return RY_OK;
}

static enum ry_err check_gpus(const struct ry_collective_input *input,
                              struct ry_diag *diag)
{
    const struct ry_input_file *first = NULL;

    for (size_t i = 0; i < input->files; i++) {
        const struct ry_input_file *file = &input->file[i];
        if (!file->gpu)
            continue;
        if (first && !ry_name_eq(first->gpu, file->gpu))
            return ry_fail(
                diag, RY_ERR_NO, file->path,
                "GPU '%.60s', but '%.60s' in %.60s: fit them apart, or say in a "
                "--facts file that they belong together",
                file->gpu, first->gpu, first->path);
        first = first ? first : file;
    }
    return RY_OK;
}

enum ry_err ry_collective_input_read(struct ry_arena *arena,
                                     const struct ry_strings *paths,
                                     const struct ry_input_rules *rules,
                                     struct ry_collective_input *input,
                                     struct ry_diag *diag)
{
    struct ry_collective_input made = {
        .file = RY_NEW(arena, struct ry_input_file, paths->n + 1),
        .run = RY_NEW(arena, struct ry_coll_run, RUNS_MOST),
        .note = RY_NEW(arena, const char *, NOTES_MOST),
    };
    struct reading reading = {arena, rules, &made};

    if (!made.file || !made.run || !made.note)
        return ry_fail(diag, RY_ERR_NOMEM, "files", "%zu files", paths->n);
    for (size_t i = 0; i < paths->n; i++)
        RY_TRY(add_file(&reading, paths->at[i], diag));
    if (!rules->mixed_gpus)
        RY_TRY(check_gpus(&made, diag));
    *input = made;
    return RY_OK;
}
