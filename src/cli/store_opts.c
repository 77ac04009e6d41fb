/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/store_opts.h"

#include "cli/utc.h"

#include <unistd.h>

/* Which store, and what is done with it. */
struct job {
    const char *db;
    bool make; /* it may be a new one */
    ry_store_work *work;
};

static enum ry_err with_job(const struct job *job, struct ry_arena *arena,
                            const void *options, const struct ry_strings *args,
                            struct ry_diag *diag)
{
    const char *path = job->db ? job->db : ry_store_default_path(arena);
    struct ry_store *store = NULL;

    if (!path)
        return ry_fail(diag, RY_ERR_NOMEM, "--db", "no memory");
    if (!job->make && access(path, F_OK) != 0)
        return ry_fail(diag, RY_ERR_NOTFOUND, path,
                       "no such store; 'railyard runs import' makes one");
    RY_TRY(ry_store_open(path, &store, diag));
    const enum ry_err err = job->work(store, arena, options, args, diag);
    ry_store_close(store);
    return err;
}

enum ry_err ry_with_store(struct ry_arena *arena, const char *db, ry_store_work *work,
                          const void *options, const struct ry_strings *args,
                          struct ry_diag *diag)
{
    return with_job(&(struct job){db, false, work}, arena, options, args, diag);
}

enum ry_err ry_with_new_store(struct ry_arena *arena, const char *db, ry_store_work *work,
                              const void *options, const struct ry_strings *args,
                              struct ry_diag *diag)
{
    return with_job(&(struct job){db, true, work}, arena, options, args, diag);
}

enum ry_err ry_store_now(char text[RY_STORE_TIME_BYTES], struct ry_diag *diag)
{
    struct tm utc;

    RY_TRY(ry_utc(&utc, diag));
    if (strftime(text, RY_STORE_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        text[0] = '\0';
    return RY_OK;
}
