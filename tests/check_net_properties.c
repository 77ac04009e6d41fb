/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold for every network, over thousands of random ones. */
#include "property.h"

#include "plan_fixture.h"
#include "reference/levels.h"

enum { NET_CASES = 5000 };

static struct ry_group random_group(const struct ry_net *net)
{
    size_t stride = (size_t)1 << below(5);
    size_t most = net->gpus / stride;

    if (most < 2) {
        stride = 1;
        most = net->gpus;
    }
    return ry_group_place(net, 2 + below(most - 1), stride);
}

START_TEST(no_bus_bandwidth_is_over_its_bound)
{
    const char *gpu;

    for (size_t i = 0; i < cases(NET_CASES); i++) {
        start_case(i);
        const struct ry_net net = random_net(library.comm, &gpu);
        const struct ry_group group = random_group(&net);
        const enum ry_coll coll = (enum ry_coll)below(RY_COLLS);
        const double bytes = scaled(1.0, 1e12);
        const struct ry_coll_time time = ry_collective(&net, coll, &group, bytes);
        const double most = ry_coll_bus_factor(coll, group.ranks) * bytes / time.bound_s;

        holds(isfinite(time.s) && time.s > 0.0, "%g s", time.s);
        holds(time.bound_s > 0.0 && time.s >= time.bound_s, "%g below %g s", time.s,
              time.bound_s);
        holds(time.busbw_bytes_per_s <= most * (1 + 1e-12), "%s of %zu: %g over %g B/s",
              ry_coll_name(coll), group.ranks, time.busbw_bytes_per_s, most);
    }
}
END_TEST

/* Every other link made too fast to matter, a message too large for start-up to. */
START_TEST(half_of_the_only_bottleneck_is_twice_the_time)
{
    static void (*const speeds[])(struct ry_net *, double) = {speed_nics, speed_domain,
                                                              speed_uplinks};
    const double bytes = 1e24;
    size_t seen[3] = {0};
    const char *gpu;

    for (size_t i = 0; i < cases(NET_CASES); i++) {
        start_case(i);
        struct ry_net net = random_net(library.comm, &gpu);
        struct ry_group group = random_group(&net);
        const enum ry_coll coll = (enum ry_coll)below(RY_COLLS);
        const size_t only = below(3);

        for (size_t k = 0; k < 3; k++)
            if (k != only)
                speeds[k](&net, k == 1 ? 1e12 : 1e6);
        speed_rest(&net, 1e6);
        if (only == 1) /* inside one domain */
            group = ry_group_place(&net, 2 + below(7), 1);
        const struct ry_coll_time whole = ry_collective(&net, coll, &group, bytes);
        if (only == 0 && group.per_domain == group.ranks)
            continue;
        if (only == 2 && whole.limit != RY_NET_LIMIT_TIER) /* a ring crosses once */
            continue;
        seen[only]++;
        speeds[only](&net, 0.5);
        const double ratio = ry_collective_s(&net, coll, &group, bytes) / whole.s;
        holds(fabs(ratio - 2.0) < 0.02, "%s of %zu on %s: %g times, by %s",
              ry_coll_name(coll), group.ranks, gpu, ratio,
              ry_net_limit_text(whole.limit));
    }
    for (size_t k = 0; k < 3; k++)
        ck_assert_uint_ge(seen[k], NET_CASES / 50);
}
END_TEST

START_TEST(equal_levels_take_the_same_in_either_order)
{
    for (size_t i = 0; i < cases(NET_CASES); i++) {
        start_case(i);
        struct ry_net_level up[4];
        struct ry_net_level down[4];
        const size_t n = 2 + below(3);
        const double step_s = scaled(1e-8, 1e-4);
        const double rate = scaled(1e8, 1e12);
        const double bytes = scaled(1.0, 1e13);

        for (size_t k = 0; k < n; k++)
            up[k] = (struct ry_net_level){2 + below(63), step_s, rate};
        for (size_t k = 0; k < n; k++)
            down[k] = up[n - 1 - k];
        const double a = ry_levels_all_reduce_s(up, n, bytes);
        const double b = ry_levels_all_reduce_s(down, n, bytes);
        holds(fabs(a - b) <= 1e-12 * a, "%g and %g s", a, b);
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("net_properties");
    TCase *tcase = tcase_create("net_properties");

    tcase_set_timeout(tcase, 120.0 * (double)setting("PROPERTY_RUNS", 1));
    tcase_add_unchecked_fixture(tcase, open_library, close_library);
    tcase_add_test(tcase, no_bus_bandwidth_is_over_its_bound);
    tcase_add_test(tcase, half_of_the_only_bottleneck_is_twice_the_time);
    tcase_add_test(tcase, equal_levels_take_the_same_in_either_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
