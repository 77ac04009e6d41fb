/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What one message of NCCL says: the part of a line behind "NCCL INFO ".
 */
#ifndef RY_IO_NCCL_MESSAGE_H
#define RY_IO_NCCL_MESSAGE_H

#include "io/nccl_log.h"
#include "io/text.h"

#include <stdint.h>

/** Ranks of a job, at most. */
enum { RY_LOG_RANKS_MOST = 1 << 20 };

/** What messages are read into, and where the one being read stands. */
struct ry_nccl_reading {
    struct ry_arena *arena;
    struct ry_nccl_log *log;
    bool out_of_memory;
    const char *path; /**< owned by the arena */
    size_t line;
    struct ry_log_host *host;    /**< of the line; NULL: none is named yet */
    const char *pending_version; /**< printed before any host was named */
    size_t pending_line;
    size_t n_ranks;
    uint32_t *rank_hosts; /**< [n_ranks] index of a host plus one; 0: not known */
};

/** Read a message of `host`, which is set; one that says nothing of use is passed
 * over. */
void ry_nccl_message_read(struct ry_nccl_reading *reading, struct ry_slice message);

/** Read "NCCL version 2.28.9", of the host or of the next that is named. */
void ry_nccl_version_read(struct ry_nccl_reading *reading, struct ry_slice message);

/** A copy of a word in the arena; "" when out of memory, which is remembered. */
const char *ry_nccl_keep(struct ry_nccl_reading *reading, struct ry_slice word);

#endif
