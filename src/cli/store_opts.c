/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/store_opts.h"

static enum ry_err with_arena(const char *db, ry_store_work *work, struct ry_arena *arena,
                              const void *options, const struct ry_strings *args,
                              struct ry_diag *diag)
{
    const char *path = db ? db : ry_store_default_path(arena);
    struct ry_store *store = NULL;

    if (!path)
        return ry_fail(diag, RY_ERR_NOMEM, "--db", "no memory");
    RY_TRY(ry_store_open(path, &store, diag));
    const enum ry_err err = work(store, arena, options, args, diag);
    ry_store_close(store);
    return err;
}

enum ry_err ry_with_store(const char *db, ry_store_work *work, const void *options,
                          const struct ry_strings *args, struct ry_diag *diag)
{
    struct ry_arena *arena = ry_arena_create(0);

    if (!arena)
        return ry_fail(diag, RY_ERR_NOMEM, "--db", "no memory");
    const enum ry_err err = with_arena(db, work, arena, options, args, diag);
    ry_arena_destroy(arena);
    return err;
}
