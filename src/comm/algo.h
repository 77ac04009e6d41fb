/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Algorithms of collectives between domains.  An algorithm is one struct ry_algo and one
 * line of algorithms.def: it gives a line, start-up plus bytes, for each of its wire
 * protocols, and the fastest line of all is the time.
 *
 * What is fitted of an algorithm is a struct ry_net_lines of each fabric, under the
 * algorithm's name in `lines` of the files of models/comm; a fabric whose file leaves it
 * out does not run it.  An algorithm without figures of its own takes another one's.
 */
#ifndef RY_COMM_ALGO_H
#define RY_COMM_ALGO_H

#include "comm/links.h"

/** A group that spans domains, and what it does. */
struct ry_across {
    const struct ry_net *net;
    enum ry_coll coll;
    struct ry_span span;
    double bytes;
    double bytes_per_s; /**< out of a domain: tiers, transport and losses counted */
    enum ry_net_limit inter_limit; /**< what binds that rate */
};

struct ry_line {
    double alpha_s;
    double bytes_s;
    enum ry_net_limit limit; /**< of the bytes' part */
};

struct ry_algo {
    const char *name;        /**< "ring" */
    const char *nccl;        /**< its words in NCCL_ALGO, with commas; NULL: none */
    unsigned colls;          /**< those that it runs: bits 1u << enum ry_coll */
    unsigned protos;         /**< and its protocols: bits 1u << enum ry_proto */
    enum ry_coll_algo lines; /**< whose constants it takes; RY_COLL_ALGO_CURVE, 0: none */
    bool inside_fitted; /**< of those, its Simple steps inside a domain move with those
                           between */
    /** Whether it runs on that group; NULL: on every one. */
    bool (*runs)(const struct ry_across *a);
    /** @param lines its constants; NULL where it takes none. */
    struct ry_line (*line)(const struct ry_across *a, const struct ry_net_lines *lines,
                           enum ry_proto proto);
};

/** The algorithm of a code; NULL for RY_COLL_ALGO_CURVE. */
const struct ry_algo *ry_algo_at(enum ry_coll_algo code);

/** The fastest of all, without its bound, sigma and tier; INFINITY s: nothing runs. */
struct ry_coll_time ry_across_time(const struct ry_across *a);

/* For algorithms. */

enum { RY_PROTOS_ALL = (1 << RY_PROTOS) - 1 };

/** What a protocol makes of a bus, in B/s: its share of it, at most its cap. */
double ry_bus_rate(const struct ry_across *a, const struct ry_net_lines *lines,
                   enum ry_proto proto, double bus);

#endif
