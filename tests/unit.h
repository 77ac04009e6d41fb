/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * One test program is one check_MODULE.c, which defines unit_suite(), linked with
 * unit_main.c, which runs it and speaks TAP.
 */
#ifndef RY_TESTS_UNIT_H
#define RY_TESTS_UNIT_H

#include <check.h>
#include <float.h>
#include <math.h>

/** The tests of this program. */
Suite *unit_suite(void);

/** Two doubles agree to a relative tolerance; two zeros agree. */
#define ck_assert_rel(actual, expected, rel_tol)                                         \
    ck_assert_double_eq_tol((actual), (expected), (rel_tol)*fabs(expected) + DBL_MIN)

#endif
