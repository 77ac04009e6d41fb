/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without MPI: one process and its threads. */
#include "par/ranks.h"

#include <stdatomic.h>
#include <stdlib.h>

struct ry_share {
    atomic_size_t next;
    size_t n;
    struct ry_share_take take;
};

enum ry_err ry_ranks_open(struct ry_ranks *ranks, struct ry_diag *diag)
{
    /* what Open MPI, MPICH and Slurm's PMIx tell a process of its job */
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

    *ranks = (struct ry_ranks){.n = 1};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const char *text = getenv(sizes[i]);
        if (text && strtol(text, NULL, 10) > 1)
            return ry_fail(diag, RY_ERR_USAGE, "mpirun",
                           "%s ranks, but this railyard was built without MPI: "
                           "./configure --with-mpi, or --shard I/N",
                           text);
    }
    return RY_OK;
}

void ry_ranks_close(struct ry_ranks *ranks)
{
    (void)ranks;
}

enum ry_err ry_ranks_agree(const struct ry_ranks *ranks, enum ry_err err,
                           struct ry_diag *diag)
{
    (void)ranks;
    (void)diag;
    return err;
}

enum ry_err ry_ranks_same(const struct ry_ranks *ranks, const char *what,
                          const char *text, struct ry_diag *diag)
{
    (void)ranks;
    (void)what;
    (void)text;
    (void)diag;
    return RY_OK;
}

void ry_ranks_spread(const struct ry_ranks *ranks, void *data, size_t bytes)
{
    (void)ranks;
    (void)data;
    (void)bytes;
}

enum ry_err ry_share_open(const struct ry_ranks *ranks, size_t n,
                          const struct ry_share_take *take, struct ry_share **share,
                          struct ry_diag *diag)
{
    struct ry_share *made = calloc(1, sizeof(*made));

    (void)ranks;
    if (!made)
        return ry_fail(diag, RY_ERR_NOMEM, "pieces", "%zu of them", n);
    made->n = n;
    made->take = *take;
    *share = made;
    return RY_OK;
}

bool ry_share_next(struct ry_share *share, size_t *i)
{
    *i = atomic_fetch_add(&share->next, 1);
    return *i < share->n;
}

void ry_share_hand_in(struct ry_share *share, const void *result)
{
#ifdef _OPENMP
#pragma omp critical(ry_share_take)
#endif
    share->take.take(share->take.ctx, result);
}

void ry_share_close(struct ry_share *share)
{
    free(share);
}
