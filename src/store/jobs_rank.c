/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/jobs_rank.h"

#include "store/store_sql.h"

#include <math.h>
#include <stdio.h>

struct keep {
    long long job;
    const struct ry_job_best *bests;
    size_t n;
};

static enum ry_err keep_one(struct ry_store *store, sqlite3_stmt *statement,
                            long long job, const struct ry_job_best *kept,
                            struct ry_diag *diag)
{
    const struct ry_best *best = &kept->found.best;

    (void)sqlite3_bind_int64(statement, 1, job);
    ry_store_bind_count(statement, 2, kept->case_i);
    (void)sqlite3_bind_int(statement, 3, best->found);
    (void)sqlite3_bind_int(statement, 4, kept->found.chosen);
    ry_store_bind_count(statement, 5, best->at.index);
    (void)sqlite3_bind_double(statement, 6, best->at.step_time_s);
    (void)sqlite3_bind_double(statement, 7, best->figure); /* NAN becomes NULL */
    ry_store_bind_count(statement, 8, best->evaluated);
    ry_store_bind_count(statement, 9, best->pruned);
    (void)sqlite3_bind_double(statement, 10, best->pruned_least);
    ry_store_bind_count(statement, 11, best->infeasible);
    ry_store_bind_count(statement, 12, best->uncut);
    ry_store_bind_text(statement, 13, best->why);
    return ry_store_done(store, statement, diag);
}

static enum ry_err keep_all(struct ry_store *store, void *data, struct ry_diag *diag)
{
    const struct keep *keep = data;
    sqlite3_stmt *statement = NULL;
    enum ry_err err = RY_OK;

    RY_TRY(ry_store_prepare(
        store, "INSERT OR IGNORE INTO bests VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
        &statement, diag));
    for (size_t i = 0; err == RY_OK && i < keep->n; i++)
        err = keep_one(store, statement, keep->job, &keep->bests[i], diag);
    (void)sqlite3_finalize(statement);
    return err;
}

enum ry_err ry_job_keep_bests(struct ry_store *store, long long job,
                              const struct ry_job_best bests[], size_t n,
                              struct ry_diag *diag)
{
    struct keep keep = {job, bests, n};

    return ry_store_transaction(store, keep_all, &keep, diag);
}

static void read_best(sqlite3_stmt *statement, struct ry_job_best *out)
{
    const unsigned char *why = sqlite3_column_text(statement, 11);
    struct ry_best *best = &out->found.best;

    *out = (struct ry_job_best){.case_i = ry_store_count(statement, 0)};
    best->found = sqlite3_column_int(statement, 1) != 0;
    out->found.chosen = sqlite3_column_int(statement, 2) != 0;
    best->at.index = ry_store_count(statement, 3);
    best->at.step_time_s = sqlite3_column_double(statement, 4);
    best->figure = ry_store_number(statement, 5);
    best->evaluated = ry_store_count(statement, 6);
    best->pruned = ry_store_count(statement, 7);
    best->pruned_least = sqlite3_column_double(statement, 8);
    best->infeasible = ry_store_count(statement, 9);
    best->uncut = ry_store_count(statement, 10);
    (void)snprintf(best->why, sizeof(best->why), "%s", why ? (const char *)why : "");
}

enum ry_err ry_job_bests(struct ry_store *store, long long job, size_t cases,
                         void (*take)(void *ctx, const struct ry_job_best *best),
                         void *ctx, struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;
    enum ry_err err = RY_OK;
    int code = SQLITE_ROW;

    RY_TRY(
        ry_store_prepare(store,
                         "SELECT case_i, found, chosen, strategy, step_time_s, figure,"
                         " evaluated, pruned, pruned_least, infeasible, indivisible, why"
                         " FROM bests WHERE job=?",
                         &statement, diag));
    (void)sqlite3_bind_int64(statement, 1, job);
    while (err == RY_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct ry_job_best best;
        read_best(statement, &best);
        if (best.case_i < cases)
            take(ctx, &best);
        else
            err = ry_fail(diag, RY_ERR_SYNTAX, store->path,
                          "case %zu of ranking %lld is out of range", best.case_i, job);
    }
    if (err == RY_OK && code != SQLITE_DONE)
        err = ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    return err;
}
