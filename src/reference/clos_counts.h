/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Counts of folded Clos networks as papers and reference architectures give them: full
 * fat trees, leaf-spine, rails, planes. Published arithmetic: the library offers it and
 * test vectors run it, no plan is made of it. Links are cables between two ports at port
 * speed. Sources: Leiserson 1985 and Al-Fares et al. 2008 (doi:10.1145/1402958.1402967)
 * for fat trees; Petrini and Vanneschi 1997 for k-ary n-trees; Lin et al. 2004 for m-port
 * n-trees; NVIDIA DGX SuperPOD reference architectures for units of rails.
 */
#ifndef RY_REFERENCE_CLOS_COUNTS_H
#define RY_REFERENCE_CLOS_COUNTS_H

#include "topology/clos.h"

#include <stdbool.h>
#include <stddef.h>

struct ry_kary_fat_tree {
    size_t hosts, pods, edge, agg, core, switches;
    size_t host_links, edge_agg_links, agg_core_links, total_links;
    size_t bisection_links, diameter_host_hops;
};

/** The three-tier fat tree of switches with @p radix ports (Al-Fares). */
struct ry_kary_fat_tree ry_kary_fat_tree(size_t radix);

struct ry_two_tier_max {
    size_t hosts, leaves, spines, switches, host_links, leaf_spine_links;
    size_t bisection_links, diameter_host_hops;
};

/** The largest leaf-spine of @p radix ports: one link from each leaf to each spine. */
struct ry_two_tier_max ry_two_tier_max(size_t radix, struct ry_ratio ratio);

struct ry_n_tree {
    size_t hosts, switches, switch_radix, links;
};

/** n levels of switches with 2 k ports, k^n hosts. */
struct ry_n_tree ry_kary_n_tree(size_t k, size_t n);

/** 2 (m/2)^n hosts below @p levels of m-port switches. */
struct ry_n_tree ry_mport_n_tree(size_t ports, size_t levels);

struct ry_two_tier_capacity {
    size_t down, up, unused_per_leaf, max_leaves, max_hosts, max_spines;
};

/** The most of one radix at a ratio. */
struct ry_two_tier_capacity ry_two_tier_capacity(size_t radix, struct ry_ratio ratio);

struct ry_two_tier_input {
    size_t hosts, radix;
    struct ry_ratio ratio;
    enum ry_spine_policy policy;
};

struct ry_two_tier {
    size_t down, up, leaves, spines, leaf_spine_links, host_links;
    size_t unused_leaf_down_ports, unused_spine_ports, switches;
    size_t links_per_pair; /**< of a leaf and a spine, when pair_whole */
    bool pair_whole;
};

/** Leaf-spine for @p in.hosts one-port hosts; one leaf needs no spine. */
struct ry_two_tier ry_two_tier(struct ry_two_tier_input in);

struct ry_three_tier_min {
    size_t leaves, spines, cores, host_links, leaf_spine_links, spine_core_links;
    size_t switches, unused_leaf_down_ports;
};

/** Fewest switches at full bisection, without a pod structure. */
struct ry_three_tier_min ry_three_tier_min(size_t hosts, size_t radix);

/** Smallest t with radix^t / 2^(t-1) >= hosts. */
size_t ry_tiers_needed(size_t hosts, size_t radix);

struct ry_rail_two_tier {
    size_t su, leaves, leaves_per_rail, spines, node_leaf_links, leaf_spine_links;
    size_t links_per_pair, max_same_rail_hops_in_su;
};

/** Rail-optimised units of radix/2 nodes; a last unit that is not full is built whole. */
struct ry_rail_two_tier ry_rail_two_tier(size_t nodes, size_t rails, size_t radix);

struct ry_rail_stripes_input {
    size_t nodes, nodes_per_stripe, rails, leaf_radix, spines;
};

struct ry_rail_stripes {
    size_t gpus, stripes, leaf, leaf_spine_links;
    double links_per_pair, spine_ports_used;
};

/** Stripes of rail leaves under chassis spines (Juniper's term for a unit). */
struct ry_rail_stripes ry_rail_stripes(struct ry_rail_stripes_input in);

struct ry_multi_plane {
    size_t tor, tor_per_plane, agg_per_plane, agg;
};

/** One link from each ToR to each aggregation switch of its plane (Alibaba HPN, SIGCOMM
 * 2024, doi:10.1145/3651890.3672265). */
struct ry_multi_plane ry_multi_plane(size_t tor, size_t planes, size_t uplinks_per_tor);

/** What so many ports carry in one direction. */
double ry_ports_bit_per_s(size_t ports, double port_bit_per_s);

struct ry_oversubscription {
    double ratio, used_bit_per_s; /**< down over up; both together */
};

/** Of a zone, from what it takes and what it sends up. */
struct ry_oversubscription ry_oversubscription(double down_bit_per_s,
                                               double up_bit_per_s);

/** Uplinks of a zone that injects so much, at a stated ratio to 1. */
double ry_uplink_bit_per_s(double injection_bit_per_s, double ratio);

struct ry_racks_input {
    size_t nodes, racks, leaves_per_rack, up_ports_per_leaf, cores;
};

struct ry_racks_of_leaves {
    double nodes_per_rack; /**< mean */
    size_t leaves, leaf_core_links;
    double ports_per_core;
};

/** Leaves in the compute racks below a row of core switches (Frontera). */
struct ry_racks_of_leaves ry_racks_of_leaves(struct ry_racks_input in);

struct ry_rail_only_counts {
    size_t clos_tiers, rail_tiers;
    double clos_switches, clos_transceivers, rail_switches, rail_transceivers;
    double switch_saving, transceiver_saving;
};

/** Rail-only against a full Clos (Wang et al. 2023, arXiv:2307.12169): (2t-1) N / k. */
struct ry_rail_only_counts ry_rail_only_counts(size_t gpus, size_t radix,
                                               size_t hb_domain);

struct ry_rail_only_build {
    size_t rails, endpoints_per_rail, tiers_per_rail, switches_per_rail, switches;
};

/** Rails that share no switch: one switch each, or a balanced 1:1 leaf-spine each. */
struct ry_rail_only_build ry_rail_only_build(size_t nodes, size_t rails, size_t radix);

#endif
