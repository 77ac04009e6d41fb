/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closed forms that rank uses (plan/network.h) and the graph that is cabled agree. */
#include "catalog/parts.h"
#include "plan/fabric_graph.h"
#include "plan/machine.h"
#include "topology/family.h"
#include "topology/verify.h"
#include "unit.h"

#include <string.h>

static const struct ry_switch leaf_switch = {.part = {.name = "test"},
                                             .ports = 64,
                                             .cages = 32,
                                             .port_bytes_per_s = 50e9,
                                             .breakout_ports = 64};
static const struct ry_gpu gpu = {.part = {.name = "gpu"}};
static const struct ry_node node = {.part = {.name = "node"}};

static struct ry_design design_of(size_t nodes, double oversubscription, bool rails)
{
    return (struct ry_design){
        .name = "test",
        .node = &node,
        .gpu = &gpu,
        .nodes = nodes,
        .gpus_per_node = 8,
        .nics_per_node = 8,
        .nic_bytes_per_s = 50e9,
        .fabric = {.technology = RY_FABRIC_INFINIBAND,
                   .family = "leaf-spine",
                   .leaf = &leaf_switch,
                   .spine = &leaf_switch,
                   .oversubscription = oversubscription,
                   .rail_optimised = rails},
    };
}

static size_t count_of(const struct ry_graph *graph, const char *class)
{
    for (size_t i = 0; i < graph->n_classes; i++) {
        if (strcmp(graph->classes[i].name, class) == 0)
            return graph->classes[i].count;
    }
    return 0;
}

/* By hand: two rails of 32 nodes fill a switch of 64, whose fabric managers then need
 * more. */
static const struct {
    size_t nodes, nics, managers, leaves;
} unjoined[] = {{8, 8, 0, 4}, {32, 8, 0, 4}, {32, 8, 2, 8}, {33, 8, 0, 8}, {63, 8, 8, 8},
                {8, 3, 0, 3}, {8, 1, 2, 1},  {63, 8, 9, 0}, {64, 8, 1, 0}};

START_TEST(rail_only_is_counted_as_it_is_cabled)
{
    struct ry_design design = design_of(unjoined[_i].nodes, 1.0, true);
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_network network = {0};
    struct ry_topo_specs specs;
    struct ry_graph *graph = NULL;

    design.nics_per_node = unjoined[_i].nics;
    design.fabric.family = "rail-only";
    design.fabric.management_ports = unjoined[_i].managers;
    const enum ry_err err = ry_design_network(&design, &network, NULL);
    ck_assert_uint_eq(network.leaves, unjoined[_i].leaves);
    ck_assert_int_eq(err, unjoined[_i].leaves > 0 ? RY_OK : RY_ERR_INFEASIBLE);
    if (err == RY_OK) {
        ck_assert_int_eq(ry_design_topology(&design, &specs, NULL), RY_OK);
        ck_assert_int_eq(ry_topo_build(arena, &specs, &graph, NULL), RY_OK);
        ck_assert_uint_eq(count_of(graph, "leaf"), network.leaves);
        ck_assert_uint_eq(count_of(graph, "ufm"), unjoined[_i].managers);
    }
    ry_arena_destroy(arena);
}
END_TEST

static const double ratios[] = {1.0, 2.0, 3.0, 7.0};

START_TEST(rank_counts_what_is_cabled)
{
    for (size_t nodes = 1; nodes <= 1100; nodes += nodes < 40 ? 1 : 53) {
        for (int rails = 0; rails < 2; rails++) {
            const struct ry_design design = design_of(nodes, ratios[_i], rails);
            struct ry_arena *arena = ry_arena_create(0);
            struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
            struct ry_network network;
            struct ry_topo_specs specs;
            struct ry_graph *graph = NULL;
            struct ry_verified verified;
            struct ry_diag diag = {0};
            const enum ry_err err = ry_design_network(&design, &network, &diag);
            if (err == RY_OK) {
                ck_assert_int_eq(ry_design_topology(&design, &specs, &diag), RY_OK);
                ck_assert_msg(ry_topo_build(arena, &specs, &graph, &diag) == RY_OK,
                              "%zu nodes at %g:1: %s: %s", nodes, ratios[_i], diag.where,
                              diag.text);
                ck_assert_msg(count_of(graph, "leaf") == network.leaves,
                              "%zu nodes at %g:1: %zu leaves cabled, %zu counted", nodes,
                              ratios[_i], count_of(graph, "leaf"), network.leaves);
                ck_assert_msg(count_of(graph, "spine") == network.spines,
                              "%zu nodes at %g:1: %zu spines cabled, %zu counted", nodes,
                              ratios[_i], count_of(graph, "spine"), network.spines);
                ck_assert_msg(count_of(graph, "core") == network.cores,
                              "%zu nodes at %g:1: %zu cores cabled, %zu counted", nodes,
                              ratios[_i], count_of(graph, "core"), network.cores);
                ck_assert_int_eq(ry_topo_verify(arena, graph, problems, &verified, &diag),
                                 RY_OK);
                ck_assert_uint_eq(problems->count, 0);
            }
            ry_arena_destroy(arena);
        }
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("fabric graph");
    TCase *tcase = tcase_create("counts");

    tcase_set_timeout(tcase, 60.0);
    tcase_add_loop_test(tcase, rank_counts_what_is_cabled, 0,
                        (int)(sizeof(ratios) / sizeof(ratios[0])));
    tcase_add_loop_test(tcase, rail_only_is_counted_as_it_is_cabled, 0,
                        (int)(sizeof(unjoined) / sizeof(unjoined[0])));
    suite_add_tcase(suite, tcase);
    return suite;
}
