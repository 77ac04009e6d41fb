/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/network.h"

#include "unit.h"

#include <string.h>

/* Published: DGX H100 SuperPOD reference architecture (1 to 4 scalable units of 32
 * nodes: 8, 16, 24, 32 leaves; 4, 8, 16, 16 spines).  By hand: the others. */
static const struct {
    size_t nodes, rails, radix;
    double over;
    bool rail;
    size_t leaves, spines, links;
} cases[] = {
    {32, 8, 64, 1, true, 8, 4, 256},
    {64, 8, 64, 1, true, 16, 8, 512},
    {96, 8, 64, 1, true, 24, 16, 768},
    {128, 8, 64, 1, true, 32, 16, 1024},
    {64, 8, 64, 1, false, 16, 8, 512}, /* 512 GPUs at 400G: not 56 spines */
    {9, 8, 64, 1, true, 3, 2, 96},
    {32, 8, 128, 1, true, 4, 2, 256},
    {32, 8, 128, 3, false, 3, 1, 96},
    {4, 72, 64, 1, true, 9, 8, 288},
    {8, 8, 64, 1, true, 1, 0, 0},
    /* 2:1 of 128 ports: 43 up would take 43 spines; 84 and 42 take ceil(336 / 128) = 3 */
    {64, 8, 128, 2, true, 8, 3, 336},
    /* 2:1 of 64 ports: 22 up would take 11 spines; 42 and 21 take 7 leaves, 147 / 64:
     * 3 */
    {32, 8, 64, 2, false, 7, 3, 147},
    /* 1.19:1: 59 up is prime; 56 take 448 / 128 and 896 / 128 spines, below 8 and 16
       leaves */
    {64, 8, 128, 1.19, false, 8, 4, 448},
    {128, 8, 128, 1.19, false, 16, 7, 896},
    /* 1.5:1 in rails of 128: 16 leaves, 52 up take 13 spines; 48 take 768 / 128 */
    {128, 8, 128, 1.5, true, 16, 6, 768},
    /* 2:1 of 64: 22 up take 11 spines; 42 and 21 take 19 leaves, 399 / 64: 7 */
    {96, 8, 64, 2, false, 19, 7, 399},
};

START_TEST(two_tiers_count_as_published_or_by_hand)
{
    const struct ry_network_input in = {.name = "x",
                                        .nodes = cases[_i].nodes,
                                        .rails = cases[_i].rails,
                                        .leaf_radix = cases[_i].radix,
                                        .spine_radix = cases[_i].radix,
                                        .oversubscription = cases[_i].over,
                                        .rail_optimised = cases[_i].rail};
    struct ry_network out;

    ck_assert_int_eq(ry_network_count(&in, &out, NULL), RY_OK);
    ck_assert_uint_eq(out.leaves, cases[_i].leaves);
    ck_assert_uint_eq(out.spines, cases[_i].spines);
    ck_assert_uint_eq(out.leaf_spine_links, cases[_i].links);
    ck_assert_uint_eq(out.node_links, cases[_i].nodes * cases[_i].rails);
}
END_TEST

/* DGX H100 SuperPOD, 16 scalable units, 4,096 GPUs: 128 leaves, 128 spines, 64 cores. */
START_TEST(three_tiers_count_as_published)
{
    struct ry_network_input in = {.name = "x",
                                  .nodes = 512,
                                  .rails = 8,
                                  .leaf_radix = 64,
                                  .spine_radix = 64,
                                  .oversubscription = 1,
                                  .rail_optimised = true};
    struct ry_diag diag = {0};
    struct ry_network out;

    ck_assert_int_eq(ry_network_count(&in, &out, NULL), RY_OK);
    ck_assert_uint_eq(out.tiers, 3);
    ck_assert_uint_eq(out.leaves, 128);
    ck_assert_uint_eq(out.spines, 128);
    ck_assert_uint_eq(out.cores, 64);
    in.tiers = 2;
    ck_assert_int_eq(ry_network_count(&in, &out, &diag), RY_ERR_INFEASIBLE);
    ck_assert_ptr_nonnull(strstr(diag.text, "need 3 tiers"));
    in.tiers = 0;
    in.nodes = 100000;
    ck_assert_int_eq(ry_network_count(&in, &out, &diag), RY_ERR_INFEASIBLE);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("network");
    TCase *tcase = tcase_create("count");

    tcase_add_loop_test(tcase, two_tiers_count_as_published_or_by_hand, 0,
                        (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(tcase, three_tiers_count_as_published);
    suite_add_tcase(suite, tcase);
    return suite;
}
