/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/data.h"
#include "io/nccl_constants.h"
#include "reference/nccl_tuning.h"
#include "unit.h"

#include <math.h>

static struct ry_nccl_constants constants_of(const char *file)
{
    static struct ry_problems problems;
    struct ry_nccl_constants constants;
    struct ry_arena *arena = ry_arena_create(0);

    problems = (struct ry_problems){0};
    ck_assert_int_eq(
        ry_nccl_constants_read(arena, ry_data_path(arena, file), &problems, &constants),
        RY_OK);
    ry_arena_destroy(arena);
    return constants;
}

/* Worked out once from the formulas of NCCL 2.30.7 by another program (Python), Intel
 * host: latency us, algorithm bandwidth GB/s, time us at 1 KiB, 64 KiB, 1 MiB, 64 MiB,
 * 1 GiB, printed with one decimal. */
static const struct {
    enum ry_coll coll;
    enum ry_nccl_algo algo;
    enum ry_proto proto;
    struct ry_nccl_comm comm;
    double latency_us, gb_per_s, us[5];
} rows[] = {
#define COMM(n, N, c, rate, cc)                                                          \
    {                                                                                    \
        .ranks = n, .nodes = N, .channels = c, .intra_bytes_per_s = (rate)*1e9,          \
        .inter_bytes_per_s = (rate)*1e9, .arch = cc, .link = RY_NCCL_NVLINK,             \
        .nvswitch = true                                                                 \
    }
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_RING,
     RY_PROTO_SIMPLE,
     COMM(8, 1, 24, 15, RY_NCCL_HOPPER),
     56.0,
     205.7,
     {56.0, 56.3, 61.1, 382.2, 5275.6}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_RING,
     RY_PROTO_LL,
     COMM(8, 1, 24, 15, RY_NCCL_HOPPER),
     15.0,
     80.6,
     {15.0, 15.8, 28.0, 847.9, 13341.6}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_RING,
     RY_PROTO_LL128,
     COMM(8, 1, 24, 15, RY_NCCL_HOPPER),
     40.6,
     189.3,
     {40.6, 40.9, 46.1, 395.2, 5714.1}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_TREE,
     RY_PROTO_LL,
     COMM(8, 1, 24, 15, RY_NCCL_HOPPER),
     15.2,
     43.6,
     {15.2, 17.7, 63.3, 1555.1, 24654.2}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_RING,
     RY_PROTO_SIMPLE,
     COMM(8, 1, 24, 10, RY_NCCL_AMPERE),
     56.0,
     137.1,
     {56.0, 56.5, 63.6, 545.3, 7885.4}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_RING,
     RY_PROTO_LL128,
     COMM(8, 1, 24, 10, RY_NCCL_AMPERE),
     40.6,
     126.2,
     {40.6, 41.1, 48.9, 572.5, 8550.8}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_RING,
     RY_PROTO_SIMPLE,
     COMM(16, 2, 16, 22.5, RY_NCCL_HOPPER),
     131.6,
     192.0,
     {131.6, 184.6, 189.7, 533.8, 5776.6}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_TREE,
     RY_PROTO_SIMPLE,
     COMM(16, 2, 16, 22.5, RY_NCCL_HOPPER),
     92.4,
     165.6,
     {92.4, 93.1, 105.1, 599.0, 6576.3}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_NVLS_TREE,
     RY_PROTO_SIMPLE,
     COMM(16, 2, 8, 45, RY_NCCL_HOPPER),
     66.8,
     246.2,
     {66.8, 67.1, 71.1, 339.4, 4428.3}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_NVLS_TREE,
     RY_PROTO_SIMPLE,
     COMM(32, 4, 8, 45, RY_NCCL_HOPPER),
     108.6,
     185.8,
     {108.6, 109.0, 114.2, 469.8, 5887.4}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_RING,
     RY_PROTO_SIMPLE,
     COMM(128, 16, 16, 22.5, RY_NCCL_HOPPER),
     1190.0,
     181.4,
     {1190.0, 1190.4, 1671.8, 2035.9, 7584.6}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_TREE,
     RY_PROTO_LL128,
     COMM(128, 16, 16, 22.5, RY_NCCL_HOPPER),
     99.5,
     155.2,
     {99.5, 100.2, 110.8, 579.8, 7015.7}},
    {RY_COLL_ALL_REDUCE,
     RY_NCCL_NVLS_TREE,
     RY_PROTO_SIMPLE,
     COMM(128, 16, 8, 45, RY_NCCL_HOPPER),
     192.2,
     181.4,
     {192.2, 192.6, 198.0, 562.1, 6110.8}},
    {RY_COLL_ALL_GATHER,
     RY_NCCL_RING,
     RY_PROTO_SIMPLE,
     COMM(128, 16, 16, 22.5, RY_NCCL_HOPPER),
     599.2,
     362.8,
     {599.2, 599.4, 602.1, 784.2, 3558.5}},
    {RY_COLL_REDUCE_SCATTER,
     RY_NCCL_RING,
     RY_PROTO_LL,
     COMM(128, 16, 16, 22.5, RY_NCCL_HOPPER),
     159.1,
     20.6,
     {159.1, 162.3, 210.1, 3423.0, 52382.3}},
    {RY_COLL_ALL_GATHER,
     RY_NCCL_PAT,
     RY_PROTO_SIMPLE,
     COMM(8, 8, 2, 40, RY_NCCL_HOPPER),
     42.4,
     60.0,
     {42.4, 43.5, 59.9, 1160.9, 17938.1}},
};

START_TEST(the_lines_and_times_of_nccl_2_30_come_out)
{
    static const double bytes[5] = {1024.0, 65536.0, 1048576.0, 67108864.0, 1073741824.0};
    const struct ry_nccl_constants constants = constants_of("models/comm/nccl-2.30.json");
    const struct ry_nccl_choice what = {rows[_i].algo, rows[_i].proto, 0.0};
    const struct ry_nccl_line line =
        ry_nccl_line(&constants, &rows[_i].comm, rows[_i].coll, what.algo, what.proto);

    ck_assert_double_eq_tol(line.latency_s * 1e6, rows[_i].latency_us, 0.051);
    ck_assert_double_eq_tol(line.bytes_per_s / 1e9, rows[_i].gb_per_s, 0.051);
    for (size_t i = 0; i < 5; i++)
        ck_assert_double_eq_tol(
            ry_nccl_time_s(&constants, &rows[_i].comm, rows[_i].coll, what, bytes[i]) *
                1e6,
            rows[_i].us[i], 0.051 + 2e-5 * rows[_i].us[i]);
}
END_TEST

/* NVIDIA/nccl#1519: latencies in us that a 2.21-era run printed, 16 ranks on 2 nodes. */
static const struct {
    enum ry_coll coll;
    enum ry_nccl_algo algo;
    enum ry_proto proto;
    double latency_us;
} printed[] = {
    {RY_COLL_ALL_GATHER, RY_NCCL_RING, RY_PROTO_LL, 23.3},
    {RY_COLL_ALL_GATHER, RY_NCCL_RING, RY_PROTO_LL128, 44.6},
    {RY_COLL_ALL_GATHER, RY_NCCL_RING, RY_PROTO_SIMPLE, 70.0},
    {RY_COLL_ALL_REDUCE, RY_NCCL_TREE, RY_PROTO_LL, 25.2},
    {RY_COLL_ALL_REDUCE, RY_NCCL_TREE, RY_PROTO_LL128, 48.5},
    {RY_COLL_ALL_REDUCE, RY_NCCL_RING, RY_PROTO_LL, 43.4},
};

START_TEST(the_latencies_of_a_2_21_log_come_out)
{
    const struct ry_nccl_constants constants = constants_of("models/comm/nccl-2.21.json");
    const struct ry_nccl_comm comm = COMM(16, 2, 16, 22.5, RY_NCCL_HOPPER);

    ck_assert_double_eq_tol(ry_nccl_line(&constants, &comm, printed[_i].coll,
                                         printed[_i].algo, printed[_i].proto)
                                    .latency_s *
                                1e6,
                            printed[_i].latency_us, 0.051);
}
END_TEST

START_TEST(what_nccl_would_not_run_takes_for_ever)
{
    const struct ry_nccl_constants constants = constants_of("models/comm/nccl-2.30.json");
    const struct ry_nccl_comm node = COMM(8, 1, 24, 15, RY_NCCL_HOPPER);
    const struct ry_nccl_comm one = COMM(1, 1, 24, 15, RY_NCCL_HOPPER);
    const struct ry_nccl_choice nvls_tree = {RY_NCCL_NVLS_TREE, RY_PROTO_SIMPLE, 0.0};

    ck_assert(
        isinf(ry_nccl_time_s(&constants, &node, RY_COLL_ALL_REDUCE, nvls_tree, 1e6)));
    ck_assert(isinf(ry_nccl_choose(&constants, &one, RY_COLL_ALL_REDUCE, 1e6).s));
}
END_TEST

START_TEST(nccl_goes_from_low_latency_to_high_bandwidth)
{
    const struct ry_nccl_constants constants = constants_of("models/comm/nccl-2.30.json");
    const struct ry_nccl_comm node = COMM(8, 1, 24, 15, RY_NCCL_AMPERE);
    const struct ry_nccl_choice small =
        ry_nccl_choose(&constants, &node, RY_COLL_ALL_REDUCE, 1024.0);
    const struct ry_nccl_choice large =
        ry_nccl_choose(&constants, &node, RY_COLL_ALL_REDUCE, 1e9);

    ck_assert_int_eq(small.proto, RY_PROTO_LL);
    ck_assert_int_eq(large.algo, RY_NCCL_RING);
    ck_assert_int_eq(large.proto, RY_PROTO_SIMPLE);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("nccl tuning");
    TCase *tcase = tcase_create("nccl");

    tcase_add_loop_test(tcase, the_lines_and_times_of_nccl_2_30_come_out, 0,
                        (int)(sizeof(rows) / sizeof(rows[0])));
    tcase_add_loop_test(tcase, the_latencies_of_a_2_21_log_come_out, 0,
                        (int)(sizeof(printed) / sizeof(printed[0])));
    tcase_add_test(tcase, what_nccl_would_not_run_takes_for_ever);
    tcase_add_test(tcase, nccl_goes_from_low_latency_to_high_bandwidth);
    suite_add_tcase(suite, tcase);
    return suite;
}
