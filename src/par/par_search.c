/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "par/par_search.h"

#include <stdatomic.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Neighbouring shapes share costs, so a worker takes a run of them. */
enum { RUN_SHAPES = 16 };

struct shared {
    const struct ry_search_problem *problem;
    const struct ry_par_search *options;
    struct ry_search_tally *tally;
    struct ry_share *share;
    size_t runs;
    size_t done; /* known or taken */
    atomic_bool stop;
    atomic_bool out_of_memory;
};

size_t ry_par_threads(void)
{
#ifdef _OPENMP
    return (size_t)omp_get_max_threads();
#else
    return 1;
#endif
}

size_t ry_par_search_runs(const struct ry_search_problem *problem)
{
    return (problem->space->shapes_n + RUN_SHAPES - 1) / RUN_SHAPES;
}

/* On the first rank, one call at a time. */
static void take(void *ctx, const void *result)
{
    struct shared *shared = ctx;
    const struct ry_par_search *o = shared->options;
    const struct ry_par_run *run = result;

    ry_search_merge(shared->tally, &run->tally);
    shared->done++;
    if (o->kept.take)
        o->kept.take(o->kept.ctx, run);
    if (o->progress && !o->progress(o->ctx, shared->done, shared->runs))
        atomic_store(&shared->stop, true);
}

static bool is_mine(const struct ry_par_search *o, size_t run)
{
    return (o->shards <= 1 || run % o->shards == o->shard) &&
           !(o->kept.known && o->kept.known[run]);
}

static void do_run(const struct shared *shared, struct ry_search_cache *cache, size_t run)
{
    const size_t all = shared->problem->space->shapes_n;
    const size_t first = run * RUN_SHAPES;
    const size_t last = first + RUN_SHAPES < all ? first + RUN_SHAPES : all;
    struct ry_par_run result = {.run = run};

    ry_search_evaluate(cache, first, last, &result.tally);
    ry_share_hand_in(shared->share, &result);
}

/* One thread's share; every thread of a team calls it. */
static void work(struct shared *shared)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_search_cache *cache =
        arena ? ry_search_cache_create(arena, shared->problem) : NULL;
    size_t run = 0;

    if (!cache)
        atomic_store(&shared->out_of_memory, true);
    while (cache && !atomic_load(&shared->stop) && ry_share_next(shared->share, &run)) {
        if (is_mine(shared->options, run))
            do_run(shared, cache, run);
    }
    ry_arena_destroy(arena);
}

static void work_in_team(struct shared *shared)
{
#ifdef _OPENMP
    const size_t asked = shared->options->threads;
    const int threads = asked ? (int)asked : omp_get_max_threads();
#pragma omp parallel num_threads(threads)
#endif
    work(shared);
}

enum ry_err ry_par_search_run(const struct ry_search_problem *problem,
                              const struct ry_par_search *options,
                              struct ry_search_tally *tally, struct ry_diag *diag)
{
    const struct ry_ranks alone = {.n = 1};
    const struct ry_ranks *ranks = options->ranks ? options->ranks : &alone;
    struct shared shared = {.problem = problem,
                            .options = options,
                            .tally = tally,
                            .runs = ry_par_search_runs(problem)};
    const struct ry_share_take taker = {take, &shared, sizeof(struct ry_par_run)};
    enum ry_err err = RY_OK;

    for (size_t run = 0; run < shared.runs; run++)
        shared.done += !is_mine(options, run);
    RY_TRY(ry_share_open(ranks, shared.runs, &taker, &shared.share, diag));
    work_in_team(&shared);
    ry_share_close(shared.share);
    if (atomic_load(&shared.out_of_memory))
        err = ry_fail(diag, RY_ERR_NOMEM, "search", "no room for the costs of a thread");
    return ry_ranks_agree(ranks, err, diag);
}
