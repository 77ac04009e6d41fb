/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/jobs.h"

#include "store/store_sql.h"

/* Rows of a statement, one after the other, in an array that doubles. */
struct rows {
    struct ry_arena *arena;
    size_t bytes; /* of one */
    void (*read)(struct ry_arena *arena, sqlite3_stmt *statement, void *out);
};

static enum ry_err collect(struct ry_store *store, sqlite3_stmt *statement,
                           const struct rows *rows, void **at, size_t *n,
                           struct ry_diag *diag)
{
    size_t room = 0;
    int code = SQLITE_ROW;

    *n = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!ry_store_grow(rows->arena, at, *n, &room, rows->bytes))
            return ry_fail(diag, RY_ERR_NOMEM, store->path, "no memory for its rows");
        rows->read(rows->arena, statement, (unsigned char *)*at + *n * rows->bytes);
        ++*n;
    }
    return code == SQLITE_DONE ? RY_OK : ry_store_fail(store, diag);
}

static void read_job(struct ry_arena *arena, sqlite3_stmt *statement, void *out)
{
    *(struct ry_listed_job *)out = (struct ry_listed_job){
        .id = sqlite3_column_int64(statement, 0),
        .command = ry_store_text(arena, statement, 1),
        .arguments = ry_store_text(arena, statement, 2),
        .inputs = ry_store_text(arena, statement, 3),
        .started = ry_store_text(arena, statement, 4),
        .finished = ry_store_text(arena, statement, 5),
        .pieces = ry_store_number(statement, 6),
        .evaluated = ry_store_number(statement, 7),
        .infeasible = ry_store_number(statement, 8),
        .indivisible = ry_store_number(statement, 9),
        .rows = ry_store_number(statement, 10),
        .best_design = ry_store_text(arena, statement, 11),
        .best_step_time_s = ry_store_number(statement, 12),
    };
}

enum ry_err ry_jobs_list(struct ry_store *store, struct ry_arena *arena,
                         struct ry_listed_jobs *jobs, struct ry_diag *diag)
{
    const struct rows rows = {arena, sizeof(struct ry_listed_job), read_job};
    sqlite3_stmt *statement = NULL;
    void *at = NULL;

    RY_TRY(ry_store_prepare(
        store,
        "SELECT p.job, p.command, p.arguments, p.inputs, p.started, p.finished, p.pieces,"
        " p.evaluated, p.infeasible, p.indivisible,"
        " (SELECT count(*) FROM answers WHERE job=p.job),"
        " a.json ->> '$.design', a.json ->> '$.step_time_s'"
        " FROM job_progress p LEFT JOIN answers a ON a.job=p.job AND a.i=0 ORDER BY "
        "p.job",
        &statement, diag));
    const enum ry_err err = collect(store, statement, &rows, &at, &jobs->n, diag);
    (void)sqlite3_finalize(statement);
    jobs->at = at;
    return err;
}

static void read_row(struct ry_arena *arena, sqlite3_stmt *statement, void *out)
{
    *(struct ry_answer_row *)out = (struct ry_answer_row){
        .place = ry_store_number(statement, 0),
        .workload = ry_store_text(arena, statement, 1),
        .design = ry_store_text(arena, statement, 2),
        .strategy = ry_store_text(arena, statement, 3),
        .reason = ry_store_text(arena, statement, 4),
        .gpus = ry_store_number(statement, 5),
        .step_time_s = ry_store_number(statement, 6),
        .tokens_per_s = ry_store_number(statement, 7),
        .mfu_frac = ry_store_number(statement, 8),
        .capex_usd = ry_store_number(statement, 9),
        .tco_usd = ry_store_number(statement, 10),
        .usd_per_trillion_tokens = ry_store_number(statement, 11),
        .days = ry_store_number(statement, 12),
    };
}

static enum ry_err need_job(struct ry_store *store, long long job, struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;

    RY_TRY(ry_store_prepare(store, "SELECT 1 FROM jobs WHERE id=?", &statement, diag));
    (void)sqlite3_bind_int64(statement, 1, job);
    const int code = sqlite3_step(statement);
    enum ry_err err = RY_OK;
    if (code == SQLITE_DONE)
        err = ry_fail(diag, RY_ERR_NOTFOUND, store->path, "no result %lld in it", job);
    else if (code != SQLITE_ROW)
        err = ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

enum ry_err ry_job_read(struct ry_store *store, struct ry_arena *arena, long long job,
                        struct ry_answer *answer, struct ry_diag *diag)
{
    const struct rows rows = {arena, sizeof(struct ry_answer_row), read_row};
    sqlite3_stmt *statement = NULL;
    void *at = NULL;

    RY_TRY(need_job(store, job, diag));
    RY_TRY(ry_store_prepare(
        store,
        "SELECT json ->> '$.rank', json ->> '$.workload', json ->> '$.design',"
        " json ->> '$.strategy', json ->> '$.reason', json ->> '$.gpus',"
        " json ->> '$.step_time_s', json ->> '$.tokens_per_s', json ->> '$.mfu_frac',"
        " json ->> '$.capex_usd', json ->> '$.tco_usd',"
        " json ->> '$.usd_per_trillion_tokens', json ->> '$.days'"
        " FROM answers WHERE job=? ORDER BY i",
        &statement, diag));
    (void)sqlite3_bind_int64(statement, 1, job);
    const enum ry_err err = collect(store, statement, &rows, &at, &answer->n, diag);
    (void)sqlite3_finalize(statement);
    answer->at = at;
    return err;
}
