/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "par/par_confidence.h"

#include <stdatomic.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* One thread's share; every thread of a team calls it. */
static void work(const struct ry_study *study, struct ry_draws *draws,
                 atomic_bool *out_of_memory)
{
    struct ry_arena *arena = ry_arena_create(0);
    double *factor = arena ? RY_NEW(arena, double, study->unknowns_n + 1) : NULL;
    struct ry_study_scratch *scratch = arena ? ry_study_scratch_create(arena) : NULL;

    if (!factor || !scratch)
        atomic_store(out_of_memory, true);
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 16)
#endif
    for (size_t d = 0; d < draws->n; d++)
        if (factor && scratch)
            ry_draws_evaluate(study, draws, d, d + 1, factor, scratch);
    ry_arena_destroy(arena);
}

enum ry_err ry_par_draws_run(const struct ry_study *study, size_t threads,
                             struct ry_draws *draws, struct ry_diag *diag)
{
    atomic_bool out_of_memory = false;
#ifdef _OPENMP
    const int team = threads ? (int)threads : omp_get_max_threads();
#pragma omp parallel num_threads(team)
#else
    (void)threads;
#endif
    work(study, draws, &out_of_memory);
    if (atomic_load(&out_of_memory))
        return ry_fail(diag, RY_ERR_NOMEM, "draws", "no room for a thread");
    return RY_OK;
}
