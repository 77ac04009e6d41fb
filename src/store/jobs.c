/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/jobs.h"

#include "store/store_sql.h"

#include <string.h>

static enum ry_err find(struct ry_store *store, const char *inputs, struct ry_job *job,
                        struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;

    *job = (struct ry_job){0};
    RY_TRY(ry_store_prepare(store,
                            "SELECT id, finished IS NOT NULL FROM jobs WHERE inputs=?",
                            &statement, diag));
    ry_store_bind_text(statement, 1, inputs);
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *job = (struct ry_job){sqlite3_column_int64(statement, 0),
                               sqlite3_column_int(statement, 1) != 0};
    const enum ry_err err =
        code == SQLITE_ROW || code == SQLITE_DONE ? RY_OK : ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

struct begin {
    const struct ry_job_ask *ask;
    struct ry_job *job;
};

static enum ry_err begin(struct ry_store *store, void *data, struct ry_diag *diag)
{
    const struct begin *b = data;
    sqlite3_stmt *statement = NULL;

    RY_TRY(find(store, b->ask->inputs, b->job, diag));
    if (b->job->id > 0)
        return RY_OK;
    RY_TRY(ry_store_prepare(store,
                            "INSERT INTO jobs(command, arguments, inputs, started)"
                            " VALUES(?,?,?,?)",
                            &statement, diag));
    ry_store_bind_text(statement, 1, b->ask->command);
    ry_store_bind_text(statement, 2, b->ask->arguments);
    ry_store_bind_text(statement, 3, b->ask->inputs);
    ry_store_bind_text(statement, 4, b->ask->now);
    const enum ry_err err = ry_store_done(store, statement, diag);
    (void)sqlite3_finalize(statement);
    b->job->id = sqlite3_last_insert_rowid(store->db);
    return err;
}

enum ry_err ry_job_begin(struct ry_store *store, const struct ry_job_ask *ask,
                         struct ry_job *job, struct ry_diag *diag)
{
    struct begin work = {ask, job};

    return ry_store_transaction(store, begin, &work, diag);
}

/* The statements of a batch, prepared once. */
struct keep {
    long long job;
    const struct ry_job_piece *pieces;
    size_t n;
    sqlite3_stmt *piece, *found, *trim;
};

static enum ry_err keep_found(struct ry_store *store, const struct keep *keep,
                              const struct ry_job_piece *piece, struct ry_diag *diag)
{
    for (size_t i = 0; i < piece->tally.best_n; i++) {
        ry_store_bind_count(keep->found, 1, (uint64_t)keep->job);
        ry_store_bind_count(keep->found, 2, piece->case_i);
        ry_store_bind_count(keep->found, 3, piece->tally.best[i].index);
        (void)sqlite3_bind_double(keep->found, 4, piece->tally.best[i].step_time_s);
        RY_TRY(ry_store_done(store, keep->found, diag));
    }
    return RY_OK;
}

static enum ry_err keep_piece(struct ry_store *store, const struct keep *keep,
                              const struct ry_job_piece *piece, struct ry_diag *diag)
{
    const struct ry_search_tally *t = &piece->tally;

    ry_store_bind_count(keep->piece, 1, (uint64_t)keep->job);
    ry_store_bind_count(keep->piece, 2, piece->case_i);
    ry_store_bind_count(keep->piece, 3, piece->piece);
    ry_store_bind_count(keep->piece, 4, t->evaluated);
    ry_store_bind_count(keep->piece, 5, t->too_large);
    ry_store_bind_count(keep->piece, 6, t->indivisible);
    (void)sqlite3_bind_double(keep->piece, 7, t->least_missing_bytes);
    ry_store_bind_count(keep->piece, 8, t->least_missing_index);
    ry_store_bind_count(keep->piece, 9, t->first_indivisible_index);
    RY_TRY(ry_store_done(store, keep->piece, diag));
    return keep_found(store, keep, piece, diag);
}

/* Only the fastest of a case are kept; its last piece of the batch trims them. */
static enum ry_err trim(struct ry_store *store, const struct keep *keep, size_t i,
                        struct ry_diag *diag)
{
    for (size_t later = i + 1; later < keep->n; later++)
        if (keep->pieces[later].case_i == keep->pieces[i].case_i)
            return RY_OK;
    ry_store_bind_count(keep->trim, 1, (uint64_t)keep->job);
    ry_store_bind_count(keep->trim, 2, keep->pieces[i].case_i);
    (void)sqlite3_bind_int(keep->trim, 3, RY_SEARCH_KEPT);
    return ry_store_done(store, keep->trim, diag);
}

static enum ry_err keep_all(struct ry_store *store, void *data, struct ry_diag *diag)
{
    const struct keep *keep = data;

    for (size_t i = 0; i < keep->n; i++)
        RY_TRY(keep_piece(store, keep, &keep->pieces[i], diag));
    for (size_t i = 0; i < keep->n; i++)
        if (keep->pieces[i].tally.best_n > 0)
            RY_TRY(trim(store, keep, i, diag));
    return RY_OK;
}

static enum ry_err prepare_keep(struct ry_store *store, struct keep *keep,
                                struct ry_diag *diag)
{
    RY_TRY(ry_store_prepare(store,
                            "INSERT OR IGNORE INTO pieces VALUES(?,?,?,?,?,?,?,?,?)",
                            &keep->piece, diag));
    RY_TRY(ry_store_prepare(store, "INSERT OR IGNORE INTO found VALUES(?,?,?,?)",
                            &keep->found, diag));
    return ry_store_prepare(
        store,
        "DELETE FROM found WHERE job=?1 AND case_i=?2 AND strategy NOT IN"
        " (SELECT strategy FROM found WHERE job=?1 AND case_i=?2"
        " ORDER BY step_time_s, strategy LIMIT ?3)",
        &keep->trim, diag);
}

enum ry_err ry_job_keep(struct ry_store *store, long long job,
                        const struct ry_job_piece pieces[], size_t n,
                        struct ry_diag *diag)
{
    struct keep keep = {.job = job, .pieces = pieces, .n = n};
    enum ry_err err = prepare_keep(store, &keep, diag);

    if (err == RY_OK)
        err = ry_store_transaction(store, keep_all, &keep, diag);
    (void)sqlite3_finalize(keep.piece);
    (void)sqlite3_finalize(keep.found);
    (void)sqlite3_finalize(keep.trim);
    return err;
}

/* Calls @p row for each row of a statement about one case. */
static enum ry_err each(struct ry_store *store, const char *sql,
                        const struct ry_job_case *of,
                        enum ry_err (*row)(sqlite3_stmt *, void *), void *ctx,
                        struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;
    enum ry_err err = RY_OK;
    int code = SQLITE_ROW;

    RY_TRY(ry_store_prepare(store, sql, &statement, diag));
    ry_store_bind_count(statement, 1, (uint64_t)of->job);
    ry_store_bind_count(statement, 2, of->case_i);
    while (err == RY_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
        err = row(statement, ctx);
    if (err != RY_OK)
        err = ry_fail(diag, err, store->path,
                      "a kept piece of search %lld is out of range", of->job);
    else if (code != SQLITE_DONE)
        err = ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

struct known {
    const struct ry_job_case *of;
    bool *known;
    struct ry_search_tally *tally;
};

static enum ry_err known_piece(sqlite3_stmt *statement, void *ctx)
{
    const struct known *k = ctx;
    const uint64_t piece = ry_store_count(statement, 0);
    const struct ry_search_tally tally = {
        .evaluated = ry_store_count(statement, 1),
        .too_large = ry_store_count(statement, 2),
        .indivisible = ry_store_count(statement, 3),
        .least_missing_bytes = sqlite3_column_double(statement, 4),
        .least_missing_index = ry_store_count(statement, 5),
        .first_indivisible_index = ry_store_count(statement, 6),
    };

    if (piece >= k->of->pieces)
        return RY_ERR_SYNTAX;
    k->known[piece] = true;
    ry_search_merge(k->tally, &tally);
    return RY_OK;
}

static enum ry_err known_found(sqlite3_stmt *statement, void *ctx)
{
    const struct known *k = ctx;
    const struct ry_search_tally tally = {
        .best_n = 1,
        .best = {{ry_store_count(statement, 0), sqlite3_column_double(statement, 1)}}};

    ry_search_merge(k->tally, &tally);
    return RY_OK;
}

struct known_work {
    struct known known;
    const struct ry_job_case *of;
};

/* In one transaction, so that pieces and what was found in them are of one moment. */
static enum ry_err read_known(struct ry_store *store, void *data, struct ry_diag *diag)
{
    struct known_work *work = data;

    RY_TRY(each(store,
                "SELECT piece, evaluated, infeasible, indivisible, least_missing_bytes,"
                " least_missing, first_indivisible FROM pieces WHERE job=? AND case_i=?",
                work->of, known_piece, &work->known, diag));
    return each(store, "SELECT strategy, step_time_s FROM found WHERE job=? AND case_i=?",
                work->of, known_found, &work->known, diag);
}

enum ry_err ry_job_known(struct ry_store *store, const struct ry_job_case *of,
                         bool known[], /* NOLINT(readability-non-const-parameter) */
                         struct ry_search_tally *tally, struct ry_diag *diag)
{
    struct known_work work = {{of, known, tally}, of};

    return ry_store_transaction(store, read_known, &work, diag);
}

struct answer {
    long long job;
    const char *now, *rows;
};

static enum ry_err answer_step(struct ry_store *store, const char *sql,
                               const struct answer *a, const char *text,
                               struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;

    RY_TRY(ry_store_prepare(store, sql, &statement, diag));
    (void)sqlite3_bind_int64(statement, 1, a->job);
    if (text)
        ry_store_bind_text(statement, 2, text);
    const enum ry_err err = ry_store_done(store, statement, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

static enum ry_err write_answer(struct ry_store *store, void *data, struct ry_diag *diag)
{
    const struct answer *a = data;

    RY_TRY(answer_step(store, "DELETE FROM answers WHERE job=?1", a, NULL, diag));
    RY_TRY(answer_step(store,
                       "INSERT INTO answers(job, i, json)"
                       " SELECT ?1, key, value FROM json_each(?2)",
                       a, a->rows, diag));
    return answer_step(store, "UPDATE jobs SET finished=?2 WHERE id=?1", a, a->now, diag);
}

enum ry_err ry_job_answer(struct ry_store *store, long long job, const char *now,
                          const char *rows, struct ry_diag *diag)
{
    struct answer answer = {job, now, rows};

    return ry_store_transaction(store, write_answer, &answer, diag);
}
