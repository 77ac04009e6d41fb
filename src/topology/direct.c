/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/direct.h"

#include "topology/clos.h"

#include <assert.h>

struct ry_dragonfly ry_dragonfly(struct ry_dragonfly_input in)
{
    const size_t p = in.endpoints_per_router;
    const size_t a = in.routers_per_group;
    const size_t h = in.global_per_router;
    const size_t g = in.groups ? in.groups : a * h + 1;
    const size_t per_pair = g > 1 ? a * h / (g - 1) : 0;

    return (struct ry_dragonfly){
        .groups = g,
        .routers = a * g,
        .endpoints = a * p * g,
        .radix = p + a - 1 + h,
        .local_links = g * (a * (a - 1) / 2),
        .global_links = g * (g - 1) / 2 * per_pair,
        .router_diameter = 3,
        .links_per_group_pair = per_pair,
        .unused_global_ports_per_group = a * h - per_pair * (g - 1),
        .balanced = a == 2 * p && a == 2 * h,
    };
}

struct ry_dragonfly_plus ry_dragonfly_plus(struct ry_dragonfly_plus_input in)
{
    const size_t ports = in.spines_per_group * in.global_per_spine;
    const size_t g = in.groups ? in.groups : ports + 1;
    const size_t per_pair = g > 1 ? ports / (g - 1) : 0;

    return (struct ry_dragonfly_plus){
        .groups = g,
        .hosts = g * in.leaves_per_group * in.hosts_per_leaf,
        .leaf_radix = in.spines_per_group + in.hosts_per_leaf,
        .spine_radix = in.leaves_per_group + in.global_per_spine,
        .switches = g * (in.leaves_per_group + in.spines_per_group),
        .intra_group_links = g * in.leaves_per_group * in.spines_per_group,
        .links_per_group_pair = per_pair,
        .global_links = g * (g - 1) / 2 * per_pair,
        .host_diameter_hops_min_route = 5,
    };
}

struct ry_dragonfly_global ry_dragonfly_global(size_t groups, size_t links_per_group_pair,
                                               double link_bit_per_s)
{
    const size_t cut = groups / 2 * ((groups + 1) / 2) * links_per_group_pair;

    return (struct ry_dragonfly_global){groups * (groups - 1) / 2 * links_per_group_pair,
                                        cut, (double)cut * link_bit_per_s};
}

struct ry_torus ry_torus(const struct ry_dims *dims)
{
    struct ry_torus t = {.nodes = 1};
    size_t longest = 1;

    for (size_t i = 0; i < dims->n; i++) {
        t.nodes *= dims->at[i];
        longest = dims->at[i] > longest ? dims->at[i] : longest;
    }
    for (size_t i = 0; i < dims->n; i++) {
        const size_t k = dims->at[i];
        const size_t half = k / 2;
        assert(k > 0);
        if (k > 1) {
            t.links += k == 2 ? t.nodes / 2 : t.nodes;
            t.degree += k == 2 ? 1 : 2;
        }
        t.diameter += half;
        /* Mean distance on a ring of k, itself included: k/4, or (k^2-1)/4k for odd k. */
        t.avg_hops += (double)(half * ((k + 1) / 2)) / (double)k;
    }
    t.bisection_known = longest % 2 == 0;
    t.bisection_links = longest == 2 ? t.nodes / 2 : 2 * t.nodes / longest;
    return t;
}

struct ry_torus_ocs ry_torus_ocs(size_t cubes, const struct ry_dims *cube)
{
    struct ry_torus_ocs t = {.cubes = cubes};
    size_t inside = 0, faces = 0;
    size_t volume = 1;

    for (size_t i = 0; i < cube->n; i++)
        volume *= cube->at[i];
    for (size_t i = 0; i < cube->n; i++) {
        inside += (cube->at[i] - 1) * (volume / cube->at[i]);
        faces += volume / cube->at[i];
    }
    t.chips = cubes * volume;
    t.torus_links = cube->n * t.chips;
    t.links_inside_cubes = cubes * inside;
    t.links_between_cubes = t.torus_links - t.links_inside_cubes;
    t.cube_optical_ports = 2 * faces;
    t.ocs = faces;
    t.ocs_ports_used = 2 * cubes;
    t.optical_links = cubes * t.cube_optical_ports;
    t.ici_per_face = cube->n > 1 ? cube->at[0] * cube->at[1] : 1;
    return t;
}

struct ry_hyperx ry_hyperx(size_t dims, size_t size, size_t terminals)
{
    const size_t switches = ry_power(size, dims);

    return (struct ry_hyperx){
        .switches = switches,
        .hosts = switches * terminals,
        .radix = terminals + dims * (size - 1),
        .links = switches * (dims * (size - 1)) / 2,
        .switch_diameter = dims,
        .bisection_links = switches / size * (size / 2) * ((size + 1) / 2),
    };
}

struct ry_slim_fly ry_slim_fly(size_t q, int delta)
{
    const size_t k = (size_t)((3 * (long)q - delta) / 2);
    const size_t p = (k + 1) / 2;
    const size_t routers = 2 * q * q;

    return (struct ry_slim_fly){
        .routers = routers,
        .network_radix = k,
        .p = p,
        .endpoints = routers * p,
        .router_radix = k + p,
        .router_links = q * q * k,
        .router_diameter = 2,
    };
}
