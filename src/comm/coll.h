/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The collectives, by the names and sizes that NCCL's tests give them.
 *
 * `bytes` is the size column of nccl-tests: the buffer of a rank for all_reduce,
 * broadcast, reduce and sendrecv; the whole (all ranks') buffer for all_gather and
 * reduce_scatter; all that a rank sends for all_to_all.
 */
#ifndef RY_COMM_COLL_H
#define RY_COMM_COLL_H

#include <stddef.h>

enum ry_coll {
    RY_COLL_ALL_REDUCE,
    RY_COLL_ALL_GATHER,
    RY_COLL_REDUCE_SCATTER,
    RY_COLL_ALL_TO_ALL,
    RY_COLL_BROADCAST,
    RY_COLL_REDUCE,
    RY_COLL_SENDRECV,
};
enum { RY_COLLS = RY_COLL_SENDRECV + 1 };

/** "all_reduce", as nccl-tests and the files spell it. */
const char *ry_coll_name(enum ry_coll coll);

/** The collective of that name ("alltoall" and "all_to_all" alike), or RY_COLLS. */
size_t ry_coll_find(const char *name);

/** busbw / algbw of nccl-tests: 2 (n-1)/n for all_reduce, 1 for sendrecv, ... */
double ry_coll_bus_factor(enum ry_coll coll, size_t ranks);

#endif
