/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A search shared by the threads of one machine (OpenMP) or the shards of many.
 *
 * What is found does not depend on the number of threads or shards: tallies merge to
 * the same result in any order.
 */
#ifndef RY_PAR_PAR_SEARCH_H
#define RY_PAR_PAR_SEARCH_H

#include "base/err.h"
#include "search/search.h"

#include <stddef.h>

struct ry_par_search {
    size_t threads;         /**< 0: as OpenMP decides (OMP_NUM_THREADS) */
    size_t shard, shards;   /**< this process does shard 0..shards-1; 0 shards: all */
    /** Called from one thread about ten times a second with shapes done and in all;
     *  returns false to stop and keep what was found.  NULL: never. */
    bool (*progress)(void *ctx, size_t done, size_t all);
    void *ctx;
};

/** The most threads that a search would use. */
size_t ry_par_threads(void);

/**
 * Time every strategy of the problem's space (or of one shard) into @p tally.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_par_search_run(const struct ry_search_problem *problem,
                                          const struct ry_par_search *options,
                                          struct ry_search_tally *tally,
                                          struct ry_diag *diag);

#endif
