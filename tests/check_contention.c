/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closed forms of ranking against the flow level of the fabric that is cabled: times of
 * an all-to-all and of rings of whole clusters, hashed and spread, within 5 %. */
#include "plan/contention.h"

#include "base/names.h"
#include "plan/fabric_graph.h"
#include "plan/machine.h"
#include "plan_fixture.h"
#include "topology/family.h"
#include "topology/traffic.h"

#include <math.h>

static const struct {
    size_t nodes;
    double ratio;
    const char *rails, *adaptive;
} cases[] = {
    {16, 1.0, "false", "false"}, {32, 1.0, "false", "false"}, {64, 1.0, "false", "false"},
    {16, 3.0, "false", "false"}, {32, 3.0, "false", "false"}, {64, 3.0, "false", "false"},
    {64, 1.0, "true", "false"},  {64, 3.0, "true", "false"},
    {16, 1.0, "false", "true"},  {32, 1.0, "false", "true"},  {64, 1.0, "false", "true"},
    {16, 3.0, "false", "true"},  {32, 3.0, "false", "true"},  {64, 3.0, "false", "true"},
    {64, 1.0, "true", "true"},   {64, 3.0, "true", "true"},
};

static struct ry_design *cluster(int i, const char *technology, const char *leaf)
{
    return design_of(ry_strfmt(
        arena,
        "{\"node\": \"DGX-H100\", \"nodes\": %zu, \"nics\": {\"rate\": \"400Gbps\"}, "
        "\"fabric\": {\"technology\": \"%s\", \"leaf\": \"%s\", \"oversubscription\": %g, "
        "\"rail_optimised\": %s, \"adaptive_routing\": %s}}",
        cases[i].nodes, technology, leaf, cases[i].ratio, cases[i].rails,
        cases[i].adaptive));
}

/* The links inside domains never bind here: the fabric is what is compared. */
static struct ry_net net_of(const struct ry_design *design, const struct ry_network *network)
{
    const struct ry_models models = {.comm = library.comm};
    struct ry_built_machine *built = RY_NEW(arena, struct ry_built_machine, 1);
    struct ry_diag diag = {0};

    ck_assert_msg(ry_machine_build(design, network, &models, built, &diag) == RY_OK, "%s",
                  diag.text);
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

START_TEST(ranking_agrees_with_the_flow_level)
{
    struct ry_design *design = cluster(_i, "roce", "SN5400");
    const double n = 8.0 * (double)cases[_i].nodes;
    const bool hashed = !design->fabric.adaptive_routing;
    struct ry_network network;
    struct ry_topo_specs specs;
    struct ry_graph *graph = NULL;
    struct ry_router_options options = {
        .routing = hashed ? RY_ROUTE_ECMP : RY_ROUTE_ADAPTIVE,
        .connections = 2, /* rates.csv: a queue pair for each of two connections */
        .pxn = true};
    double mean = 0.0;

    ck_assert_int_eq(ry_design_network(design, &network, NULL), RY_OK);
    ck_assert_uint_eq(network.tiers, 2);
    ck_assert_int_eq(ry_design_topology(design, &specs, NULL), RY_OK);
    ck_assert_int_eq(ry_topo_build(arena, &specs, &graph, NULL), RY_OK);
    const struct ry_net net = net_of(design, &network);
    const struct ry_group all = ry_group_place(&net, (size_t)n, 1);

    const double ring = slowest(graph, options, RY_TRAFFIC_RINGS, hashed ? 200 : 1, &mean);
    const double ring_s = 2.0 * (n - 1.0) / n * bytes / (8.0 * ring);
    const double pairs = slowest(graph, options, RY_TRAFFIC_ALL_TO_ALL,
                                 hashed && n < 200.0 ? 3 : 1, &mean);
    const double pairs_s = bytes / n / pairs;
    const double closed_ring_s =
        ry_collective_peak(&net, RY_COLL_ALL_REDUCE, &all).s * bytes / 1e9;
    const double closed_pairs_s =
        ry_collective_peak(&net, RY_COLL_ALL_TO_ALL, &all).s * bytes / 1e9;
    printf("# %zu nodes %g:1 rails %s adaptive %s: rings %.4g, closed %.4g (%+.1f %%); "
           "all-to-all %.4g, closed %.4g (%+.1f %%)\n",
           cases[_i].nodes, cases[_i].ratio, cases[_i].rails, cases[_i].adaptive, ring_s,
           closed_ring_s, 100.0 * (closed_ring_s / ring_s - 1.0), pairs_s, closed_pairs_s,
           100.0 * (closed_pairs_s / pairs_s - 1.0));
    ck_assert_rel(closed_ring_s, ring_s, 0.05);
    ck_assert_rel(closed_pairs_s, pairs_s, 0.05);
    if (hashed && !design->fabric.rail_optimised) {
        /* A message between halves: what others leave over comes on top. */
        (void)slowest(graph, options, RY_TRAFFIC_HALVES, 10, &mean);
        const double closed = net.fabric.tier[0].send_frac * design->nic_bytes_per_s;
        ck_assert_double_le(closed, 1.02 * mean);
        ck_assert_double_ge(closed, 0.75 * mean);
    }
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
    suite_add_tcase(suite, tcase);
    return suite;
}
