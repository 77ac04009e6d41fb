/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inverse questions against looking at every count; the Pareto front; a million GPUs. */
#include "plan_fixture.h"

#include "search/pareto.h"
#include "search/size.h"

#define WORKLOAD                                                                         \
    "{\"model\": \"llama3-8b\", \"task\": \"pretrain\", \"seq\": 8192,"                  \
    " \"global_batch\": 512, \"tokens\": \"1T\"}"

enum { MOST = 40 };

static struct ry_size find(const struct ry_constraints *limits)
{
    const struct ry_case c = case_of(design_of(H100_ROCE(1)), workload_of(WORKLOAD));
    const struct ry_size_ask ask = {.catalog = &catalog,
                                    .design = c.design,
                                    .workload = c.workload,
                                    .models = c.models,
                                    .limits = *limits};
    struct ry_size size;

    ck_assert_int_eq(ry_size_find(arena, &ask, &size, NULL), RY_OK);
    return size;
}

/* The case with so many nodes. */
static struct ry_case with_nodes(size_t nodes, const struct ry_constraints *limits)
{
    struct ry_design *design = design_of(H100_ROCE(1));
    struct ry_arena *scratch = ry_arena_create(0);

    design->nodes = nodes;
    struct ry_case c = case_of(design, workload_of(WORKLOAD));
    ry_case_evaluate(scratch, &catalog, limits, &c);
    ry_arena_destroy(scratch);
    return c;
}

START_TEST(the_fewest_nodes_for_a_deadline_are_those_that_a_full_scan_finds)
{
    static const double days[] = {15.0, 22.5, 60.0, 200.0};
    struct ry_constraints limits = ry_no_constraints();
    size_t fewest = 0;

    limits.days = days[_i];
    for (size_t n = 1; n <= 2 * MOST && fewest == 0; n++)
        fewest = with_nodes(n, &limits).feasible ? n : 0;
    const struct ry_size size = find(&limits);
    ck_assert(size.found);
    ck_assert_uint_eq(size.answer.design->nodes, fewest);
    ck_assert_double_le(size.answer.result.days, limits.days);
    printf("# %g days: %zu nodes, %zu searches\n", limits.days, fewest, size.looked_at);
    if (size.has_other) {
        ck_assert(!size.other.feasible);
        ck_assert_uint_eq(size.other.design->nodes, fewest - 1);
        printf("# %s\n", size.other.why);
    }
}
END_TEST

START_TEST(the_best_for_a_budget_is_the_fastest_within_it)
{
    struct ry_constraints limits = ry_no_constraints();
    double best_days = INFINITY;
    size_t best = 0;

    limits.capex_usd = 10e6;
    for (size_t n = 1; n <= MOST; n++) {
        const struct ry_case c = with_nodes(n, &limits);
        if (c.feasible && c.result.days < best_days * (1.0 - 1e-9)) {
            best_days = c.result.days;
            best = n;
        }
    }
    ck_assert_uint_lt(best, MOST); /* the budget binds, not the scan */
    const struct ry_size size = find(&limits);
    ck_assert(size.found);
    ck_assert_uint_eq(size.answer.design->nodes, best);
    ck_assert(size.has_other && !size.other.feasible);
    ck_assert_ptr_nonnull(strstr(size.other.why, "budget"));
}
END_TEST

START_TEST(a_power_cap_binds_and_is_named)
{
    struct ry_constraints limits = ry_no_constraints();

    limits.facility_w = 200e3;
    const struct ry_size size = find(&limits);
    ck_assert(size.found);
    ck_assert_double_le(size.answer.result.max_w * size.answer.design->facility.pue,
                        200e3);
    ck_assert(size.has_other && !size.other.feasible);
    ck_assert_ptr_nonnull(strstr(size.other.why, "kW"));
}
END_TEST

START_TEST(a_deadline_over_the_budget_is_refused_with_the_limit)
{
    struct ry_constraints limits = ry_no_constraints();

    limits.days = 22.5;
    limits.capex_usd = 2e6; /* 8 nodes are over it */
    const struct ry_size size = find(&limits);
    ck_assert(!size.found);
    ck_assert_ptr_nonnull(strstr(size.answer.why, "budget"));
}
END_TEST

/* Figures of a case, without a design behind it. */
static void set(struct ry_case *c, double step_s, double tco_usd)
{
    *c = (struct ry_case){.feasible = true};
    c->result.step.step_time_s = step_s;
    c->result.tco.usd = tco_usd;
}

START_TEST(the_front_has_what_nothing_beats_and_equals_together)
{
    struct ry_pareto by;
    struct ry_case c[6];
    struct ry_case *cases[6];
    struct ry_stand s[6];

    set(&c[0], 1.0, 9.0);
    set(&c[1], 2.0, 5.0);
    set(&c[2], 2.0, 5.0); /* equal */
    set(&c[3], 3.0, 5.0); /* beaten by 1 */
    set(&c[4], 9.0, 1.0);
    set(&c[5], 0.5, 0.5);
    c[5].result.tco.unpriced = 1; /* only a lower bound */
    for (size_t i = 0; i < 6; i++)
        cases[i] = &c[i];
    ck_assert_int_eq(ry_pareto_parse("step_time,tco", &by, NULL), RY_OK);
    ry_pareto_mark(&by, cases, 6, s);
    ck_assert(s[0].front && s[1].front && s[2].front && !s[3].front && s[4].front);
    ck_assert_uint_eq(s[1].equal_to, 2);
    ck_assert_uint_eq(s[2].equal_to, 1);
    ck_assert_uint_eq(s[0].equal_to, 6);
    ck_assert_uint_eq(s[3].beaten_by, 1);
    ck_assert(!s[5].compared && !s[5].front);
}
END_TEST

START_TEST(bad_lists_of_objectives_are_refused)
{
    static const char *const bad[] = {"step_time", "step_time,speed",      "tco,tco",
                                      "",          "tco,power,days,racks", "tco,"};
    struct ry_pareto by;

    ck_assert_int_eq(ry_pareto_parse(bad[_i], &by, NULL), RY_ERR_RANGE);
}
END_TEST

/* Nodes of 8 GPUs and 4 NICs of 400G on split 800G ports: 128^3 / 4 ports in 3 tiers.
 * What the search takes: layouts are given back before.  The largest hall is too long for
 * the catalog's cables, so it has a result and is refused. */
START_TEST(memory_stays_flat_up_to_a_million_gpus)
{
    static const size_t nodes[] = {32, 1024, 16384, 131072};
    struct ry_design *design =
        design_of("{\"node\": \"DGX-H100\", \"nodes\": 1, \"nics\": {\"part\":"
                  " \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 4},"
                  " \"fabric\": {\"technology\": \"roce\", \"leaf\": \"SN5600\","
                  " \"rail_optimised\": true, \"adaptive_routing\": true}}");
    const struct ry_workload *workload =
        workload_of("{\"model\": \"llama3-70b\", \"seq\": 8192, \"global_batch\": 131072,"
                    " \"tokens\": \"15T\"}");
    const struct ry_constraints none = ry_no_constraints();
    struct ry_arena *scratch = ry_arena_create(24u << 20);

    design->nodes = nodes[_i];
    struct ry_case c = case_of(design, workload);
    ry_case_evaluate(scratch, &catalog, &none, &c);
    printf("# %zu nodes: %.3g s a step\n", nodes[_i], c.result.step.step_time_s);
    ck_assert_msg(c.has_result, "%s", c.why);
    ry_arena_destroy(scratch);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *s = suite_create("size");
    TCase *tc = tcase_create("size");

    tcase_add_checked_fixture(tc, open_library, close_library);
    tcase_add_loop_test(
        tc, the_fewest_nodes_for_a_deadline_are_those_that_a_full_scan_finds, 0, 4);
    tcase_add_test(tc, the_best_for_a_budget_is_the_fastest_within_it);
    tcase_add_test(tc, a_power_cap_binds_and_is_named);
    tcase_add_test(tc, a_deadline_over_the_budget_is_refused_with_the_limit);
    tcase_add_test(tc, the_front_has_what_nothing_beats_and_equals_together);
    tcase_add_loop_test(tc, bad_lists_of_objectives_are_refused, 0, 6);
    tcase_add_loop_test(tc, memory_stays_flat_up_to_a_million_gpus, 0, 4);
    suite_add_tcase(s, tc);
    return s;
}
