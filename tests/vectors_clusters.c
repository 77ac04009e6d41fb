/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of llm_clusters.  Vectors say Gb/s and Tb/s; the library bit/s. */
#include "reference/clos_counts.h"
#include "reference/direct_counts.h"
#include "reference/superpod.h"
#include "topology/clos.h"
#include "topology/direct.h"
#include "vectors.h"

static const double GBIT = 1e9;
static const double TBIT = 1e12;

static void pod(struct vec *v)
{
    const struct ry_units t = ry_units_scale(
        vec_count(v, "units"), vec_count_or(v, "racks_per_unit", 0),
        vec_count(v, "gpus_per_unit"), vec_count_or(v, "gpus_per_node", 0));

    VEC_PUT(v, t, gpus);
    VEC_PUT(v, t, racks);
    VEC_PUT(v, t, nodes);
}

static void segment(struct vec *v)
{
    const size_t rails = vec_count(v, "rails");

    vec_put(v, "tors", ry_power_sum_w(rails, vec_num(v, "tors_per_rail")));
    vec_put(v, "gpus", ry_power_sum_w(rails, vec_num(v, "gpus_per_dual_tor")));
    vec_put(v, "host_tbps",
            ry_ports_bit_per_s(vec_count(v, "gpus_per_host") * vec_count(v, "nic_ports"),
                               vec_num(v, "gbps_per_port") * GBIT) /
                TBIT);
}

static void multi_plane_clos(struct vec *v)
{
    const size_t planes = vec_count(v, "planes");
    const struct ry_multi_plane t =
        ry_multi_plane(vec_count(v, "rails") * vec_count(v, "tor_per_rail_per_segment") *
                           vec_count(v, "segments"),
                       planes ? planes : 1, vec_count(v, "uplinks_per_tor"));

    VEC_PUT(v, t, tor);
    VEC_PUT(v, t, tor_per_plane);
    VEC_PUT(v, t, agg_per_plane);
    VEC_PUT(v, t, agg);
    vec_put(v, "planes", (double)planes);
}

static void links(struct vec *v)
{
    vec_put(v, "host_tor_links",
            (double)(vec_count(v, "gpus") * vec_count(v, "nic_ports")));
    vec_put(v, "tor_agg_links",
            (double)(vec_count(v, "tor") * vec_count(v, "uplinks_per_tor")));
}

static void oversubscription(struct vec *v)
{
    const struct ry_oversubscription t = ry_oversubscription(
        ry_ports_bit_per_s(vec_count(v, "down_ports"), vec_num(v, "down_gbps") * GBIT),
        ry_ports_bit_per_s(vec_count(v, "up_ports"), vec_num(v, "up_gbps") * GBIT));

    VEC_PUT(v, t, ratio);
    vec_put(v, "used_tbps", t.used_bit_per_s / TBIT);
}

static void oversubscribed_uplink(struct vec *v)
{
    vec_put(v, "zone_uplink_tbps",
            ry_uplink_bit_per_s(vec_num(v, "zone_injection_tbps") * TBIT,
                                vec_num(v, "ratio")) /
                TBIT);
}

static void leaf_port_split(struct vec *v)
{
    const double up = vec_num(v, "up_ports");

    if (vec_has(v, "down_hdr200_ports"))
        vec_put(v, "ratio",
                ry_oversubscription(vec_num(v, "down_hdr200_ports"), up).ratio);
    if (vec_has(v, "cores"))
        vec_put(v, "links_per_core", up / vec_num(v, "cores"));
    if (vec_has(v, "nodes_per_rack"))
        vec_put(v, "leaves_per_rack",
                vec_num(v, "nodes_per_rack") / vec_num(v, "hdr100_nodes_per_leaf"));
}

static void ecmp_paths(struct vec *v)
{
    const double all = vec_num(v, "agg_total");

    vec_put(v, "paths_single_plane", all);
    vec_put(v, "paths_per_plane", all / vec_num(v, "planes"));
}

static void racks(struct vec *v)
{
    const struct ry_racks_of_leaves t = ry_racks_of_leaves((struct ry_racks_input){
        vec_count(v, "nodes"), vec_count(v, "racks"), vec_count(v, "leaves_per_rack"),
        vec_count(v, "up_ports_per_leaf"), vec_count(v, "cores")});

    VEC_PUT(v, t, nodes_per_rack);
    VEC_PUT(v, t, leaves);
    VEC_PUT(v, t, leaf_core_links);
    VEC_PUT(v, t, ports_per_core);
}

static void blades(struct vec *v)
{
    const size_t per_node = vec_count(v, "gpus_per_node");
    const struct ry_units t = ry_units_scale(
        vec_count(v, "blades"), 0, vec_count(v, "nodes_per_blade") * per_node, per_node);

    VEC_PUT(v, t, nodes);
    VEC_PUT(v, t, gpus);
}

static void cabinet_system(struct vec *v)
{
    const double full =
        ry_power_sum_w(vec_count(v, "cabinets"), vec_num(v, "nodes_per_cabinet"));

    vec_put(v, "full_nodes", full);
    vec_put(v, "missing_nodes", full - vec_num(v, "installed_nodes"));
    if (vec_has(v, "gpus_per_node"))
        vec_put(
            v, "gpus",
            ry_power_sum_w(vec_count(v, "installed_nodes"), vec_num(v, "gpus_per_node")));
}

static void switch_kind(struct vec *v)
{
    vec_put(v, "tbps_per_dir",
            ry_ports_bit_per_s(vec_count(v, "ports"), vec_num(v, "gbps") * GBIT) / TBIT);
}

static void put_ocs(struct vec *v, struct ry_torus_ocs t)
{
    VEC_PUT(v, t, chips);
    VEC_PUT(v, t, cubes);
    VEC_PUT(v, t, torus_links);
    VEC_PUT(v, t, links_inside_cubes);
    VEC_PUT(v, t, links_between_cubes);
    VEC_PUT(v, t, cube_optical_ports);
    VEC_PUT(v, t, ocs);
    VEC_PUT(v, t, ocs_ports_used);
    VEC_PUT(v, t, optical_links);
    VEC_PUT(v, t, ici_per_face);
}

static void torus_ocs(struct vec *v)
{
    const struct ry_dims cube = vec_dims(v, "cube");

    put_ocs(v, ry_torus_ocs(vec_count(v, "cubes"), &cube));
}

static void torus_ocs_derived(struct vec *v)
{
    const struct ry_dims dims = vec_dims(v, "dims");
    const struct ry_dims cube = vec_dims(v, "cube");
    size_t cubes = 1;

    for (size_t i = 0; i < dims.n && i < cube.n; i++)
        cubes *= dims.at[i];
    for (size_t i = 0; i < cube.n; i++)
        cubes /= cube.at[i];
    put_ocs(v, ry_torus_ocs(cubes, &cube));
}

static void dragonfly_taper(struct vec *v)
{
    const struct ry_dragonfly_taper t = ry_dragonfly_taper(
        vec_count(v, "groups"), vec_count(v, "links_per_group_pair"),
        vec_num(v, "gbps") * GBIT, vec_count(v, "endpoints_per_group"));

    VEC_PUT(v, t, global_links_used_per_group);
    VEC_PUT(v, t, blocking);
    vec_put(v, "injection_tbps", t.injection_bit_per_s / TBIT);
    vec_put(v, "global_tbps", t.global_bit_per_s / TBIT);
}

static void dragonfly_group(struct vec *v)
{
    const size_t per_node = vec_count_or(v, "nics_per_node", 1);
    const struct ry_dragonfly_group t = ry_dragonfly_group(
        vec_count(v, "switches_per_group"), vec_count_or(v, "endpoints_per_switch", 0),
        vec_count_or(v, "global_ports_per_switch", 0), per_node ? per_node : 1);

    VEC_PUT(v, t, endpoints);
    VEC_PUT(v, t, nodes);
    VEC_PUT(v, t, local_ports);
    VEC_PUT(v, t, local_links);
    VEC_PUT(v, t, global_ports_max);
}

static void dragonfly_global_links(struct vec *v)
{
    const struct ry_dragonfly_global t =
        ry_dragonfly_global(vec_count(v, "groups"), vec_count(v, "links_per_group_pair"),
                            vec_has(v, "gbps") ? vec_num(v, "gbps") * GBIT : 0.0);

    VEC_PUT(v, t, global_links);
    VEC_PUT(v, t, group_bisection_links);
    vec_put(v, "bisection_tbps_each_way", t.bisection_bit_per_s / TBIT);
}

const struct vec_kind vec_clusters_kinds[] = {
    {"pod", pod},
    {"segment", segment},
    {"multi_plane_clos", multi_plane_clos},
    {"links", links},
    {"oversubscription", oversubscription},
    {"oversubscribed_uplink", oversubscribed_uplink},
    {"leaf_port_split", leaf_port_split},
    {"ecmp_paths", ecmp_paths},
    {"racks", racks},
    {"blades", blades},
    {"cabinet_system", cabinet_system},
    {"switch", switch_kind},
    {"torus_ocs", torus_ocs},
    {"torus_ocs_derived", torus_ocs_derived},
    {"dragonfly_taper", dragonfly_taper},
    {"dragonfly_group", dragonfly_group},
    {"dragonfly_global_links", dragonfly_global_links},
    {NULL, NULL},
};
