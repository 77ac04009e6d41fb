/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances, bisection and paths, against closed forms (topology/direct.h, clos.h) and
 * figures worked by hand. */
#include "graph_fixture.h"
#include "topology/direct.h"
#include "topology/measure.h"

static struct ry_distances distances_of(const struct ry_graph *graph)
{
    const struct ry_adjacency *a = ry_adjacency_create(arena, graph, 0);
    struct ry_distances d;

    ck_assert_int_eq(ry_measure_distances(arena, a, 0, &d, NULL), RY_OK);
    return d;
}

static double halves_of(const struct ry_graph *graph)
{
    const struct ry_adjacency *a = ry_adjacency_create(arena, graph, 0);
    double bytes_per_s = 0.0;

    ck_assert_int_eq(ry_measure_halves(arena, graph, 0, a, &bytes_per_s, NULL), RY_OK);
    return bytes_per_s;
}

static const struct {
    const char *text;
    struct ry_dims dims;
} tori[] = {
    {"torus:dims=4x4x4", {3, {4, 4, 4}}},
    {"torus:dims=5x5x5", {3, {5, 5, 5}}},
    {"torus:dims=2x4x8", {3, {2, 4, 8}}},
    {"torus:dims=8x8x8,cube=4x4x4,ocs=1", {3, {8, 8, 8}}},
    {"torus:dims=9", {1, {9}}},
};

/* The closed form counts a node with itself, at distance 0. */
START_TEST(distances_of_a_torus_are_the_closed_form)
{
    const struct ry_torus t = ry_torus(&tori[_i].dims);
    const struct ry_distances d = distances_of(built(tori[_i].text));
    const double n = (double)t.nodes;

    ck_assert_uint_eq(d.diameter_links, t.diameter);
    ck_assert_rel(d.mean_links, t.avg_hops * n / (n - 1.0), 1e-12);
    ck_assert_rel(d.joined_frac, 1.0, 1e-12);
    ck_assert(!d.sampled);
}
END_TEST

static const struct {
    const char *text;
    size_t diameter;
    double mean; /* 0: not worked */
} distances[] = {
    {"fat_tree:radix=64,gpus=64", 2, 2.0},
    /* 2,048 hosts: 31 at 2 links, 2,016 at 4. */
    {"fat_tree:radix=64,tiers=2,gpus=2048", 4, (31.0 * 2 + 2016.0 * 4) / 2047.0},
    /* 8-ary fat tree of 128: 3 at 2, 12 at 4, 112 at 6. */
    {"fat_tree:radix=8,tiers=3,gpus=128", 6, (3.0 * 2 + 12.0 * 4 + 112.0 * 6) / 127.0},
    {"dragonfly:p=2,a=4,h=2", 5, 0.0},
    {"dragonfly_plus:leaves=4,spines=4,p=4,h=2", 5, 0.0},
    {"hyperx:dimensions=2,size=8,p=8", 4, 0.0},
    {"hyperx:dimensions=2,size=8,p=8,gpus=8", 2, 2.0},  /* one router */
    {"hyperx:dimensions=2,size=8,p=8,gpus=64", 3, 0.0}, /* one line */
    {"hyperx:dimensions=2,size=8,p=8,gpus=65", 4, 0.0},
    {"slim_fly:q=5,gpus=4", 2, 2.0},
    {"slim_fly:q=4", 4, 0.0},
    {"slim_fly:q=5", 4, 0.0},
    {"slim_fly:q=7", 4, 0.0},
    {"slim_fly:q=8", 4, 0.0},
    {"slim_fly:q=9", 4, 0.0},
    {"slim_fly:q=13", 4, 0.0},
    {"slim_fly:q=25", 4, 0.0},
    {"slim_fly:q=27", 4, 0.0},
    {"nvswitch", 2, 2.0},
    {"nvlink:gpus=576,racks=8", 4, 0.0},
    {"mesh:gpus=8", 1, 1.0},
    {"pcie:gpus=8,chips=2", 4, (3.0 * 2 + 4.0 * 4) / 7.0},
};

START_TEST(distances_are_as_worked)
{
    const struct ry_graph *graph = built(distances[_i].text);
    const struct ry_distances d = distances_of(graph);

    ck_assert_uint_eq(d.diameter_links, distances[_i].diameter);
    if (graph->fabrics[0].diameter_links > 0)
        ck_assert_uint_eq(graph->fabrics[0].diameter_links, distances[_i].diameter);
    if (distances[_i].mean > 0.0)
        ck_assert_rel(d.mean_links, distances[_i].mean, 1e-12);
}
END_TEST

/* Max-flow against the closed form that the builder states. */
static const char *const whole[] = {
    "fat_tree:radix=64,gpus=64",
    "fat_tree:radix=64,tiers=2,gpus=2048",
    "fat_tree:radix=64,tiers=2,gpus=3072,ratio=3:1",
    "fat_tree:radix=8,tiers=3,gpus=128",
    "fat_tree:radix=64,tiers=3,gpus=7168,core_ratio=7:1",
    "fat_tree:radix=64,gpus=512,gpus_per_node=8,planes=2",
    "rail_optimized:nodes=128,rails=8,radix=64",
    "rail_only:nodes=128,rails=8,radix=64",
    "nvswitch",
    "nvlink:gpus=72",
    "mesh:gpus=8",
    "hyperx:dimensions=2,size=8,p=8",
    "torus:dims=8x8",
    "torus:dims=4x4x8",
    "torus:dims=8x8x8,cube=4x4x4,ocs=1",
};

START_TEST(flow_between_halves_is_the_stated_bisection)
{
    const struct ry_graph *graph = built(whole[_i]);

    ck_assert(graph->fabrics[0].bisection_bytes_per_s > 0.0);
    ck_assert_rel(halves_of(graph), graph->fabrics[0].bisection_bytes_per_s, 1e-9);
}
END_TEST

START_TEST(an_example_of_every_family_is_as_it_states)
{
    const struct ry_family *family = NULL;

    for (size_t i = 0; (family = ry_family_at(i)) != NULL; i++) {
        const struct ry_graph *graph = built(family->example);
        const struct ry_fabric *stated = &graph->fabrics[0];
        if (stated->diameter_links > 0)
            ck_assert_uint_eq(distances_of(graph).diameter_links, stated->diameter_links);
        if (stated->bisection_bytes_per_s > 0.0)
            ck_assert_rel(halves_of(graph), stated->bisection_bytes_per_s, 1e-9);
    }
}
END_TEST

/* 16 spines: without one, 15/16 of the flow between full halves. */
START_TEST(a_lost_spine_takes_its_share_of_the_bisection)
{
    struct ry_graph *graph = built("rail_optimized:nodes=128,rails=8,radix=64");
    const double before = halves_of(graph);

    (void)ry_graph_fail_device(graph, ry_graph_find(graph, "spine3"));
    ck_assert_rel(halves_of(graph), before * 15.0 / 16.0, 1e-9);
    ck_assert_uint_eq(distances_of(graph).diameter_links, 4);
}
END_TEST

START_TEST(paths_are_counted)
{
    struct ry_diversity d;
    struct ry_graph *graph = built("fat_tree:radix=8,tiers=3,gpus=128");

    /* 4 uplinks to 4 spines, each with 4 cores: 16 shortest, 4 that share no link. */
    ck_assert_int_eq(
        ry_measure_diversity(arena, ry_adjacency_create(arena, graph, 0), &d, NULL),
        RY_OK);
    ck_assert_rel(d.shortest_paths, 16.0, 1e-12);
    ck_assert_uint_eq(d.disjoint_links, 4);
    /* 16 spines, 2 links each way: 16 x 2 x 2 paths, 32 uplinks. */
    graph = built("rail_optimized:nodes=128,rails=8,radix=64");
    ck_assert_int_eq(
        ry_measure_diversity(arena, ry_adjacency_create(arena, graph, 0), &d, NULL),
        RY_OK);
    ck_assert_rel(d.shortest_paths, 64.0, 1e-12);
    ck_assert_uint_eq(d.disjoint_links, 32);
}
END_TEST

START_TEST(planes_are_not_joined)
{
    const struct ry_distances d =
        distances_of(built("rail_only:nodes=64,rails=8,radix=64"));

    /* 512 ports in 8 parts of 64: 63 of 511 others are reached. */
    ck_assert_rel(d.joined_frac, 63.0 / 511.0, 1e-12);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("measure");
    TCase *tcase = tcase_create("fabrics");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, distances_of_a_torus_are_the_closed_form, 0, COUNT(tori));
    tcase_add_loop_test(tcase, distances_are_as_worked, 0, COUNT(distances));
    tcase_add_test(tcase, an_example_of_every_family_is_as_it_states);
    tcase_add_loop_test(tcase, flow_between_halves_is_the_stated_bisection, 0,
                        COUNT(whole));
    tcase_add_test(tcase, a_lost_spine_takes_its_share_of_the_bisection);
    tcase_add_test(tcase, paths_are_counted);
    tcase_add_test(tcase, planes_are_not_joined);
    suite_add_tcase(suite, tcase);
    return suite;
}
