/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/store_opts.h"
#include "store/jobs.h"

#include <stdio.h>

struct options {
    const char *db;
};

static enum ry_err check(struct ry_store *store, struct ry_arena *arena,
                         const void *options, const struct ry_strings *args,
                         struct ry_diag *diag)
{
    struct ry_stored_runs runs;
    struct ry_stored_fits fits;
    struct ry_listed_jobs jobs;

    (void)options;
    (void)args;
    RY_TRY(ry_store_check(store, diag));
    RY_TRY(ry_store_runs(store, arena, &runs, diag));
    RY_TRY(ry_store_fits(store, arena, &fits, diag));
    RY_TRY(ry_jobs_list(store, arena, &jobs, diag));
    printf("whole: %zu runs, %zu models, %zu results, schema %d\n", runs.n, fits.n,
           jobs.n, RY_STORE_SCHEMA);
    return RY_OK;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    return ry_with_store(arena, ((const struct options *)options)->db, check, options,
                         args, diag);
}

static const struct ry_opt opts[] = {
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_runs_check = {
    .name = "runs check",
    .args = "",
    .summary = "Look at every page, index and reference of the store",
    .example = "railyard runs check",
    .opts = opts,
    .options_bytes = sizeof(struct options),
    .run = run,
};
