/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "par/par_search.h"

#include <stdatomic.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Neighbouring shapes share costs, so a worker takes a run of them. */
enum { RUN_SHAPES = 16, RUNS_BETWEEN_REPORTS = 16 };

struct shared {
    const struct ry_search_problem *problem;
    const struct ry_par_search *options;
    struct ry_search_tally *tally;
    size_t runs;
    atomic_size_t done;
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

static bool first_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num() == 0;
#else
    return true;
#endif
}

static void report(struct shared *shared)
{
    const struct ry_par_search *o = shared->options;
    const size_t done = atomic_load(&shared->done);

    if (o->progress && first_thread() && done % RUNS_BETWEEN_REPORTS == 0 &&
        !o->progress(o->ctx, done, shared->runs))
        atomic_store(&shared->stop, true);
}

static void do_run(struct shared *shared, struct ry_search_cache *cache, size_t run,
                   struct ry_search_tally *mine)
{
    const struct ry_par_search *o = shared->options;
    const size_t all = shared->problem->space->shapes_n;
    const size_t first = run * RUN_SHAPES;
    const size_t last = first + RUN_SHAPES < all ? first + RUN_SHAPES : all;

    if (atomic_load(&shared->stop) || (o->shards > 1 && run % o->shards != o->shard))
        return;
    ry_search_evaluate(cache, first, last, mine);
    atomic_fetch_add(&shared->done, 1);
    report(shared);
}

/* One thread's share; every thread of a team calls it. */
static void work(struct shared *shared)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_search_cache *cache =
        arena ? ry_search_cache_create(arena, shared->problem) : NULL;
    struct ry_search_tally mine = {0};

    if (!cache)
        atomic_store(&shared->out_of_memory, true);
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1) nowait
#endif
    for (size_t run = 0; run < shared->runs; run++) {
        if (cache)
            do_run(shared, cache, run, &mine);
    }
#ifdef _OPENMP
#pragma omp critical(ry_par_search_merge)
#endif
    ry_search_merge(shared->tally, &mine);
    ry_arena_destroy(arena);
}

enum ry_err ry_par_search_run(const struct ry_search_problem *problem,
                              const struct ry_par_search *options,
                              struct ry_search_tally *tally, struct ry_diag *diag)
{
    struct shared shared = {
        .problem = problem,
        .options = options,
        .tally = tally,
        .runs = (problem->space->shapes_n + RUN_SHAPES - 1) / RUN_SHAPES,
    };
#ifdef _OPENMP
    const int threads =
        options->threads ? (int)options->threads : omp_get_max_threads();
#pragma omp parallel num_threads(threads)
#endif
    work(&shared);
    if (atomic_load(&shared.out_of_memory))
        return ry_fail(diag, RY_ERR_NOMEM, "search", "no room for the costs of a thread");
    return RY_OK;
}
