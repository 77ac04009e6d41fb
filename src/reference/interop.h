/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What other programs make of their files and accept: Slurm's trees and blocks, OpenSM's
 * fat trees, SimAI's headers, NetBox's heights.
 * Published arithmetic: the library offers it and test vectors run it, no plan is made of
 * it. Sources: Slurm's topology.conf manual; OpenSM's ftree routing; SimAI's generator;
 * NetBox's models of racks.
 */
#ifndef RY_REFERENCE_INTEROP_H
#define RY_REFERENCE_INTEROP_H

#include "topology/slurm.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    RY_SLURM_RING_MOST = 16,        /**< nodes of a ring */
    RY_SLURM_SWITCH_NAME_MOST = 64, /**< characters of a switch name */
};

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

/** Levels, root and hops of leaves below one virtual root. */
RY_MUST_USE enum ry_err ry_slurm_load(struct ry_arena *arena,
                                      const struct ry_slurm_leaf leaves[], size_t n,
                                      struct ry_slurm_loaded *loaded,
                                      struct ry_diag *diag);

/** topology.conf of pods of leaves: leaf0.., nodes n1.., pod0.., one "core". */
RY_MUST_USE enum ry_err ry_slurm_pods(struct ry_arena *arena, size_t pods,
                                      size_t leaves_per_pod, size_t nodes_per_leaf,
                                      struct ry_names *lines, struct ry_diag *diag);

/** Every size is a power of two times the first. */
bool ry_block_sizes_valid(const struct ry_block_sizes *sizes);

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

struct ry_simai_input {
    size_t gpus, gpus_per_server, asw, psw, tor_links_per_gpu;
    int dual_plane;
};

struct ry_simai {
    size_t nvswitches, other_switches, nodes_total, links, file_lines;
};

/** Lines of a SimAI topology file with @p links in its header. */
size_t ry_simai_lines(size_t links);

/** Header of a SimAI topology file. */
struct ry_simai ry_simai(struct ry_simai_input in);

struct ry_simai_ids {
    size_t first[4], last[4]; /**< GPUs, NVSwitches, ASWs, PSWs: inclusive ranges */
};

/** Ids count on: GPUs, NVSwitches, ASWs, PSWs. */
struct ry_simai_ids ry_simai_ids(size_t gpus, size_t nvswitches, size_t asw, size_t psw);

#endif
