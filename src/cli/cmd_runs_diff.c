/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/runs_results.h"
#include "cli/store_opts.h"
#include "report/table.h"
#include "store/compare.h"

#include <stdio.h>
#include <string.h>

struct options {
    int format;
    const char *db;
    double tolerance;
    bool all, results;
};

static const struct ry_column columns[] = {
    {.key = "before", .title = "before", .show = RY_SHOW_COUNT},
    {.key = "after", .title = "after", .show = RY_SHOW_COUNT},
    {.key = "collective", .title = "collective"},
    {.key = "ranks", .title = "ranks", .show = RY_SHOW_COUNT},
    {.key = "nodes", .title = "nodes", .show = RY_SHOW_COUNT},
    {.key = "bytes", .title = "bytes", .show = RY_SHOW_COUNT},
    {.key = "in_place", .title = "in place", .show = RY_SHOW_BOOL},
    {.key = "before_s", .title = "was", .show = RY_SHOW_SECONDS},
    {.key = "after_s", .title = "is", .show = RY_SHOW_SECONDS},
    {.key = "time_ratio", .title = "time ratio", .show = RY_SHOW_NUMBER},
    {.key = "verdict", .title = "verdict"},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* One comparison in progress. */
struct job {
    struct ry_store *store;
    struct ry_arena *arena;
    const struct options *options;
    struct ry_table *table;
    size_t compared, degraded;
    size_t apart; /* series without a size in common */
};

static const char *verdict(const struct options *options, double ratio)
{
    if (isnan(ratio))
        return "";
    if (ratio > 1.0 + options->tolerance)
        return "slower";
    return ratio < 1.0 / (1.0 + options->tolerance) ? "faster" : "same";
}

static void add(struct job *job, long long before, long long after,
                const struct ry_bench_run *run, const struct ry_run_change *change)
{
    const double in_place =
        change->place == RY_PLACE_UNKNOWN ? RY_UNKNOWN : change->place == RY_PLACE_IN;

    ry_table_row(job->table,
                 (struct ry_cell[]){RY_NUM((double)before), RY_NUM((double)after),
                                    RY_TEXT(run->collective), RY_NUM(run->ranks),
                                    RY_NUM(run->nodes), RY_NUM(change->bytes),
                                    RY_NUM(in_place), RY_NUM(change->before_s),
                                    RY_NUM(change->after_s), RY_NUM(change->ratio),
                                    RY_TEXT(verdict(job->options, change->ratio))});
}

/* Alone: a size may be an outlier; degraded is what the medians say. */
static bool is_degraded(const struct job *job, const struct ry_run_compare *compare)
{
    const double limit = 1.0 + job->options->tolerance;

    return compare->small_ratio > limit || compare->large_ratio > limit;
}

/* "1.02 times"; "-" where no size is of that class. */
static const char *times(double ratio, char text[RY_NUMBER_BYTES])
{
    (void)snprintf(text, RY_NUMBER_BYTES, isnan(ratio) ? "-" : "%.3g times", ratio);
    return text;
}

static void say(const struct job *job, const struct ry_run_compare *compare)
{
    char small[RY_NUMBER_BYTES];
    char large[RY_NUMBER_BYTES];

    (void)fprintf(stderr,
                  "to 64 KiB %s, from 1 MiB %s, worst %.3g times at %.0f bytes: %s\n",
                  times(compare->small_ratio, small), times(compare->large_ratio, large),
                  compare->worst_ratio, compare->worst_bytes,
                  is_degraded(job, compare) ? "degraded" : "not degraded");
}

static enum ry_err compare_two(struct job *job, long long before, long long after,
                               struct ry_diag *diag)
{
    struct ry_bench_run a;
    struct ry_bench_run b;
    struct ry_run_compare compare;

    RY_TRY(ry_store_rows(job->store, job->arena, before, &a, diag));
    RY_TRY(ry_store_rows(job->store, job->arena, after, &b, diag));
    if (strcmp(a.collective ? a.collective : "", b.collective ? b.collective : "") != 0)
        return ry_fail(diag, RY_ERR_RANGE, "runs diff", "run %lld is %s, run %lld is %s",
                       before, a.collective ? a.collective : "not known", after,
                       b.collective ? b.collective : "not known");
    if (isfinite(a.ranks) && isfinite(b.ranks) && a.ranks != b.ranks)
        return ry_fail(diag, RY_ERR_RANGE, "runs diff", "%.0f ranks and %.0f ranks",
                       a.ranks, b.ranks);
    RY_TRY(ry_run_compare(job->arena, &a, &b, &compare, diag));
    for (size_t i = 0; i < compare.n; i++) {
        const bool slower = compare.changes[i].ratio > 1.0 + job->options->tolerance;
        if (job->options->all || slower)
            add(job, before, after, &b, &compare.changes[i]);
    }
    job->compared++;
    job->degraded += is_degraded(job, &compare);
    (void)fprintf(stderr, "run %lld -> %lld, %s: ", before, after,
                  b.collective ? b.collective : "?");
    say(job, &compare);
    return RY_OK;
}

static bool same_series(const struct ry_stored_run *a, const struct ry_stored_run *b)
{
    const bool same_nodes = a->nodes == b->nodes || (isnan(a->nodes) && isnan(b->nodes));

    return strcmp(a->collective, b->collective) == 0 && a->ranks == b->ranks &&
           same_nodes && strcmp(a->gpu, b->gpu) == 0 && strcmp(a->launch, b->launch) == 0;
}

/* A series that cannot be compared does not keep the others from it. */
static enum ry_err compare_series(struct job *job, long long before, long long after,
                                  struct ry_diag *diag)
{
    struct ry_diag mine = {.code = RY_OK};
    const enum ry_err err = compare_two(job, before, after, &mine);

    if (err == RY_ERR_DEGENERATE) {
        (void)fprintf(stderr, "run %lld -> %lld: %s\n", before, after, mine.text);
        job->apart++;
        return RY_OK;
    }
    if (err != RY_OK && diag)
        *diag = mine;
    return err;
}

/* The newest run of each series against the one before it. */
static enum ry_err compare_newest(struct job *job, struct ry_diag *diag)
{
    struct ry_stored_runs runs;

    RY_TRY(ry_store_runs(job->store, job->arena, &runs, diag));
    for (size_t i = runs.n; i-- > 0;) {
        size_t later = i + 1;
        size_t before = i;
        while (later < runs.n && !same_series(&runs.at[i], &runs.at[later]))
            later++;
        if (later < runs.n)
            continue; /* not the newest */
        while (before-- > 0) {
            if (same_series(&runs.at[i], &runs.at[before]))
                break;
        }
        if (before < i)
            RY_TRY(compare_series(job, runs.at[before].id, runs.at[i].id, diag));
    }
    if (job->compared == 0 && job->apart > 0)
        return ry_fail(diag, RY_ERR_DEGENERATE, "runs diff",
                       "no run has a size in common with the one before it");
    if (job->compared == 0)
        return ry_fail(diag, RY_ERR_NOTFOUND, "runs diff",
                       "no two runs of the same collective, ranks, nodes and GPU");
    return RY_OK;
}

static enum ry_err diff_results(struct ry_store *store, struct ry_arena *arena,
                                const struct options *options,
                                const struct ry_strings *args, struct ry_diag *diag)
{
    struct ry_results_diff ask = {.tolerance_frac = options->tolerance,
                                  .all = options->all,
                                  .format = options->format};

    if (args->n != 2)
        return ry_fail(diag, RY_ERR_USAGE, "runs diff", "two results are compared");
    RY_TRY(ry_run_id(args->at[0], &ask.before, diag));
    RY_TRY(ry_run_id(args->at[1], &ask.after, diag));
    return ry_results_diff(store, arena, &ask, diag);
}

static enum ry_err diff(struct ry_store *store, struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct options *options = given;
    struct job job = {.store = store, .arena = arena, .options = options};

    if (options->results)
        return diff_results(store, arena, options, args, diag);
    job.table = ry_table_create(arena, columns, COLUMNS);
    if (args->n == 1)
        return ry_fail(diag, RY_ERR_USAGE, "runs diff",
                       "two runs, or none for the newest");
    if (args->n == 2) {
        long long ids[2];
        RY_TRY(ry_run_id(args->at[0], &ids[0], diag));
        RY_TRY(ry_run_id(args->at[1], &ids[1], diag));
        RY_TRY(compare_two(&job, ids[0], ids[1], diag));
    } else
        RY_TRY(compare_newest(&job, diag));
    if (ry_table_rows(job.table) > 0 || !ry_format_for_people(options->format))
        RY_TRY(ry_table_print(job.table, stdout, (enum ry_table_format)options->format,
                              diag));
    return job.degraded ? RY_ERR_NO : RY_OK;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    return ry_with_store(arena, ((const struct options *)options)->db, diff, options,
                         args, diag);
}

static const struct options defaults = {.tolerance = 0.05};

static const struct ry_opt opts[] = {
    RY_OPT_FORMAT(struct options),
    RY_OPT_DB(struct options),
    {.kind = RY_OPT_QUANTITY,
     .offset = offsetof(struct options, tolerance),
     .dim = RY_DIM_FRACTION,
     .name = "tolerance",
     .value = "SHARE",
     .help = "how much slower is no matter (default 5 %)"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, all),
     .name = "all",
     .help = "every size or design, not only what became slower or differs"},
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(struct options, results),
     .name = "results",
     .help = "kept searches or rankings instead of runs"},
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_runs_diff = {
    .name = "runs diff",
    .args = "[BEFORE AFTER]",
    .max_args = 2,
    .summary = "Compare two runs, or the newest of each series with the one before",
    .example = "railyard runs diff",
    .opts = opts,
    .options_bytes = sizeof(struct options),
    .defaults = &defaults,
    .run = run,
};
