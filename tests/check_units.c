/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/date.h"
#include "base/problems.h"
#include "base/units.h"
#include "unit.h"

#include <math.h>

static const struct {
    const char *text;
    enum ry_dim dim;
    double si;
} good[] = {
    {"400Gbps", RY_DIM_BYTES_PER_S, 50e9},
    {"1.5 MiB", RY_DIM_BYTES, 1572864.0},
    {"2us", RY_DIM_SECONDS, 2e-6},
    {"10.2 kW", RY_DIM_WATTS, 10200.0},
    {"0USD", RY_DIM_USD, 0.0},
    {"0.5", RY_DIM_FRACTION, 0.5},
    {"1", RY_DIM_FRACTION, 1.0},
    {"1.0", RY_DIM_FRACTION, 1.0},
    {"50 %", RY_DIM_FRACTION, 0.5},
    {"110%", RY_DIM_FRACTION, 1.1},
    {"15T", RY_DIM_COUNT, 15e12},
    {"32", RY_DIM_COUNT, 32.0},
};

START_TEST(reads_a_quantity_in_si)
{
    double si = -1.0;

    ck_assert_int_eq(ry_quantity_parse("x", good[_i].text, good[_i].dim, &si, NULL),
                     RY_OK);
    ck_assert_rel(si, good[_i].si, 1e-12);
}
END_TEST

START_TEST(refuses_a_share_that_is_meant_as_percent)
{
    double si = -1.0;

    ck_assert_int_eq(ry_quantity_parse("x", "5", RY_DIM_FRACTION, &si, NULL),
                     RY_ERR_RANGE);
    ck_assert_int_eq(ry_quantity_parse("x", "", RY_DIM_FRACTION, &si, NULL),
                     RY_ERR_SYNTAX);
    ck_assert_int_eq(ry_quantity_parse("x", "0.5 x", RY_DIM_FRACTION, &si, NULL),
                     RY_ERR_SYNTAX);
    ck_assert_int_eq(ry_quantity_parse("x", "-0.5", RY_DIM_FRACTION, &si, NULL),
                     RY_ERR_RANGE);
    ck_assert_double_eq(si, -1.0);
}
END_TEST

static const struct {
    const char *text;
    enum ry_err err;
} bad[] = {
    {"", RY_ERR_SYNTAX},       {"fast", RY_ERR_SYNTAX}, {"5", RY_ERR_SYNTAX},
    {"5 s", RY_ERR_SYNTAX},    {"5 B!", RY_ERR_SYNTAX}, {"-5 B", RY_ERR_RANGE},
    {"1e999 B", RY_ERR_RANGE}, {"nan B", RY_ERR_RANGE},
};

START_TEST(refuses_what_is_not_a_number_of_bytes)
{
    double si = -1.0;

    ck_assert_int_eq(ry_quantity_parse("x", bad[_i].text, RY_DIM_BYTES, &si, NULL),
                     bad[_i].err);
    ck_assert_double_eq(si, -1.0);
}
END_TEST

/* A name out of a file may have line feeds and terminal escapes in it. */
START_TEST(a_mistake_is_one_line)
{
    struct ry_diag diag;
    struct ry_problems problems = {0};

    (void)ry_fail(&diag, RY_ERR_RANGE, "a\nb", "%s", "c\033[31m\td\x7f");
    ck_assert_str_eq(diag.where, "a?b");
    ck_assert_str_eq(diag.text, "c?[31m?d?");
    ry_problem(&problems, RY_ERR_RANGE, "a\r", "%s", "\xc3\xa9\n");
    ck_assert_str_eq(problems.diags[0].where, "a?");
    ck_assert_str_eq(problems.diags[0].text, "\xc3\xa9?");
}
END_TEST

START_TEST(months_have_their_days)
{
    ck_assert_uint_eq(ry_days_of_month(2026, 2), 28);
    ck_assert_uint_eq(ry_days_of_month(2028, 2), 29);
    ck_assert_uint_eq(ry_days_of_month(2000, 2), 29);
    ck_assert_uint_eq(ry_days_of_month(2100, 2), 28);
    ck_assert_uint_eq(ry_days_of_month(2026, 4), 30);
    ck_assert_uint_eq(ry_days_of_month(2026, 12), 31);
    ck_assert_uint_eq(ry_days_of_month(2026, 0), 0);
    ck_assert_uint_eq(ry_days_of_month(2026, 13), 0);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("units");
    TCase *tcase = tcase_create("parse");

    tcase_add_loop_test(tcase, reads_a_quantity_in_si, 0,
                        (int)(sizeof(good) / sizeof(good[0])));
    tcase_add_loop_test(tcase, refuses_what_is_not_a_number_of_bytes, 0,
                        (int)(sizeof(bad) / sizeof(bad[0])));
    tcase_add_test(tcase, refuses_a_share_that_is_meant_as_percent);
    tcase_add_test(tcase, a_mistake_is_one_line);
    tcase_add_test(tcase, months_have_their_days);
    suite_add_tcase(suite, tcase);
    return suite;
}
