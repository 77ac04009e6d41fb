/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Counting of direct networks: routers that are linked to each other.
 *
 * Sources: dragonfly, Kim et al. 2008 (doi:10.1109/ISCA.2008.19); dragonfly+, Shpiner et
 * al. 2017 (doi:10.1109/HiPINEB.2017.11); torus and hypercube, Dally and Towles 2004;
 * HyperX, Ahn et al. 2009 (doi:10.1145/1654059.1654101); Slim Fly, Besta and Hoefler
 * 2014 (doi:10.1109/SC.2014.34); Jellyfish, Singla et al. 2012; Xpander, Valadarsky et
 * al. 2016; optical torus, Jouppi et al. 2023 (doi:10.1145/3579371.3589350).
 */
#ifndef RY_TOPOLOGY_DIRECT_H
#define RY_TOPOLOGY_DIRECT_H

#include <stdbool.h>
#include <stddef.h>

enum { RY_DIMS_MOST = 8 };

struct ry_dims {
    size_t n;
    size_t at[RY_DIMS_MOST]; /**< [n], each 1 or more */
};

struct ry_dragonfly_input {
    size_t endpoints_per_router; /**< p */
    size_t routers_per_group;    /**< a */
    size_t global_per_router;    /**< h */
    size_t groups;               /**< g; 0 for the most, a h + 1 */
};

struct ry_dragonfly {
    size_t groups, routers, endpoints, radix, local_links, global_links, router_diameter;
    size_t links_per_group_pair, unused_global_ports_per_group;
    bool balanced; /**< a = 2p = 2h */
};

/** Counts at @p in groups; a group links to each other one as often. */
struct ry_dragonfly ry_dragonfly(struct ry_dragonfly_input in);

struct ry_dragonfly_plus_input {
    size_t leaves_per_group, spines_per_group, hosts_per_leaf, global_per_spine;
    size_t groups; /**< 0 for the most, S G + 1 */
};

struct ry_dragonfly_plus {
    size_t groups, hosts, leaf_radix, spine_radix, switches, intra_group_links;
    size_t links_per_group_pair, global_links, host_diameter_hops_min_route;
};

/** The same of leaves and spines in each group. */
struct ry_dragonfly_plus ry_dragonfly_plus(struct ry_dragonfly_plus_input in);

struct ry_dragonfly_global {
    size_t global_links, group_bisection_links;
    double bisection_bit_per_s;
};

/** Links between groups, and what half of the groups send the other half. */
struct ry_dragonfly_global ry_dragonfly_global(size_t groups, size_t links_per_group_pair,
                                               double link_bit_per_s);

struct ry_torus {
    size_t nodes, links, degree, diameter;
    double avg_hops; /**< pairs of a node with itself included */
    size_t bisection_links;
    bool bisection_known; /**< the longest dimension is even */
};

/** Each dimension a ring; of 2, one link. */
struct ry_torus ry_torus(const struct ry_dims *dims);

struct ry_torus_ocs {
    size_t chips, cubes, torus_links, links_inside_cubes, links_between_cubes;
    size_t cube_optical_ports, ocs, ocs_ports_used, optical_links, ici_per_face;
};

/** A 3-D torus of cubes joined by optical switches, one a pair of opposite face ports. */
struct ry_torus_ocs ry_torus_ocs(size_t cubes, const struct ry_dims *cube);

struct ry_hyperx {
    size_t switches, hosts, radix, links, switch_diameter, bisection_links;
};

/** @p dims dimensions of @p size switches, all linked along each; @p terminals a
 * switch. */
struct ry_hyperx ry_hyperx(size_t dims, size_t size, size_t terminals);

struct ry_slim_fly {
    size_t routers, network_radix, p, endpoints, router_radix, router_links;
    size_t router_diameter;
};

/** McKay-Miller-Siran graph of a prime power q = 4w + delta, delta in -1, 0, 1. */
struct ry_slim_fly ry_slim_fly(size_t q, int delta);

#endif
