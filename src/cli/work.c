/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/work.h"

#include "base/names.h"
#include "cli/progress.h"
#include "cli/store_opts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PENDING_MOST = 512 };

/* A commit waits for the disk: not more often than this. */
static const double keep_every_s = 0.1;

/* "2/8": the third of eight. */
static enum ry_err parse_shard(struct ry_work *work, struct ry_diag *diag)
{
    const char *text = work->opts->shard;
    char rest = '\0';

    if (!text)
        return RY_OK;
    if (sscanf(text, "%9zu/%9zu%c", &work->shard, &work->shards, &rest) != 2 ||
        strchr(text, '-') || work->shards == 0 || work->shard >= work->shards)
        return ry_fail(diag, RY_ERR_RANGE, "--shard",
                       "'%s' is not i/n with i from 0 to n - 1", text);
    return RY_OK;
}

enum ry_err ry_work_open(struct ry_arena *arena, const struct ry_cmd *cmd,
                         const struct ry_work_opts *opts, struct ry_work *work,
                         struct ry_diag *diag)
{
    *work = (struct ry_work){.arena = arena, .cmd = cmd, .opts = opts, .ranks = {.n = 1}};
    const size_t room = opts->store ? PENDING_MOST : 1;
    work->pending = RY_NEW(arena, struct ry_job_piece, room);
    work->pending_best = RY_NEW(arena, struct ry_job_best, room);
    if (!work->pending || !work->pending_best)
        return ry_fail(diag, RY_ERR_NOMEM, "--store", "pieces");
    RY_TRY(parse_shard(work, diag));
    return ry_ranks_open(&work->ranks, diag);
}

bool ry_work_first(const struct ry_work *work)
{
    return work->ranks.me == 0;
}

/* The words as a JSON array. */
const char *ry_work_words_json(const struct ry_work *work)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    (void)fputc('[', out);
    for (size_t i = 0; i < work->words.n; i++) {
        (void)fputs(i ? ", " : "", out);
        ry_json_put_text(out, work->words.at[i]);
    }
    (void)fputc(']', out);
    const char *kept = fclose(out) == 0 ? ry_strdup(work->arena, text) : NULL;
    free(text);
    return kept;
}

static enum ry_err open_store(struct ry_work *work, struct ry_diag *diag)
{
    char now[RY_STORE_TIME_BYTES];
    const char *words = ry_work_words_json(work);

    if (!words)
        return ry_fail(diag, RY_ERR_NOMEM, "--store", "the command line");
    RY_TRY(ry_store_now(now, diag));
    RY_TRY(ry_store_open(work->opts->store, &work->store, diag));
    const struct ry_job_ask ask = {work->cmd->name, words, work->inputs, now};
    RY_TRY(ry_job_begin(work->store, &ask, &work->job, diag));
    work->kept_at_s = ry_now_s();
    return RY_OK;
}

static enum ry_err find_inputs(struct ry_work *work, const void *options,
                               struct ry_inputs *inputs, struct ry_diag *diag)
{
    static const char *const no_matter[] = {"shard",   "store", "format",
                                            "threads", "quiet", NULL};

    if (ry_opts_words(work->arena, work->cmd, options, inputs->files, no_matter,
                      &work->words) != RY_OK)
        return ry_fail(diag, RY_ERR_NOMEM, work->cmd->name, "its command line");
    inputs->command = work->cmd->name;
    inputs->words = &work->words;
    return ry_inputs_digest(work->arena, inputs, work->inputs, diag);
}

static enum ry_err same_as_joined(const struct ry_work *work, struct ry_diag *diag)
{
    const struct ry_joined *joined = work->opts->joined;

    if (!joined || strcmp(joined->inputs, work->inputs) == 0)
        return RY_OK;
    return ry_fail(diag, RY_ERR_RANGE, joined->first,
                   "was made by another railyard, or its inputs have changed since");
}

/* A part is a job of its own: it does not see the pieces of others. */
static void name_part(struct ry_work *work)
{
    const size_t used = strlen(work->inputs);

    if (work->shards > 1)
        (void)snprintf(work->inputs + used, sizeof(work->inputs) - used, ":%zu/%zu",
                       work->shard, work->shards);
}

enum ry_err ry_work_begin(struct ry_work *work, const void *options,
                          struct ry_inputs *inputs, enum ry_err err, struct ry_diag *diag)
{
    const struct ry_work_opts *opts = work->opts;

    RY_TRY(ry_ranks_agree(&work->ranks, err, diag));
    if (!opts->store && !opts->shard && !opts->joined && work->ranks.n == 1)
        return RY_OK;
    err = find_inputs(work, options, inputs, diag);
    RY_TRY(ry_ranks_agree(&work->ranks, err, diag));
    RY_TRY(ry_ranks_same(&work->ranks, "inputs or program", work->inputs, diag));
    RY_TRY(same_as_joined(work, diag));
    if (opts->store && ry_work_first(work)) {
        char digest[sizeof(work->inputs)];
        memcpy(digest, work->inputs, sizeof(digest));
        name_part(work);
        err = open_store(work, diag);
        memcpy(work->inputs, digest, sizeof(digest));
    }
    return ry_ranks_agree(&work->ranks, err, diag);
}

static enum ry_err known_here(struct ry_work *work, const struct ry_job_case *of,
                              bool known[], struct ry_search_tally *tally,
                              struct ry_diag *diag)
{
    const struct ry_joined *joined = work->opts->joined;

    if (joined && of->case_i >= joined->cases_n)
        return ry_fail(diag, RY_ERR_RANGE, joined->first, "has %zu cases, not case %zu",
                       joined->cases_n, of->case_i);
    if (joined) {
        *tally = joined->search[of->case_i];
        memset(known, 1, of->pieces * sizeof(known[0]));
        return RY_OK;
    }
    return work->store ? ry_job_known(work->store, of, known, tally, diag) : RY_OK;
}

enum ry_err ry_work_known(struct ry_work *work, size_t case_i, size_t runs, bool known[],
                          struct ry_search_tally *tally, struct ry_diag *diag)
{
    const struct ry_job_case of = {work->job.id, case_i, runs};
    enum ry_err err = RY_OK;

    if (ry_work_first(work))
        err = known_here(work, &of, known, tally, diag);
    RY_TRY(ry_ranks_agree(&work->ranks, err, diag));
    ry_ranks_spread(&work->ranks, known, runs * sizeof(known[0]));
    work->resumed += tally->evaluated;
    return RY_OK;
}

static enum ry_err keep_pending(struct ry_work *work)
{
    return strcmp(work->cmd->name, "rank") == 0
               ? ry_job_keep_bests(work->store, work->job.id, work->pending_best,
                                   work->pending_n, &work->why)
               : ry_job_keep(work->store, work->job.id, work->pending, work->pending_n,
                             &work->why);
}

static void work_flush(struct ry_work *work)
{
    if (work->pending_n > 0 && work->err == RY_OK)
        work->err = keep_pending(work);
    work->pending_n = 0;
    work->kept_at_s = ry_now_s();
}

static void flush_in_time(struct ry_work *work)
{
    if (work->pending_n == PENDING_MOST || ry_now_s() - work->kept_at_s > keep_every_s)
        work_flush(work);
}

void ry_work_take(struct ry_work *work, size_t case_i, const struct ry_par_run *run)
{
    if (!work->store || work->err != RY_OK)
        return;
    work->pending[work->pending_n++] =
        (struct ry_job_piece){case_i, run->run, run->tally};
    flush_in_time(work);
}

static void take_case(void *ctx, size_t case_i, const struct ry_case_found *found)
{
    struct ry_work *work = ctx;

    if (!work->store || work->err != RY_OK)
        return;
    work->pending_best[work->pending_n++] = (struct ry_job_best){case_i, *found};
    flush_in_time(work);
}

/* Neighbouring designs are alike, so a shard takes a few in a row; eight times. */
static bool is_left_out(const struct ry_work *work, size_t i, size_t n)
{
    const size_t row = work->shards > 1 ? n / (8 * work->shards) : 1;

    return work->shards > 1 && i / (row ? row : 1) % work->shards != work->shard;
}

/* The known cases of a ranking, and the arena that keeps them. */
struct known_cases {
    struct ry_work *work;
    const struct ry_case_found **known;
    bool out_of_memory;
};

static void take_known(void *ctx, const struct ry_job_best *best)
{
    struct known_cases *k = ctx;
    struct ry_case_found *kept = RY_NEW(k->work->arena, struct ry_case_found, 1);

    k->out_of_memory |= !kept;
    if (!kept)
        return;
    *kept = best->found;
    k->known[best->case_i] = kept;
    k->work->cases_resumed++;
}

static enum ry_err known_cases(struct ry_work *work, size_t n,
                               const struct ry_case_found **known, struct ry_diag *diag)
{
    const struct ry_joined *joined = work->opts->joined;
    struct known_cases k = {work, known, false};

    if (joined && joined->cases_n != n)
        return ry_fail(diag, RY_ERR_RANGE, joined->first, "has %zu cases, not %zu",
                       joined->cases_n, n);
    if (joined)
        memcpy(known, joined->rank, n * sizeof(known[0]));
    else if (work->store)
        RY_TRY(ry_job_bests(work->store, work->job.id, n, take_known, &k, diag));
    return k.out_of_memory ? ry_fail(diag, RY_ERR_NOMEM, "--store", "%zu cases", n)
                           : RY_OK;
}

enum ry_err ry_work_cases(struct ry_work *work, size_t n, struct ry_plan_sharing *sharing,
                          struct ry_diag *diag)
{
    static const struct ry_case_found elsewhere = {0}; /* the first rank knows what */
    bool *left_out = RY_NEW(work->arena, bool, n + 1);
    bool *is_known = RY_NEW(work->arena, bool, n + 1);
    const struct ry_case_found **known =
        RY_NEW(work->arena, const struct ry_case_found *, n + 1);
    enum ry_err err = RY_OK;

    if (!left_out || !is_known || !known)
        err = ry_fail(diag, RY_ERR_NOMEM, "rank", "%zu cases", n);
    else if (ry_work_first(work))
        err = known_cases(work, n, known, diag);
    RY_TRY(ry_ranks_agree(&work->ranks, err, diag));
    for (size_t i = 0; i < n; i++) {
        left_out[i] = is_left_out(work, i, n);
        is_known[i] = known[i] != NULL;
    }
    ry_ranks_spread(&work->ranks, is_known, n * sizeof(is_known[0]));
    for (size_t i = 0; i < n; i++)
        if (is_known[i] && !known[i])
            known[i] = &elsewhere;
    *sharing = (struct ry_plan_sharing){&work->ranks, left_out, known, take_case, work};
    return RY_OK;
}

/* What is printed by --format json, as a text of the arena. */
static const char *rows_json(struct ry_arena *arena, const struct ry_table *table)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    ry_table_print_json(table, out, 0);
    const char *kept = fclose(out) == 0 ? ry_strdup(arena, text) : NULL;
    free(text);
    return kept;
}

void ry_work_answer(struct ry_work *work, const struct ry_table *table)
{
    char now[RY_STORE_TIME_BYTES];

    if (!work->store || work->err != RY_OK)
        return;
    const char *rows = rows_json(work->arena, table);
    work->err = rows ? ry_store_now(now, &work->why)
                     : ry_fail(&work->why, RY_ERR_NOMEM, "--store", "the rows");
    if (work->err == RY_OK)
        work->err = ry_job_answer(work->store, work->job.id, now, rows, &work->why);
    if (work->err == RY_OK)
        (void)fprintf(stderr, "kept as result %lld in %s\n", work->job.id,
                      work->opts->store);
}

enum ry_err ry_work_close(struct ry_work *work, enum ry_err err, struct ry_diag *diag)
{
    const bool first = ry_work_first(work);

    if (work->store)
        work_flush(work);
    ry_store_close(work->store);
    ry_ranks_close(&work->ranks);
    if (!first)
        return RY_OK;
    if (work->err == RY_OK ||
        (err != RY_OK && err != RY_ERR_INFEASIBLE && err != RY_ERR_NO))
        return err;
    if (diag)
        *diag = work->why;
    return work->err;
}
