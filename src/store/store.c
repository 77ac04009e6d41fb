/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/store.h"

#include "base/names.h"
#include "store/schema.h"
#include "store/store_sql.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { APPLICATION_ID = 0x52594c44, BUSY_MS = 15000, RETRY_MS = 10 }; /* "RYLD" */

const char *ry_store_default_path(struct ry_arena *arena)
{
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");

    if (data && data[0] == '/')
        return ry_strfmt(arena, "%s/railyard/railyard.db", data);
    return ry_strfmt(arena, "%s/.local/share/railyard/railyard.db", home ? home : ".");
}

enum ry_err ry_store_fail(const struct ry_store *store, struct ry_diag *diag)
{
    const int code = sqlite3_errcode(store->db) & 0xff;
    enum ry_err err = RY_ERR_IO;

    if (code == SQLITE_NOMEM)
        err = RY_ERR_NOMEM;
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        err = RY_ERR_SYNTAX;
    return ry_fail(diag, err, store->path, "%s", sqlite3_errmsg(store->db));
}

enum ry_err ry_store_exec(struct ry_store *store, const char *sql, struct ry_diag *diag)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? RY_OK
               : ry_store_fail(store, diag);
}

enum ry_err ry_store_prepare(struct ry_store *store, const char *sql,
                             sqlite3_stmt **statement, struct ry_diag *diag)
{
    return sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK
               ? RY_OK
               : ry_store_fail(store, diag);
}

enum ry_err ry_store_done(struct ry_store *store, sqlite3_stmt *statement,
                          struct ry_diag *diag)
{
    const int code = sqlite3_step(statement);
    const enum ry_err err = code == SQLITE_DONE ? RY_OK : ry_store_fail(store, diag);

    (void)sqlite3_reset(statement);
    return err;
}

void ry_store_bind_text(sqlite3_stmt *statement, int i, const char *text)
{
    if (text)
        (void)sqlite3_bind_text(statement, i, text, -1, SQLITE_TRANSIENT);
    else
        (void)sqlite3_bind_null(statement, i);
}

void ry_store_bind_number(sqlite3_stmt *statement, int i, double number)
{
    if (isfinite(number))
        (void)sqlite3_bind_double(statement, i, number);
    else
        (void)sqlite3_bind_null(statement, i);
}

void ry_store_bind_count(sqlite3_stmt *statement, int i, uint64_t count)
{
    (void)sqlite3_bind_int64(statement, i, (sqlite3_int64)count);
}

uint64_t ry_store_count(sqlite3_stmt *statement, int i)
{
    return (uint64_t)sqlite3_column_int64(statement, i);
}

double ry_store_number(sqlite3_stmt *statement, int i)
{
    return sqlite3_column_type(statement, i) == SQLITE_NULL
               ? RY_UNKNOWN
               : sqlite3_column_double(statement, i);
}

const char *ry_store_text(struct ry_arena *arena, sqlite3_stmt *statement, int i)
{
    const unsigned char *text = sqlite3_column_text(statement, i);
    const char *kept = text ? ry_strdup(arena, (const char *)text) : NULL;

    return kept ? kept : "";
}

enum ry_err ry_store_transaction(struct ry_store *store,
                                 enum ry_err (*work)(struct ry_store *, void *,
                                                     struct ry_diag *),
                                 void *data, struct ry_diag *diag)
{
    RY_TRY(ry_store_exec(store, "BEGIN IMMEDIATE", diag));
    enum ry_err err = work(store, data, diag);
    if (err == RY_OK)
        err = ry_store_exec(store, "COMMIT", diag);
    if (err != RY_OK)
        (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return err;
}

static enum ry_err read_pragma(struct ry_store *store, const char *sql, int *value,
                               struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;

    RY_TRY(ry_store_prepare(store, sql, &statement, diag));
    const bool found = sqlite3_step(statement) == SQLITE_ROW;
    if (found)
        *value = sqlite3_column_int(statement, 0);
    (void)sqlite3_finalize(statement);
    return found ? RY_OK : ry_store_fail(store, diag);
}

/* Two processes may find the same old file: the second sees that it is done. */
static enum ry_err migrate(struct ry_store *store, void *data, struct ry_diag *diag)
{
    int schema = 0;
    char pragma[96];

    (void)data;
    RY_TRY(read_pragma(store, "PRAGMA user_version", &schema, diag));
    for (; schema < RY_STORE_SCHEMA; schema++)
        RY_TRY(ry_store_exec(store, ry_store_migrations[schema], diag));
    (void)snprintf(pragma, sizeof(pragma),
                   "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID,
                   RY_STORE_SCHEMA);
    return ry_store_exec(store, pragma, diag);
}

/* What the file says of itself. */
struct marks {
    int schema, application, tables;
};

/* Of one moment, as another process may be making the file. */
static enum ry_err read_marks(struct ry_store *store, struct marks *marks,
                              struct ry_diag *diag)
{
    RY_TRY(ry_store_exec(store, "BEGIN", diag));
    enum ry_err err = read_pragma(store, "PRAGMA user_version", &marks->schema, diag);
    if (err == RY_OK)
        err = read_pragma(store, "PRAGMA application_id", &marks->application, diag);
    if (err == RY_OK)
        err = read_pragma(store, "SELECT count(*) FROM sqlite_schema", &marks->tables,
                          diag);
    (void)sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return err;
}

static enum ry_err check_schema(struct ry_store *store, struct ry_diag *diag)
{
    struct marks marks = {0};

    RY_TRY(read_marks(store, &marks, diag));
    if (marks.tables > 0 && marks.application != APPLICATION_ID)
        return ry_fail(diag, RY_ERR_SYNTAX, store->path, "a database of another program");
    if (marks.schema > RY_STORE_SCHEMA)
        return ry_fail(diag, RY_ERR_SYNTAX, store->path,
                       "made by a newer railyard: schema %d, this one knows %d",
                       marks.schema, RY_STORE_SCHEMA);
    if (marks.schema < RY_STORE_SCHEMA)
        return ry_store_transaction(store, migrate, NULL, diag);
    return RY_OK;
}

static enum ry_err check_whole(struct ry_store *store, const char *pragma,
                               struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;

    RY_TRY(ry_store_prepare(store, pragma, &statement, diag));
    const bool row = sqlite3_step(statement) == SQLITE_ROW;
    const char *said = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    const bool whole = said && strcmp(said, "ok") == 0;
    enum ry_err err = RY_OK;
    if (!row)
        err = ry_store_fail(store, diag);
    else if (!said || strcmp(said, "out of memory") == 0)
        err = ry_fail(diag, RY_ERR_NOMEM, store->path, "cannot check it");
    else if (!whole)
        err = ry_fail(diag, RY_ERR_SYNTAX, store->path, "damaged: %.160s", said);
    (void)sqlite3_finalize(statement);
    return err;
}

/* Two processes may make a file at once: SQLite does not wait for the lock that this
 * takes, as it does for others. */
static enum ry_err use_wal(struct ry_store *store, struct ry_diag *diag)
{
    for (int waited_ms = 0;; waited_ms += RETRY_MS) {
        const enum ry_err err = ry_store_exec(store, "PRAGMA journal_mode=WAL", diag);
        const int code = sqlite3_errcode(store->db) & 0xff;
        if (err == RY_OK || code != SQLITE_BUSY || waited_ms >= BUSY_MS)
            return err;
        (void)sqlite3_sleep(RETRY_MS);
    }
}

static enum ry_err prepare_file(struct ry_store *store, struct ry_diag *diag)
{
    (void)sqlite3_busy_timeout(store->db, BUSY_MS);
    (void)sqlite3_extended_result_codes(store->db, 0);
    RY_TRY(
        ry_store_exec(store, "PRAGMA trusted_schema=OFF; PRAGMA foreign_keys=ON", diag));
    RY_TRY(check_whole(store, "PRAGMA quick_check(1)", diag));
    RY_TRY(use_wal(store, diag));
    /* SQLite before 3.51.3 may lose what is written while others check-point
     * (sqlite.org/wal.html, "the WAL-reset bug"): only who closes last does, alone. */
    RY_TRY(ry_store_exec(store, "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0",
                         diag));
    return check_schema(store, diag);
}

static enum ry_err make_folders(const char *path, struct ry_diag *diag)
{
    char folder[512];
    const size_t n = strlen(path);

    if (n >= sizeof(folder))
        return ry_fail(diag, RY_ERR_RANGE, "--db", "a path of %zu characters", n);
    memcpy(folder, path, n + 1);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return ry_fail(diag, RY_ERR_IO, folder, "%s", strerror(errno));
        *slash = '/';
    }
    return RY_OK;
}

/* SQLite takes a short file for an empty database and would write over it. */
static enum ry_err check_magic(const char *path, struct ry_diag *diag)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof(magic)];
    FILE *file = fopen(path, "rb");

    if (!file)
        return RY_OK; /* to be made, or SQLite says why not */
    const size_t n = fread(head, 1, sizeof(head), file);
    const bool failed = ferror(file) != 0;
    (void)fclose(file);
    if (failed || n == 0 || (n == sizeof(head) && memcmp(head, magic, n) == 0))
        return RY_OK;
    return ry_fail(diag, RY_ERR_SYNTAX, path, "is no database");
}

enum ry_err ry_store_open(const char *path, struct ry_store **store, struct ry_diag *diag)
{
    RY_TRY(make_folders(path, diag));
    RY_TRY(check_magic(path, diag));
    struct ry_store *made = calloc(1, sizeof(*made));
    if (!made)
        return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
    (void)snprintf(made->path, sizeof(made->path), "%s", path);
    enum ry_err err = RY_OK;
    if (sqlite3_open_v2(path, &made->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                        NULL) != SQLITE_OK)
        err = made->db ? ry_store_fail(made, diag)
                       : ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
    else
        err = prepare_file(made, diag);
    if (err != RY_OK) {
        ry_store_close(made);
        return err;
    }
    *store = made;
    return RY_OK;
}

void ry_store_close(struct ry_store *store)
{
    if (!store)
        return;
    (void)sqlite3_close(store->db);
    free(store);
}

/* Rows that belong to a run or search that is not there. */
static enum ry_err check_references(struct ry_store *store, struct ry_diag *diag)
{
    sqlite3_stmt *statement = NULL;

    RY_TRY(ry_store_prepare(store, "PRAGMA foreign_key_check", &statement, diag));
    const int code = sqlite3_step(statement);
    enum ry_err err = RY_OK;
    if (code == SQLITE_ROW)
        err = ry_fail(diag, RY_ERR_SYNTAX, store->path,
                      "damaged: a row of %s has no row of %s",
                      (const char *)sqlite3_column_text(statement, 0),
                      (const char *)sqlite3_column_text(statement, 2));
    else if (code != SQLITE_DONE)
        err = ry_store_fail(store, diag);
    (void)sqlite3_finalize(statement);
    return err;
}

enum ry_err ry_store_check(struct ry_store *store, struct ry_diag *diag)
{
    RY_TRY(check_whole(store, "PRAGMA integrity_check(1)", diag));
    return check_references(store, diag);
}
