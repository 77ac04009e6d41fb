/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/bench.h"

#include "base/names.h"
#include "io/bench_draft.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

static const struct {
    ry_bench_reader *read;
    const char *tool;
} readers[] = {
#define X(read, tool) {read, tool},
#include "io/bench_readers.def"
#undef X
};

enum { READERS = sizeof(readers) / sizeof(readers[0]), TOOLS_BYTES = 240 };

static bool copy_rows(struct ry_arena *arena, struct ry_draft_run *draft)
{
    struct ry_bench_run *run = &draft->run;

    run->n_rows = draft->n_rows;
    run->rows = RY_NEW(arena, struct ry_bench_row, draft->n_rows + 1);
    for (size_t i = 0; run->rows && i < draft->n_rows; i++)
        run->rows[i] = draft->rows[i].row;
    return run->rows != NULL;
}

static enum ry_err finish(struct ry_bench_draft *draft, struct ry_bench_file *file,
                          struct ry_diag *diag)
{
    struct ry_bench_file done = {.path = draft->path};

    done.runs = RY_NEW(draft->arena, struct ry_bench_run, draft->n_runs + 1);
    done.notes = RY_NEW(draft->arena, const char *, RY_BENCH_NOTES_MOST + 1);
    if (!done.runs || !done.notes)
        return ry_fail(diag, RY_ERR_NOMEM, draft->path, "no memory for its rows");
    for (struct ry_draft_run *run = draft->first; run; run = run->next) {
        if (run->n_rows == 0)
            continue;
        if (!run->nothing_to_infer)
            ry_bench_infer(draft, run);
        if (!copy_rows(draft->arena, run))
            return ry_fail(diag, RY_ERR_NOMEM, draft->path, "no memory for its rows");
        done.runs[done.n_runs++] = run->run;
    }
    if (draft->out_of_memory)
        return ry_fail(diag, RY_ERR_NOMEM, draft->path, "no memory for its rows");
    if (draft->too_many_rows)
        return ry_fail(diag, RY_ERR_RANGE, draft->path, "more than %d rows or %d runs",
                       RY_BENCH_ROWS_MOST, RY_BENCH_RUNS_MOST);
    done.n_notes = draft->n_notes;
    memcpy(done.notes, draft->notes, draft->n_notes * sizeof(draft->notes[0]));
    if (draft->notes_lost)
        done.notes[done.n_notes++] =
            ry_draft_text(draft, "%zu more notes", draft->notes_lost);
    *file = done;
    return RY_OK;
}

static enum ry_err no_rows(const char *path, struct ry_diag *diag)
{
    char tools[TOOLS_BYTES] = "";

    for (size_t i = 0; i < READERS; i++) {
        const size_t used = strlen(tools);
        const char *gap = i == 0 ? "" : i + 1 < READERS ? ", " : " or ";
        (void)snprintf(tools + used, sizeof(tools) - used, "%s%s", gap, readers[i].tool);
    }
    return ry_fail(diag, RY_ERR_SYNTAX, path, "no rows of %s", tools);
}

enum ry_err ry_bench_parse(struct ry_arena *arena, const char *path, struct ry_text text,
                           const struct ry_bench_hints *hints, struct ry_bench_file *file,
                           struct ry_diag *diag)
{
    struct ry_bench_draft *draft = RY_NEW(arena, struct ry_bench_draft, 1);
    const char *kept = ry_strdup(arena, path);

    if (!draft || !kept)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory for its rows");
    draft->arena = arena;
    draft->path = kept;
    draft->hints = hints;
    for (size_t i = 0; i < READERS; i++) {
        if (readers[i].read(draft, (struct ry_slice){text.data, text.bytes}))
            return finish(draft, file, diag);
        if (draft->out_of_memory)
            return ry_fail(diag, RY_ERR_NOMEM, path, "no memory for its rows");
        draft->first = draft->last = NULL;
        draft->n_runs = draft->n_rows = draft->n_notes = 0;
    }
    return no_rows(path, diag);
}

enum ry_err ry_bench_read(struct ry_arena *arena, const char *path,
                          const struct ry_bench_hints *hints, struct ry_bench_file *file,
                          struct ry_diag *diag)
{
    struct ry_arena *scratch = ry_arena_create(0);
    struct ry_text text;

    if (!scratch)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory for the file");
    enum ry_err err = ry_file_read(scratch, path, RY_BENCH_FILE_BYTES_MOST, &text, diag);
    if (err == RY_OK)
        err = ry_bench_parse(arena, path, text, hints, file, diag);
    ry_arena_destroy(scratch);
    return err;
}

size_t ry_bench_valid_rows(const struct ry_bench_file *file)
{
    size_t n = 0;

    for (size_t i = 0; i < file->n_runs; i++) {
        for (size_t k = 0; k < file->runs[i].n_rows; k++)
            n += file->runs[i].rows[k].valid;
    }
    return n;
}

bool ry_bench_refused(const struct ry_bench_file *file)
{
    for (size_t i = 0; i < file->n_runs; i++)
        if (!file->runs[i].valid)
            return true;
    return ry_bench_valid_rows(file) == 0;
}
