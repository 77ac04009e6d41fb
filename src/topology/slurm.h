/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Slurm's topology.conf of blocks.
 *
 * Sources: Slurm's topology.conf manual; NVIDIA topograph for block sizes.
 */
#ifndef RY_TOPOLOGY_SLURM_H
#define RY_TOPOLOGY_SLURM_H

#include "topology/hostlist.h"

#include <stddef.h>

/** topology.conf of blocks: racks of trays t1.. padded to the widest number. */
RY_MUST_USE enum ry_err ry_slurm_blocks(struct ry_arena *arena, size_t racks,
                                        size_t trays_per_rack, struct ry_names *lines,
                                        struct ry_diag *diag);

enum { RY_BLOCK_SIZES_MOST = 64 };

struct ry_block_sizes {
    size_t n;
    size_t at[RY_BLOCK_SIZES_MOST];
};

/** D 2^k for k = 0 to floor(log2 domains). */
struct ry_block_sizes ry_block_sizes(size_t smallest_domain, size_t domains);

/** "BlockSizes=8,16,32"; NULL when out of memory. */
const char *ry_block_sizes_line(struct ry_arena *arena,
                                const struct ry_block_sizes *sizes);

#endif
