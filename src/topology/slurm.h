/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Names and files of other programs that a fabric is written for: Slurm host lists and
 * topology files, limits of ibsim, OpenSM, SimAI ids, NetBox heights.
 *
 * Sources: Slurm's topology.conf manual and the lists that scontrol 22.05.8 prints;
 * NVIDIA topograph for block sizes; limits stated beside each.
 */
#ifndef RY_TOPOLOGY_SLURM_H
#define RY_TOPOLOGY_SLURM_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    RY_SLURM_RING_MOST = 16,        /**< nodes of a ring */
    RY_SLURM_SWITCH_NAME_MOST = 64, /**< characters of a switch name */
    RY_HOSTS_MOST = 1 << 21,        /**< hosts that one list may expand to */
};

/** Names or lines, owned by an arena. */
struct ry_names {
    size_t n;
    const char **at; /**< [n] */
};

/**
 * Fold names into a host list, "n[01-02,3]": only trailing digits fold, and the width of
 * padded digits is part of a range.
 * @param sorted by prefix, digit count and number first; otherwise in the given order.
 * @return text owned by @p arena, or NULL when out of memory.
 */
const char *ry_hostlist_fold(struct ry_arena *arena, const char *const names[], size_t n,
                             bool sorted);

/** Expand a host list; brackets left to right, the last one varies fastest. */
RY_MUST_USE enum ry_err ry_hostlist_expand(struct ry_arena *arena, const char *text,
                                           struct ry_names *hosts, struct ry_diag *diag);

struct ry_slurm_leaf {
    const char *name;  /**< of the switch */
    const char *nodes; /**< host list */
};

/** topology.conf of leaves below one virtual root @p top. */
RY_MUST_USE enum ry_err ry_slurm_tree(struct ry_arena *arena,
                                      const struct ry_slurm_leaf leaves[], size_t n,
                                      const char *top, struct ry_names *lines,
                                      struct ry_diag *diag);

/** What slurmctld makes of such a tree. */
struct ry_slurm_loaded {
    int leaf_level, root_level;
    const char *root_nodes; /**< host list of all nodes below the root */
    int leaf_leaf_hops, leaf_root_hops;
};

RY_MUST_USE enum ry_err ry_slurm_load(struct ry_arena *arena,
                                      const struct ry_slurm_leaf leaves[], size_t n,
                                      struct ry_slurm_loaded *loaded,
                                      struct ry_diag *diag);

/** topology.conf of pods of leaves: leaf0.., nodes n1.., pod0.., one "core". */
RY_MUST_USE enum ry_err ry_slurm_pods(struct ry_arena *arena, size_t pods,
                                      size_t leaves_per_pod, size_t nodes_per_leaf,
                                      struct ry_names *lines, struct ry_diag *diag);

/** topology.conf of blocks: racks of trays t1.. padded to the widest number. */
RY_MUST_USE enum ry_err ry_slurm_blocks(struct ry_arena *arena, size_t racks,
                                        size_t trays_per_rack, struct ry_names *lines,
                                        struct ry_diag *diag);

enum { RY_BLOCK_SIZES_MOST = 64 };

struct ry_block_sizes {
    size_t n;
    size_t at[RY_BLOCK_SIZES_MOST];
};

/** Every size is a power of two times the first. */
bool ry_block_sizes_valid(const struct ry_block_sizes *sizes);

/** D 2^k for k = 0 to floor(log2 domains). */
struct ry_block_sizes ry_block_sizes(size_t smallest_domain, size_t domains);

/** The sub-domain and its smallest doubling that holds the largest domain. */
struct ry_block_sizes ry_block_sizes_of_subdomain(size_t subdomain, size_t domain);

/** Coordinates of a node of a torus3d, x fastest. */
void ry_torus3d_at(const size_t dims[3], size_t index, size_t at[3]);

/** Heights that NetBox takes: multiples of 0.5 U, above 0. */
bool ry_netbox_u_height_valid(double u);

struct ry_opensm_input {
    size_t leaves, spines, radix, hosts, links_per_pair;
};

struct ry_opensm {
    bool accepted; /**< equal links everywhere and no switch over its ports */
    size_t fat_tree_rank, roots, leaf_switches, switch_records, ca_records;
    size_t port_lines, switch_switch_links;
};

/** What ibnetdiscover lists of a two-tier tree, and whether OpenSM's ftree takes it. */
struct ry_opensm ry_opensm_ftree(struct ry_opensm_input in);

#endif
