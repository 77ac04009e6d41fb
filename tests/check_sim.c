/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/event.h"
#include "sim/goodput.h"

#include "arena_fixture.h"

/* ---- pipelines: closed form against events ---- */

enum { STAGES_MOST = 16 };

static struct ry_timeline *run_pipeline(const struct ry_pipeline_spec *spec)
{
    struct ry_timeline *t = NULL;
    ck_assert_int_eq(
        ry_timeline_create(arena, spec->stages, ry_pipeline_tasks(spec), &t, NULL),
        RY_OK);
    ck_assert_int_eq(ry_timeline_pipeline(arena, spec, t, NULL), RY_OK);
    ck_assert_int_eq(ry_timeline_run(arena, t, NULL), RY_OK);
    return t;
}

static const struct {
    unsigned stages, chunks, micro_batches;
    enum ry_schedule schedule;
    double last_extra; /* head and loss on the last stage, share of a stage */
    double tolerance;
} pipelines[] = {
    {1, 1, 4, RY_SCHEDULE_1F1B, 0, 1e-9},
    {2, 1, 8, RY_SCHEDULE_1F1B, 0, 1e-9},
    {8, 1, 8, RY_SCHEDULE_1F1B, 0, 1e-9},
    {8, 1, 64, RY_SCHEDULE_1F1B, 0.3, 0.01},
    {16, 1, 32, RY_SCHEDULE_1F1B, 0.2, 0.01},
    {4, 1, 16, RY_SCHEDULE_GPIPE, 0, 1e-9},
    {8, 3, 64, RY_SCHEDULE_1F1B, 0, 1e-9},
    {4, 4, 16, RY_SCHEDULE_1F1B, 0, 1e-9},
    {4, 2, 10, RY_SCHEDULE_1F1B, 0, 1e-9},
    {4, 3, 9, RY_SCHEDULE_1F1B, 0, 1e-9},
    {8, 2, 21, RY_SCHEDULE_1F1B, 0, 1e-9},
    {4, 2, 6, RY_SCHEDULE_1F1B, 0, 1e-9},
    {4, 2, 7, RY_SCHEDULE_1F1B, 0, 1e-9},
    {4, 5, 5, RY_SCHEDULE_1F1B, 0, 1e-9},
    {4, 2, 32, RY_SCHEDULE_1F1B, 0.1, 0.01},
    {8, 1, 32, RY_SCHEDULE_ZERO_BUBBLE, 0, 1e-9},
    {4, 1, 64, RY_SCHEDULE_ZERO_BUBBLE, 0.2, 0.01},
    {8, 1, 32, RY_SCHEDULE_DUALPIPE, 0, 1e-9},
    {4, 1, 16, RY_SCHEDULE_DUALPIPE, 0, 1e-9},
    {16, 1, 64, RY_SCHEDULE_DUALPIPE, 0, 1e-9},
};

/* What the other stages add to m micro-batches of the slowest: Narayanan et al. 2021,
 * section 2.2; ZB-H1 of Qi et al. 2023 (w: weight gradients); DeepSeek-V3, table 2. */
static double bubble_s(unsigned i, double others, double others_w)
{
    const double p = pipelines[i].stages;
    if (pipelines[i].schedule == RY_SCHEDULE_ZERO_BUBBLE)
        return others - 2 * others_w;
    if (pipelines[i].schedule == RY_SCHEDULE_DUALPIPE) /* F + B together, B, less 3 W */
        return (p / 2 - 1) * (3 + 2 - 3);
    return others / pipelines[i].chunks;
}

START_TEST(the_closed_form_of_a_pipeline_agrees_with_events)
{
    double f[STAGES_MOST], b[STAGES_MOST], w[STAGES_MOST], sum = 0, slowest = 0,
                                                           weight = 0;
    const unsigned p = pipelines[_i].stages;
    for (unsigned i = 0; i < p; i++) {
        const double extra = i + 1 == p ? 1 + pipelines[_i].last_extra : 1;
        f[i] = 1.0 * extra;
        b[i] = 2.0 * extra;
        w[i] = 1.0 * extra;
        sum += f[i] + b[i];
        slowest = fmax(slowest, f[i] + b[i]);
        weight += i + 1 < p ? w[i] : 0;
    }
    const struct ry_pipeline_spec spec = {.stages = p,
                                          .chunks = pipelines[_i].chunks,
                                          .micro_batches = pipelines[_i].micro_batches,
                                          .schedule = pipelines[_i].schedule,
                                          .forward_s = f,
                                          .backward_s = b,
                                          .weight_s = w};
    const double closed = pipelines[_i].micro_batches * slowest +
                          bubble_s((unsigned)_i, sum - slowest, weight);
    ck_assert_rel(run_pipeline(&spec)->end_s, closed, pipelines[_i].tolerance);
}
END_TEST

/* Megatron-Core: of m micro-batches in groups of n >= p, none or at least p are left
 * over. */
START_TEST(micro_batches_pass_a_chunk_in_groups_that_megatron_takes)
{
    static const unsigned cases[][3] = {{4, 16, 4},  {4, 10, 5}, {4, 9, 5}, {4, 7, 7},
                                        {8, 21, 11}, {4, 3, 3},  {1, 5, 1}, {8, 8, 8}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_uint_eq(ry_chunk_group(cases[i][0], cases[i][1]), cases[i][2]);
}
END_TEST

START_TEST(zero_bubble_and_dualpipe_waste_less_than_1f1b)
{
    double f[8], b[8], w[8];
    for (unsigned i = 0; i < 8; i++)
        f[i] = 1, b[i] = 2, w[i] = 1;
    struct ry_pipeline_spec spec = {.stages = 8,
                                    .chunks = 1,
                                    .micro_batches = 32,
                                    .forward_s = f,
                                    .backward_s = b,
                                    .weight_s = w};
    const double plain = run_pipeline(&spec)->end_s;
    spec.schedule = RY_SCHEDULE_ZERO_BUBBLE;
    const double zero = run_pipeline(&spec)->end_s;
    spec.schedule = RY_SCHEDULE_DUALPIPE;
    const double dual = run_pipeline(&spec)->end_s;
    ck_assert_rel(plain, 32.0 * 3 + 7 * 3, 1e-9);
    /* ZB-H1 (Qi et al. 2023): (p - 1)(f + b - w) with b the input gradient: 7 x 1. */
    ck_assert_rel(zero, 32.0 * 3 + 7 * 1, 1e-9);
    /* (p / 2 - 1)(F&B + B - 3 W), and what a replay of dualpipe.py's orders gives too */
    ck_assert_rel(dual, 32.0 * 3 + 3 * 2, 1e-9);
}
END_TEST

START_TEST(tasks_side_by_side_slow_each_other)
{
    struct ry_timeline *t = NULL;
    ck_assert_int_eq(ry_timeline_create(arena, 1, 2, &t, NULL), RY_OK);
    struct ry_event_task a = {.lane = RY_LANE_COMPUTE, .work_s = 1};
    struct ry_event_task c = {
        .lane = RY_LANE_GATHER, .work_s = 1, .kind = RY_TASK_GATHER};
    for (int k = 0; k < RY_TASK_DEPS; k++)
        a.dep[k] = c.dep[k] = RY_NO_TASK;
    ry_timeline_add(t, &a);
    ry_timeline_add(t, &c);
    t->compute_slow = 1.25;
    t->comm_slow = 2;
    ck_assert_int_eq(ry_timeline_run(arena, t, NULL), RY_OK);
    /* Compute ends at 1.25; traffic has then done 0.625 and needs 0.375 alone. */
    ck_assert_rel(t->task[0].end_s, 1.25, 1e-9);
    ck_assert_rel(t->end_s, 1.625, 1e-9);
}
END_TEST

START_TEST(a_circle_of_tasks_is_an_error)
{
    struct ry_timeline *t = NULL;
    struct ry_diag diag;
    ck_assert_int_eq(ry_timeline_create(arena, 1, 2, &t, NULL), RY_OK);
    struct ry_event_task a = {.lane = RY_LANE_COMPUTE, .work_s = 1};
    for (int k = 0; k < RY_TASK_DEPS; k++)
        a.dep[k] = RY_NO_TASK;
    a.dep[0] = 1;
    ry_timeline_add(t, &a);
    a.dep[0] = 0;
    a.lane = RY_LANE_GATHER;
    ry_timeline_add(t, &a);
    ck_assert_int_eq(ry_timeline_run(arena, t, &diag), RY_ERR_DEGENERATE);
    ck_assert_str_eq(diag.text, "2 of 2 tasks wait for each other");
}
END_TEST

/* ---- goodput ---- */

START_TEST(the_best_interval_is_dalys)
{
    /* By hand: M = 3.09 h = 11124 s, d = 60 s: sqrt(2 d M) = 1155.4;
     * x = d / 2M = 0.002697; times (1 + 0.01731 + 0.0003) - 60 = 1115.7. */
    ck_assert_double_eq_tol(ry_checkpoint_interval_s(11124, 60), 1115.7, 0.2);
}
END_TEST

START_TEST(over_ninety_percent_bounds_the_loss_of_a_failure)
{
    /* Llama 3 (arXiv:2407.21783, table 5): 419 unexpected interruptions in 54 days is one
     * each 3.09 h; "over 90 %" then means at most 1236 s lost for each. */
    const double mtbf_s = 54.0 * 86400 / 419;
    ck_assert_double_eq_tol(mtbf_s / 3600, 3.09, 0.01);
    ck_assert_double_eq_tol(ry_goodput_loss_allowed_s(mtbf_s, 0.9), mtbf_s / 9, 1e-9);
    const struct ry_goodput_inputs in = {
        .mtbf_s = mtbf_s, .checkpoint_s = 5, .detect_s = 60, .restart_s = 480};
    const struct ry_goodput g = ry_goodput(&in);
    ck_assert_double_gt(g.effective_frac, 0.9);
    ck_assert_double_lt(g.effective_frac, 0.96);
    ck_assert_rel(g.effective_frac + g.checkpoint_frac + g.rework_frac + g.restart_frac,
                  1.0, 1e-12);
}
END_TEST

START_TEST(goodput_falls_with_the_cluster)
{
    double before = 1;
    for (double gpus = 128; gpus < 2e5; gpus *= 2) {
        const struct ry_goodput_inputs in = {.mtbf_s =
                                                 ry_job_mtbf_s(11124.0 * 16384, gpus),
                                             .checkpoint_s = 5,
                                             .detect_s = 60,
                                             .restart_s = 480};
        const double now = ry_goodput(&in).effective_frac;
        ck_assert_double_lt(now, before);
        before = now;
    }
}
END_TEST

Suite *unit_suite(void)
{
    Suite *s = suite_create("sim");
    TCase *tc = tcase_create("sim");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_loop_test(tc, the_closed_form_of_a_pipeline_agrees_with_events, 0,
                        (int)(sizeof pipelines / sizeof pipelines[0]));
    tcase_add_test(tc, micro_batches_pass_a_chunk_in_groups_that_megatron_takes);
    tcase_add_test(tc, zero_bubble_and_dualpipe_waste_less_than_1f1b);
    tcase_add_test(tc, tasks_side_by_side_slow_each_other);
    tcase_add_test(tc, a_circle_of_tasks_is_an_error);
    tcase_add_test(tc, the_best_interval_is_dalys);
    tcase_add_test(tc, over_ninety_percent_bounds_the_loss_of_a_failure);
    tcase_add_test(tc, goodput_falls_with_the_cluster);
    suite_add_tcase(s, tc);
    return s;
}
