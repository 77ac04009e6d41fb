/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How long a collective takes on a cluster, as the step model sees it.
 *
 * A cluster is domains (GPUs joined by NVLink, or by PCIe through the host) that are
 * joined by NICs and a tree of switches.  Inside a domain the time comes from measured
 * curves, piecewise alpha + bytes / bandwidth, one a collective and rank count.  Across
 * domains it is the lower envelope of ring, tree and in-switch algorithms in three wire
 * protocols, whose constants are NCCL's own or a fit's (doc/comm-model.md).
 * No time is below what the links could carry: ry_collective_bound() says that limit.
 *
 * Everything here is a total function of a checked struct: no allocation, no errors.
 */
#ifndef RY_COMM_NET_H
#define RY_COMM_NET_H

#include "comm/coll.h"

#include <stdbool.h>
#include <stddef.h>

/** What bound a time: the resource that a faster time would need more of. */
enum ry_net_limit {
    RY_NET_LIMIT_NONE,    /**< one rank, nothing moves */
    RY_NET_LIMIT_LATENCY, /**< start-up and steps, more than half of the time */
    RY_NET_LIMIT_NVLINK,
    RY_NET_LIMIT_NVLS, /**< reduction inside the NVLink switch */
    RY_NET_LIMIT_HOST, /**< PCIe and host memory between GPUs of a node */
    RY_NET_LIMIT_PCIE, /**< the slot of one GPU, on the way to its NICs */
    RY_NET_LIMIT_NIC,
    RY_NET_LIMIT_TIER, /**< uplinks of a leaf or pod: see ry_coll_time.tier */
};

enum ry_coll_algo {
    RY_COLL_ALGO_CURVE, /**< measured inside the domain; between domains: */
#define X(code, symbol) code,
#include "comm/algorithms.def"
#undef X
    RY_COLL_ALGOS
};

/** Wire protocols of NCCL: 8-byte flags, 128-byte flags, plain with fences. */
enum ry_proto { RY_PROTO_LL, RY_PROTO_LL128, RY_PROTO_SIMPLE };
enum { RY_PROTOS = RY_PROTO_SIMPLE + 1 };

enum {
    RY_PIECES_MOST = 6,
    RY_CURVES_MOST = 12,
    RY_TIERS_MOST = 3,
    RY_NET_LOADS = 28,
    RY_NET_SENDS = 6
};

/** From this size on: time = alpha_s + bytes * busbw factor / busbw. */
struct ry_coll_piece {
    double from_bytes;
    double alpha_s;
    double busbw_bytes_per_s;
};

struct ry_coll_curve {
    size_t ranks;
    size_t pieces;                              /**< 1 or more */
    struct ry_coll_piece piece[RY_PIECES_MOST]; /**< ascending from_bytes, the first 0 */
};

/** GPUs that reach each other without a NIC. */
struct ry_net_domain {
    size_t gpus;             /**< of one whole domain */
    double wire_bytes_per_s; /**< physical rate of a GPU, one direction */
    double ring_bytes_per_s; /**< busbw of long rings through it, all ranks */
    double nvls_bytes_per_s; /**< algbw of in-switch reduction; 0: none */
    double step_s;           /**< one more rank: alpha of a ring grows by this a step */
    double host_bytes_per_s; /**< shared by all groups of the domain; 0: not shared */
    double rel_sigma;        /**< relative standard error of a time inside it */
    enum ry_net_limit limit; /**< what carries it: NVLINK or HOST */
    struct {
        size_t n;                                /**< 1 or more */
        struct ry_coll_curve at[RY_CURVES_MOST]; /**< ascending ranks */
    } coll[RY_COLLS];
};

/** One algorithm's constants, a number a protocol; frac 0: protocol not available. */
struct ry_net_lines {
    double base_s[RY_PROTOS];
    double intra_step_s[RY_PROTOS];
    double inter_step_s[RY_PROTOS];
    double rate_frac[RY_PROTOS]; /**< of the bus that the links give */
    /** most of the bus, over two domains and over more; 0: no cap */
    double cap_bytes_per_s[RY_PROTOS][2];
};

/** Trees lose bandwidth at middle sizes: factors at 64 B, 128 B, ... 512 MiB. */
enum { RY_NET_CORRECTIONS = 24 };

/** A level of the switch tree: what leaves a subtree of it.  Shares of the uplinks are
 * without oversubscription; send_frac, a share of a NIC, has it in it already. */
struct ry_net_tier {
    size_t gpus;             /**< GPUs below one subtree: leaf or rail unit, pod */
    double oversubscription; /**< down capacity / up capacity, 1 is non-blocking */
    double spread_frac;      /**< share of the uplinks that routing leaves usable */
    bool hashed;             /**< ECMP: by the load, as plan/contention.h says, instead */
    double down_ports;       /**< of one subtree, in NICs */
    double hashed_frac[RY_NET_LOADS]; /**< share usable at 2^i flows out of it */
    double send_frac[RY_NET_SENDS]; /**< of a NIC that a message out of it gets when 2^-i
                                         of the NICs send one */
};

/** What joins domains. */
struct ry_net_fabric {
    double nics_per_domain;      /**< NIC ports, 0: domains are not joined */
    double nic_bytes_per_s;      /**< usable, one port, one direction */
    double nic_line_bytes_per_s; /**< its line rate: the physical bound */
    double pcie_bytes_per_s;     /**< most that one GPU moves to or from NICs */
    double gpu_bytes_per_s;   /**< most that one GPU moves by this transport, 0: no cap */
    double message_s;         /**< one more message to one more peer */
    double send_s;            /**< first byte of a send/recv to another domain */
    double loss_per_doubling; /**< of bandwidth, for every doubling over 4 domains */
    double nic_frac;          /**< of the usable rate that the transport reaches */
    double tree_frac;         /**< of the rate bound that two-domain trees reach */
    double rel_sigma;   /**< relative standard error of the bytes' part, to 4 domains */
    double alpha_sigma; /**< the same of the start-up's part */
    double sigma_per_doubling; /**< added for every doubling over 4 domains */
    bool sharp;                /**< the switches reduce */
    bool off[RY_COLL_ALGOS];   /**< algorithms that are not allowed */
    struct ry_net_lines lines[RY_COLL_ALGOS]; /**< of those with constants of their own */
    double tree_correction[RY_PROTOS][RY_NET_CORRECTIONS];
    size_t tiers;
    struct ry_net_tier tier[RY_TIERS_MOST]; /**< lowest first */
};

/** A cluster.  Made by ry_net_build() (comm/net_build.h). */
struct ry_net {
    size_t gpus;              /**< of the cluster; 0: not said */
    const char *domain_model; /**< of models/comm; NULL: none */
    bool domain_scaled; /**< no model names the GPU: that of a sibling, at its rate */
    struct ry_net_domain domain;
    struct ry_net_fabric fabric;
};

/** Where the ranks of one group are, and who else communicates at the same time. */
struct ry_group {
    size_t ranks;      /**< 1 or more */
    size_t per_domain; /**< ranks in one domain, 1 to ranks */
    size_t sharing;    /**< groups that use the NICs of a domain at once, 1 or more */
    size_t per_tier[RY_TIERS_MOST]; /**< ranks in one subtree; 0: whole subtrees */
};

struct ry_coll_time {
    double s;
    double alpha_s;           /**< of which start-up and steps */
    double busbw_bytes_per_s; /**< as nccl-tests prints it; 0 for one rank */
    double bound_s;           /**< least time that the links allow */
    double rel_sigma;         /**< relative standard error of s */
    enum ry_coll_algo algo;
    enum ry_net_limit limit;
    size_t tier; /**< of RY_NET_LIMIT_TIER: its index */
};

/** What bound a time, for a sentence: "the NICs", "NVLink". */
const char *ry_net_limit_text(enum ry_net_limit limit);

/** "ring", "tree", ... */
const char *ry_coll_algo_name(enum ry_coll_algo code);

/** Whether a fabric has constants of that algorithm's own: a row of its `lines`. */
bool ry_coll_algo_has_lines(enum ry_coll_algo code);

/**
 * A group of @p ranks ranks, each @p stride GPUs after the last, where every other GPU
 * of the cluster does the same in a group of its own: TP has stride 1, DP inside it
 * stride tp, and so on.
 */
struct ry_group ry_group_place(const struct ry_net *net, size_t ranks, size_t stride);

/** Time of one collective.  Pure; about 0.2 us. */
struct ry_coll_time ry_collective(const struct ry_net *net, enum ry_coll coll,
                                  const struct ry_group *group, double bytes);

/** Only the seconds of ry_collective(). */
double ry_collective_s(const struct ry_net *net, enum ry_coll coll,
                       const struct ry_group *group, double bytes);

/** Least time that the wires allow, whatever the algorithm, in s; and what binds. */
struct ry_coll_time ry_collective_bound(const struct ry_net *net, enum ry_coll coll,
                                        const struct ry_group *group, double bytes);

/**
 * What a healthy large collective of that group reaches: busbw from the usable rates and
 * NCCL's algorithms (two-domain trees, rings, NVLS), without start-up; and what binds.
 */
struct ry_coll_time ry_collective_peak(const struct ry_net *net, enum ry_coll coll,
                                       const struct ry_group *group);

/** Bytes that one domain sends to others in the whole collective. */
double ry_coll_sent_bytes(enum ry_coll coll, const struct ry_group *group, double bytes);

#endif
