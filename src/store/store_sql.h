/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Inside the store: the handle, and statements with bound parameters.
 */
#ifndef RY_STORE_STORE_SQL_H
#define RY_STORE_STORE_SQL_H

#include "store/store.h"

#include <sqlite3.h>

#include <stdbool.h>
#include <stdint.h>

struct ry_store {
    sqlite3 *db;
    char path[512];
};

/** Say what SQLite says; RY_ERR_IO, RY_ERR_NOMEM or RY_ERR_SYNTAX by its code. */
RY_MUST_USE enum ry_err ry_store_fail(const struct ry_store *store, struct ry_diag *diag);

/** Run a script without results. */
RY_MUST_USE enum ry_err ry_store_exec(struct ry_store *store, const char *sql,
                                      struct ry_diag *diag);

/** Prepare one statement; the caller finalizes it. */
RY_MUST_USE enum ry_err ry_store_prepare(struct ry_store *store, const char *sql,
                                         sqlite3_stmt **statement, struct ry_diag *diag);

/** Bind a text (NULL: NULL) or a number (NAN: NULL) to parameter @p i, from 1. */
void ry_store_bind_text(sqlite3_stmt *statement, int i, const char *text);
void ry_store_bind_number(sqlite3_stmt *statement, int i, double number);

/** The same for a count, which SQLite keeps as a signed 64-bit number. */
void ry_store_bind_count(sqlite3_stmt *statement, int i, uint64_t count);
uint64_t ry_store_count(sqlite3_stmt *statement, int i);

/** Column @p i, from 0: NAN for NULL; a copy in the arena, "" for NULL. */
double ry_store_number(sqlite3_stmt *statement, int i);
const char *ry_store_text(struct ry_arena *arena, sqlite3_stmt *statement, int i);

/** Run a statement that has no result, and make it ready to run again. */
RY_MUST_USE enum ry_err ry_store_done(struct ry_store *store, sqlite3_stmt *statement,
                                      struct ry_diag *diag);

/** Room for one more of @p n things of @p size bytes in the array @p at, which may
 * move. */
bool ry_store_grow(struct ry_arena *arena, void **at, size_t n, size_t *room,
                   size_t size);

/** Run @p work in one transaction: all of it or nothing. */
RY_MUST_USE enum ry_err ry_store_transaction(struct ry_store *store,
                                             enum ry_err (*work)(struct ry_store *,
                                                                 void *,
                                                                 struct ry_diag *),
                                             void *data, struct ry_diag *diag);

#endif
