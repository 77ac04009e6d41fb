/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of direct_networks. */
#include "reference/direct_counts.h"
#include "topology/direct.h"
#include "vectors.h"

static void dragonfly(struct vec *v)
{
    const struct ry_dragonfly t = ry_dragonfly(
        (struct ry_dragonfly_input){vec_count(v, "p"), vec_count(v, "a"),
                                    vec_count(v, "h"), vec_count_or(v, "groups", 0)});

    VEC_PUT(v, t, groups);
    VEC_PUT(v, t, routers);
    VEC_PUT(v, t, endpoints);
    VEC_PUT(v, t, radix);
    VEC_PUT(v, t, local_links);
    VEC_PUT(v, t, global_links);
    VEC_PUT(v, t, router_diameter);
    VEC_PUT(v, t, links_per_group_pair);
    VEC_PUT(v, t, unused_global_ports_per_group);
    vec_put_flag(v, "balanced", t.balanced);
}

static void dragonfly_plus(struct vec *v)
{
    const struct ry_dragonfly_plus t = ry_dragonfly_plus((struct ry_dragonfly_plus_input){
        vec_count(v, "leaves_per_group"), vec_count(v, "spines_per_group"),
        vec_count(v, "hosts_per_leaf"), vec_count(v, "global_per_spine"), 0});

    vec_put(v, "groups_max", (double)t.groups);
    VEC_PUT(v, t, hosts);
    VEC_PUT(v, t, leaf_radix);
    VEC_PUT(v, t, spine_radix);
    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, intra_group_links);
    VEC_PUT(v, t, global_links);
    VEC_PUT(v, t, host_diameter_hops_min_route);
}

static void torus(struct vec *v)
{
    const struct ry_dims dims = vec_dims(v, "dims");
    const struct ry_torus t = ry_torus(&dims);

    VEC_PUT(v, t, nodes);
    VEC_PUT(v, t, links);
    VEC_PUT(v, t, degree);
    VEC_PUT(v, t, diameter);
    VEC_PUT(v, t, avg_hops);
    if (t.bisection_known)
        VEC_PUT(v, t, bisection_links);
}

static void torus_compare(struct vec *v)
{
    const struct ry_dims a_dims = vec_dims(v, "a");
    const struct ry_dims b_dims = vec_dims(v, "b");
    const double a = (double)ry_torus(&a_dims).bisection_links;
    const double b = (double)ry_torus(&b_dims).bisection_links;

    vec_put(v, "a_bisection_links", a);
    vec_put(v, "b_bisection_links", b);
    vec_put(v, "bisection_links_a", a);
    vec_put(v, "bisection_links_b", b);
    vec_put(v, "bisection_a", a);
    vec_put(v, "bisection_b", b);
    vec_put(v, "a", a);
    vec_put(v, "b", b);
    vec_put(v, "ratio", a / b);
    vec_put(v, "bisection_ratio", a / b);
    vec_put_item(v, "bisection_links",
                 cJSON_CreateDoubleArray((const double[]){a, b}, 2));
}

static void hypercube(struct vec *v)
{
    struct ry_dims dims = {.n = vec_count(v, "n")};

    if (dims.n > RY_HYPERCUBE_MOST) {
        vec_fail(v, "n over %d", RY_HYPERCUBE_MOST);
        return;
    }
    const struct ry_torus t = ry_hypercube(dims.n);
    VEC_PUT(v, t, nodes);
    VEC_PUT(v, t, links);
    VEC_PUT(v, t, degree);
    VEC_PUT(v, t, diameter);
    VEC_PUT(v, t, bisection_links);
}

static void hyperx(struct vec *v)
{
    const struct ry_hyperx t =
        ry_hyperx(vec_count(v, "dims"), vec_count(v, "size"), vec_count(v, "terminals"));

    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, hosts);
    VEC_PUT(v, t, radix);
    VEC_PUT(v, t, links);
    VEC_PUT(v, t, switch_diameter);
    VEC_PUT(v, t, bisection_links);
}

static void slim_fly_mms(struct vec *v)
{
    const struct ry_slim_fly t = ry_slim_fly(vec_count(v, "q"), (int)vec_num(v, "delta"));

    VEC_PUT(v, t, routers);
    VEC_PUT(v, t, network_radix);
    VEC_PUT(v, t, p);
    VEC_PUT(v, t, endpoints);
    VEC_PUT(v, t, router_radix);
    VEC_PUT(v, t, router_links);
    VEC_PUT(v, t, router_diameter);
}

static void jellyfish(struct vec *v)
{
    const struct ry_plain_graph t = ry_jellyfish(
        vec_count(v, "switches"), vec_count(v, "ports"), vec_count(v, "network_ports"));

    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, hosts);
    VEC_PUT(v, t, links);
}

static void xpander(struct vec *v)
{
    const struct ry_plain_graph t =
        ry_xpander(vec_count(v, "degree"), vec_count(v, "lift"));

    VEC_PUT(v, t, meta_nodes);
    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, links);
}

const struct vec_kind vec_direct_kinds[] = {
    {"dragonfly", dragonfly},
    {"dragonfly_partial", dragonfly},
    {"dragonfly_plus", dragonfly_plus},
    {"torus", torus},
    {"torus_compare", torus_compare},
    {"hypercube", hypercube},
    {"hyperx", hyperx},
    {"slim_fly_mms", slim_fly_mms},
    {"jellyfish", jellyfish},
    {"xpander", xpander},
    {NULL, NULL},
};
