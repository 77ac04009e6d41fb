/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference/clos_counts.h"

#include "base/order.h"

struct ry_kary_fat_tree ry_kary_fat_tree(size_t radix)
{
    const size_t half = radix / 2;
    const size_t hosts = radix * half * half;

    return (struct ry_kary_fat_tree){
        .hosts = hosts,
        .pods = radix,
        .edge = radix * half,
        .agg = radix * half,
        .core = half * half,
        .switches = 5 * half * half,
        .host_links = hosts,
        .edge_agg_links = hosts,
        .agg_core_links = hosts,
        .total_links = 3 * hosts,
        .bisection_links = hosts / 2,
        .diameter_host_hops = 6,
    };
}

struct ry_two_tier_max ry_two_tier_max(size_t radix, struct ry_ratio ratio)
{
    const struct ry_split split = ry_port_split(radix, ratio);

    return (struct ry_two_tier_max){
        .hosts = radix * split.down,
        .leaves = radix,
        .spines = split.up,
        .switches = radix + split.up,
        .host_links = radix * split.down,
        .leaf_spine_links = radix * split.up,
        .bisection_links = radix * split.up / 2,
        .diameter_host_hops = 4,
    };
}

struct ry_n_tree ry_kary_n_tree(size_t k, size_t n)
{
    const size_t hosts = ry_power(k, n);

    return (struct ry_n_tree){hosts, n * ry_power(k, n - 1), 2 * k, n * hosts};
}

struct ry_n_tree ry_mport_n_tree(size_t ports, size_t levels)
{
    const size_t hosts = 2 * ry_power(ports / 2, levels);

    return (struct ry_n_tree){hosts, (2 * levels - 1) * ry_power(ports / 2, levels - 1),
                              ports, levels * hosts};
}

struct ry_two_tier_capacity ry_two_tier_capacity(size_t radix, struct ry_ratio ratio)
{
    const struct ry_split split = ry_port_split(radix, ratio);

    return (struct ry_two_tier_capacity){
        .down = split.down,
        .up = split.up,
        .unused_per_leaf = split.unused,
        .max_leaves = radix,
        .max_hosts = radix * split.down,
        .max_spines = split.up,
    };
}

struct ry_two_tier ry_two_tier(struct ry_two_tier_input in)
{
    const struct ry_split split = ry_port_split(in.radix, in.ratio);
    struct ry_two_tier t = {
        .down = split.down, .host_links = in.hosts, .pair_whole = true};

    t.leaves = split.down ? ry_div_up(in.hosts, split.down) : 0;
    t.unused_leaf_down_ports = t.leaves * t.down - in.hosts;
    t.switches = t.leaves;
    if (t.leaves <= 1)
        return t;
    t.up = split.up;
    t.leaf_spine_links = t.leaves * t.up;
    const size_t least = ry_div_up(t.leaf_spine_links, in.radix);
    t.spines = in.policy == RY_SPINES_MIN ? least : ry_balanced_spines(least, t.up);
    t.unused_spine_ports = t.spines * in.radix - t.leaf_spine_links;
    t.switches = t.leaves + t.spines;
    t.pair_whole = t.up % t.spines == 0;
    t.links_per_pair = t.pair_whole ? t.up / t.spines : 0;
    return t;
}

struct ry_three_tier_min ry_three_tier_min(size_t hosts, size_t radix)
{
    const size_t half = radix / 2;
    const size_t leaves = ry_div_up(hosts, half);
    const size_t cores = ry_div_up(leaves, 2);

    return (struct ry_three_tier_min){
        .leaves = leaves,
        .spines = leaves,
        .cores = cores,
        .host_links = hosts,
        .leaf_spine_links = leaves * half,
        .spine_core_links = leaves * half,
        .switches = 2 * leaves + cores,
        .unused_leaf_down_ports = leaves * half - hosts,
    };
}

size_t ry_tiers_needed(size_t hosts, size_t radix)
{
    double reach = (double)radix;
    size_t tiers = 1;

    /* Switches with fewer than three ports never reach more hosts. */
    while (reach < (double)hosts && radix > 2) {
        reach *= (double)radix / 2.0;
        tiers++;
    }
    return tiers;
}

struct ry_rail_two_tier ry_rail_two_tier(size_t nodes, size_t rails, size_t radix)
{
    const size_t half = radix / 2;
    const size_t su = ry_div_up(nodes, half);
    const size_t leaves = su * rails;
    const size_t spines = ry_balanced_spines(ry_div_up(leaves * half, radix), half);

    return (struct ry_rail_two_tier){
        .su = su,
        .leaves = leaves,
        .leaves_per_rail = su,
        .spines = spines,
        .node_leaf_links = nodes * rails,
        .leaf_spine_links = leaves * half,
        .links_per_pair = half / spines,
        .max_same_rail_hops_in_su = 2,
    };
}

struct ry_rail_stripes ry_rail_stripes(struct ry_rail_stripes_input in)
{
    const size_t stripes = ry_div_up(in.nodes, in.nodes_per_stripe);
    const size_t leaf = stripes * in.rails;
    const size_t up = in.leaf_radix - in.nodes_per_stripe;

    return (struct ry_rail_stripes){
        .gpus = in.nodes * in.rails,
        .stripes = stripes,
        .leaf = leaf,
        .leaf_spine_links = leaf * up,
        .links_per_pair = (double)up / (double)in.spines,
        .spine_ports_used = (double)(leaf * up) / (double)in.spines,
    };
}

struct ry_multi_plane ry_multi_plane(size_t tor, size_t planes, size_t uplinks_per_tor)
{
    return (struct ry_multi_plane){tor, tor / planes, uplinks_per_tor,
                                   uplinks_per_tor * planes};
}

double ry_ports_bit_per_s(size_t ports, double port_bit_per_s)
{
    return (double)ports * port_bit_per_s;
}

struct ry_oversubscription ry_oversubscription(double down_bit_per_s, double up_bit_per_s)
{
    return (struct ry_oversubscription){down_bit_per_s / up_bit_per_s,
                                        down_bit_per_s + up_bit_per_s};
}

double ry_uplink_bit_per_s(double injection_bit_per_s, double ratio)
{
    return injection_bit_per_s / ratio;
}

struct ry_racks_of_leaves ry_racks_of_leaves(struct ry_racks_input in)
{
    const size_t leaves = in.racks * in.leaves_per_rack;
    const size_t links = leaves * in.up_ports_per_leaf;

    return (struct ry_racks_of_leaves){(double)in.nodes / (double)in.racks, leaves, links,
                                       (double)links / (double)in.cores};
}

struct ry_rail_only_counts ry_rail_only_counts(size_t gpus, size_t radix,
                                               size_t hb_domain)
{
    const size_t clos = ry_tiers_needed(gpus, radix);
    const size_t rail = ry_tiers_needed(ry_div_up(gpus, hb_domain), radix);
    const double per_layer = (double)gpus / (double)radix;
    struct ry_rail_only_counts c = {.clos_tiers = clos, .rail_tiers = rail};

    c.clos_switches = (2.0 * (double)clos - 1.0) * per_layer;
    c.rail_switches = (2.0 * (double)rail - 1.0) * per_layer;
    c.clos_transceivers = 2.0 * (double)clos * (double)gpus;
    c.rail_transceivers = 2.0 * (double)rail * (double)gpus;
    c.switch_saving = 1.0 - c.rail_switches / c.clos_switches;
    c.transceiver_saving = 1.0 - c.rail_transceivers / c.clos_transceivers;
    return c;
}

struct ry_rail_only_build ry_rail_only_build(size_t nodes, size_t rails, size_t radix)
{
    struct ry_rail_only_build b = {rails, nodes, 1, 1, rails};

    if (nodes > radix) {
        const struct ry_two_tier t = ry_two_tier(
            (struct ry_two_tier_input){nodes, radix, {1.0, 1.0}, RY_SPINES_BALANCED});
        b.tiers_per_rail = 2;
        b.switches_per_rail = t.switches;
        b.switches = rails * t.switches;
    }
    return b;
}
