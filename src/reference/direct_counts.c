/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference/direct_counts.h"

#include "topology/clos.h"

struct ry_dragonfly_group ry_dragonfly_group(size_t switches, size_t endpoints_per_switch,
                                             size_t global_ports_per_switch,
                                             size_t nics_per_node)
{
    const size_t endpoints = switches * endpoints_per_switch;
    const size_t local_ports = switches * (switches - 1);

    return (struct ry_dragonfly_group){
        .endpoints = endpoints,
        .local_ports = local_ports,
        .local_links = local_ports / 2,
        .global_ports_max = switches * global_ports_per_switch,
        .nodes = (double)endpoints / (double)nics_per_node,
    };
}

struct ry_dragonfly_taper ry_dragonfly_taper(size_t groups, size_t links_per_group_pair,
                                             double link_bit_per_s,
                                             size_t endpoints_per_group)
{
    const size_t used = (groups - 1) * links_per_group_pair;
    const double injection_bit_per_s = (double)endpoints_per_group * link_bit_per_s;
    const double global_bit_per_s = (double)used * link_bit_per_s;

    return (struct ry_dragonfly_taper){used, injection_bit_per_s, global_bit_per_s,
                                       injection_bit_per_s / global_bit_per_s};
}

struct ry_torus ry_hypercube(size_t n)
{
    const size_t nodes = ry_power(2, n);

    return (struct ry_torus){
        .nodes = nodes,
        .links = n * (nodes / 2),
        .degree = n,
        .diameter = n,
        .avg_hops = (double)n / 2.0,
        .bisection_links = nodes / 2,
        .bisection_known = true,
    };
}

struct ry_plain_graph ry_jellyfish(size_t switches, size_t ports, size_t network_ports)
{
    return (struct ry_plain_graph){switches, switches * (ports - network_ports),
                                   switches * network_ports / 2, 0};
}

struct ry_plain_graph ry_xpander(size_t degree, size_t lift)
{
    const size_t switches = (degree + 1) * lift;

    return (struct ry_plain_graph){switches, 0, switches * degree / 2, degree + 1};
}
