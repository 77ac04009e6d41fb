/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closed forms of ranking against the flow level of the fabric that is cabled: times
 * of an all-to-all, of rings and of messages between stages of whole clusters, hashed and
 * spread, two and three tiers, within 5 %. */
#include "plan/contention.h"

#include "base/names.h"
#include "plan/fabric_graph.h"
#include "plan/machine.h"
#include "plan_fixture.h"
#include "topology/family.h"
#include "topology/traffic.h"

#include <math.h>

/* Of SN5400 switches, or of ones with fewer ports, so that 32 nodes take three tiers. */
static const struct {
    size_t nodes;
    double ratio;
    const char *rails, *adaptive;
    size_t ports, tiers;
    double connections;
} cases[] = {
    {16, 1.0, "false", "false", 64, 2, 2.0},  {32, 1.0, "false", "false", 64, 2, 2.0},
    {64, 1.0, "false", "false", 64, 2, 2.0},  {24, 3.0, "false", "false", 64, 2, 2.0},
    {48, 3.0, "false", "false", 64, 2, 2.0},  {64, 1.0, "true", "false", 64, 2, 2.0},
    {64, 3.0, "true", "false", 64, 2, 2.0},   {16, 1.0, "false", "true", 64, 2, 2.0},
    {64, 1.0, "false", "true", 64, 2, 2.0},   {24, 3.0, "false", "true", 64, 2, 2.0},
    {48, 3.0, "false", "true", 64, 2, 2.0},   {64, 3.0, "true", "true", 64, 2, 2.0},
    {32, 1.0, "false", "false", 64, 2, 1.0},  {32, 1.0, "false", "false", 64, 2, 8.0},
    {32, 1.0, "false", "false", 16, 3, 2.0},  {64, 1.0, "false", "false", 16, 3, 2.0},
    {32, 1.0, "false", "false", 16, 3, 4.0},  {64, 1.0, "true", "false", 16, 3, 2.0},
    {108, 3.0, "false", "false", 32, 3, 2.0}, {108, 3.0, "false", "true", 32, 3, 2.0},
    {96, 3.0, "true", "false", 64, 2, 2.0},
};

static struct ry_design *cluster(int i, const char *technology)
{
    return design_of(ry_strfmt(
        arena,
        "{\"node\": \"DGX-H100\", \"nodes\": %zu, \"nics\": {\"rate\": \"400Gbps\"}, "
        "\"fabric\": {\"technology\": \"%s\", "
        "\"leaf\": {\"base\": \"SN5400\", \"name\": \"leaf\", \"ports\": %zu}, "
        "\"oversubscription\": %g, \"connections_per_nic\": %g, "
        "\"rail_optimised\": %s, \"adaptive_routing\": %s}}",
        cases[i].nodes, technology, cases[i].ports, cases[i].ratio, cases[i].connections,
        cases[i].rails, cases[i].adaptive));
}

/* The links inside domains never bind here: the fabric is what is compared. */
static struct ry_net net_of(const struct ry_design *design,
                            const struct ry_network *network)
{
    const struct ry_models models = {.comm = library.comm};
    struct ry_built_machine *built = RY_NEW(arena, struct ry_built_machine, 1);
    struct ry_contention contention;
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_contention_make(arena, design, network, &contention, &diag),
                     RY_OK);
    ck_assert_msg(ry_machine_build(design, &contention, &models, built, &diag) == RY_OK,
                  "%s", diag.text);
    struct ry_net net = built->net;
    net.domain.ring_bytes_per_s = 1e18;
    net.domain.nvls_bytes_per_s = 0.0;
    net.fabric.pcie_bytes_per_s = 1e18;
    net.fabric.gpu_bytes_per_s = 0.0;
    net.fabric.sharp = false;
    net.fabric.nic_bytes_per_s = design->nic_bytes_per_s;
    return net;
}

/* Mean over seeds of the slowest flow's rate. */
static double slowest(const struct ry_graph *graph, struct ry_router_options options,
                      enum ry_traffic traffic, size_t seeds, double *mean)
{
    double sum = 0.0;
    double sum_mean = 0.0;

    for (size_t i = 0; i < seeds; i++) {
        struct ry_arena *scratch = ry_arena_create(0);
        struct ry_traffic_result r;
        options.seed = 1000 + i;
        struct ry_router *router = ry_router_create(scratch, graph, &options);
        ck_assert_int_eq(ry_traffic_rates(scratch, router, traffic, &r, NULL), RY_OK);
        sum += r.least_bytes_per_s;
        sum_mean += r.mean_bytes_per_s;
        ry_arena_destroy(scratch);
    }
    *mean = sum_mean / (double)seeds;
    return sum / (double)seeds;
}

static const double bytes = 1e9;

struct compared {
    struct ry_design *design;
    struct ry_network network;
    struct ry_net net;
    struct ry_graph *graph;
    struct ry_router_options options;
    double gpus;
};

static struct compared compared(int i)
{
    struct compared c = {.design = cluster(i, "roce"),
                         .gpus = 8.0 * (double)cases[i].nodes};
    struct ry_topo_specs specs;

    c.options = (struct ry_router_options){
        .routing = c.design->fabric.adaptive_routing ? RY_ROUTE_ADAPTIVE : RY_ROUTE_ECMP,
        .connections = (size_t)cases[i].connections,
        .pxn = true};
    ck_assert_int_eq(ry_design_network(c.design, &c.network, NULL), RY_OK);
    ck_assert_uint_eq(c.network.tiers, cases[i].tiers);
    ck_assert_int_eq(ry_design_topology(c.design, &specs, NULL), RY_OK);
    ck_assert_int_eq(ry_topo_build(arena, &specs, &c.graph, NULL), RY_OK);
    c.net = net_of(c.design, &c.network);
    printf("# %zu nodes %g:1 rails %s adaptive %s, %zu tiers, %g connections\n",
           cases[i].nodes, cases[i].ratio, cases[i].rails, cases[i].adaptive,
           cases[i].tiers, cases[i].connections);
    return c;
}

static void agree(const char *what, double closed_s, double flow_s)
{
    printf("# %s %.4g s, closed %.4g s (%+.1f %%)\n", what, flow_s, closed_s,
           100.0 * (closed_s / flow_s - 1.0));
    ck_assert_rel(closed_s, flow_s, 0.05);
}

static double closed_s(const struct compared *c, enum ry_coll coll,
                       const struct ry_group *group)
{
    return ry_collective_peak(&c->net, coll, group).s * bytes / 1e9;
}

START_TEST(ranking_agrees_with_the_flow_level)
{
    const struct compared c = compared(_i);
    const bool hashed = c.options.routing == RY_ROUTE_ECMP;
    const struct ry_group all = ry_group_place(&c.net, (size_t)c.gpus, 1);
    const struct ry_group pair = ry_group_place(&c.net, 2, (size_t)c.gpus / 2);
    double mean = 0.0;

    const double ring = slowest(c.graph, c.options, RY_TRAFFIC_RINGS,
                                !hashed          ? 1
                                : c.gpus > 300.0 ? 40
                                                 : 200,
                                &mean);
    agree("rings", closed_s(&c, RY_COLL_ALL_REDUCE, &all),
          2.0 * (c.gpus - 1.0) / c.gpus * bytes / (8.0 * ring));
    if (c.gpus < 300.0) { /* a flow for every pair */
        const double pairs = slowest(c.graph, c.options, RY_TRAFFIC_ALL_TO_ALL,
                                     hashed && c.gpus < 200.0 ? 3 : 1, &mean);
        agree("all-to-all", closed_s(&c, RY_COLL_ALL_TO_ALL, &all),
              bytes / c.gpus / pairs);
    }
    if (cases[_i].nodes / 2 % c.network.nodes_per_leaf != 0)
        return; /* some messages would stay below a leaf */
    (void)slowest(c.graph, c.options, RY_TRAFFIC_HALVES, hashed ? 10 : 1, &mean);
    agree("messages", closed_s(&c, RY_COLL_SENDRECV, &pair), bytes / mean);
}
END_TEST

/* Mean rate of the messages that leave a leaf when every GPU sends to the one so many
 * nodes on: flows of the real router, classes not used. */
static double leaving(const struct compared *c, size_t nodes_on, uint64_t seed)
{
    struct ry_arena *scratch = ry_arena_create(0);
    struct ry_flow_set set = ry_flow_set(scratch);
    struct ry_router_options options = c->options;
    const uint32_t n = (uint32_t)c->gpus;
    const uint32_t leaf = (uint32_t)c->network.nodes_per_leaf * 8;
    double *rate = RY_NEW(scratch, double, n);
    double sum = 0.0;
    double count = 0.0;

    options.seed = seed;
    struct ry_router *router = ry_router_create(scratch, c->graph, &options);
    for (uint32_t g = 0; g < n; g++)
        ck_assert_int_eq(
            ry_route_flow(router, &set, g, (g + 8 * (uint32_t)nodes_on) % n, 1.0, NULL),
            RY_OK);
    ck_assert_int_eq(
        ry_flow_max_min(scratch, &set, router->capacity, router->resources, rate, NULL),
        RY_OK);
    for (uint32_t g = 0; g < n; g++) {
        const bool leaves = g / leaf != (g + 8 * (uint32_t)nodes_on) % n / leaf;
        sum += leaves ? rate[g] : 0.0;
        count += leaves;
    }
    ry_arena_destroy(scratch);
    return sum / count;
}

/* 64 nodes, four below a leaf: stages of one and of two nodes. */
START_TEST(stages_that_share_a_leaf_load_its_links_less)
{
    const struct compared c = compared(2);
    const size_t nodes = (size_t)1 << _i;
    const struct ry_group stages = ry_group_place(&c.net, 64 / nodes, 8 * nodes);
    double sum = 0.0;

    ck_assert_uint_eq(c.network.nodes_per_leaf, 4);
    for (uint64_t seed = 1; seed <= 20; seed++)
        sum += leaving(&c, nodes, seed);
    agree("messages", closed_s(&c, RY_COLL_SENDRECV, &stages), bytes * 20.0 / sum);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("contention");
    TCase *tcase = tcase_create("flow level");

    tcase_set_timeout(tcase, 120.0);
    tcase_add_checked_fixture(tcase, open_library, close_library);
    tcase_add_loop_test(tcase, ranking_agrees_with_the_flow_level, 0,
                        (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_loop_test(tcase, stages_that_share_a_leaf_load_its_links_less, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
