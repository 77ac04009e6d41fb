/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Work shared by the threads of this process and the ranks of an MPI job.
 *
 * Pieces are numbered; whoever is free takes the next one, so slow and fast ranks both
 * stay busy.  What is made of a piece comes to the first rank, which alone prints and
 * saves.  One process without MPI is a job of one rank: callers have one code for
 * serial, OpenMP and MPI.
 *
 * Built without MPI (see ./configure --with-mpi) a job of more ranks is refused.
 */
#ifndef RY_PAR_RANKS_H
#define RY_PAR_RANKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct ry_ranks {
    size_t n;  /**< 1 or more */
    size_t me; /**< 0: the first, which prints */
    bool mpi;  /**< MPI was started */
};

/**
 * Join the job that this process was started in.  Not the first: standard output and
 * error go nowhere from here on.
 * @return RY_OK; RY_ERR_USAGE: started by mpirun, but built without MPI.
 */
RY_MUST_USE enum ry_err ry_ranks_open(struct ry_ranks *ranks, struct ry_diag *diag);

/** Leave it; after ry_ranks_open(), also when that failed. */
void ry_ranks_close(struct ry_ranks *ranks);

/**
 * All ranks say how they are: the first that failed decides for all.
 * @param err  of this rank; @p diag its reason, replaced by that of the rank that failed.
 * @return the same on every rank.
 */
RY_MUST_USE enum ry_err ry_ranks_agree(const struct ry_ranks *ranks, enum ry_err err,
                                       struct ry_diag *diag);

/**
 * Whether all ranks have the same text of at most 64 characters.
 * @return RY_OK or RY_ERR_RANGE: @p what differs, and on which rank.
 */
RY_MUST_USE enum ry_err ry_ranks_same(const struct ry_ranks *ranks, const char *what,
                                      const char *text, struct ry_diag *diag);

/** Copy @p bytes at @p data from the first rank to all. */
void ry_ranks_spread(const struct ry_ranks *ranks, void *data, size_t bytes);

/** A list of pieces being worked on. */
struct ry_share;

/** What becomes of the pieces, on the first rank, one call at a time, in any order. */
struct ry_share_take {
    void (*take)(void *ctx, const void *result);
    void *ctx;
    size_t bytes; /**< of a result */
};

/**
 * Begin pieces 0 to @p n - 1; every rank calls it, from one thread.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_share_open(const struct ry_ranks *ranks, size_t n,
                                      const struct ry_share_take *take,
                                      struct ry_share **share, struct ry_diag *diag);

/** The next piece that nobody has; any thread.  false: none is left. */
bool ry_share_next(struct ry_share *share, size_t *i);

/** Hand in what was made of a piece; any thread. */
void ry_share_hand_in(struct ry_share *share, const void *result);

/** Wait until all ranks have none left and all results are taken.  NULL is allowed. */
void ry_share_close(struct ry_share *share);

#endif
