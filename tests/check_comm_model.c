/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comm/net_build.h"
#include "io/comm_model.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static struct ry_arena *arena;
static struct ry_comm_models models;

static void set_up(void)
{
    arena = ry_arena_create(0);
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);

    ck_assert_int_eq(ry_comm_models_read(arena, NULL, problems, &models), RY_OK);
}

static void tear_down(void)
{
    ry_arena_destroy(arena);
}

/* Every GPU of the catalog that NCCL or RCCL runs on, in its usual node. */
static const struct {
    const char *gpu;
    enum ry_local_link link;
    size_t gpus;
    const char *model; /* that must be taken */
} nodes[] = {
    {"A100-SXM4-40GB", RY_LOCAL_SWITCHED, 8, "a100-nvlink"},
    {"A800-SXM4-80GB", RY_LOCAL_SWITCHED, 8, "a100-nvlink"},
    {"A100-PCIe-80GB", RY_LOCAL_PCIE, 4, "pcie-gen4"},
    {"H100-SXM5-80GB", RY_LOCAL_SWITCHED, 8, "h100-nvlink"},
    {"H100-PCIe-80GB", RY_LOCAL_PCIE, 4, "pcie-gen5"},
    {"H100-NVL-94GB", RY_LOCAL_BRIDGE, 8, "pcie-gen5"},
    {"H200-SXM-141GB", RY_LOCAL_SWITCHED, 8, "h200-nvlink"},
    {"H800-SXM5-80GB", RY_LOCAL_SWITCHED, 8, "h800-nvlink"},
    {"H20-SXM-96GB", RY_LOCAL_SWITCHED, 8, "h20-nvlink"},
    {"B200-SXM-180GB", RY_LOCAL_SWITCHED, 8, "b200-nvlink"},
    {"B300-SXM-288GB", RY_LOCAL_SWITCHED, 8, "b300-nvlink"},
    {"GB200-GPU", RY_LOCAL_SWITCHED, 72, "gb200-nvl72"},
    {"GB300-GPU", RY_LOCAL_SWITCHED, 72, "gb200-nvl72"},
    {"MI300X", RY_LOCAL_MESH, 8, "mi300x-xgmi"},
    {"MI355X", RY_LOCAL_MESH, 8, "mi355x-xgmi"},
    {"L40S", RY_LOCAL_PCIE, 4, "pcie-gen4"},
    {"RTX-PRO-6000-Blackwell-SE", RY_LOCAL_PCIE, 8, "pcie-gen5"},
};
enum { NODES = sizeof(nodes) / sizeof(nodes[0]) };

static struct ry_net_spec spec_of(size_t i, enum ry_transport transport)
{
    return (struct ry_net_spec){
        .gpu = nodes[i].gpu,
        .link = nodes[i].link,
        .gpus = 4096,
        .domain_gpus = nodes[i].gpus,
        .nics_per_domain = (double)nodes[i].gpus,
        .nic_bytes_per_s = 50e9,
        .transport = transport,
        .tiers = 1,
        .tier = {{.gpus = 256, .oversubscription = 2.0, .spread_frac = 1.0}},
    };
}

static const struct ry_comm_model *model_named(const char *name)
{
    for (size_t i = 0; i < models.n; i++)
        if (strcmp(models.at[i]->name, name) == 0)
            return models.at[i];
    return NULL;
}

START_TEST(every_node_of_the_catalog_has_its_model)
{
    struct ry_net net;
    struct ry_diag diag;
    const struct ry_net_spec spec = spec_of((size_t)_i, RY_TRANSPORT_IB);
    const struct ry_comm_model *model = model_named(nodes[_i].model);

    ck_assert_ptr_nonnull(model);
    ck_assert_int_eq(ry_net_build(&models, &spec, &net, &diag), RY_OK);
    ck_assert_double_eq(net.domain.ring_bytes_per_s, model->domain.ring_bytes_per_s);
    ck_assert_double_eq(net.domain.coll[0].at[0].piece[0].alpha_s,
                        model->domain.coll[0].at[0].piece[0].alpha_s);
}
END_TEST

static const double sizes[] = {1, 4096, 65536, 1048576, 16777216, 268435456, 4294967296};
static const size_t counts[] = {2, 3, 4, 8, 16, 64, 72, 144, 1024, 4096};
enum {
    SIZES = sizeof(sizes) / sizeof(sizes[0]),
    COUNTS = sizeof(counts) / sizeof(counts[0])
};

/* Over every node, transport, collective, group and size: finite, not below the wires,
 * and a size 16 times as large takes no less than nine tenths of the time (measured
 * curves may step, as at a change of algorithm). */
START_TEST(times_of_every_model_are_possible)
{
    for (int t = RY_TRANSPORT_IB; t < RY_TRANSPORTS; t++) {
        struct ry_net net;
        const struct ry_net_spec spec = spec_of((size_t)_i, (enum ry_transport)t);
        ck_assert_int_eq(ry_net_build(&models, &spec, &net, NULL), RY_OK);
        for (size_t c = 0; c < RY_COLLS * COUNTS; c++) {
            const enum ry_coll coll = (enum ry_coll)(c % RY_COLLS);
            const struct ry_group group = ry_group_place(&net, counts[c / RY_COLLS], 1);
            double before_s = 0.0;
            for (size_t s = 0; s < SIZES; s++) {
                const struct ry_coll_time time =
                    ry_collective(&net, coll, &group, sizes[s]);
                ck_assert(isfinite(time.s) && time.s > 0.0);
                ck_assert(time.rel_sigma > 0.0 && time.rel_sigma < 1.0);
                ck_assert_double_ge(time.s, time.bound_s);
                ck_assert_double_ge(time.s, 0.9 * before_s);
                before_s = time.s;
            }
        }
    }
}
END_TEST

START_TEST(what_no_model_covers_is_refused_by_name)
{
    struct ry_net net;
    struct ry_diag diag;
    struct ry_net_spec spec = spec_of(3, RY_TRANSPORT_IB);

    spec.gpu = "TPU-v5p";
    ck_assert_int_eq(ry_net_build(&models, &spec, &net, &diag), RY_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(diag.text, "TPU-v5p"));
    spec.gpu = "H100-SXM5-80GB";
    spec.nics_per_domain = 0.0;
    ck_assert_int_eq(ry_net_build(&models, &spec, &net, &diag), RY_ERR_RANGE);
}
END_TEST

/* 675 GB/s is nearest to the B200's 900 (log 4/3 below log 3/2 to 450): three quarters of
 * its rates, its start-up, and the least sigma of what is scaled. */
START_TEST(a_gpu_that_no_file_names_is_scaled_from_the_nearest_wire)
{
    const struct ry_net_domain *b200 = &model_named("b200-nvlink")->domain;
    const struct ry_coll_curve *own = &b200->coll[RY_COLL_ALL_GATHER].at[0];
    struct ry_net net;
    struct ry_net_spec spec = spec_of(3, RY_TRANSPORT_IB);

    spec.gpu = "X1";
    spec.wire_bytes_per_s = 675e9;
    ck_assert_int_eq(ry_net_build(&models, &spec, &net, NULL), RY_OK);
    const struct ry_coll_curve *scaled = &net.domain.coll[RY_COLL_ALL_GATHER].at[0];
    ck_assert(net.domain_scaled);
    ck_assert_rel(net.domain.ring_bytes_per_s, 0.75 * b200->ring_bytes_per_s, 1e-12);
    ck_assert_rel(net.domain.nvls_bytes_per_s, 0.75 * b200->nvls_bytes_per_s, 1e-12);
    ck_assert_rel(scaled->piece[0].busbw_bytes_per_s,
                  0.75 * own->piece[0].busbw_bytes_per_s, 1e-12);
    ck_assert_double_eq(scaled->piece[0].alpha_s, own->piece[0].alpha_s);
    ck_assert_double_eq(net.domain.rel_sigma, 0.15);
    spec.link =
        RY_LOCAL_PCIE; /* the line of a slot of gen 4, where none names the card */
    spec.wire_bytes_per_s = 31.5e9;
    ck_assert_int_eq(ry_net_build(&models, &spec, &net, NULL), RY_OK);
    ck_assert_str_eq(net.domain_model, "pcie-gen4");
    ck_assert(!net.domain_scaled);
    spec.link = RY_LOCAL_MESH; /* links of another maker are not NVLink */
    ck_assert_int_eq(ry_net_build(&models, &spec, &net, NULL), RY_ERR_NOTFOUND);
}
END_TEST

/* The measured node: 2 H200 over NVLink, 1 GiB all_reduce in 3.271 ms; staged through
 * the host, 64 MiB in 2.374 ms; over sockets, 64 MiB all_gather in 10.59 ms. */
static const struct {
    const char *model;
    enum ry_coll coll;
    double bytes, s;
} measured[] = {
    {"h200-nvlink", RY_COLL_ALL_REDUCE, 1073741824.0, 3.271e-3},
    {"h200-nvlink", RY_COLL_REDUCE_SCATTER, 268435456.0, 592.7e-6},
    {"pcie-gen5", RY_COLL_ALL_REDUCE, 67108864.0, 2374.3e-6},
    {"socket-host", RY_COLL_ALL_GATHER, 67108864.0, 10585.2e-6},
};

START_TEST(the_measured_node_comes_back)
{
    struct ry_net net;
    struct ry_net_spec spec = spec_of(6, RY_TRANSPORT_NONE);
    const struct ry_group pair = {.ranks = 2, .per_domain = 2, .sharing = 1};

    spec.domain_model = measured[_i].model;
    spec.domain_gpus = 2;
    ck_assert_int_eq(ry_net_build(&models, &spec, &net, NULL), RY_OK);
    ck_assert_rel(ry_collective_s(&net, measured[_i].coll, &pair, measured[_i].bytes),
                  measured[_i].s, 0.03);
}
END_TEST

/* Published two-node and larger runs, largest sizes, busbw in GB/s: within the interval
 * of the model (1.645 sigma). */
static const struct {
    size_t node; /* of nodes[] */
    enum ry_transport transport;
    double nics, nic_bytes_per_s;
    size_t ranks;
    enum ry_coll coll;
    double bytes, busbw;
} published[] = {
    {3, RY_TRANSPORT_IB, 8, 50e9, 16, RY_COLL_ALL_REDUCE, 17179869184.0, 471e9},
    {3, RY_TRANSPORT_IB, 8, 50e9, 96, RY_COLL_ALL_REDUCE, 8589934592.0, 386.56e9},
    {9, RY_TRANSPORT_IB, 8, 50e9, 16, RY_COLL_ALL_REDUCE, 2147483648.0, 696.06e9},
    {9, RY_TRANSPORT_ROCE, 8, 50e9, 16, RY_COLL_ALL_REDUCE, 8589934592.0, 683.52e9},
    {0, RY_TRANSPORT_ROCE, 16, 12.5e9, 16, RY_COLL_ALL_REDUCE, 8589934592.0, 189.6e9},
    {0, RY_TRANSPORT_IB, 4, 25e9, 24, RY_COLL_ALL_REDUCE, 133169160.0, 95.74e9},
    {0, RY_TRANSPORT_EFA, 4, 12.5e9, 16, RY_COLL_ALL_REDUCE, 2147483648.0, 78.33e9},
    {13, RY_TRANSPORT_ROCE, 8, 50e9, 16, RY_COLL_ALL_REDUCE, 8589934592.0, 357.04e9},
    {3, RY_TRANSPORT_ROCE, 8, 25e9, 16, RY_COLL_ALL_GATHER, 8589934592.0, 188.54e9},
    {3, RY_TRANSPORT_EFA, 32, 12.5e9, 16, RY_COLL_ALL_REDUCE, 17179869184.0, 487e9},
};

START_TEST(published_runs_are_inside_the_interval)
{
    struct ry_net net;
    struct ry_net_spec spec = spec_of(published[_i].node, published[_i].transport);

    spec.nics_per_domain = published[_i].nics;
    spec.nic_bytes_per_s = published[_i].nic_bytes_per_s;
    spec.tiers = 0;
    ck_assert_int_eq(ry_net_build(&models, &spec, &net, NULL), RY_OK);
    const struct ry_group group = ry_group_place(&net, published[_i].ranks, 1);
    const struct ry_coll_time time =
        ry_collective(&net, published[_i].coll, &group, published[_i].bytes);
    ck_assert_double_le(fabs(log(time.busbw_bytes_per_s / published[_i].busbw)),
                        1.645 * time.rel_sigma);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("comm models");
    TCase *tcase = tcase_create("shipped");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, every_node_of_the_catalog_has_its_model, 0, NODES);
    tcase_add_loop_test(tcase, times_of_every_model_are_possible, 0, NODES);
    tcase_add_test(tcase, what_no_model_covers_is_refused_by_name);
    tcase_add_test(tcase, a_gpu_that_no_file_names_is_scaled_from_the_nearest_wire);
    tcase_add_loop_test(tcase, the_measured_node_comes_back, 0,
                        (int)(sizeof(measured) / sizeof(measured[0])));
    tcase_add_loop_test(tcase, published_runs_are_inside_the_interval, 0,
                        (int)(sizeof(published) / sizeof(published[0])));
    suite_add_tcase(suite, tcase);
    return suite;
}
