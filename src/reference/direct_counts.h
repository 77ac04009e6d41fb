/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Counts of direct networks that no family builds, and of a dragonfly group.
 * Published arithmetic: the library offers it and test vectors run it, no plan is made of
 * it. Sources: dragonfly, Kim et al. 2008 (doi:10.1109/ISCA.2008.19); hypercube, Dally
 * and Towles 2004; Jellyfish, Singla et al. 2012; Xpander, Valadarsky et al. 2016.
 */
#ifndef RY_REFERENCE_DIRECT_COUNTS_H
#define RY_REFERENCE_DIRECT_COUNTS_H

#include "topology/direct.h"

#include <stddef.h>

/** Endpoints, nodes and ports of one dragonfly group of switches. */
struct ry_dragonfly_group {
    size_t endpoints, local_ports, local_links, global_ports_max;
    double nodes;
};

/** One group, every switch linked to each other. */
struct ry_dragonfly_group ry_dragonfly_group(size_t switches, size_t endpoints_per_switch,
                                             size_t global_ports_per_switch,
                                             size_t nics_per_node);

struct ry_dragonfly_taper {
    size_t global_links_used_per_group;
    double injection_bit_per_s, global_bit_per_s, blocking;
};

/** What a group injects against what it can send to other groups. */
struct ry_dragonfly_taper ry_dragonfly_taper(size_t groups, size_t links_per_group_pair,
                                             double link_bit_per_s,
                                             size_t endpoints_per_group);

enum { RY_HYPERCUBE_MOST = 48 };

/** 2^n nodes, n at most RY_HYPERCUBE_MOST: a torus of n dimensions of 2. */
struct ry_torus ry_hypercube(size_t n);

struct ry_plain_graph {
    size_t switches, hosts, links, meta_nodes;
};

/** A random regular graph of @p network_ports of each switch's @p ports. */
struct ry_plain_graph ry_jellyfish(size_t switches, size_t ports, size_t network_ports);

/** Lifts of a complete graph of @p degree + 1 meta-nodes. */
struct ry_plain_graph ry_xpander(size_t degree, size_t lift);

#endif
