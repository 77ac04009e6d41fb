/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs of every family: hand-worked or published counts, agreement of plan and graph,
 * refusals with their numbers. */
#include "graph_fixture.h"
#include "topology/verify.h"

#include <stdio.h>
#include <string.h>

static size_t faults_of(const struct ry_graph *graph, struct ry_verified *verified)
{
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);

    ck_assert_int_eq(ry_topo_verify(arena, graph, problems, verified, NULL), RY_OK);
    for (size_t i = 0; i < problems->count && i < 3; i++)
        printf("# %s: %s\n", problems->diags[i].where, problems->diags[i].text);
    return problems->count;
}

static size_t count_of(const struct ry_graph *graph, const char *class)
{
    for (size_t i = 0; i < graph->n_classes; i++) {
        if (strcmp(graph->classes[i].name, class) == 0)
            return graph->classes[i].count;
    }
    return 0;
}

static size_t links_of(const struct ry_graph *graph, const char *level)
{
    for (size_t i = 0; i < graph->n_levels; i++) {
        if (strcmp(graph->levels[i].name, level) == 0)
            return graph->levels[i].count;
    }
    return 0;
}

/* Everything that must build and verify without a fault. */
static const char *const sound[] = {
    "fat_tree:radix=64,tiers=2,gpus=2048",
    "fat_tree:radix=64,gpus=64",
    "fat_tree:radix=64,gpus=65",
    "fat_tree:radix=64,tiers=2,gpus=1",
    "fat_tree:radix=8,gpus=128,tiers=3",
    "fat_tree:radix=64,gpus=2049",
    "fat_tree:radix=64,gpus=4096,gpus_per_node=8,ratio=3:1",
    "fat_tree:radix=32,gpus=640,ratio=2:1,tiers=2",
    "fat_tree:radix=64,gpus=700,policy=min,tiers=2",
    "fat_tree:radix=64,gpus=24576,policy=min",
    "fat_tree:radix=64,gpus=2400,policy=min",
    "fat_tree:radix=64,gpus=2400,gpus_per_node=8",
    "rail_optimized:nodes=300,rails=8,radix=64",
    "fat_tree:radix=64,gpus=512,gpus_per_node=8,planes=2",
    "fat_tree:radix=64,gpus=8192,core_ratio=7:1,tiers=3",
    "fat_tree:radix=64,gpus=1024,gpus_per_node=8,grow=4096",
    "rail_optimized:nodes=127,rails=8,radix=64,ufm=4,cage=2",
    "rail_optimized:nodes=31,rails=8,radix=64",
    "rail_optimized:nodes=33,rails=8,radix=64",
    "rail_optimized:nodes=512,rails=8,radix=64",
    "rail_optimized:nodes=128,rails=8,radix=128,planes=2,links_per_cable=2",
    "rail_optimized:nodes=1920,rails=8,planes=2,radix=196,down=128,up=60,spine_radix=128,"
    "speed=200Gbps,up_speed=400Gbps",
    "rail_optimized:nodes=64,rails=4,nics=8,gpus_per_node=8,radix=64,su_nodes=16",
    "rail_optimized:nodes=64,rails=8,radix=64,su_nodes=16,ufm=64",
    "rail_optimized:nodes=4,rails=2,nics=3,radix=8,down=4,up=4,su_nodes=2,ufm=4",
    "rail_only:nodes=63,rails=8,radix=64,ufm=8",
    "fat_tree:radix=64,gpus=40,spines=2",
    "rail_only:nodes=128,rails=8,radix=64",
    "rail_only:nodes=18,rails=72,radix=64",
    "rail_only:nodes=2048,rails=8,radix=128",
    "nvswitch",
    "nvlink:gpus=72,links=18,chips=18",
    "nvlink:gpus=576,racks=8",
    "pcie:gpus=8,chips=2",
    "pcie:gpus=4,chips=1",
    "dragonfly:p=2,a=4,h=2",
    "dragonfly:p=2,a=4,h=2,groups=5",
    "dragonfly:p=4,a=8,h=4,groups=9,gpus_per_node=4",
    "dragonfly_plus:leaves=4,spines=4,p=4,h=2",
    "dragonfly_plus:leaves=4,spines=4,p=4,h=4,groups=5",
    "torus:dims=4x4x4",
    "torus:dims=2x4x8",
    "torus:dims=5x5x5",
    "torus:dims=8x8x8,cube=4x4x4,ocs=1",
    "torus:dims=16",
    "hyperx:dimensions=2,size=8,p=8",
    "hyperx:dimensions=3,size=4,p=4",
    "slim_fly:q=4",
    "slim_fly:q=5",
    "slim_fly:q=7",
    "slim_fly:q=8",
    "slim_fly:q=9",
    "slim_fly:q=11",
    /* Few enough nodes that one switch has them all. */
    "slim_fly:q=7,gpus=2",
    "hyperx:dimensions=2,size=4,p=3,gpus=2",
    "dragonfly:a=4,h=2,p=2,gpus=2",
    "dragonfly_plus:leaves=4,spines=4,p=4,h=4,gpus=3",
    "rail_optimized:nodes=127,rails=8,radix=64,ufm=4;fat_tree:fabric=storage,nics=2,"
    "radix=64,ratio=4:3;fat_tree:fabric=inband,nics=2,radix=64,speed=200Gbps;"
    "fat_tree:fabric=oob,nics=1,radix=48,speed=8Gbps,media=cat6,ratio=20:1",
};

static void check_against_plan(const char *text)
{
    struct ry_topo_specs specs;
    struct ry_verified verified;
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_topo_parse(text, &specs, &diag), RY_OK);
    const struct ry_graph *graph = built(text);
    ck_assert_msg(faults_of(graph, &verified) == 0, "%s", text);
    if (specs.n > 1)
        return;
    struct ry_topo_plan plan;
    ck_assert_int_eq(ry_topo_plan(&specs.at[0], &plan, &diag), RY_OK);
    size_t ports = plan.nodes * plan.ports_per_node + plan.managers;
    size_t used = plan.nodes * plan.ports_per_node + plan.managers;
    for (size_t i = 0; i < plan.tiers; i++) {
        ck_assert_uint_eq(count_of(graph, plan.tier[i].name), plan.tier[i].switches);
        ports += plan.tier[i].switches * plan.tier[i].radix;
        used += plan.tier[i].used;
    }
    for (size_t i = 0; i < plan.levels; i++)
        ck_assert_uint_eq(links_of(graph, plan.level[i].name), plan.level[i].links);
    ck_assert_uint_eq(graph->n_links, plan.links);
    ck_assert_uint_eq(graph->n_ports, ports);
    ck_assert_uint_eq(verified.ports_used, used);
}

START_TEST(builds_what_it_plans_and_the_verifier_agrees)
{
    check_against_plan(sound[_i]);
}
END_TEST

/* NVIDIA DGX SuperPOD H100, 4 SU: 32 leaves, 16 spines, 2,040 NDR cables (1,016 to nodes
 * and 1,024 between switches), every cage filled: 1,536 + 508 twin-port modules. */
START_TEST(the_bill_of_a_4_su_superpod_comes_out_of_its_inputs)
{
    const struct ry_graph *graph =
        built("rail_optimized:nodes=127,rails=8,radix=64,ufm=4,"
              "cage=2");
    size_t switch_cages = 0;
    size_t node_cages = 0;

    ck_assert_uint_eq(count_of(graph, "leaf"), 32);
    ck_assert_uint_eq(count_of(graph, "spine"), 16);
    ck_assert_uint_eq(links_of(graph, "node-leaf"), 1016 + 4);
    ck_assert_uint_eq(links_of(graph, "leaf-spine"), 1024);
    ck_assert_uint_eq(graph->n_links - 4, 2040);
    for (size_t i = 0; i < graph->n_devices; i++) {
        const struct ry_device_class *class = ry_class_of(graph, (uint32_t)i);
        const size_t cages = graph->devices[i].ports / class->ports_per_cage;
        switch_cages += class->kind == RY_DEVICE_SWITCH ? cages : 0;
        node_cages += class->kind == RY_DEVICE_NODE ? cages : 0;
    }
    ck_assert_uint_eq(switch_cages, 1536);
    ck_assert_uint_eq(node_cages, 508);
}
END_TEST

/* Alibaba HPN 7.0 (SIGCOMM 2024): 240 ToR and 120 aggregation switches in two planes,
 * 128 x 200G down and 60 x 400G up: 1.067:1. */
START_TEST(two_planes_of_hpn_come_out_of_their_inputs)
{
    const struct ry_graph *graph =
        built("rail_optimized:nodes=1920,rails=8,planes=2,radix=196,down=128,up=60,"
              "spine_radix=128,speed=200Gbps,up_speed=400Gbps");

    ck_assert_uint_eq(count_of(graph, "leaf"), 240);
    ck_assert_uint_eq(count_of(graph, "spine"), 120);
    ck_assert_uint_eq(links_of(graph, "node-leaf"), 30720);
    ck_assert_uint_eq(links_of(graph, "leaf-spine"), 14400);
    ck_assert_rel(graph->fabrics[0].cut[0], 128.0 * 200.0 / (60.0 * 400.0), 1e-12);
}
END_TEST

/* A growth plan: 1,024 GPUs now on the spines of 4,096: 32 of 128 leaves' worth of spine
 * ports are in use.  4,096 / 32 = 128 leaves are above 64 spine ports: three tiers. */
START_TEST(a_growth_plan_keeps_ports_for_later)
{
    struct ry_topo_specs specs;
    struct ry_topo_plan plan;

    ck_assert_int_eq(ry_topo_parse("fat_tree:radix=64,gpus=512,grow=2048", &specs, NULL),
                     RY_OK);
    ck_assert_int_eq(ry_topo_plan(&specs.at[0], &plan, NULL), RY_OK);
    ck_assert_uint_eq(plan.tier[0].switches, 16);
    ck_assert_uint_eq(plan.tier[1].switches, 32);
    ck_assert_uint_eq(plan.tier[1].free, 32 * 64 - 16 * 32);
}
END_TEST

/* By hand: 75 and 50 ports take 14 leaves and, as 50 is divided by 10 and not by 6 to 9,
 * 10 spines; 72 and 48 take 1024 / 72 = 15 leaves and 720 / 128 = 6 spines. */
START_TEST(a_ratio_takes_the_fewest_switches)
{
    const struct ry_graph *graph = built("fat_tree:radix=128,gpus=1024,ratio=1.5:1");

    ck_assert_uint_eq(count_of(graph, "leaf"), 15);
    ck_assert_uint_eq(count_of(graph, "spine"), 6);
    ck_assert_rel(graph->fabrics[0].cut[0], 1.5, 1e-12);
}
END_TEST

static const struct {
    const char *text;
    enum ry_err err;
    const char *says; /* numbers that the refusal must have */
} refused[] = {
    {"fat_tree:radix=64,tiers=2,gpus=2049", RY_ERR_INFEASIBLE, "2048"},
    {"fat_tree:radix=64,tiers=1,gpus=65", RY_ERR_INFEASIBLE, "64"},
    {"fat_tree:radix=64,tiers=3,gpus=65537", RY_ERR_INFEASIBLE, "65536"},
    {"fat_tree:radix=4,gpus=17", RY_ERR_INFEASIBLE, "16"},
    {"rail_optimized:nodes=128,rails=8,radix=64,ufm=4", RY_ERR_INFEASIBLE, "127"},
    /* 4 units of 16 nodes: 8 leaves of 17 ports each, 32 free */
    {"rail_optimized:nodes=64,rails=8,radix=64,down=17,su_nodes=16,ufm=33",
     RY_ERR_INFEASIBLE, "leave 32 of 544 node ports"},
    {"fat_tree:gpus=2048,radix=32,tiers=3,spines=2", RY_ERR_INFEASIBLE, "tiers=3"},
    {"fat_tree:gpus=32,radix=64,tiers=1,spines=2", RY_ERR_INFEASIBLE, "tiers=1"},
    {"fat_tree:gpus=32,radix=64,spines=2", RY_ERR_INFEASIBLE, "one leaf"},
    {"rail_optimized:nodes=64,rails=8,radix=64,su_nodes=33", RY_ERR_INFEASIBLE, "32"},
    {"fat_tree:radix=64,gpus=100,ratio=100:1", RY_ERR_INFEASIBLE, "64"},
    {"fat_tree:radix=128,gpus=1024,ratio=1.19:1", RY_ERR_INFEASIBLE, "down="},
    {"dragonfly:p=2,a=4,h=2,groups=10", RY_ERR_INFEASIBLE, "8"},
    {"slim_fly:q=6", RY_ERR_INFEASIBLE, "6"},
    {"slim_fly:q=15", RY_ERR_INFEASIBLE, "15"},
    {"hyperx:dimensions=2,size=8,p=8,radix=20", RY_ERR_INFEASIBLE, "22"},
    {"nvlink:gpus=72,links=18,chips=7", RY_ERR_INFEASIBLE, "18"},
    {"torus:dims=6x6x6,cube=4x4x4,ocs=1", RY_ERR_INFEASIBLE, "6"},
    {"fat_tree:radix=64", RY_ERR_RANGE, "gpus"},
    {"fat_tree:gpus=64", RY_ERR_RANGE, "radix"},
    {"fat_tree:radix=64,gpus=0", RY_ERR_RANGE, "0"},
    {"fat_tree:radix=64,gpus=-4", RY_ERR_SYNTAX, "-4"},
    {"fat_tree:radix=64,gpus=1e3", RY_ERR_SYNTAX, "1e3"},
    {"fat_tree:radix=64,gpus=99999999999999999999", RY_ERR_RANGE, "4194304"},
    {"fat_tree:radix=64,gpsu=4", RY_ERR_NOTFOUND, "gpus"},
    {"fat_tree:radix=64,q=4", RY_ERR_NOTFOUND, "q"},
    {"fat_tree:radix", RY_ERR_SYNTAX, "radix"},
    {"fat_tree:", RY_ERR_SYNTAX, "key=value"},
    {"fat_tree:radix=64,gpus=8;fat_tree:radix=64", RY_ERR_SYNTAX, "fabric="},
    {"fat_tee:radix=64", RY_ERR_NOTFOUND, "fat_tree"},
    {"torus:dims=4x", RY_ERR_SYNTAX, "4x"},
    {"torus:dims=4x0", RY_ERR_SYNTAX, "4x0"},
    {"torus:dims=65536x65536", RY_ERR_RANGE, "4194304"},
    {"dragonfly:p=1024,a=1024,h=1024", RY_ERR_RANGE, "1048576"},
    {"dragonfly:p=1,a=1000,h=1", RY_ERR_RANGE, "67108864"},
    {"nvlink:gpus=4194304,links=1024,chips=1024", RY_ERR_RANGE, "67108864"},
    {"fat_tree:radix=64,gpus=64,speed=fast", RY_ERR_SYNTAX, "fast"},
};

START_TEST(refuses_with_the_rule_and_the_numbers)
{
    struct ry_graph *graph = NULL;
    struct ry_diag diag = {0};

    ck_assert_int_eq(build_text(refused[_i].text, &graph, &diag), refused[_i].err);
    ck_assert_msg(strstr(diag.text, refused[_i].says) != NULL, "%s: %s", diag.where,
                  diag.text);
}
END_TEST

START_TEST(every_family_has_an_example_that_builds)
{
    const struct ry_family *family = NULL;

    for (size_t i = 0; (family = ry_family_at(i)) != NULL; i++) {
        ck_assert_ptr_eq(ry_family_find(family->name), family);
        check_against_plan(family->example);
    }
}
END_TEST

START_TEST(out_of_memory_is_an_error_at_every_allocation)
{
    struct ry_topo_specs specs;
    struct ry_graph *graph = NULL;
    bool done = false;

    ck_assert_int_eq(ry_topo_parse("fat_tree:radix=64,tiers=2,gpus=2048", &specs, NULL),
                     RY_OK);
    for (size_t limit = 65536; !done && limit < (64u << 20); limit *= 2) {
        struct ry_arena *small = ry_arena_create(limit);
        const enum ry_err err = ry_topo_build(small, &specs, &graph, NULL);
        ck_assert(err == RY_OK || err == RY_ERR_NOMEM);
        done = err == RY_OK;
        ry_arena_destroy(small);
    }
    ck_assert(done);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("topology");
    TCase *tcase = tcase_create("graphs");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, builds_what_it_plans_and_the_verifier_agrees, 0,
                        COUNT(sound));
    tcase_add_test(tcase, the_bill_of_a_4_su_superpod_comes_out_of_its_inputs);
    tcase_add_test(tcase, two_planes_of_hpn_come_out_of_their_inputs);
    tcase_add_test(tcase, a_growth_plan_keeps_ports_for_later);
    tcase_add_test(tcase, a_ratio_takes_the_fewest_switches);
    tcase_add_loop_test(tcase, refuses_with_the_rule_and_the_numbers, 0, COUNT(refused));
    tcase_add_test(tcase, every_family_has_an_example_that_builds);
    tcase_add_test(tcase, out_of_memory_is_an_error_at_every_allocation);
    suite_add_tcase(suite, tcase);
    return suite;
}
