/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/link_fit.h"
#include "unit.h"

#include <math.h>

enum { MOST = 64 };

/* Doubling sizes from 1 KiB; times from a function; no randomness. */
static size_t doubling(struct ry_link_point points[], double last,
                       double (*time_s)(double bytes))
{
    size_t n = 0;

    for (double bytes = 1024.0; bytes <= last && n < MOST; bytes *= 2.0)
        points[n++] = (struct ry_link_point){bytes, time_s(bytes)};
    return n;
}

static struct ry_link_fit fitted(const struct ry_link_point points[], size_t n)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_link_fit fit;
    struct ry_diag diag;

    ck_assert_int_eq(ry_link_fit(arena, points, n, &fit, &diag), RY_OK);
    ry_arena_destroy(arena);
    return fit;
}

static double line(double bytes)
{
    return 20e-6 + bytes / 100e9;
}

START_TEST(a_line_comes_back)
{
    struct ry_link_point points[MOST];
    const size_t n = doubling(points, 1e10, line);
    const struct ry_link_fit fit = fitted(points, n);

    ck_assert_uint_eq(fit.pieces, 1);
    ck_assert_rel(fit.piece[0].alpha_s.value, 20e-6, 1e-6);
    ck_assert_rel(fit.piece[0].bytes_per_s.value, 100e9, 1e-6);
    ck_assert_double_lt(fit.worst_error, 1e-6);
    ck_assert(fit.alpha_known && fit.rate_known);
}
END_TEST

/* Spikes of 20 to 25 times, as in a published 16-rank run. */
START_TEST(spikes_change_nothing)
{
    struct ry_link_point points[MOST];
    const size_t n = doubling(points, 1e10, line);

    points[3].time_s *= 25.0;
    points[11].time_s *= 20.0;
    points[17].time_s *= 3.0;
    const struct ry_link_fit fit = fitted(points, n);
    ck_assert_uint_eq(fit.pieces, 1);
    ck_assert_uint_eq(fit.dropped, 3);
    ck_assert_rel(fit.piece[0].alpha_s.value, 20e-6, 0.01);
    ck_assert_rel(fit.piece[0].bytes_per_s.value, 100e9, 0.01);
}
END_TEST

/* NVIDIA/nccl#2169: busbw 371 GB/s up to 512 MiB, 322 from 513 MiB on (4 ranks). */
static double dip(double bytes)
{
    return bytes * 0.75 / (bytes <= 536870912.0 ? 371e9 : 322e9);
}

START_TEST(a_step_down_in_bandwidth_stays_a_step)
{
    struct ry_link_point points[MOST];
    size_t n = 0;

    for (double mib = 256; mib <= 768; mib += 16)
        points[n++] = (struct ry_link_point){mib * 1048576.0, dip(mib * 1048576.0)};
    points[n++] = (struct ry_link_point){537919488.0, dip(537919488.0)};
    const struct ry_link_fit fit = fitted(points, n);
    ck_assert_uint_eq(fit.pieces, 2);
    ck_assert_double_ge(fit.piece[1].from_bytes, 536870912.0);
    ck_assert_double_le(fit.piece[1].from_bytes, 537919488.0);
    ck_assert_rel(0.75 * 629145600.0 / ry_link_fit_s(&fit, 629145600.0), 322e9, 0.005);
    ck_assert_rel(0.75 * 500e6 / ry_link_fit_s(&fit, 500e6), 371e9, 0.005);
    ck_assert(!fit.alpha_known);
}
END_TEST

/* Two H200 over RoCE: 20.8 GB/s up to 32 MiB, 29.8 and more from 64 MiB (published). */
static const struct ry_link_point h200[] = {
    {1024, 35.59e-6},         {2048, 31.8e-6},           {4096, 33.56e-6},
    {8192, 39.33e-6},         {16384, 41.89e-6},         {32768, 45.47e-6},
    {65536, 54.03e-6},        {131072, 51.86e-6},        {262144, 79.1e-6},
    {524288, 76.88e-6},       {1048576, 98.57e-6},       {2097152, 131.9e-6},
    {4194304, 227.5e-6},      {8388608, 415.7e-6},       {16777216, 811.3e-6},
    {33554432, 1609.7e-6},    {67108864, 2250.8e-6},     {134217728, 4440.0e-6},
    {268435456, 8635.4e-6},   {536870912, 17077.0e-6},   {1073741824, 33860.0e-6},
    {2147483648, 67521.0e-6}, {4294967296, 134734.0e-6}, {8589934592, 269368.0e-6},
};

START_TEST(a_step_up_in_bandwidth_is_found_where_it_is)
{
    const struct ry_link_fit fit = fitted(h200, sizeof(h200) / sizeof(h200[0]));
    const struct ry_link_piece *last = &fit.piece[fit.pieces - 1];

    ck_assert_uint_ge(fit.pieces, 2);
    ck_assert_double_ge(last->from_bytes, 33554432.0);
    ck_assert_double_le(last->from_bytes, 67108864.0);
    ck_assert_rel(last->bytes_per_s.value, 31.9e9, 0.01);
    ck_assert_double_lt(fit.median_error, 0.03);
    ck_assert_rel(fit.alpha0_s, 33.56e-6, 1e-6);
}
END_TEST

START_TEST(the_interval_holds_the_value_and_narrows_with_points)
{
    struct ry_link_point points[MOST];
    const size_t n = doubling(points, 1e10, line);

    for (size_t i = 0; i < n; i++) /* 3 % noise, fixed */
        points[i].time_s *= 1.0 + 0.03 * sin(7.0 * (double)i);
    const struct ry_link_fit fit = fitted(points, n);
    const struct ry_link_piece *piece = &fit.piece[fit.pieces - 1];
    ck_assert_double_le(piece->bytes_per_s.lo90, 100e9);
    ck_assert_double_ge(piece->bytes_per_s.hi90, 100e9);
    ck_assert_double_lt(piece->bytes_per_s.hi90 / piece->bytes_per_s.lo90, 1.2);
}
END_TEST

START_TEST(two_sizes_are_refused)
{
    const struct ry_link_point points[] = {{1e3, 1e-5}, {1e3, 1e-5}, {1e6, 1e-4}};
    const struct ry_link_point bad[] = {{1e3, 1e-5}, {1e4, 0.0}, {1e6, 1e-4}};
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_link_fit fit;

    ck_assert_int_eq(ry_link_fit(arena, points, 3, &fit, NULL), RY_ERR_DEGENERATE);
    ck_assert_int_eq(ry_link_fit(arena, bad, 3, &fit, NULL), RY_ERR_RANGE);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(without_memory_it_fails_and_nothing_else)
{
    for (size_t limit = 1; limit < 200000; limit = limit * 3 / 2 + 100) {
        struct ry_arena *arena = ry_arena_create(limit);
        struct ry_link_fit fit;
        if (!arena)
            continue;
        const enum ry_err err = ry_link_fit(arena, h200, 24, &fit, NULL);
        ck_assert(err == RY_OK || err == RY_ERR_NOMEM);
        ry_arena_destroy(arena);
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("link fit");
    TCase *tcase = tcase_create("fit");

    tcase_add_test(tcase, a_line_comes_back);
    tcase_add_test(tcase, spikes_change_nothing);
    tcase_add_test(tcase, a_step_down_in_bandwidth_stays_a_step);
    tcase_add_test(tcase, a_step_up_in_bandwidth_is_found_where_it_is);
    tcase_add_test(tcase, the_interval_holds_the_value_and_narrows_with_points);
    tcase_add_test(tcase, two_sizes_are_refused);
    tcase_add_test(tcase, without_memory_it_fails_and_nothing_else);
    suite_add_tcase(suite, tcase);
    return suite;
}
