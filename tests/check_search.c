/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast search against the same strategies timed one by one, from scratch. */
#include "search_fixture.h"

#include "search/costs.h"

#include <string.h>

/* One strategy at a time, nothing kept from one to the next. */
static struct ry_search_tally one_by_one(void)
{
    struct ry_search_tally tally = {0};
    struct ry_search_found best = {0, INFINITY};

    for (uint64_t i = 0; i < space.n; i++) {
        struct ry_strategy strategy;
        struct ry_step step;
        if (ry_search_step(&problem, i, &strategy, &step, NULL) != RY_OK) {
            tally.indivisible++;
        } else if (!step.fits) {
            tally.too_large++;
        } else {
            tally.evaluated++;
            if (step.step_time_s < best.step_time_s * (1 - 1e-12))
                best = (struct ry_search_found){i, step.step_time_s};
        }
    }
    tally.best[0] = best;
    return tally;
}

START_TEST(the_search_counts_and_times_as_one_strategy_at_a_time)
{
    const struct ry_search_tally slow = one_by_one();
    const struct ry_search_tally fast = searched(1, 0, 0);

    ck_assert_uint_gt(fast.evaluated, 100);
    ck_assert_uint_gt(fast.too_large, 100);
    ck_assert_uint_eq(fast.evaluated, slow.evaluated);
    ck_assert_uint_eq(fast.too_large, slow.too_large);
    ck_assert_uint_eq(fast.indivisible, slow.indivisible);
    ck_assert_uint_eq(fast.best[0].index, slow.best[0].index);
    for (size_t i = 0; i < fast.best_n; i++) {
        struct ry_strategy strategy;
        struct ry_step step;
        ck_assert_int_eq(
            ry_search_step(&problem, fast.best[i].index, &strategy, &step, NULL), RY_OK);
        ck_assert(step.fits);
        /* the two sum the same parts in another order */
        ck_assert_rel(fast.best[i].step_time_s, step.step_time_s, 1e-12);
    }
}
END_TEST

/* What a worker keeps from one strategy to the next changes no time of any: chunks, whose
 * reductions end at another point, and DualPipe, which weighs two stages, among them. */
START_TEST(no_time_depends_on_what_was_timed_before)
{
    const struct ry_space_limits limits = {.gpus = 16, .tensor_most = 8};
    struct ry_look look;
    size_t timed = 0;

    workload.bounds.schedule =
        (struct ry_set){.n = 2, .at = {RY_SCHEDULE_1F1B, RY_SCHEDULE_DUALPIPE}};
    workload.bounds.vpp = (struct ry_set){.n = 3, .at = {1, 2, 4}};
    machine.hbm_usable_bytes = 400e9;
    ck_assert_int_eq(ry_space_create(arena, &workload, &limits, &space, NULL), RY_OK);
    struct ry_search_cache *cache = ry_search_cache_create(arena, &problem);
    ck_assert_ptr_nonnull(cache);
    for (size_t s = 0; s < space.shapes_n; s++) {
        if (!ry_costs_cut(cache, s))
            continue;
        ry_costs_load(cache, s);
        for (size_t o = 0; o < space.classes[space.shapes[s].class].n; o++) {
            struct ry_strategy strategy;
            struct ry_step step;
            if (ry_costs_look(cache, s, o, &look) != RY_LOOK_FITS)
                continue;
            ck_assert_int_eq(ry_search_step(&problem, space.shapes[s].first + o,
                                            &strategy, &step, NULL),
                             RY_OK);
            /* the two sum the same parts in another order */
            ck_assert_rel(ry_costs_time_s(cache, &look), step.step_time_s, 1e-12);
            timed++;
        }
    }
    ck_assert_uint_gt(timed, 1000);
}
END_TEST

START_TEST(threads_do_not_change_what_is_found)
{
    const struct ry_search_tally one = searched(1, 0, 0);
    const struct ry_search_tally two = searched(2, 0, 0);

    ck_assert_mem_eq(&one, &two, sizeof(one));
}
END_TEST

START_TEST(shards_merge_to_the_whole)
{
    const struct ry_search_tally whole = searched(1, 0, 0);
    struct ry_search_tally merged = {0};

    for (size_t i = 3; i-- > 0;) {
        const struct ry_search_tally part = searched(1, i, 3);
        ry_search_merge(&merged, &part);
    }
    ck_assert_mem_eq(&merged, &whole, sizeof(whole));
}
END_TEST

START_TEST(what_cannot_fit_says_what_is_missing)
{
    char why[240];

    machine.hbm_usable_bytes = 1e9;
    const struct ry_search_tally none = searched(1, 0, 0);
    ck_assert_uint_eq(none.evaluated, 0);
    ry_search_why_not(&problem, &none, why, sizeof(why));
    ck_assert_ptr_nonnull(strstr(why, "GB"));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("search");
    TCase *tcase = tcase_create("search");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_search_counts_and_times_as_one_strategy_at_a_time);
    tcase_add_test(tcase, no_time_depends_on_what_was_timed_before);
    tcase_add_test(tcase, threads_do_not_change_what_is_found);
    tcase_add_test(tcase, shards_merge_to_the_whole);
    tcase_add_test(tcase, what_cannot_fit_says_what_is_missing);
    suite_add_tcase(suite, tcase);
    return suite;
}
