/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/data.h"
#include "report/validate.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 4 };

static struct ry_arena *arena;
static struct ry_job run[ROWS];
static struct ry_measured measured[ROWS];
static struct ry_check check[ROWS];

/* One job on eight GPUs, measured 10, 11, 12, 13 s and predicted the other way round. */
static void set_up(void)
{
    arena = ry_arena_create(0);
    for (int i = 0; i < ROWS; i++) {
        run[i] = (struct ry_job){.id = "",
                                 .gpu = "H100-SXM5-80GB",
                                 .gpus = 8,
                                 .framework = "NeMo",
                                 .release = "a/b@1",
                                 .arch = {.name = "m", .layers = 4},
                                 .strategy = {.seq = 4096, .global_batch = 8}};
        measured[i] = (struct ry_measured){.step_time_s = 10 + i};
        check[i] = (struct ry_check){.run = &run[i],
                                     .measured = &measured[i],
                                     .predicted.step.step_time_s = 13 - i};
        check[i].error = (13.0 - i) / (10 + i) - 1;
    }
}

static void tear_down(void)
{
    ry_arena_destroy(arena);
}

START_TEST(a_choice_of_strategy_is_one_within_a_release)
{
    struct ry_order o = ry_order_of(check, ROWS, (size_t)-1);
    ck_assert_uint_eq(o.pairs, 6);
    ck_assert_uint_eq(o.groups, 1);
    ck_assert_double_eq(o.right_frac, 0);
    ck_assert_rel(o.regret, 13.0 / 10 - 1, 1e-12); /* chosen: the slowest */
    run[2].release = run[3].release = "a/b@2";
    o = ry_order_of(check, ROWS, (size_t)-1);
    ck_assert_uint_eq(o.pairs, 2); /* 10 and 11 s, 12 and 13 s */
    ck_assert_uint_eq(o.groups, 2);
    ck_assert_rel(o.regret, (11.0 / 10 + 13.0 / 12) / 2 - 1, 1e-12);
    run[0].release = run[2].release = NULL; /* not stated, both */
    ck_assert_uint_eq(ry_order_of(check, ROWS, (size_t)-1).pairs, 1);
}
END_TEST

START_TEST(repeats_of_a_configuration_are_one_choice)
{
    /* Two choices of two runs each: 10 and 13 s, mean 11.5, and 11 and 12 s, the same
     * mean: neither is regretted, though one run of the first was the fastest of all. */
    check[0].predicted.step.step_time_s = check[3].predicted.step.step_time_s = 20;
    check[1].predicted.step.step_time_s = check[2].predicted.step.step_time_s = 19;
    ck_assert_rel(1 + ry_order_of(check, ROWS, (size_t)-1).regret, 1.0, 1e-12);
    measured[1].step_time_s = 13.8; /* the predicted best: 12.9 s */
    ck_assert_rel(ry_order_of(check, ROWS, (size_t)-1).regret, 12.9 / 11.5 - 1, 1e-12);
}
END_TEST

START_TEST(errors_are_told_by_their_quantiles)
{
    /* |errors|: 3/10, 1/11, 1/12, 3/13; sorted 0.0833, 0.0909, 0.2308, 0.3.  95 % of four
     * lies 0.85 of the way from the third to the fourth, the median between the middle
     * two. */
    const struct ry_errors e = ry_errors_of(arena, check, ROWS, (size_t)-1);
    ck_assert_uint_eq(e.used, ROWS);
    ck_assert_rel(e.p95, 3.0 / 13 + 0.85 * (0.3 - 3.0 / 13), 1e-12);
    ck_assert_rel(e.median, (1.0 / 11 + 3.0 / 13) / 2, 1e-12);
    check[0].predicted.skip = "for a reason";
    ck_assert_uint_eq(ry_errors_of(arena, check, ROWS, (size_t)-1).used, ROWS - 1);
    ck_assert(isnan(ry_errors_of(arena, check, ROWS, 5).p95));
}
END_TEST

START_TEST(intervals_are_judged_by_their_width_too)
{
    /* Half-widths 10, 20, 30, 40 %; measured off by 0, 30, 20 and 50 % of the prediction:
     * the first and the third are inside, a quarter each. */
    static const double off[ROWS] = {1, 1.3, 1.2, 1.5};
    for (int i = 0; i < ROWS; i++) {
        check[i].predicted.step =
            (struct ry_step){.step_time_s = 10, .lo_s = 1, .hi_s = 10 * (1.1 + 0.1 * i)};
        measured[i].step_time_s = 10 * off[i];
    }
    const struct ry_widths all = ry_widths_of(arena, check, ROWS, NULL, RY_RUN_DENSE);
    ck_assert_rel(all.coverage, 0.5, 1e-12);
    ck_assert_rel(all.half_width, 0.25, 1e-9);
    for (size_t i = 0; i < 4; i++) {
        const struct ry_widths w =
            ry_widths_quarter(arena, check, ROWS, RY_RUN_DENSE, 3 - i);
        ck_assert_uint_eq(w.used, 1);
        ck_assert_rel(w.half_width, 0.4 - 0.1 * (double)i, 1e-9);
        ck_assert_double_eq(w.coverage, i == 3 || i == 1 ? 1 : 0);
    }
    ck_assert_rel(ry_widths_quarter(arena, check, ROWS, RY_RUN_DENSE, 3).needed,
                  log(1.5) / log(1.4), 1e-9);
    ck_assert_uint_eq(ry_widths_quarter(arena, check, ROWS, RY_RUN_LORA, 0).used, 0);
}
END_TEST

START_TEST(a_row_is_of_the_release_that_its_table_was_read_at)
{
    struct ry_problems problems = {0};
    struct ry_run_file file;
    char want[8];
    ck_assert_int_eq(
        ry_run_file_read(arena,
                         ry_data_path(arena, "tests/published/"
                                             "nvidia_dgxc_benchmarking.json"),
                         &problems, &file),
        RY_OK);
    ck_assert_uint_gt(file.n, 0);
    for (size_t i = 0; i < file.n; i++) { /* "dgxc-v24.11.1-..." of "(tag v24.11.1)" */
        snprintf(want, sizeof want, "20%.2s-%.2s", file.run[i].id + 6,
                 file.run[i].id + 9);
        ck_assert_str_eq(file.run[i].date, want);
        ck_assert_ptr_nonnull(strstr(file.run[i].release, "(tag v2"));
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("validate");
    TCase *tc = tcase_create("validate");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, a_choice_of_strategy_is_one_within_a_release);
    tcase_add_test(tc, repeats_of_a_configuration_are_one_choice);
    tcase_add_test(tc, errors_are_told_by_their_quantiles);
    tcase_add_test(tc, intervals_are_judged_by_their_width_too);
    tcase_add_test(tc, a_row_is_of_the_release_that_its_table_was_read_at);
    suite_add_tcase(suite, tc);
    return suite;
}
