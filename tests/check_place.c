/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placement, worked by hand on 64 nodes of 8 GPUs: two units of 32 nodes. */
#include "topology/family.h"
#include "topology/place.h"
#include "unit.h"

static struct ry_arena *arena;
static struct ry_node_groups nodes;

static void set_up(void)
{
    struct ry_topo_specs specs;
    struct ry_graph *graph = NULL;

    arena = ry_arena_create(0);
    ck_assert_int_eq(
        ry_topo_parse("rail_optimized:nodes=64,rails=8,radix=64", &specs, NULL), RY_OK);
    ck_assert_int_eq(ry_topo_build(arena, &specs, &graph, NULL), RY_OK);
    ck_assert_int_eq(ry_graph_groups(arena, graph, &nodes, NULL), RY_OK);
}

static void tear_down(void)
{
    ry_arena_destroy(arena);
}

static struct ry_placement mix(const char *order)
{
    struct ry_placement p = {.size = {8, 1, 1, 16, 4}};

    ck_assert_int_eq(ry_place_order(order, &p, NULL), RY_OK);
    return p;
}

static struct ry_place_report counted(const struct ry_placement *p)
{
    struct ry_place_report r;

    ck_assert_int_eq(ry_place_count(&nodes, 8, p, &r, NULL), RY_OK);
    return r;
}

START_TEST(nodes_fall_into_units)
{
    ck_assert_uint_eq(nodes.n, 2);
    ck_assert_uint_eq(nodes.size[0], 32);
    ck_assert_uint_eq(nodes.size[1], 32);
    ck_assert_uint_eq(nodes.pods, 1);
}
END_TEST

/* tp 8, dp 16, pp 4: tp in the node; dp over 16 nodes in a row, so in one unit; pp with
 * stride 16 nodes from unit 0 to unit 1. */
START_TEST(the_usual_order_keeps_tensor_parallelism_in_the_node)
{
    const struct ry_placement p = mix("tp,dp,pp");
    const struct ry_place_report r = counted(&p);

    ck_assert_uint_eq(r.ranks, 512);
    ck_assert_uint_eq(r.groups[RY_PLACE_TP][RY_PLACE_NODE], 64);
    ck_assert_uint_eq(r.groups[RY_PLACE_EDP][RY_PLACE_LEAF], 32);
    ck_assert_uint_eq(r.groups[RY_PLACE_PP][RY_PLACE_POD], 128);
}
END_TEST

/* dp fastest: 16 GPUs of two nodes; tp with stride 16 over 8 node pairs; better
 * exists. */
START_TEST(a_bad_order_is_seen_and_a_better_one_found)
{
    const struct ry_placement p = mix("dp,tp,pp");
    const struct ry_place_report r = counted(&p);
    struct ry_placement best;
    bool better = false;

    ck_assert_uint_eq(r.groups[RY_PLACE_TP][RY_PLACE_NODE], 0);
    ck_assert_uint_eq(r.groups[RY_PLACE_TP][RY_PLACE_LEAF], 64);
    ck_assert_int_eq(ry_place_best(&nodes, 8, &p, &best, &better, NULL), RY_OK);
    ck_assert(better);
    ck_assert_uint_eq(counted(&best).groups[RY_PLACE_TP][RY_PLACE_NODE], 64);
    ck_assert_uint_eq(counted(&best).groups[RY_PLACE_EDP][RY_PLACE_LEAF], 32);
    const struct ry_placement good = mix("tp,dp,pp");
    ck_assert_int_eq(ry_place_best(&nodes, 8, &good, &best, &better, NULL), RY_OK);
    ck_assert(!better);
}
END_TEST

START_TEST(too_many_ranks_and_unknown_dimensions_are_refused)
{
    struct ry_placement p = mix("tp");
    struct ry_place_report r;

    p.size[RY_PLACE_PP] = 5;
    ck_assert_int_eq(ry_place_count(&nodes, 8, &p, &r, NULL), RY_ERR_INFEASIBLE);
    ck_assert_int_eq(ry_place_order("tp,xx", &p, NULL), RY_ERR_SYNTAX);
    ck_assert_int_eq(ry_place_order("tp,tp", &p, NULL), RY_ERR_SYNTAX);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("place");
    TCase *tcase = tcase_create("orders");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, nodes_fall_into_units);
    tcase_add_test(tcase, the_usual_order_keeps_tensor_parallelism_in_the_node);
    tcase_add_test(tcase, a_bad_order_is_seen_and_a_better_one_found);
    tcase_add_test(tcase, too_many_ranks_and_unknown_dimensions_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
