/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of clos_arithmetic and rail_only. */
#include "reference/clos_counts.h"
#include "reference/interop.h"
#include "topology/clos.h"
#include "vectors.h"

#include <string.h>

static struct ry_ratio ratio_of(struct vec *v)
{
    struct ry_ratio ratio = {1.0, 1.0};

    if (vec_has(v, "ratio") && !ry_ratio_parse(vec_text(v, "ratio"), &ratio))
        vec_fail(v, "bad ratio");
    return ratio;
}

static void kary_fat_tree(struct vec *v)
{
    const struct ry_kary_fat_tree t = ry_kary_fat_tree(vec_count(v, "radix"));

    VEC_PUT(v, t, hosts);
    VEC_PUT(v, t, pods);
    VEC_PUT(v, t, edge);
    VEC_PUT(v, t, agg);
    VEC_PUT(v, t, core);
    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, host_links);
    VEC_PUT(v, t, edge_agg_links);
    VEC_PUT(v, t, agg_core_links);
    VEC_PUT(v, t, total_links);
    VEC_PUT(v, t, bisection_links);
    VEC_PUT(v, t, diameter_host_hops);
}

static void two_tier_max(struct vec *v)
{
    const struct ry_two_tier_max t = ry_two_tier_max(vec_count(v, "radix"), ratio_of(v));

    VEC_PUT(v, t, hosts);
    VEC_PUT(v, t, leaves);
    VEC_PUT(v, t, spines);
    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, host_links);
    VEC_PUT(v, t, leaf_spine_links);
    VEC_PUT(v, t, bisection_links);
    VEC_PUT(v, t, diameter_host_hops);
}

static void put_n_tree(struct vec *v, struct ry_n_tree t)
{
    VEC_PUT(v, t, hosts);
    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, switch_radix);
    VEC_PUT(v, t, links);
}

static void kary_n_tree(struct vec *v)
{
    put_n_tree(v, ry_kary_n_tree(vec_count(v, "k"), vec_count(v, "n")));
}

static void mport_n_tree(struct vec *v)
{
    put_n_tree(v, ry_mport_n_tree(vec_count(v, "m"), vec_count(v, "n")));
}

static void two_tier_capacity(struct vec *v)
{
    const struct ry_two_tier_capacity t =
        ry_two_tier_capacity(vec_count(v, "radix"), ratio_of(v));

    VEC_PUT(v, t, down);
    VEC_PUT(v, t, up);
    VEC_PUT(v, t, unused_per_leaf);
    VEC_PUT(v, t, max_leaves);
    VEC_PUT(v, t, max_hosts);
    VEC_PUT(v, t, max_spines);
}

static void two_tier(struct vec *v)
{
    const char *policy = vec_text(v, "spine_policy");
    const struct ry_two_tier t = ry_two_tier((struct ry_two_tier_input){
        .hosts = vec_count(v, "hosts"),
        .radix = vec_count(v, "radix"),
        .ratio = ratio_of(v),
        .policy = strcmp(policy, "min") == 0 ? RY_SPINES_MIN : RY_SPINES_BALANCED,
    });

    VEC_PUT(v, t, down);
    VEC_PUT(v, t, up);
    VEC_PUT(v, t, leaves);
    VEC_PUT(v, t, spines);
    VEC_PUT(v, t, leaf_spine_links);
    VEC_PUT(v, t, host_links);
    VEC_PUT(v, t, unused_leaf_down_ports);
    VEC_PUT(v, t, unused_spine_ports);
    VEC_PUT(v, t, switches);
    if (t.pair_whole)
        VEC_PUT(v, t, links_per_pair);
}

static void three_tier_min(struct vec *v)
{
    const struct ry_three_tier_min t =
        ry_three_tier_min(vec_count(v, "hosts"), vec_count(v, "radix"));

    VEC_PUT(v, t, leaves);
    VEC_PUT(v, t, spines);
    VEC_PUT(v, t, cores);
    VEC_PUT(v, t, host_links);
    VEC_PUT(v, t, leaf_spine_links);
    VEC_PUT(v, t, spine_core_links);
    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, unused_leaf_down_ports);
}

static void tiers_needed(struct vec *v)
{
    vec_put(v, "tiers",
            (double)ry_tiers_needed(vec_count(v, "hosts"), vec_count(v, "radix")));
}

static void rail_optimized_two_tier(struct vec *v)
{
    const struct ry_rail_two_tier t = ry_rail_two_tier(
        vec_count(v, "nodes"), vec_count(v, "rails"), vec_count(v, "radix"));

    VEC_PUT(v, t, su);
    VEC_PUT(v, t, leaves);
    VEC_PUT(v, t, leaves_per_rail);
    VEC_PUT(v, t, spines);
    VEC_PUT(v, t, node_leaf_links);
    VEC_PUT(v, t, leaf_spine_links);
    VEC_PUT(v, t, links_per_pair);
    VEC_PUT(v, t, max_same_rail_hops_in_su);
}

static void simai_topology_header(struct vec *v)
{
    const struct ry_simai t = ry_simai((struct ry_simai_input){
        .gpus = vec_count(v, "gpus"),
        .gpus_per_server = vec_count(v, "gpus_per_server"),
        .asw = vec_count(v, "asw"),
        .psw = vec_count(v, "psw"),
        .tor_links_per_gpu = vec_count(v, "tor_links_per_gpu"),
        .dual_plane = vec_flag(v, "dual_plane"),
    });

    vec_put(v, "gpus_per_server", vec_num(v, "gpus_per_server"));
    VEC_PUT(v, t, nvswitches);
    VEC_PUT(v, t, other_switches);
    VEC_PUT(v, t, nodes_total);
    VEC_PUT(v, t, links);
}

static void rail_only_counts(struct vec *v)
{
    const struct ry_rail_only_counts t = ry_rail_only_counts(
        vec_count(v, "gpus"), vec_count(v, "radix"), vec_count(v, "hb_domain"));

    VEC_PUT(v, t, clos_tiers);
    VEC_PUT(v, t, clos_switches);
    VEC_PUT(v, t, clos_transceivers);
    VEC_PUT(v, t, rail_tiers);
    VEC_PUT(v, t, rail_switches);
    VEC_PUT(v, t, rail_transceivers);
    VEC_PUT(v, t, switch_saving);
    VEC_PUT(v, t, transceiver_saving);
}

static void rail_only_build(struct vec *v)
{
    const struct ry_rail_only_build t = ry_rail_only_build(
        vec_count(v, "nodes"), vec_count(v, "gpus_per_node"), vec_count(v, "radix"));

    VEC_PUT(v, t, rails);
    VEC_PUT(v, t, endpoints_per_rail);
    VEC_PUT(v, t, tiers_per_rail);
    VEC_PUT(v, t, switches_per_rail);
    VEC_PUT(v, t, switches);
    vec_put_flag(v, "cross_rail_reachable_only_via_nvlink", true);
}

const struct vec_kind vec_clos_kinds[] = {
    {"kary_fat_tree", kary_fat_tree},
    {"two_tier_max", two_tier_max},
    {"kary_n_tree", kary_n_tree},
    {"mport_n_tree", mport_n_tree},
    {"two_tier_capacity", two_tier_capacity},
    {"two_tier", two_tier},
    {"three_tier_min", three_tier_min},
    {"tiers_needed", tiers_needed},
    {"rail_optimized_two_tier", rail_optimized_two_tier},
    {"simai_topology_header", simai_topology_header},
    {"rail_only_counts", rail_only_counts},
    {"rail_only_build", rail_only_build},
    {NULL, NULL},
};
