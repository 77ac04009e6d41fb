/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights, mixes of workloads, break-evens and jobs that share a fabric. */
#include "plan_fixture.h"
#include "search/breakeven.h"
#include "search/jobs.h"
#include "search/mix.h"
#include "search/weigh.h"

#define LLAMA_8B                                                                         \
    "{\"model\": \"llama3.1-8b\", \"seq\": 8192, \"global_batch\": 128, \"tokens\": "    \
    "\"1T\"}"

/* A case with figures as given, without a plan. */
static struct ry_case given(double days, double usd_per_trillion, double tokens_per_s)
{
    struct ry_case c = {.feasible = true, .has_result = true};

    c.result.days = days;
    c.result.usd_per_trillion_tokens = usd_per_trillion;
    c.result.tokens_per_s = tokens_per_s;
    return c;
}

/* By hand: days 10, 20 and dollars 300, 200 at 1 to 3: the first has (1 + 3 x 1.5) / 4 =
 * 1.375, the second (2 + 3) / 4 = 1.25; of tokens a second more is better: 2 and 1. */
START_TEST(a_score_is_the_weighted_mean_of_figures_over_the_best)
{
    struct ry_case a = given(10, 300, 5);
    struct ry_case b = given(20, 200, 10);
    struct ry_case lost = {.feasible = false};
    struct ry_case *const cases[] = {&a, &b, &lost};
    struct ry_weights w;

    ck_assert_int_eq(ry_weights_parse("days=1,cost_per_token=3", &w, NULL), RY_OK);
    ry_weigh(&w, cases, 3);
    ck_assert_rel(a.score, 1.375, 1e-12);
    ck_assert_rel(b.score, 1.25, 1e-12);
    ck_assert(isnan(lost.score));
    ck_assert_int_eq(ry_weights_parse("tokens_per_s=0.5", &w, NULL), RY_OK);
    ry_weigh(&w, cases, 3);
    ck_assert_rel(a.score, 2.0, 1e-12);
    ck_assert_rel(b.score, 1.0, 1e-12);
    b.result.tco.unpriced = 1; /* its dollars are a lower bound: not compared */
    ck_assert_int_eq(ry_weights_parse("cost_per_token=1", &w, NULL), RY_OK);
    ry_weigh(&w, cases, 2);
    ck_assert_rel(a.score, 1.0, 1e-12);
    ck_assert(isnan(b.score));
}
END_TEST

START_TEST(bad_weights_are_refused)
{
    static const char *const bad[][2] = {
        {"speed=1", "'speed' is not an objective"},
        {"days", "'days' is not NAME=WEIGHT"},
        {"days=0", "'0' of days is not a weight above 0"},
        {"days=1,days=2", "days is given twice"},
        {"days=x", "'x' of days is not a weight above 0"},
        {"", "'' is not NAME=WEIGHT"},
        {"days=1,", "'' is not NAME=WEIGHT"},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct ry_weights w;
        struct ry_diag diag = {0};
        ck_assert_int_eq(ry_weights_parse(bad[i][0], &w, &diag), RY_ERR_RANGE);
        ck_assert_str_eq(diag.text, bad[i][1]);
    }
}
END_TEST

/* By hand: 2 x (1e12 tokens, 10 days, 100 $, 2 J) and 1 x (4e12, 20, 400, 5): 40 days,
 * 600 $, 6e12 tokens, 100 $ a trillion, (4 + 20) / 6 = 4 J; 100 W for half of the time
 * and 200 W for the other: 150 W. */
START_TEST(a_mix_adds_days_and_dollars_and_means_power_over_time)
{
    struct ry_workload one = {.name = "one", .tokens = 1e12};
    struct ry_workload two = {.name = "two", .tokens = 4e12};
    struct ry_case a = given(10, 0, 1e12 / 10);
    struct ry_case b = given(20, 0, 4e12 / 20);
    const struct ry_case *const cases[] = {&a, &b};
    struct ry_case out;

    a.workload = &one;
    b.workload = &two;
    a.result.usd_to_train = 100;
    b.result.usd_to_train = 400;
    a.result.joules_per_token = 2;
    b.result.joules_per_token = 5;
    a.result.facility_w = 100;
    b.result.facility_w = 200;
    ry_mix(cases, (const double[]){2, 1}, 2, &out);
    ck_assert(out.feasible);
    ck_assert_rel(out.result.days, 40.0, 1e-12);
    ck_assert_rel(out.result.usd_to_train, 600.0, 1e-12);
    ck_assert_rel(out.result.usd_per_trillion_tokens, 100.0, 1e-12);
    ck_assert_rel(out.result.joules_per_token, 4.0, 1e-12);
    ck_assert_rel(out.result.facility_w, 150.0, 1e-12);
    ck_assert_rel(out.result.tokens_per_s, 6e12 / 40, 1e-12);
    b.feasible = false;
    (void)snprintf(b.why, sizeof(b.why), "too large");
    ry_mix(cases, (const double[]){2, 1}, 2, &out);
    ck_assert(!out.feasible);
    ck_assert_str_eq(out.why, "two: too large");
}
END_TEST

static struct ry_breakeven_ask ask_of(const struct ry_case *c, enum ry_lever lever)
{
    return (struct ry_breakeven_ask){.catalog = &catalog,
                                     .design = c->design,
                                     .workload = c->workload,
                                     .models = c->models,
                                     .objective = RY_BY_COST_PER_TOKEN,
                                     .lever = lever,
                                     .rival = (double)NAN};
}

/* Cost a token is linear in a node's price, so two prices say where any cost is
 * reached. */
START_TEST(the_break_even_price_of_a_node_is_where_the_line_through_two_prices_says)
{
    const struct ry_case rival = evaluate(H100_NDR(4), LLAMA_8B);
    const struct ry_case mine = case_of(design_of(H100_ROCE(4)), rival.workload);
    struct ry_breakeven_ask ask = ask_of(&mine, RY_LEVER_NODE_PRICE);
    struct ry_breakeven out;

    ask.rival = rival.result.usd_per_trillion_tokens;
    ask.from = 100e3;
    ask.to = 900e3;
    ck_assert_int_eq(ry_breakeven_find(&ask, &out, NULL), RY_OK);
    ck_assert_uint_eq(out.changes_n, 1);
    const struct ry_breakeven_change *change = &out.change[0];
    const double slope = (out.last.figure - out.first.figure) / (ask.to - ask.from);
    const double price = ask.from + (ask.rival - out.first.figure) / slope;
    ck_assert(change->better_below);
    ck_assert_double_gt(change->above.at, price * (1 - 1e-9));
    ck_assert_double_lt(change->below.at, price * (1 + 1e-9));
    ck_assert_rel(change->below.at, price, 2e-5);
    /* a design file with that price says the same */
    char text[640];
    (void)snprintf(text, sizeof(text),
                   "{\"node\": {\"base\": \"DGX-H100\", \"price_usd\": %.17g}%s",
                   change->below.at, strchr(H100_ROCE(4), ','));
    const struct ry_case priced = evaluate(text, LLAMA_8B);
    ck_assert_rel(priced.result.usd_per_trillion_tokens, change->below.figure, 1e-9);
    /* and the design as it is leads only if its node costs less than that */
    const struct ry_case now = evaluate(H100_ROCE(4), LLAMA_8B);
    ck_assert_uint_eq(ry_lever_value(&catalog, mine.design, RY_LEVER_NODE_PRICE) < price,
                      now.result.usd_per_trillion_tokens < ask.rival);
}
END_TEST

START_TEST(no_cap_in_a_fine_scan_is_cheaper_than_the_one_found)
{
    const struct ry_case c = evaluate(H100_ROCE(2), LLAMA_8B);
    struct ry_breakeven_ask ask = ask_of(&c, RY_LEVER_GPU_POWER_CAP);
    struct ry_breakeven out, point;

    ask.from = 300;
    ask.to = 700;
    ck_assert_int_eq(ry_breakeven_find(&ask, &out, NULL), RY_OK);
    ck_assert(out.best.feasible);
    ck_assert_double_lt(out.best.figure, out.first.figure); /* 300 W: slow */
    for (double cap = 310; cap < 690; cap += 150) {
        ask.from = cap;
        ask.to = cap + 10;
        ck_assert_int_eq(ry_breakeven_find(&ask, &point, NULL), RY_OK);
        ck_assert_double_ge(point.best.figure, out.best.figure * (1 - 1e-4));
    }
}
END_TEST

START_TEST(a_lever_without_anything_to_move_is_refused)
{
    const struct ry_case c = evaluate(H100_ROCE(2), LLAMA_8B);
    struct ry_breakeven_ask ask = ask_of(&c, RY_LEVER_NIC_PRICE);
    struct ry_breakeven out;
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_breakeven_find(&ask, &out, &diag), RY_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(diag.text, "in the node's price"));
    ask.lever = RY_LEVER_GPU_POWER_CAP;
    ask.from = 300;
    ask.to = 900;
    ck_assert_int_eq(ry_breakeven_find(&ask, &out, &diag), RY_ERR_RANGE);
    ck_assert_str_eq(diag.text, "900 W is over the 700 W of H100-SXM5-80GB");
}
END_TEST

/* 64 nodes of 64-port leaves at 3:1: a job on all of them shares with nobody. */
static const char oversubscribed[] =
    "{\"node\": \"DGX-H100\", \"nodes\": 64, \"nics\": {\"part\": "
    "\"ConnectX-7-400G-1P-OSFP\","
    " \"per_node\": 8, \"in_node_price\": true}, \"fabric\": {\"technology\": "
    "\"infiniband\","
    " \"leaf\": \"QM9700\", \"adaptive_routing\": true, \"oversubscription\": 3}}";

static struct ry_job job_of(const char *design, size_t nodes, size_t others)
{
    const struct ry_workload *workload = workload_of(LLAMA_8B);
    const struct ry_case ask = case_of(design_of(design), workload);
    struct ry_job jobs[2] = {{.workload = workload, .nodes = nodes},
                             {.workload = workload, .nodes = others}};
    struct ry_diag diag = {0};

    if (ry_jobs_plan(arena, &catalog, &ask, jobs, others ? 2 : 1, &diag) != RY_OK)
        ck_abort_msg("%s: %s", diag.where, diag.text);
    return jobs[0];
}

START_TEST(a_job_on_all_nodes_shares_with_nobody)
{
    const struct ry_job job = job_of(oversubscribed, 64, 0);

    ck_assert(job.packed.feasible);
    ck_assert_rel(job.quiet_s, job.packed.result.step.step_time_s, 1e-12);
    ck_assert_rel(job.busy_s, job.packed.result.step.step_time_s, 1e-12);
}
END_TEST

START_TEST(others_that_communicate_cost_time_where_uplinks_are_few)
{
    const struct ry_job few = job_of(oversubscribed, 16, 32);
    const struct ry_job many = job_of(H100_NDR(64), 16, 32);

    ck_assert_double_gt(few.busy_s, few.quiet_s * (1 + 1e-6));
    ck_assert_double_ge(few.busy_s, few.packed.result.step.step_time_s);
    /* 1:1: the uplinks carry what the NICs send, so the others' traffic costs nothing */
    ck_assert_rel(many.busy_s, many.quiet_s, 1e-12);
}
END_TEST

START_TEST(jobs_with_more_nodes_than_there_are_are_refused)
{
    const struct ry_workload *workload = workload_of(LLAMA_8B);
    const struct ry_case ask = case_of(design_of(H100_NDR(4)), workload);
    struct ry_job jobs[2] = {{.workload = workload, .nodes = 3},
                             {.workload = workload, .nodes = 2}};
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_jobs_plan(arena, &catalog, &ask, jobs, 2, &diag), RY_ERR_RANGE);
    ck_assert_str_eq(diag.text, "5 nodes with 0 spare ones, design has 4");
}
END_TEST

/* 128 sequences at 16 GPUs are 8 a GPU. */
START_TEST(a_batch_grows_with_the_gpus_where_the_workload_says_so)
{
    const struct ry_workload *fixed = workload_of(LLAMA_8B);
    const struct ry_workload *grows =
        workload_of("{\"model\": \"llama3.1-8b\", \"seq\": 8192, \"global_batch\": 128,"
                    " \"batch_at_gpus\": 16, \"tokens\": \"1T\"}");
    const struct ry_workload *at_40 = ry_workload_on(arena, grows, 40);

    ck_assert_ptr_eq(ry_workload_on(arena, fixed, 40), fixed);
    ck_assert_uint_eq(at_40->base.global_batch, 320);
    ck_assert_uint_eq(ry_workload_on(arena, grows, 1)->base.global_batch, 8);
    /* from what was read, not from what was scaled before */
    ck_assert_uint_eq(ry_workload_on(arena, at_40, 16)->base.global_batch, 128);
    ck_assert(ry_workload_same(at_40, grows));
    ck_assert(!ry_workload_same(at_40, fixed));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("choosing");
    TCase *tcase = tcase_create("choosing");

    tcase_add_checked_fixture(tcase, open_library, close_library);
    tcase_add_test(tcase, a_score_is_the_weighted_mean_of_figures_over_the_best);
    tcase_add_test(tcase, bad_weights_are_refused);
    tcase_add_test(tcase, a_mix_adds_days_and_dollars_and_means_power_over_time);
    tcase_add_test(
        tcase, the_break_even_price_of_a_node_is_where_the_line_through_two_prices_says);
    tcase_add_test(tcase, no_cap_in_a_fine_scan_is_cheaper_than_the_one_found);
    tcase_add_test(tcase, a_lever_without_anything_to_move_is_refused);
    tcase_add_test(tcase, a_job_on_all_nodes_shares_with_nobody);
    tcase_add_test(tcase, others_that_communicate_cost_time_where_uplinks_are_few);
    tcase_add_test(tcase, jobs_with_more_nodes_than_there_are_are_refused);
    tcase_add_test(tcase, a_batch_grows_with_the_gpus_where_the_workload_says_so);
    suite_add_tcase(suite, tcase);
    return suite;
}
