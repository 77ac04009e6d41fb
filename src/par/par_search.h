/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A search shared by threads (OpenMP), by the ranks of a job (MPI) and by shards.
 *
 * What is found does not depend on the number of any of them: tallies merge to the same
 * result in any order.  The space is cut into runs of neighbouring shapes, which is also
 * the unit in which a search is kept and resumed.
 */
#ifndef RY_PAR_PAR_SEARCH_H
#define RY_PAR_PAR_SEARCH_H

#include "base/err.h"
#include "par/ranks.h"
#include "search/search.h"

#include <stddef.h>

/** What was seen in one run. */
struct ry_par_run {
    size_t run;
    struct ry_search_tally tally;
};

/** Runs that are known from before, and what is told of new ones.  NULL: nothing. */
struct ry_par_kept {
    const bool *known; /**< [ry_par_search_runs()] not to be done again, or NULL */
    void (*take)(void *ctx, const struct ry_par_run *run); /**< one call at a time */
    void *ctx;
};

struct ry_par_search {
    size_t threads;       /**< 0: as OpenMP decides (OMP_NUM_THREADS) */
    size_t shard, shards; /**< this process does shard 0..shards-1; 0 shards: all */
    const struct ry_ranks *ranks; /**< all of them take part; NULL: this process alone */
    struct ry_par_kept kept;
    /** Called from one thread at a time with runs done and in all; returns false to stop
     *  and keep what was found (not with more ranks).  NULL: never. */
    bool (*progress)(void *ctx, size_t done, size_t all);
    void *ctx;
};

/** The most threads that a search would use. */
size_t ry_par_threads(void);

/** How many runs the space of a problem is cut into. */
size_t ry_par_search_runs(const struct ry_search_problem *problem);

/**
 * Time every strategy of the problem's space (or of one shard) that is not known.
 * @param tally on the first rank: added to, so that it starts with what is known.
 * @return RY_OK or RY_ERR_NOMEM, the same on every rank.
 */
RY_MUST_USE enum ry_err ry_par_search_run(const struct ry_search_problem *problem,
                                          const struct ry_par_search *options,
                                          struct ry_search_tally *tally,
                                          struct ry_diag *diag);

#endif
