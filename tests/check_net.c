/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "comm/net.h"
#include "comm/net_build.h"
#include "reference/levels.h"
#include "unit.h"

#include <math.h>

#define GB 1e9

/* Eight GPUs a domain with NVLS, one usable 48 GB/s NIC a GPU, NCCL's constants for
 * Hopper (nccl-model.md is the notes' name; the numbers are NCCL 2.30's). */
static struct ry_net hopper(double nics)
{
    struct ry_net net = {
        .domain = {.gpus = 8,
                   .wire_bytes_per_s = 450 * GB,
                   .ring_bytes_per_s = 370 * GB,
                   .nvls_bytes_per_s = 275 * GB,
                   .step_s = 1e-6,
                   .rel_sigma = 0.05,
                   .limit = RY_NET_LIMIT_NVLINK},
        .fabric = {.nics_per_domain = nics,
                   .nic_bytes_per_s = 48 * GB,
                   .nic_line_bytes_per_s = 50 * GB,
                   .pcie_bytes_per_s = 48 * GB,
                   .message_s = 1e-6,
                   .send_s = 14e-6,
                   .rel_sigma = 0.1,
                   .alpha_sigma = 0.3,
                   .nic_frac = 1.0,
                   .tree_frac = 1.0,
                   .lines[RY_COLL_ALGO_RING] = {{6.6e-6, 14e-6, 8.4e-6},
                                                {0.6e-6, 1.9e-6, 3.4e-6},
                                                {2.7e-6, 4e-6, 14e-6},
                                                {0.5, 0.92, 1.0},
                                                {{0}}},
                   .lines[RY_COLL_ALGO_TREE] = {{6.8e-6, 14e-6, 8.4e-6},
                                                {0.6e-6, 1.25e-6, 4e-6},
                                                {5e-6, 8.5e-6, 14e-6},
                                                {0.26, 0.92, 0.92},
                                                {{0}}},
                   .lines[RY_COLL_ALGO_NVLS_TREE] =
                       {{0, 0, 0}, {0, 0, 25e-6}, {0, 0, 20.9e-6}, {0, 0, 1}, {{0}}}},
    };
    for (size_t i = 0; i < RY_NET_CORRECTIONS; i++)
        for (size_t proto = 0; proto < RY_PROTOS; proto++)
            net.fabric.tree_correction[proto][i] = 1.0;
    for (size_t coll = 0; coll < RY_COLLS; coll++) {
        net.domain.coll[coll].n = 2;
        net.domain.coll[coll].at[0] =
            (struct ry_coll_curve){2, 2, {{0, 12e-6, 30 * GB}, {1e6, 20e-6, 340 * GB}}};
        net.domain.coll[coll].at[1] =
            (struct ry_coll_curve){8, 2, {{0, 16e-6, 30 * GB}, {1e6, 30e-6, 365 * GB}}};
    }
    return net;
}

static struct ry_group spread(const struct ry_net *net, size_t ranks)
{
    return ry_group_place(net, ranks, 1);
}

/* NVIDIA/nccl-tests#130: one 400G NIC a GPU, busbw of all_to_all by nodes. */
static const struct {
    size_t nodes;
    double busbw;
} to_all[] = {{2, 90.0}, {4, 62.0}, {6, 56.4}, {16, 50.8}, {64, 48.7}};

START_TEST(all_to_all_is_bound_by_the_nics)
{
    const struct ry_net net = hopper(8);
    const struct ry_group group = spread(&net, 8 * to_all[_i].nodes);
    const struct ry_coll_time peak = ry_collective_peak(&net, RY_COLL_ALL_TO_ALL, &group);

    ck_assert_rel(peak.busbw_bytes_per_s, to_all[_i].busbw * GB, 0.005);
    ck_assert_int_eq(peak.limit, RY_NET_LIMIT_NIC);
}
END_TEST

/* NVIDIA/nccl#780: one 200G NIC for eight GPUs. */
START_TEST(one_nic_for_eight_gpus_leaves_each_an_eighth)
{
    struct ry_net net = hopper(1);
    net.fabric.nic_bytes_per_s = 24 * GB;
    const struct ry_group two = spread(&net, 16);
    const struct ry_group many = spread(&net, 1024);

    ck_assert_rel(ry_collective_peak(&net, RY_COLL_ALL_TO_ALL, &two).busbw_bytes_per_s,
                  6.0 * 15 / 16 * GB, 1e-9);
    ck_assert_rel(ry_collective_peak(&net, RY_COLL_ALL_TO_ALL, &many).busbw_bytes_per_s,
                  3.0 * GB, 0.01);
}
END_TEST

/* NVIDIA/nccl-tests#232: one GPU a node moves 48 GB/s over PCIe gen5, however many
 * NICs. */
START_TEST(one_gpu_a_node_is_bound_by_its_slot)
{
    const struct ry_net net = hopper(4);
    const struct ry_group group = {.ranks = 2, .per_domain = 1, .sharing = 1};
    const struct ry_coll_time peak = ry_collective_peak(&net, RY_COLL_ALL_REDUCE, &group);

    ck_assert_rel(peak.busbw_bytes_per_s, 48 * GB, 1e-9);
    ck_assert_int_eq(peak.limit, RY_NET_LIMIT_PCIE);
}
END_TEST

/* NVIDIA/nccl-tests#212, #239: eight H100, ring about 370, NVLS 470 to 490. */
START_TEST(switch_reduction_beats_the_ring_inside_a_node)
{
    struct ry_net net = hopper(8);
    const struct ry_group group = spread(&net, 8);
    const struct ry_coll_time nvls = ry_collective_peak(&net, RY_COLL_ALL_REDUCE, &group);

    ck_assert_double_ge(nvls.busbw_bytes_per_s, 470 * GB);
    ck_assert_double_le(nvls.busbw_bytes_per_s, 490 * GB);
    ck_assert_int_eq(nvls.limit, RY_NET_LIMIT_NVLS);
    net.domain.nvls_bytes_per_s = 0.0;
    ck_assert_rel(ry_collective_peak(&net, RY_COLL_ALL_REDUCE, &group).busbw_bytes_per_s,
                  370 * GB, 1e-9);
}
END_TEST

/* aliyun/SimAI#67: 256 ranks in one ring, 512 MiB, 48 GB/s; and astra-sim#296: 8 ranks,
 * 100 MB, 50 GB/s, 10 ns, ring and direct.  Worked by hand from 2 (n-1) steps. */
START_TEST(a_ring_takes_its_steps_and_its_bytes)
{
    const struct ry_net_level fast = {256, 2e-6, 48 * GB};
    const struct ry_net_level slow = {256, 6e-6, 48 * GB};
    const struct ry_net_level small = {8, 10e-9, 50 * GB};

    ck_assert_rel(ry_levels_all_reduce_s(&fast, 1, 536870912.0), 23.30e-3, 0.001);
    ck_assert_rel(ry_levels_all_reduce_s(&slow, 1, 536870912.0), 25.34e-3, 0.001);
    ck_assert_rel(ry_levels_all_reduce_s(&small, 1, 100e6), 3500.14e-6, 1e-6);
    ck_assert_rel(ry_direct_all_reduce_s(&small, 100e6), 3500.02e-6, 1e-6);
}
END_TEST

START_TEST(equal_levels_in_either_order_take_the_same_time)
{
    const struct ry_net_level ab[] = {{4, 1e-6, 50 * GB}, {16, 1e-6, 50 * GB}};
    const struct ry_net_level ba[] = {{16, 1e-6, 50 * GB}, {4, 1e-6, 50 * GB}};

    ck_assert_rel(ry_levels_all_reduce_s(ab, 2, 1e9), ry_levels_all_reduce_s(ba, 2, 1e9),
                  1e-12);
}
END_TEST

static const double sizes[] = {1, 1e3, 64e3, 1e6, 33e6, 1e9, 17e9};
static const size_t counts[] = {1, 2, 3, 4, 7, 8, 16, 24, 64, 512, 4096, 100000};
enum {
    SIZES = sizeof(sizes) / sizeof(sizes[0]),
    COUNTS = sizeof(counts) / sizeof(counts[0])
};

START_TEST(no_time_is_below_what_the_wires_carry)
{
    const struct ry_net net = hopper(8);

    for (size_t c = 0; c < COUNTS; c++) {
        for (size_t stride = 1; stride <= 64; stride *= 2) {
            const struct ry_group group = ry_group_place(&net, counts[c], stride);
            for (size_t s = 0; s < SIZES; s++) {
                const struct ry_coll_time time =
                    ry_collective(&net, (enum ry_coll)_i, &group, sizes[s]);
                ck_assert(isfinite(time.s) && time.s >= 0.0);
                ck_assert_double_ge(time.s, time.bound_s);
                ck_assert(counts[c] == 1 || time.s > 0.0);
            }
        }
    }
}
END_TEST

START_TEST(a_larger_message_takes_longer)
{
    const struct ry_net net = hopper(8);

    for (size_t c = 1; c < COUNTS; c++) {
        const struct ry_group group = spread(&net, counts[c]);
        for (size_t s = 1; s < SIZES; s++)
            ck_assert_double_gt(
                ry_collective_s(&net, (enum ry_coll)_i, &group, sizes[s]),
                ry_collective_s(&net, (enum ry_coll)_i, &group, sizes[s - 1]));
    }
}
END_TEST

START_TEST(small_messages_take_longer_with_more_nodes)
{
    const struct ry_net net = hopper(8);
    double before_s = 0.0;

    for (size_t nodes = 2; nodes <= 4096; nodes *= 2) {
        const struct ry_group group = spread(&net, 8 * nodes);
        const double s = ry_collective_s(&net, (enum ry_coll)_i, &group, 8192.0);
        ck_assert(_i == RY_COLL_SENDRECV || s > before_s);
        before_s = s;
    }
}
END_TEST

/* What rings of many nodes lose is not lost between two stages, however many there
 * are. */
START_TEST(a_message_has_two_ends)
{
    struct ry_net net = hopper(8);
    const struct ry_group two = spread(&net, 16), many = spread(&net, 512);
    net.fabric.loss_per_doubling = 0.5;
    const double ring_s = ry_collective_s(&net, RY_COLL_ALL_GATHER, &many, 16e9);
    const double send_s = ry_collective_s(&net, RY_COLL_SENDRECV, &many, 16e9);

    ck_assert_rel(send_s, ry_collective_s(&net, RY_COLL_SENDRECV, &two, 16e9), 1e-12);
    net.fabric.loss_per_doubling = 0.0;
    ck_assert_rel(ry_collective_s(&net, RY_COLL_SENDRECV, &many, 16e9), send_s, 1e-12);
    ck_assert_double_gt(ring_s,
                        1.5 * ry_collective_s(&net, RY_COLL_ALL_GATHER, &many, 16e9));
}
END_TEST

/* astra-sim#207: halving the only bottleneck doubles a large message. */
START_TEST(half_the_bottleneck_doubles_a_large_message)
{
    struct ry_net net = hopper(4);
    net.fabric.pcie_bytes_per_s = 1e12; /* so that the NICs are the only one */
    const struct ry_group group = spread(&net, 256);
    const struct ry_coll_time whole =
        ry_collective(&net, (enum ry_coll)_i, &group, 256e9);

    ck_assert_int_eq(whole.limit, RY_NET_LIMIT_NIC);
    net.fabric.nic_bytes_per_s /= 2.0;
    net.fabric.nic_line_bytes_per_s /= 2.0;
    ck_assert_rel(ry_collective_s(&net, (enum ry_coll)_i, &group, 256e9), 2.0 * whole.s,
                  0.02);
}
END_TEST

/* Two leaves of 64 GPUs, uplinks 1:8: all_to_all of 128 ranks sends 64/120 of what leaves
 * a node through them, a ring once for all eight nodes of a leaf. */
START_TEST(oversubscription_hurts_all_to_all_and_not_one_ring)
{
    struct ry_net net = hopper(8);
    net.fabric.tiers = 1;
    net.fabric.tier[0] =
        (struct ry_net_tier){.gpus = 64, .oversubscription = 8.0, .spread_frac = 1.0};
    const struct ry_group group = spread(&net, 128);
    const struct ry_coll_time all = ry_collective_peak(&net, RY_COLL_ALL_TO_ALL, &group);
    const struct ry_coll_time ring = ry_collective_peak(&net, RY_COLL_ALL_REDUCE, &group);

    ck_assert_int_eq(all.limit, RY_NET_LIMIT_TIER);
    ck_assert_rel(all.busbw_bytes_per_s, 48 * GB / 8 * 127 / 64, 1e-9);
    ck_assert_int_eq(ring.limit, RY_NET_LIMIT_NIC);
}
END_TEST

START_TEST(groups_that_share_nics_share_their_rate)
{
    const struct ry_net net = hopper(8);
    const struct ry_group whole = ry_group_place(&net, 32, 1);
    const struct ry_group strided = ry_group_place(&net, 4, 8);

    ck_assert_uint_eq(strided.per_domain, 1);
    ck_assert_uint_eq(strided.sharing, 8);
    ck_assert_uint_eq(whole.sharing, 1);
    ck_assert_rel(
        ry_collective_peak(&net, RY_COLL_ALL_GATHER, &strided).busbw_bytes_per_s, 48 * GB,
        1e-9);
}
END_TEST

/* NVIDIA/nccl-tests#181: 16 ranks on two nodes, 1e9 B each in 0.32 s is 12.5 GB/s on the
 * wire, though busbw says 2.93. */
START_TEST(wire_bytes_of_all_to_all_are_not_its_busbw)
{
    const struct ry_group group = {.ranks = 16, .per_domain = 8, .sharing = 1};

    ck_assert_rel(ry_coll_sent_bytes(RY_COLL_ALL_TO_ALL, &group, 1e9) / 0.32, 12.5 * GB,
                  1e-9);
    ck_assert_rel(ry_coll_bus_factor(RY_COLL_ALL_TO_ALL, 16) * 1e9 / 0.32, 2.930 * GB,
                  0.001);
}
END_TEST

START_TEST(names_are_found_in_any_spelling)
{
    ck_assert_uint_eq(ry_coll_find("alltoall"), RY_COLL_ALL_TO_ALL);
    ck_assert_uint_eq(ry_coll_find("AllReduce"), RY_COLL_ALL_REDUCE);
    ck_assert_uint_eq(ry_coll_find("all_gather"), RY_COLL_ALL_GATHER);
    ck_assert_uint_eq(ry_coll_find("all"), RY_COLLS);
}
END_TEST

START_TEST(algorithms_and_limits_have_a_text_of_their_own)
{
    for (int a = RY_COLL_ALGO_CURVE; a < RY_COLL_ALGOS; a++)
        for (int b = RY_COLL_ALGO_CURVE; b < a; b++)
            ck_assert_str_ne(ry_coll_algo_name((enum ry_coll_algo)a),
                             ry_coll_algo_name((enum ry_coll_algo)b));
    for (int a = RY_NET_LIMIT_NONE; a <= RY_NET_LIMIT_TIER; a++)
        for (int b = RY_NET_LIMIT_NONE; b < a; b++)
            ck_assert_str_ne(ry_net_limit_text((enum ry_net_limit)a),
                             ry_net_limit_text((enum ry_net_limit)b));
}
END_TEST

/* The NIC's name says more than the technology: AWS's and Cornelis's adapters. */
START_TEST(the_transport_is_that_of_the_nic)
{
    ck_assert_int_eq(ry_transport_of(RY_FABRIC_ROCE, "AWS-EFA-v2"), RY_TRANSPORT_EFA);
    ck_assert_int_eq(ry_transport_of(RY_FABRIC_INFINIBAND, "Omni-Path 100"),
                     RY_TRANSPORT_OPA);
    ck_assert_int_eq(ry_transport_of(RY_FABRIC_INFINIBAND, NULL), RY_TRANSPORT_IB);
    ck_assert_int_eq(ry_transport_of(RY_FABRIC_TCP, "ConnectX-7"), RY_TRANSPORT_TCP);
    ck_assert_int_eq(ry_transport_of(RY_FABRIC_NONE, "AWS-EFA-v2"), RY_TRANSPORT_NONE);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("net");
    TCase *tcase = tcase_create("net");

    tcase_add_loop_test(tcase, all_to_all_is_bound_by_the_nics, 0,
                        (int)(sizeof(to_all) / sizeof(to_all[0])));
    tcase_add_test(tcase, one_nic_for_eight_gpus_leaves_each_an_eighth);
    tcase_add_test(tcase, one_gpu_a_node_is_bound_by_its_slot);
    tcase_add_test(tcase, switch_reduction_beats_the_ring_inside_a_node);
    tcase_add_test(tcase, a_ring_takes_its_steps_and_its_bytes);
    tcase_add_test(tcase, equal_levels_in_either_order_take_the_same_time);
    tcase_add_loop_test(tcase, no_time_is_below_what_the_wires_carry, 0, RY_COLLS);
    tcase_add_loop_test(tcase, a_larger_message_takes_longer, 0, RY_COLLS);
    tcase_add_loop_test(tcase, small_messages_take_longer_with_more_nodes, 0,
                        RY_COLL_SENDRECV);
    tcase_add_loop_test(tcase, half_the_bottleneck_doubles_a_large_message, 0, RY_COLLS);
    tcase_add_test(tcase, a_message_has_two_ends);
    tcase_add_test(tcase, oversubscription_hurts_all_to_all_and_not_one_ring);
    tcase_add_test(tcase, groups_that_share_nics_share_their_rate);
    tcase_add_test(tcase, wire_bytes_of_all_to_all_are_not_its_busbw);
    tcase_add_test(tcase, names_are_found_in_any_spelling);
    tcase_add_test(tcase, algorithms_and_limits_have_a_text_of_their_own);
    tcase_add_test(tcase, the_transport_is_that_of_the_nic);
    suite_add_tcase(suite, tcase);
    return suite;
}
