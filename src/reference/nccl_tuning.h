/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How NCCL itself predicts the time of a collective: one line, latency plus bytes over
 * bandwidth, for each algorithm and protocol, and the smallest is run.
 *
 * The formulas are NCCL's src/graph/tuning.cc (2.30.7); the constants are data, a file a
 * version (models/comm/nccl-*.json, read by io/nccl_constants.h).  Rates in B/s, times
 * in s.  `bytes` as in comm/net.h.
 */
#ifndef RY_REFERENCE_NCCL_TUNING_H
#define RY_REFERENCE_NCCL_TUNING_H

#include "comm/net.h"

enum ry_nccl_algo {
    RY_NCCL_TREE,
    RY_NCCL_RING,
    RY_NCCL_COLLNET_DIRECT,
    RY_NCCL_COLLNET_CHAIN,
    RY_NCCL_NVLS,
    RY_NCCL_NVLS_TREE,
    RY_NCCL_PAT,
};
enum { RY_NCCL_ALGOS = RY_NCCL_PAT + 1 };

enum ry_nccl_link { RY_NCCL_NVLINK, RY_NCCL_PCI, RY_NCCL_NET };
enum { RY_NCCL_LINKS = RY_NCCL_NET + 1 };

/** By the smallest compute capability of the communicator. */
enum ry_nccl_arch { RY_NCCL_VOLTA, RY_NCCL_AMPERE, RY_NCCL_HOPPER, RY_NCCL_BLACKWELL };
enum { RY_NCCL_ARCHS = RY_NCCL_BLACKWELL + 1 };

/** Columns of the tables: one node, two, three or more. */
enum { RY_NCCL_SCALES = 3, RY_NCCL_CORRECTIONS = 24 };

struct ry_nccl_constants {
    double base_s[RY_NCCL_ALGOS][RY_PROTOS];
    double step_s[RY_NCCL_LINKS][RY_NCCL_ALGOS][RY_PROTOS];
    double ll_bytes_per_s[RY_NCCL_ARCHS][RY_NCCL_SCALES]; /**< whole communicator */
    /* a channel */
    double ring_ll128_bytes_per_s[RY_NCCL_ARCHS][RY_NCCL_SCALES];
    double tree_ll128_bytes_per_s[RY_NCCL_ARCHS][RY_NCCL_SCALES];
    double tree_bytes_per_s[RY_NCCL_ARCHS][RY_NCCL_SCALES];
    double nvls_tree_bytes_per_s[RY_NCCL_ARCHS][RY_NCCL_SCALES];
    double nvls_frac[RY_NCCL_ARCHS];
    double tree_correction[RY_PROTOS][RY_NCCL_CORRECTIONS]; /**< from 64 B, doubling */
    double ring_ll_frac, ring_ll128_frac;
    double tree_frac, tree_ll_frac, tree_ll128_one_node_frac, tree_ll128_frac;
    double plain_tree_frac, pat_frac;
    double collnet_gather_frac, collnet_direct_hopper_frac;
    double plateau;       /**< latency of multi-node Simple ring all_reduce, times */
    double plateau_old;   /**< the same before Ampere */
    double plateau_bytes; /**< from so many bytes a channel and rank */
    double post_intel_s, post_amd_s; /**< of a message to the network */
    double post_simple_times;
    double pat_step_divisor, pat_rank_s;
    double collnet_rank_s;
    bool ring_counts_last_node; /**< 2.21 counted 2 N steps between nodes, now 2 (N-1) */
};

/** A communicator as NCCL's graph search describes it. */
struct ry_nccl_comm {
    size_t ranks, nodes, channels;
    double intra_bytes_per_s, inter_bytes_per_s; /**< a channel */
    double inter_latency_s;                      /**< of the graph, usually 0 */
    enum ry_nccl_arch arch;
    enum ry_nccl_link link; /**< inside a node: NVLINK or PCI */
    bool amd;               /**< AMD or mixed hosts */
    bool collnet;           /**< in-network reduction is on */
    bool nvswitch;
    bool plain_tree; /**< neither split nor balanced */
};

/** lat 0 and bandwidth 0: not available. */
struct ry_nccl_line {
    double latency_s;
    double bytes_per_s; /**< algorithm bandwidth */
};

struct ry_nccl_choice {
    enum ry_nccl_algo algo;
    enum ry_proto proto;
    double s; /**< INFINITY: NCCL has no algorithm for it */
};

/** "Tree", "Ring", ... as NCCL prints them. */
const char *ry_nccl_algo_name(enum ry_nccl_algo algo);

/** The two numbers of one algorithm and protocol; broadcast and reduce are Ring only. */
struct ry_nccl_line ry_nccl_line(const struct ry_nccl_constants *constants,
                                 const struct ry_nccl_comm *comm, enum ry_coll coll,
                                 enum ry_nccl_algo algo, enum ry_proto proto);

/** Predicted seconds of one algorithm and protocol; INFINITY when not available. */
double ry_nccl_time_s(const struct ry_nccl_constants *constants,
                      const struct ry_nccl_comm *comm, enum ry_coll coll,
                      struct ry_nccl_choice what, double bytes);

/** What NCCL would run, and the time that it expects. */
struct ry_nccl_choice ry_nccl_choose(const struct ry_nccl_constants *constants,
                                     const struct ry_nccl_comm *comm, enum ry_coll coll,
                                     double bytes);

#endif
