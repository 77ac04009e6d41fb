/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The option --db, the same for every command that uses the store.
 */
#ifndef RY_CLI_STORE_OPTS_H
#define RY_CLI_STORE_OPTS_H

#include "cli/cmd.h"
#include "store/store.h"

/** The row of an option table for a field `const char *db`. */
#define RY_OPT_DB(type)                                                                  \
    {                                                                                    \
        .kind = RY_OPT_STRING, .offset = offsetof(type, db), .name = "db",               \
        .value = "FILE", .help = "the store (default in the XDG data folder)"            \
    }

/** What a command does with the open store. */
typedef enum ry_err ry_store_work(struct ry_store *store, struct ry_arena *arena,
                                  const void *options, const struct ry_strings *args,
                                  struct ry_diag *diag);

/** The same, but a store that is not there is made. */
RY_MUST_USE enum ry_err ry_with_new_store(struct ry_arena *arena, const char *db,
                                          ry_store_work *work, const void *options,
                                          const struct ry_strings *args,
                                          struct ry_diag *diag);

/**
 * Open the store @p db (NULL: the default one), do the work, close it.
 * @return also RY_ERR_NOTFOUND: there is none.
 */
RY_MUST_USE enum ry_err ry_with_store(struct ry_arena *arena, const char *db,
                                      ry_store_work *work, const void *options,
                                      const struct ry_strings *args,
                                      struct ry_diag *diag);

enum { RY_STORE_TIME_BYTES = 32 };

/** UTC as the store has it, of ry_utc(), whose errors it has. */
RY_MUST_USE enum ry_err ry_store_now(char text[RY_STORE_TIME_BYTES],
                                     struct ry_diag *diag);

#endif
