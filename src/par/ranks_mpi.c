/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With MPI: a counter on the first rank that all fetch from, results sent to it.
 *
 * MPI is called by one thread at a time (MPI_THREAD_SERIALIZED), in one critical section
 * that also guards the taking of results. */
#include "par/ranks.h"

#include <mpi.h>

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_RESULT = 1, TAG_END = 2, TEXT_BYTES = 80 };

struct ry_share {
    struct ry_ranks ranks;
    size_t n;
    struct ry_share_take take;
    uint64_t next;     /* of a job of one rank */
    uint64_t *counter; /* in the window, on the first rank */
    MPI_Win window;
    size_t ended; /* ranks that sent their last result */
    void *room;   /* [take.bytes] for a result of another rank */
};

/* What Open MPI, MPICH and PMIx set for the processes of a job. */
static bool started_by_mpi(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_RANK") || getenv("PMIX_RANK");
}

enum ry_err ry_ranks_open(struct ry_ranks *ranks, struct ry_diag *diag)
{
    int provided = 0, n = 1;
    int me = 0;

    *ranks = (struct ry_ranks){.n = 1};
    if (!started_by_mpi())
        return RY_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
        return ry_fail(diag, RY_ERR_IO, "MPI", "cannot start");
    (void)MPI_Comm_size(MPI_COMM_WORLD, &n);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &me);
    *ranks = (struct ry_ranks){.n = (size_t)n, .me = (size_t)me, .mpi = true};
    if (me > 0 &&
        (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        return ry_fail(diag, RY_ERR_IO, "/dev/null", "cannot write to it");
    if (provided < MPI_THREAD_SERIALIZED)
        return ry_fail(diag, RY_ERR_IO, "MPI", "it does not support threads");
    return RY_OK;
}

void ry_ranks_close(struct ry_ranks *ranks)
{
    if (ranks->mpi)
        (void)MPI_Finalize();
    ranks->mpi = false;
}

enum ry_err ry_ranks_agree(const struct ry_ranks *ranks, enum ry_err err,
                           struct ry_diag *diag)
{
    struct ry_diag said = diag ? *diag : (struct ry_diag){.code = err};
    int mine = err == RY_OK ? INT_MAX : (int)ranks->me;
    int first = INT_MAX;
    int code = (int)err;

    if (ranks->n == 1)
        return err;
    (void)MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == INT_MAX)
        return RY_OK;
    (void)MPI_Bcast(&code, 1, MPI_INT, first, MPI_COMM_WORLD);
    (void)MPI_Bcast(&said, (int)sizeof(said), MPI_BYTE, first, MPI_COMM_WORLD);
    if (diag)
        *diag = said;
    /* its own lines went nowhere: say at least who failed, and on what */
    if (diag && first > 0 && said.text[0] == '\0')
        return ry_fail(diag, (enum ry_err)code, "mpirun",
                       "rank %d of %zu cannot read its inputs", first, ranks->n);
    return (enum ry_err)code;
}

enum ry_err ry_ranks_same(const struct ry_ranks *ranks, const char *what,
                          const char *text, struct ry_diag *diag)
{
    char first[TEXT_BYTES] = "";
    enum ry_err err = RY_OK;

    if (ranks->n == 1)
        return RY_OK;
    (void)snprintf(first, sizeof(first), "%s", text);
    (void)MPI_Bcast(first, (int)sizeof(first), MPI_BYTE, 0, MPI_COMM_WORLD);
    if (strcmp(first, text) != 0)
        err = ry_fail(diag, RY_ERR_RANGE, "mpirun",
                      "the %s of rank %zu are not those of rank 0", what, ranks->me);
    return ry_ranks_agree(ranks, err, diag);
}

void ry_ranks_spread(const struct ry_ranks *ranks, void *data, size_t bytes)
{
    unsigned char *at = data;

    for (size_t done = 0; ranks->n > 1 && done < bytes;) {
        const size_t now = bytes - done < INT_MAX ? bytes - done : INT_MAX;
        (void)MPI_Bcast(at + done, (int)now, MPI_BYTE, 0, MPI_COMM_WORLD);
        done += now;
    }
}

static void open_window(struct ry_share *share)
{
    const bool first = share->ranks.me == 0;

    (void)MPI_Win_allocate(first ? (MPI_Aint)sizeof(uint64_t) : 0, (int)sizeof(uint64_t),
                           MPI_INFO_NULL, MPI_COMM_WORLD, &share->counter,
                           &share->window);
    if (first) {
        (void)MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, share->window);
        *share->counter = 0;
        (void)MPI_Win_unlock(0, share->window);
    }
    (void)MPI_Barrier(MPI_COMM_WORLD);
    (void)MPI_Win_lock_all(0, share->window);
}

enum ry_err ry_share_open(const struct ry_ranks *ranks, size_t n,
                          const struct ry_share_take *take, struct ry_share **share,
                          struct ry_diag *diag)
{
    struct ry_share *made = calloc(1, sizeof(*made));
    void *room = made ? malloc(take->bytes) : NULL;
    const enum ry_err err =
        room ? RY_OK : ry_fail(diag, RY_ERR_NOMEM, "pieces", "%zu of them", n);
    const enum ry_err all = ry_ranks_agree(ranks, err, diag);

    if (all != RY_OK || !room) {
        free(room);
        free(made);
        return all;
    }
    *made = (struct ry_share){.ranks = *ranks, .n = n, .take = *take, .room = room};
    if (ranks->n > 1)
        open_window(made);
    *share = made;
    return RY_OK;
}

/* The counter is the first rank's; each fetch also lets MPI serve the other ranks. */
static uint64_t fetch(struct ry_share *share)
{
    const uint64_t one = 1;
    uint64_t got = 0;

    if (share->ranks.n == 1)
        return share->next++;
    (void)MPI_Fetch_and_op(&one, &got, MPI_UINT64_T, 0, 0, MPI_SUM, share->window);
    (void)MPI_Win_flush(0, share->window);
    return got;
}

/* On the first rank: what has arrived, or (wait) what is still to come. */
static void hear(struct ry_share *share, bool wait)
{
    const size_t others = share->ranks.n - 1;
    MPI_Status status;
    int there = 0;

    while (share->ended < others) {
        if (wait)
            (void)MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        else
            (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there,
                             &status);
        if (!wait && !there)
            return;
        const bool end = status.MPI_TAG == TAG_END;
        (void)MPI_Recv(share->room, end ? 0 : (int)share->take.bytes, MPI_BYTE,
                       status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
        if (end)
            share->ended++;
        else
            share->take.take(share->take.ctx, share->room);
    }
}

bool ry_share_next(struct ry_share *share, size_t *i)
{
    uint64_t got = 0;

#ifdef _OPENMP
#pragma omp critical(ry_share_take)
#endif
    got = fetch(share);
    *i = (size_t)got;
    return *i < share->n;
}

static void hand_in(struct ry_share *share, const void *result)
{
    if (share->ranks.me > 0) {
        (void)MPI_Send(result, (int)share->take.bytes, MPI_BYTE, 0, TAG_RESULT,
                       MPI_COMM_WORLD);
        return;
    }
    share->take.take(share->take.ctx, result);
    hear(share, false);
}

void ry_share_hand_in(struct ry_share *share, const void *result)
{
#ifdef _OPENMP
#pragma omp critical(ry_share_take)
#endif
    hand_in(share, result);
}

void ry_share_close(struct ry_share *share)
{
    if (!share)
        return;
    if (share->ranks.n > 1) {
        if (share->ranks.me == 0)
            hear(share, true);
        else
            (void)MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_END, MPI_COMM_WORLD);
        (void)MPI_Barrier(MPI_COMM_WORLD);
        (void)MPI_Win_unlock_all(share->window);
        (void)MPI_Win_free(&share->window);
    }
    free(share->room);
    free(share);
}
