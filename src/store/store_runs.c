/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/names.h"
#include "store/store_sql.h"

#include <string.h>

struct import {
    const struct ry_bench_file *file;
    const struct ry_import *from;
    size_t added;
};

static enum ry_err add_rows(struct ry_store *store, sqlite3_stmt *statement,
                            const struct ry_bench_run *run, sqlite3_int64 id,
                            struct ry_diag *diag)
{
    for (size_t i = 0; i < run->n_rows; i++) {
        const struct ry_bench_row *row = &run->rows[i];
        (void)sqlite3_bind_int64(statement, 1, id);
        (void)sqlite3_bind_int64(statement, 2, (sqlite3_int64)i);
        ry_store_bind_number(statement, 3, row->bytes);
        (void)sqlite3_bind_int(statement, 4, (int)row->place);
        ry_store_bind_text(statement, 5, row->dtype);
        ry_store_bind_number(statement, 6, row->time_s);
        ry_store_bind_number(statement, 7, row->algbw_bytes_per_s);
        ry_store_bind_number(statement, 8, row->busbw_bytes_per_s);
        (void)sqlite3_bind_int(statement, 9, row->valid);
        ry_store_bind_text(statement, 10, row->reason);
        RY_TRY(ry_store_done(store, statement, diag));
    }
    return RY_OK;
}

static enum ry_err add_run(struct ry_store *store, const struct import *import,
                           const struct ry_bench_run *run, struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;

    RY_TRY(ry_store_prepare(store,
                            "INSERT INTO runs(imported, label, file, sha256, tool,"
                            " collective, ranks, nodes, gpu, nccl, launch, valid, reason)"
                            " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
                            &statement, diag));
    ry_store_bind_text(statement, 1, import->from->imported);
    ry_store_bind_text(statement, 2, import->from->label);
    ry_store_bind_text(statement, 3, run->file);
    ry_store_bind_text(statement, 4, import->from->sha256);
    ry_store_bind_text(statement, 5, run->tool);
    ry_store_bind_text(statement, 6, run->collective);
    ry_store_bind_number(statement, 7, run->ranks);
    ry_store_bind_number(statement, 8, run->nodes);
    ry_store_bind_text(statement, 9, run->gpu);
    ry_store_bind_text(statement, 10, run->nccl);
    ry_store_bind_text(statement, 11, run->launch);
    (void)sqlite3_bind_int(statement, 12, run->valid);
    ry_store_bind_text(statement, 13, run->reason);
    enum ry_err err = ry_store_done(store, statement, diag);
    (void)sqlite3_finalize(statement);
    RY_TRY(err);
    const sqlite3_int64 id = sqlite3_last_insert_rowid(store->db);
    RY_TRY(ry_store_prepare(store, "INSERT INTO rows VALUES(?,?,?,?,?,?,?,?,?,?)",
                            &statement, diag));
    err = add_rows(store, statement, run, id, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

static enum ry_err is_known(struct ry_store *store, const char *sha256, bool *known,
                            struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;

    RY_TRY(ry_store_prepare(store, "SELECT 1 FROM runs WHERE sha256=? LIMIT 1",
                            &statement, diag));
    ry_store_bind_text(statement, 1, sha256);
    const int code = sqlite3_step(statement);
    *known = code == SQLITE_ROW;
    const enum ry_err err =
        code == SQLITE_ROW || code == SQLITE_DONE ? RY_OK : ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

static enum ry_err import_all(struct ry_store *store, void *data, struct ry_diag *diag)
{
    struct import *import = data;
    bool known = false;

    RY_TRY(is_known(store, import->from->sha256, &known, diag));
    for (size_t i = 0; i < import->file->n_runs && !known; i++) {
        RY_TRY(add_run(store, import, &import->file->runs[i], diag));
        import->added++;
    }
    return RY_OK;
}

enum ry_err ry_store_import(struct ry_store *store, const struct ry_bench_file *file,
                            const struct ry_import *from, size_t *added,
                            struct ry_diag *diag)
{
    struct import import = {file, from, 0};

    RY_TRY(ry_store_transaction(store, import_all, &import, diag));
    *added = import.added;
    return RY_OK;
}

bool ry_store_grow(struct ry_arena *arena, void **at, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return true;
    const size_t wanted = *room ? 2 * *room : 32;
    void *more = ry_arena_alloc(arena, wanted, size);
    if (!more)
        return false;
    if (*at)
        memcpy(more, *at, n * size);
    *at = more;
    *room = wanted;
    return true;
}

static struct ry_stored_run listed(struct ry_arena *arena, sqlite3_stmt *statement)
{
    return (struct ry_stored_run){
        .id = sqlite3_column_int64(statement, 0),
        .imported = ry_store_text(arena, statement, 1),
        .label = ry_store_text(arena, statement, 2),
        .file = ry_store_text(arena, statement, 3),
        .sha256 = ry_store_text(arena, statement, 4),
        .tool = ry_store_text(arena, statement, 5),
        .collective = ry_store_text(arena, statement, 6),
        .gpu = ry_store_text(arena, statement, 7),
        .nccl = ry_store_text(arena, statement, 8),
        .launch = ry_store_text(arena, statement, 9),
        .ranks = ry_store_number(statement, 10),
        .nodes = ry_store_number(statement, 11),
        .rows = ry_store_number(statement, 12),
        .valid_rows = ry_store_number(statement, 13),
        .best_busbw_bytes_per_s = ry_store_number(statement, 14),
    };
}

enum ry_err ry_store_runs(struct ry_store *store, struct ry_arena *arena,
                          struct ry_stored_runs *runs, struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;
    struct ry_stored_runs found = {.n = 0};
    size_t room = 0;
    int code = SQLITE_ROW;
    void *at = NULL;

    RY_TRY(ry_store_prepare(
        store,
        "SELECT r.id, imported, label, file, sha256, tool, collective, gpu, nccl, launch,"
        " ranks, nodes, count(x.i), coalesce(sum(x.valid), 0),"
        " max(CASE WHEN x.valid THEN x.busbw END)"
        " FROM runs r LEFT JOIN rows x ON x.run = r.id GROUP BY r.id ORDER BY r.id",
        &statement, diag));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW &&
           ry_store_grow(arena, &at, found.n, &room, sizeof(*found.at))) {
        found.at = at;
        found.at[found.n++] = listed(arena, statement);
    }
    enum ry_err err = RY_OK;
    if (code == SQLITE_ROW)
        err = ry_fail(diag, RY_ERR_NOMEM, store->path, "no memory for its runs");
    else if (code != SQLITE_DONE)
        err = ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    if (err == RY_OK)
        *runs = found;
    return err;
}

static const char *or_null(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

static struct ry_bench_row row_of(struct ry_arena *arena, sqlite3_stmt *statement)
{
    return (struct ry_bench_row){
        .bytes = ry_store_number(statement, 0),
        .count = RY_UNKNOWN,
        .root = RY_UNKNOWN,
        .wrong = RY_UNKNOWN,
        .iterations = RY_UNKNOWN,
        .min_s = RY_UNKNOWN,
        .max_s = RY_UNKNOWN,
        .place = (enum ry_bench_place)sqlite3_column_int(statement, 1),
        .dtype = or_null(ry_store_text(arena, statement, 2)),
        .time_s = ry_store_number(statement, 3),
        .algbw_bytes_per_s = ry_store_number(statement, 4),
        .busbw_bytes_per_s = ry_store_number(statement, 5),
        .valid = sqlite3_column_int(statement, 6) != 0,
        .reason = or_null(ry_store_text(arena, statement, 7)),
    };
}

static enum ry_err read_rows(struct ry_store *store, struct ry_arena *arena, long long id,
                             struct ry_bench_run *run, struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;
    size_t room = 0;
    void *at = NULL;
    int code = SQLITE_ROW;

    RY_TRY(
        ry_store_prepare(store,
                         "SELECT bytes, place, dtype, time_s, algbw, busbw, valid, reason"
                         " FROM rows WHERE run=? ORDER BY i",
                         &statement, diag));
    (void)sqlite3_bind_int64(statement, 1, id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW &&
           ry_store_grow(arena, &at, run->n_rows, &room, sizeof(*run->rows))) {
        run->rows = at;
        run->rows[run->n_rows++] = row_of(arena, statement);
    }
    enum ry_err err = RY_OK;
    if (code == SQLITE_ROW)
        err = ry_fail(diag, RY_ERR_NOMEM, store->path, "no memory for its rows");
    else if (code != SQLITE_DONE)
        err = ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

enum ry_err ry_store_rows(struct ry_store *store, struct ry_arena *arena, long long id,
                          struct ry_bench_run *run, struct ry_diag *diag)
{
    struct ry_stored_runs runs;

    RY_TRY(ry_store_runs(store, arena, &runs, diag));
    for (size_t i = 0; i < runs.n; i++) {
        const struct ry_stored_run *stored = &runs.at[i];
        if (stored->id != id)
            continue;
        struct ry_bench_run found = {
            .file = stored->file,
            .collective = or_null(stored->collective),
            .ranks = stored->ranks,
            .nodes = stored->nodes,
            .gpu = or_null(stored->gpu),
            .nccl = or_null(stored->nccl),
            .launch = or_null(stored->launch),
            .iterations = RY_UNKNOWN,
            .checks_failed = RY_UNKNOWN,
            .valid = true,
        };
        RY_TRY(read_rows(store, arena, id, &found, diag));
        *run = found;
        return RY_OK;
    }
    return ry_fail(diag, RY_ERR_NOTFOUND, store->path, "no run %lld in it", id);
}

struct fit_work {
    const struct ry_stored_fit *fit;
};

static enum ry_err add_fit(struct ry_store *store, void *data, struct ry_diag *diag)
{
    const struct ry_stored_fit *fit = ((struct fit_work *)data)->fit;
    sqlite3_stmt *statement = NULL;

    RY_TRY(ry_store_prepare(store,
                            "INSERT OR IGNORE INTO fits(saved, name, sha256, json)"
                            " VALUES(?,?,?,?)",
                            &statement, diag));
    ry_store_bind_text(statement, 1, fit->saved);
    ry_store_bind_text(statement, 2, fit->name);
    ry_store_bind_text(statement, 3, fit->sha256);
    ry_store_bind_text(statement, 4, fit->json);
    const enum ry_err err = ry_store_done(store, statement, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

enum ry_err ry_store_add_fit(struct ry_store *store, const struct ry_stored_fit *fit,
                             struct ry_diag *diag)
{
    struct fit_work work = {fit};
    return ry_store_transaction(store, add_fit, &work, diag);
}

enum ry_err ry_store_fits(struct ry_store *store, struct ry_arena *arena,
                          struct ry_stored_fits *fits, struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;
    struct ry_stored_fits found = {.n = 0};
    size_t room = 0;
    void *at = NULL;
    int code = SQLITE_ROW;

    RY_TRY(ry_store_prepare(store,
                            "SELECT id, saved, name, sha256, json FROM fits ORDER BY id",
                            &statement, diag));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW &&
           ry_store_grow(arena, &at, found.n, &room, sizeof(*found.at))) {
        found.at = at;
        found.at[found.n++] = (struct ry_stored_fit){
            .id = sqlite3_column_int64(statement, 0),
            .saved = ry_store_text(arena, statement, 1),
            .name = ry_store_text(arena, statement, 2),
            .sha256 = ry_store_text(arena, statement, 3),
            .json = ry_store_text(arena, statement, 4),
        };
    }
    enum ry_err err = RY_OK;
    if (code == SQLITE_ROW)
        err = ry_fail(diag, RY_ERR_NOMEM, store->path, "no memory for its models");
    else if (code != SQLITE_DONE)
        err = ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    if (err == RY_OK)
        *fits = found;
    return err;
}
