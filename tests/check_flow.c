/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Max-min rates worked by hand; what oversubscription, hashing and a lost spine cost; and
 * classes of flows against every flow by itself. */
#include "graph_fixture.h"
#include "topology/traffic.h"

#include <stdio.h>
#include <string.h>

static struct ry_traffic_result rates(const struct ry_graph *graph,
                                      enum ry_traffic traffic,
                                      struct ry_router_options options)
{
    struct ry_router *router = ry_router_create(arena, graph, &options);
    struct ry_traffic_result result;

    ck_assert_int_eq(ry_traffic_rates(arena, router, traffic, &result, NULL), RY_OK);
    return result;
}

/* Three links of 10, 4 and 7; a on 0; b on 0 and 1; c on 1; d on 2, twice; e on 2 with
 * half its rate.  Link 1: b = c = 2.  Link 0: a = 8.  Link 2: 2 d + e / 2 = 7: 2.8. */
START_TEST(fills_progressively)
{
    const double capacity[] = {10.0, 4.0, 7.0, INFINITY};
    struct ry_flow_set set = ry_flow_set(arena);
    double rate[6];

    ck_assert(ry_flow_add(&set, 1.0, (struct ry_flow_use[]){{0, 1}}, 1));
    ck_assert(ry_flow_add(&set, 1.0, (struct ry_flow_use[]){{0, 1}, {1, 1}}, 2));
    ck_assert(ry_flow_add(&set, 1.0, (struct ry_flow_use[]){{1, 1}, {3, 1}}, 2));
    ck_assert(ry_flow_add(&set, 2.0, (struct ry_flow_use[]){{2, 1}}, 1));
    ck_assert(ry_flow_add(&set, 1.0, (struct ry_flow_use[]){{2, 0.5}}, 1));
    ck_assert(ry_flow_add(&set, 1.0, (struct ry_flow_use[]){{3, 1}}, 1));
    ck_assert_int_eq(ry_flow_max_min(arena, &set, capacity, 4, rate, NULL), RY_OK);
    ck_assert_rel(rate[0], 8.0, 1e-12);
    ck_assert_rel(rate[1], 2.0, 1e-12);
    ck_assert_rel(rate[2], 2.0, 1e-12);
    ck_assert_rel(rate[3], 2.8, 1e-12);
    ck_assert_rel(rate[4], 2.8, 1e-12);
    ck_assert(isinf(rate[5]));
}
END_TEST

static const double line = 50e9;

/* 96 nodes in two units of 48 at 3:1: a ring for each rail crosses between the units over
 * one link each way: line rate.  All-to-all: 48 x 8 x 48 flows cross a leaf's 16 uplinks
 * (800 GB/s): 43.4 MB/s each; flows within a unit share what a NIC has left. */
START_TEST(oversubscription_costs_all_to_all_and_not_rings)
{
    const struct ry_graph *graph =
        built("rail_optimized:nodes=96,rails=8,radix=64,ratio=3:1");
    const struct ry_router_options options = {.pxn = true};
    const struct ry_traffic_result rings = rates(graph, RY_TRAFFIC_RINGS, options);
    const struct ry_traffic_result a2a = rates(graph, RY_TRAFFIC_ALL_TO_ALL, options);
    const double across = 16.0 * line / (48.0 * 8.0 * 48.0);

    ck_assert_rel(rings.least_bytes_per_s, line, 1e-9);
    ck_assert_rel(rings.flows, 768.0, 1e-12);
    ck_assert_rel(a2a.least_bytes_per_s, across, 1e-9);
    ck_assert_rel(a2a.most_bytes_per_s, (line - 8.0 * 48.0 * across) / (8.0 * 47.0),
                  1e-9);
}
END_TEST

/* 512 GPUs on 16 leaves at 1:1, each to one half a fabric away: full rate where packets
 * are spread or destinations pick the links; hashed flows collide on some. */
START_TEST(hashing_loses_what_spreading_does_not)
{
    const struct ry_graph *graph = built("fat_tree:radix=64,tiers=2,gpus=512");
    const struct ry_traffic_result spread =
        rates(graph, RY_TRAFFIC_HALVES, (struct ry_router_options){0});
    const struct ry_traffic_result fixed = rates(
        graph, RY_TRAFFIC_HALVES, (struct ry_router_options){.routing = RY_ROUTE_STATIC});
    const struct ry_traffic_result hashed = rates(
        graph, RY_TRAFFIC_HALVES, (struct ry_router_options){.routing = RY_ROUTE_ECMP});
    const struct ry_traffic_result pairs =
        rates(graph, RY_TRAFFIC_HALVES,
              (struct ry_router_options){.routing = RY_ROUTE_ECMP, .connections = 16});

    ck_assert_rel(spread.least_bytes_per_s, line, 1e-9);
    ck_assert_rel(fixed.least_bytes_per_s, line, 1e-9);
    ck_assert_double_le(hashed.least_bytes_per_s, line / 2.9);
    ck_assert_double_le(hashed.mean_bytes_per_s, 0.75 * line);
    ck_assert_double_ge(hashed.mean_bytes_per_s, 0.4 * line);
    ck_assert_double_ge(pairs.least_bytes_per_s, 1.3 * hashed.least_bytes_per_s);
}
END_TEST

/* 8 spines with 4 links to each leaf: without one, 28 uplinks for 32 flows. */
START_TEST(a_lost_spine_costs_its_share)
{
    struct ry_graph *graph = built("fat_tree:radix=64,tiers=2,gpus=512");

    (void)ry_graph_fail_device(graph, ry_graph_find(graph, "spine2"));
    const struct ry_traffic_result r =
        rates(graph, RY_TRAFFIC_HALVES, (struct ry_router_options){0});
    ck_assert_rel(r.least_bytes_per_s, line * 28.0 / 32.0, 1e-9);
    ck_assert(!r.stuck);
}
END_TEST

START_TEST(pairs_without_a_path_are_said)
{
    struct ry_graph *graph = built("fat_tree:radix=64,tiers=2,gpus=64");

    (void)ry_graph_fail_device(graph, ry_graph_find(graph, "leaf1"));
    ck_assert(rates(graph, RY_TRAFFIC_HALVES, (struct ry_router_options){0}).stuck);
}
END_TEST

/* Two planes: 400 Gb/s in each; with one leaf down its nodes have one plane left. */
START_TEST(planes_share_a_flow)
{
    struct ry_graph *graph = built("rail_optimized:nodes=64,rails=8,radix=128,planes=2");

    ck_assert_rel(
        rates(graph, RY_TRAFFIC_RINGS, (struct ry_router_options){0}).least_bytes_per_s,
        2.0 * line, 1e-9);
    (void)ry_graph_fail_device(graph, ry_graph_find(graph, "leaf0"));
    const struct ry_traffic_result r =
        rates(graph, RY_TRAFFIC_RINGS, (struct ry_router_options){0});
    ck_assert_rel(r.least_bytes_per_s, line, 1e-9);
    ck_assert(!r.stuck);
}
END_TEST

/* Each NIC of the root and inner nodes sends up and to two children: three flows out. */
START_TEST(a_tree_shares_the_nic_of_its_inner_nodes)
{
    const struct ry_graph *graph = built("rail_optimized:nodes=31,rails=8,radix=64");

    ck_assert_rel(
        rates(graph, RY_TRAFFIC_TREES, (struct ry_router_options){0}).least_bytes_per_s,
        line / 3.0, 1e-9);
}
END_TEST

/* In a ring of 8 nodes, node i to i + 4 by the shorter way: both are 4 links; spread over
 * both, each link of each direction carries 4 flows' halves: half the rate for ... 8
 * flows of 4 links on 16 directed links: 2 flows' worth a link. */
START_TEST(a_torus_ring_halves_opposite_pairs)
{
    const struct ry_graph *graph = built("torus:dims=8");

    ck_assert_rel(
        rates(graph, RY_TRAFFIC_HALVES, (struct ry_router_options){0}).least_bytes_per_s,
        line / 2.0, 1e-9);
    ck_assert_rel(
        rates(graph, RY_TRAFFIC_RING, (struct ry_router_options){0}).least_bytes_per_s,
        line, 1e-9);
}
END_TEST

static const struct {
    const char *text;
    bool pxn;
} classed[] = {
    {"fat_tree:radix=64,tiers=2,gpus=512", false},
    {"fat_tree:radix=64,tiers=2,gpus=512,gpus_per_node=8", false},
    {"fat_tree:radix=64,tiers=2,gpus=480,gpus_per_node=8,ratio=3:1", false},
    {"fat_tree:radix=16,tiers=3,gpus=512,gpus_per_node=4", false},
    {"fat_tree:radix=16,tiers=3,gpus=448,core_ratio=3:1", false},
    {"rail_optimized:nodes=64,rails=8,radix=64", false},
    {"rail_optimized:nodes=64,rails=8,radix=64", true},
    {"rail_optimized:nodes=60,rails=8,radix=32,ratio=3:1", true},
    {"rail_optimized:nodes=64,rails=8,radix=64,planes=2", true},
    {"rail_only:nodes=64,rails=8,radix=16,tiers=2", true},
};

START_TEST(classes_agree_with_every_flow_by_itself)
{
    const struct ry_graph *graph = built(classed[_i].text);
    const struct ry_router_options options = {.pxn = classed[_i].pxn};
    struct ry_router *router = ry_router_create(arena, graph, &options);
    struct ry_traffic_result all;
    struct ry_traffic_result classes;

    ck_assert_int_eq(ry_traffic_rates(arena, router, RY_TRAFFIC_ALL_TO_ALL, &all, NULL),
                     RY_OK);
    ck_assert_int_eq(ry_traffic_all_to_all(arena, router, &classes, NULL), RY_OK);
    ck_assert_rel(classes.flows, all.flows, 1e-12);
    ck_assert_rel(classes.least_bytes_per_s, all.least_bytes_per_s, 1e-9);
    ck_assert_rel(classes.most_bytes_per_s, all.most_bytes_per_s, 1e-9);
    ck_assert_rel(classes.total_bytes_per_s, all.total_bytes_per_s, 1e-9);
}
END_TEST

/* No link over its capacity, and every flow meets a full link where it is among the
 * fastest: the definition of max-min fairness, on hashed routes of a dragonfly. */
START_TEST(every_flow_has_a_bottleneck)
{
    const struct ry_graph *graph = built("dragonfly:p=2,a=4,h=2");
    const struct ry_router_options options = {.routing = RY_ROUTE_ECMP, .seed = 7};
    struct ry_router *r = ry_router_create(arena, graph, &options);
    struct ry_flow_set set = ry_flow_set(arena);

    for (uint32_t i = 0; i < r->gpus; i++)
        ck_assert_int_eq(
            ry_route_flow(r, &set, i, (i * 31 + 17) % (uint32_t)r->gpus, 1.0, NULL),
            RY_OK);
    double *rate = RY_NEW(arena, double, set.n);
    double *load = RY_NEW(arena, double, r->resources);
    double *most = RY_NEW(arena, double, r->resources);
    ck_assert_int_eq(ry_flow_max_min(arena, &set, r->capacity, r->resources, rate, NULL),
                     RY_OK);
    for (size_t i = 0; i < set.n; i++) {
        for (size_t u = set.first[i]; u < set.first[i + 1]; u++) {
            load[set.uses[u].resource] += rate[i] * set.uses[u].weight;
            most[set.uses[u].resource] = fmax(most[set.uses[u].resource], rate[i]);
        }
    }
    for (size_t i = 0; i < set.n; i++) {
        bool bottleneck = false;
        for (size_t u = set.first[i]; u < set.first[i + 1]; u++) {
            const uint32_t at = set.uses[u].resource;
            ck_assert_double_le(load[at], r->capacity[at] * (1.0 + 1e-9));
            bottleneck = bottleneck || (load[at] > r->capacity[at] * (1.0 - 1e-9) &&
                                        rate[i] >= most[at] * (1.0 - 1e-9));
        }
        ck_assert(bottleneck);
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("flow");
    TCase *tcase = tcase_create("rates");

    tcase_set_timeout(tcase, 60.0);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, fills_progressively);
    tcase_add_test(tcase, oversubscription_costs_all_to_all_and_not_rings);
    tcase_add_test(tcase, hashing_loses_what_spreading_does_not);
    tcase_add_test(tcase, a_lost_spine_costs_its_share);
    tcase_add_test(tcase, pairs_without_a_path_are_said);
    tcase_add_test(tcase, planes_share_a_flow);
    tcase_add_test(tcase, a_tree_shares_the_nic_of_its_inner_nodes);
    tcase_add_test(tcase, a_torus_ring_halves_opposite_pairs);
    tcase_add_test(tcase, every_flow_has_a_bottleneck);
    tcase_add_loop_test(tcase, classes_agree_with_every_flow_by_itself, 0,
                        (int)(sizeof(classed) / sizeof(classed[0])));
    suite_add_tcase(suite, tcase);
    return suite;
}
