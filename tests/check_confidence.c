/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure a ranking is.  Expected values are worked by hand from the distributions. */
#include "plan_fixture.h"

#include "par/par_confidence.h"
#include "uncertainty/tornado.h"

#define SFT_8B                                                                           \
    "{\"model\": \"llama3-8b\", \"task\": \"sft\", \"seq\": 4096,"                       \
    " \"global_batch\": 256, \"tokens\": \"1B\"}"

/* 80, 100, 150: mean 330/3, variance (80^2 + 100^2 + 150^2 - 8000 - 12000 - 15000) / 18
 * = 216.67.  40, 50, 60: mean 50, variance 300 / 18 = 16.67. */
START_TEST(two_triangular_prices_add_up_to_mean_160_and_variance_233)
{
    enum { N = 40000 };
    const struct ry_unknown a = ry_unknown_range("a", "a", 80, 100, 150);
    const struct ry_unknown b = ry_unknown_range("b", "b", 40, 50, 60);
    double *u = RY_NEW(arena, double, N);
    double *v = RY_NEW(arena, double, N);
    double sum = 0.0;
    double squares = 0.0;

    ck_assert_int_eq(ry_unknown_draws("a", 7, N, u, NULL), RY_OK);
    ck_assert_int_eq(ry_unknown_draws("b", 7, N, v, NULL), RY_OK);
    for (size_t i = 0; i < N; i++) {
        const double x = 100 * ry_unknown_at(&a, u[i]) + 50 * ry_unknown_at(&b, v[i]);
        sum += x;
        squares += x * x;
    }
    const double mean = sum / N;
    const double variance = squares / N - mean * mean;
    printf("# mean %.3f, variance %.2f\n", mean, variance);
    ck_assert_double_eq_tol(mean, 160.0, 4.0 * sqrt(233.33 / N)); /* standard errors */
    ck_assert_double_eq_tol(variance, 233.33,
                            0.03 * 233.33); /* 4 x sqrt(2 / N) is 0.028 */
}
END_TEST

/* From 0.8 over 1 to 1.5: 0.8 + sqrt(0.1 x 0.7 x 0.2), 1.5 - sqrt(0.1 x 0.7 x 0.5). */
START_TEST(quantiles_of_a_triangle_and_of_a_normal_are_those_worked_by_hand)
{
    const struct ry_unknown a = ry_unknown_range("a", "a", 80, 100, 150);
    const struct ry_unknown wide = ry_unknown_range("w", "w", 25, 50, 200);
    const struct ry_unknown normal = ry_unknown_normal("n", "n", 0.1);

    ck_assert_rel(ry_unknown_at(&a, 0.1), 0.8 + sqrt(0.014), 1e-12);
    ck_assert_rel(ry_unknown_at(&a, 0.9), 1.5 - sqrt(0.035), 1e-12);
    ck_assert_int_eq(wide.shape, RY_SPREAD_TRIANGLE_LOG);
    /* logarithms of 2: from -1 over 0 to 2, a third of it below the top */
    ck_assert_rel(ry_unknown_at(&wide, 1.0 / 3.0), 1.0, 1e-9);
    ck_assert_rel(ry_unknown_at(&normal, 0.5), 1.0, 1e-12);
    ck_assert_rel(ry_unknown_at(&normal, 0.9), exp(0.128155), 1e-5); /* z = 1.28155 */
}
END_TEST

START_TEST(a_key_has_its_own_draws_that_only_the_seed_changes)
{
    double a[64], longer[128], other[64], seeded[64];
    size_t same = 0;

    ck_assert_int_eq(ry_unknown_draws("a", 1, 64, a, NULL), RY_OK);
    ck_assert_int_eq(ry_unknown_draws("a", 1, 128, longer, NULL), RY_OK);
    ck_assert_int_eq(ry_unknown_draws("b", 1, 64, other, NULL), RY_OK);
    ck_assert_int_eq(ry_unknown_draws("a", 2, 64, seeded, NULL), RY_OK);
    ck_assert_mem_eq(a, longer, sizeof(a));
    for (size_t i = 0; i < 64; i++)
        same += a[i] == other[i] || a[i] == seeded[i];
    ck_assert_uint_eq(same, 0);
}
END_TEST

/* A study of some cases, drawn. */
struct drawn {
    struct ry_study study;
    struct ry_draws draws;
    struct ry_confidence confidence[4];
};

static void draw(struct ry_case *cases[], size_t n, enum ry_objective objective,
                 size_t threads, struct drawn *out)
{
    for (size_t i = 0; i < n; i++)
        ck_assert(cases[i]->feasible);
    ck_assert_int_eq(ry_study_create(arena, cases, n, objective, &out->study, NULL),
                     RY_OK);
    ck_assert_int_eq(ry_draws_create(arena, &out->study, 400, 1, &out->draws, NULL),
                     RY_OK);
    ck_assert_int_eq(ry_par_draws_run(&out->study, threads, &out->draws, NULL), RY_OK);
    ck_assert_int_eq(
        ry_draws_summary(arena, &out->study, &out->draws, out->confidence, NULL), RY_OK);
}

START_TEST(the_result_is_the_same_for_one_and_two_threads)
{
    struct ry_case a = evaluate(H100_NDR(4), SFT_8B);
    struct ry_case b = evaluate(H100_ROCE(4), SFT_8B);
    struct ry_case *cases[] = {&a, &b};
    struct drawn one, two;

    draw(cases, 2, RY_BY_COST_PER_TOKEN, 1, &one);
    draw(cases, 2, RY_BY_COST_PER_TOKEN, 2, &two);
    for (size_t m = 0; m < RY_METRICS; m++)
        ck_assert_mem_eq(one.draws.at[m], two.draws.at[m], 800 * sizeof(double));
}
END_TEST

START_TEST(another_design_beside_it_does_not_change_a_designs_draws)
{
    struct ry_case a = evaluate(H100_NDR(4), SFT_8B);
    struct ry_case b = evaluate("{\"node\": \"DGX-A100-640GB\", \"nodes\": 1}", SFT_8B);
    struct ry_case *alone[] = {&a};
    struct ry_case *both[] = {&a, &b};
    struct drawn one, two;

    draw(alone, 1, RY_BY_DAYS, 1, &one);
    draw(both, 2, RY_BY_DAYS, 1, &two);
    for (size_t m = 0; m < RY_METRICS; m++)
        ck_assert_mem_eq(one.draws.at[m], two.draws.at[m], 400 * sizeof(double));
}
END_TEST

/* Common random numbers: what two equal designs share is all. */
START_TEST(two_equal_designs_are_each_the_best_in_half_of_the_draws)
{
    struct ry_case a = evaluate(H100_NDR(4), SFT_8B);
    struct ry_case b = evaluate(H100_NDR(4), SFT_8B);
    struct ry_case *cases[] = {&a, &b};
    struct drawn d;

    draw(cases, 2, RY_BY_COST_PER_TOKEN, 1, &d);
    ck_assert_rel(d.confidence[0].best_in_frac, 0.5, 1e-9);
    ck_assert_rel(d.confidence[1].best_in_frac, 0.5, 1e-9);
    ck_assert_rel(d.confidence[0].beats_next_frac, 0.5, 1e-9);
    ck_assert(ry_confidence_is_open(&d.confidence[0]));
    ck_assert(d.confidence[0].of[RY_METRIC_PER_TOKEN].p90 >
              1.1 * d.confidence[0].of[RY_METRIC_PER_TOKEN].p10);
}
END_TEST

/* The same cluster with dearer electricity is dearer in every draw, however uncertain
 * the step is: what is shared cancels. */
START_TEST(a_small_difference_that_nothing_hides_is_certain)
{
#define AT_PRICE(usd)                                                                    \
    "{\"node\": \"DGX-A100-640GB\", \"nodes\": 1,"                                       \
    " \"facility\": {\"electricity_price\": \"" usd " USD/kWh\"}}"
    struct ry_case a = evaluate(AT_PRICE("0.080"), SFT_8B);
    struct ry_case b = evaluate(AT_PRICE("0.081"), SFT_8B);
    struct ry_case *cases[] = {&a, &b};
    struct drawn d;

    draw(cases, 2, RY_BY_COST_PER_TOKEN, 1, &d);
    ck_assert_rel(d.confidence[0].best_in_frac, 1.0, 1e-9);
    ck_assert(!ry_confidence_is_open(&d.confidence[0]));
    for (size_t i = 0; i < d.study.unknowns_n; i++) /* stated: exact */
        ck_assert_ptr_null(strstr(d.study.unknowns[i].key, "electricity"));
}
END_TEST

/* The width of the drawn step is that of its 90 % interval: 2 x 1.2816 of 2 x 1.645. */
START_TEST(steps_are_drawn_as_wide_as_their_interval)
{
    struct ry_case a = evaluate(H100_ROCE(4), SFT_8B);
    struct ry_case *cases[] = {&a};
    struct drawn d;

    draw(cases, 1, RY_BY_STEP_TIME, 1, &d);
    const struct ry_spread *s = &d.confidence[0].of[RY_METRIC_STEP_TIME];
    const double drawn_sigma = log(s->p90 / s->p10) / (2.0 * 1.28155);
    const double sigma = log(a.result.step.hi_s / a.result.step.lo_s) / (2.0 * 1.645);
    printf("# sigma %.4f, drawn %.4f\n", sigma, drawn_sigma);
    ck_assert_double_gt(drawn_sigma, 0.85 * sigma); /* 400 draws: 6 % standard error */
    ck_assert_double_lt(drawn_sigma, 1.4 * sigma);
    ck_assert_double_eq_tol(s->p50, a.result.step.step_time_s,
                            0.05 * a.result.step.step_time_s);
}
END_TEST

/* Mean of a price.  Of a triangle of logarithms from a over 0 to b it is the moment
 * generating function of a triangle at 1. */
static double mean_price(const struct ry_price *p)
{
    if (p->high_usd <= 4.0 * p->low_usd)
        return (p->low_usd + p->usd + p->high_usd) / 3.0;
    const double a = log(p->low_usd / p->usd);
    const double b = log(p->high_usd / p->usd);
    return p->usd * 2.0 * (b * exp(a) - (b - a) - a * exp(b)) / ((b - a) * -a * b);
}

/* Capex is linear in prices: its mean is the sum of theirs. */
START_TEST(capex_of_the_draws_has_the_mean_of_its_prices)
{
    struct ry_case a = evaluate(H100_ROCE(4), SFT_8B);
    struct ry_case *cases[] = {&a};
    const struct ry_bill *bill = &a.site->bill;
    struct drawn d;
    double expected = bill->total.usd;
    double mean = 0.0;

    draw(cases, 1, RY_BY_CAPEX, 1, &d);
    for (size_t i = 0; i < bill->n; i++) {
        const struct ry_price *p = &bill->line[i].price;
        if (p->usd > 0.0)
            expected +=
                (bill->line[i].count - bill->line[i].owned) * (mean_price(p) - p->usd);
    }
    for (size_t i = 0; i < d.draws.n; i++)
        mean += d.draws.at[RY_METRIC_CAPEX][i] / (double)d.draws.n;
    printf("# mean capex %.0f, by hand %.0f\n", mean, expected);
    /* installation, 800 to 3,000 about 1,500 USD a node, has a range too: 4 x 267 USD; 4
     * standard errors of 4 % of the capex at 400 draws are 0.8 % */
    ck_assert_double_eq_tol(mean, expected + 4 * 266.7, 0.008 * expected);
}
END_TEST

START_TEST(a_tornado_of_a_linear_objective_has_the_bars_worked_by_hand)
{
    struct ry_case a = evaluate(H100_ROCE(4), SFT_8B);
    struct ry_case *cases[] = {&a};
    const struct ry_bill_line *node = &a.site->bill.line[0];
    struct ry_tornado t;
    struct drawn d;

    draw(cases, 1, RY_BY_CAPEX, 1, &d);
    ck_assert_int_eq(
        ry_tornado_make(arena, &d.study, (struct ry_duel){0, 1}, &d.draws, &t, NULL),
        RY_OK);
    ck_assert_rel(t.objective, a.result.capex.usd, 1e-12);
    ck_assert(isnan(t.lead));
    ck_assert_uint_gt(t.n, 2);
    const struct ry_bar *longest = &t.bars[0];
    ck_assert_ptr_nonnull(strstr(longest->unknown->name, node->part));
    ck_assert_rel(longest->at_p90,
                  a.result.capex.usd +
                      node->count * node->price.usd * (longest->factor_p90 - 1.0),
                  1e-12);
    ck_assert_double_gt(longest->rank_correlation, 0.8);
    for (size_t i = 1; i < t.n; i++) {
        ck_assert_double_le(t.bars[i].at_p90 / t.bars[i].at_p10,
                            t.bars[i - 1].at_p90 / t.bars[i - 1].at_p10 + 1e-12);
        ck_assert_ptr_null(strstr(t.bars[i].unknown->name, "gemm"));
    }
}
END_TEST

/* Two clusters that differ by their fabric: what both share hardly moves the lead. */
START_TEST(a_tornado_against_a_rival_shows_what_differs)
{
    struct ry_case a = evaluate(H100_ROCE(32), SFT_8B);
    struct ry_case b = evaluate(H100_NDR(32), SFT_8B);
    struct ry_case *cases[] = {&a, &b};
    struct ry_tornado t;
    struct drawn d;

    draw(cases, 2, RY_BY_CAPEX, 1, &d);
    ck_assert_int_eq(
        ry_tornado_make(arena, &d.study, (struct ry_duel){0, 1}, NULL, &t, NULL), RY_OK);
    ck_assert_rel(t.lead, b.result.capex.usd / a.result.capex.usd - 1.0, 1e-12);
    ck_assert_ptr_null(strstr(t.bars[0].unknown->name, "DGX"));
    printf("# %s\n", t.bars[0].unknown->name);
    ck_assert(isnan(t.bars[0].rank_correlation));
}
END_TEST

/* 2^28 doubles: more would take a machine's memory before it takes a day. */
START_TEST(draws_that_no_memory_holds_are_refused)
{
    const struct ry_study study = {.unknowns_n = 179, .cases_n = 1};
    struct ry_draws draws;
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_draws_create(arena, &study, 1000000000, 1, &draws, &diag),
                     RY_ERR_RANGE);
    ck_assert_ptr_nonnull(strstr(diag.text, "1000000000 draws of 179 unknowns"));
}
END_TEST

/* The key of each says the best estimate, by which the three are told apart. */
START_TEST(three_prices_of_electricity_are_called_by_their_values)
{
#define IN(row)                                                                          \
    "{\"node\": \"DGX-A100-640GB\", \"nodes\": 1, \"facility\": {\"electricity\": "      \
    "\"" row "\"}}"
    struct ry_case a = evaluate(IN("US-Alabama-industrial-2023"), SFT_8B);
    struct ry_case b = evaluate(IN("US-Alabama-commercial-2023"), SFT_8B);
    struct ry_case c = evaluate(IN("US-Alaska-industrial-2023"), SFT_8B);
    struct ry_case *cases[] = {&a, &b, &c};
    size_t prices = 0;
    struct drawn d;

    draw(cases, 3, RY_BY_TCO, 1, &d);
    for (size_t i = 0; i < d.study.unknowns_n; i++) {
        const struct ry_unknown *u = &d.study.unknowns[i];
        if (strncmp(u->key, "electricity_price", 17) != 0)
            continue;
        ck_assert_str_eq(u->name, u->key);
        prices++;
    }
    ck_assert_uint_eq(prices, 3);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *s = suite_create("confidence");
    TCase *tc = tcase_create("confidence");

    tcase_add_checked_fixture(tc, open_library, close_library);
    tcase_add_test(tc, two_triangular_prices_add_up_to_mean_160_and_variance_233);
    tcase_add_test(tc, quantiles_of_a_triangle_and_of_a_normal_are_those_worked_by_hand);
    tcase_add_test(tc, a_key_has_its_own_draws_that_only_the_seed_changes);
    tcase_add_test(tc, the_result_is_the_same_for_one_and_two_threads);
    tcase_add_test(tc, another_design_beside_it_does_not_change_a_designs_draws);
    tcase_add_test(tc, two_equal_designs_are_each_the_best_in_half_of_the_draws);
    tcase_add_test(tc, a_small_difference_that_nothing_hides_is_certain);
    tcase_add_test(tc, steps_are_drawn_as_wide_as_their_interval);
    tcase_add_test(tc, capex_of_the_draws_has_the_mean_of_its_prices);
    tcase_add_test(tc, draws_that_no_memory_holds_are_refused);
    tcase_add_test(tc, a_tornado_of_a_linear_objective_has_the_bars_worked_by_hand);
    tcase_add_test(tc, a_tornado_against_a_rival_shows_what_differs);
    tcase_add_test(tc, three_prices_of_electricity_are_called_by_their_values);
    suite_add_tcase(s, tc);
    return s;
}
