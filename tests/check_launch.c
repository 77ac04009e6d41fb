/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank maps, rows of settings, and settings that make a job slower. */
#include "plan_fixture.h"

#include "io/data.h"
#include "io/launch_facts.h"
#include "io/settings.h"
#include "io/what_if.h"
#include "plan/rank_map.h"

#define WORKLOAD                                                                         \
    "{\"model\": \"llama3-70b\", \"seq\": 8192, \"global_batch\": 1024,"                 \
    " \"tokens\": \"1T\", \"precision\": \"bf16\","                                      \
    " \"strategy\": {\"tp\": 8, \"pp\": 1, \"micro_batch\": 1}}"

/* By hand, from the order tp-cp-dp-pp: 13 = 1 + 2 (0 + 2 (1 + 2 * 1)); GPU 5 of 8 shares
 * the third of four NICs. */
START_TEST(ranks_nest_tp_cp_dp_pp)
{
    const struct ry_strategy s = {.tp = 2, .cp = 2, .dp = 2, .pp = 2, .ep = 1, .etp = 1};
    const struct ry_design design = {.gpus_per_host = 8,
                                     .gpus_per_node = 8,
                                     .nics_per_node = 4,
                                     .fabric = {.technology = RY_FABRIC_ROCE}};
    const struct ry_rank at = ry_rank_at(&design, &s, 13);

    ck_assert_uint_eq(ry_rank_count(&s), 16);
    ck_assert_uint_eq(ry_rank_hosts(&design, 16), 2);
    ck_assert_uint_eq(ry_rank_hosts(&design, 17), 3);
    ck_assert_uint_eq(at.host, 1);
    ck_assert_uint_eq(at.gpu, 5);
    ck_assert_uint_eq(at.nic, 2);
    ck_assert_uint_eq(at.tp, 1);
    ck_assert_uint_eq(at.cp, 0);
    ck_assert_uint_eq(at.dp, 1);
    ck_assert_uint_eq(at.pp, 1);
}
END_TEST

/* By hand: rank 29 is the 13th of its stage of 16; etp 2 varies fastest, then ep 4. */
START_TEST(experts_nest_etp_ep_edp_within_a_stage)
{
    const struct ry_strategy s = {.tp = 4, .cp = 1, .dp = 4, .pp = 2, .ep = 4, .etp = 2};
    const struct ry_design design = {.gpus_per_host = 4,
                                     .gpus_per_node = 72,
                                     .nics_per_node = 72,
                                     .fabric = {.technology = RY_FABRIC_INFINIBAND}};
    const struct ry_rank at = ry_rank_at(&design, &s, 29);

    ck_assert_uint_eq(at.pp, 1);
    ck_assert_uint_eq(at.etp, 1);
    ck_assert_uint_eq(at.ep, 2);
    ck_assert_uint_eq(at.edp, 1);
    ck_assert_uint_eq(at.host, 7);
    ck_assert_uint_eq(at.nic, 1);
    ck_assert_uint_eq(ry_host_nics(&design), 4);
}
END_TEST

/* The cases of NCCL's user guide, NCCL_IB_HCA. */
static const struct {
    const char *list, *name;
    bool taken;
} hca_cases[] = {
    {"mlx5", "mlx5_3", true},
    {"mlx5_1", "mlx5_1", true},
    {"mlx5_1", "mlx5_10", true},
    {"=mlx5_1", "mlx5_10", false},
    {"=mlx5_0:1,mlx5_1:1", "mlx5_1", true},
    {"=mlx5_0:1,mlx5_1:1", "mlx5_2", false},
    {"^=mlx5_1,mlx5_4", "mlx5_4", false},
    {"^=mlx5_1,mlx5_4", "mlx5_40", true},
    {"^mlx5_4", "mlx5_40", false},
    {"=mlx5_0::0:0", "mlx5_0", true},
};

START_TEST(hca_lists_are_read_as_nccl_reads_them)
{
    ck_assert_int_eq(ry_hca_list_takes(hca_cases[_i].list, hca_cases[_i].name),
                     hca_cases[_i].taken);
}
END_TEST

static enum ry_err read_rows(const char *text, struct ry_problems *found,
                             struct ry_settings *settings)
{
    static const struct ry_fact facts[] = {{"tp", true}, {"vpp", false}};
    static const struct ry_fact_value values[] = {{"tp", "8"}};
    static const struct ry_facts all = {2, 1, facts, values};
    const char *path = "check_launch.csv.tmp"; /* each test runs by itself, in turn */
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    (void)fputs(text, file);
    (void)fclose(file);
    *found = (struct ry_problems){0};
    const enum ry_err err = ry_settings_read(arena, path, &all, found, settings);
    (void)remove(path);
    return err;
}

START_TEST(rows_hold_by_their_facts_and_say_their_values)
{
    struct ry_problems found;
    struct ry_settings settings;

    ck_assert_int_eq(read_rows("for,name,when,value,reason,source\n"
                               "a,X,tp,{tp},TP is {tp},s\n"
                               "a,Y,tp !vpp,1,r,s\n"
                               "a,Z,vpp,1,r,s\n"
                               "a,W,!tp,1,r,s\n",
                               &found, &settings),
                     RY_OK);
    ck_assert_uint_eq(found.count, 0);
    ck_assert_uint_eq(settings.n, 2);
    ck_assert_str_eq(settings.at[0].value, "8");
    ck_assert_str_eq(settings.at[0].reason, "TP is 8");
    ck_assert_str_eq(settings.at[1].name, "Y");
}
END_TEST

START_TEST(rows_that_cannot_be_are_told)
{
    struct ry_problems found;
    struct ry_settings settings;

    ck_assert_int_eq(read_rows("for,name,when,value,reason,source\n"
                               "a,X,tq,1,r,s\n"
                               "a,X,tp,{dp},r,s\n"
                               "a,X,tp,1,r,\n",
                               &found, &settings),
                     RY_OK);
    ck_assert_uint_eq(found.count, 3);
    ck_assert_str_eq(found.diags[0].text, "no fact 'tq'");
    ck_assert_str_eq(found.diags[1].text, "no value '{dp}'");
    ck_assert_str_eq(found.diags[2].text, "a row needs a reason and a source");
}
END_TEST

/* The step of the fixture's job with something worse. */
static double step_with(const struct ry_case *c, struct ry_degrade what)
{
    struct ry_site *site = RY_NEW(arena, struct ry_site, 1);
    struct ry_result result;
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_degrade_site(c->site, &what, site, &diag), RY_OK);
    ck_assert_int_eq(ry_plan(site, c->workload, &c->result.strategy, &result, &diag),
                     RY_OK);
    return result.step.step_time_s;
}

START_TEST(what_is_worse_is_never_faster_and_nothing_is_the_plan)
{
    const struct ry_case c = evaluate(H100_NDR(4), WORKLOAD);
    const double planned = c.result.step.step_time_s;
    struct ry_degrade what = ry_degrade_nothing();

    ck_assert(c.has_result);
    ck_assert_rel(step_with(&c, what), planned, 1e-12);
    what.sockets = true;
    const double sockets = step_with(&c, what);
    what = ry_degrade_nothing();
    what.nics_frac = 0.5;
    const double half = step_with(&c, what);
    what.nics_frac = 0.125;
    const double one = step_with(&c, what);
    ck_assert_double_gt(sockets, planned);
    ck_assert_double_gt(half, planned);
    ck_assert_double_gt(one, half);
    what = ry_degrade_nothing();
    what.host_staged = true;
    /* 2 H200 with P2P off measured 28.5 of 297 GB/s: TP 8 is then most of the step */
    ck_assert_double_gt(step_with(&c, what), 3.0 * planned);
}
END_TEST

/* Half of the NICs and NICs of half the rate are the same bytes a second. */
START_TEST(half_the_nics_are_nics_of_half_the_rate)
{
    const struct ry_case c = evaluate(H100_NDR(4), WORKLOAD);
    struct ry_degrade nics = ry_degrade_nothing();
    struct ry_degrade rate = ry_degrade_nothing();

    nics.nics_frac = 0.5;
    rate.rate_frac = 0.5;
    ck_assert_rel(step_with(&c, nics), step_with(&c, rate), 1e-3);
}
END_TEST

START_TEST(shares_that_cannot_be_are_refused)
{
    const struct ry_case c = evaluate(H100_NDR(4), WORKLOAD);
    struct ry_site *site = RY_NEW(arena, struct ry_site, 1);
    struct ry_degrade what = ry_degrade_nothing();
    struct ry_diag diag = {0};

    what.nics_frac = 0.0;
    ck_assert_int_eq(ry_degrade_site(c.site, &what, site, &diag), RY_ERR_RANGE);
    ck_assert_str_eq(diag.text, "0 is not above 0 and at most 1");
    what.nics_frac = 1.0;
    what.rate_frac = 1.5;
    ck_assert_int_eq(ry_degrade_site(c.site, &what, site, &diag), RY_ERR_RANGE);
}
END_TEST

static enum ry_err read_what_if(const char *assignment, struct ry_what_if *what,
                                struct ry_diag *diag)
{
    static const char *const nics[] = {"mlx5_0", "mlx5_1", "mlx5_10", "mlx5_11"};
    const struct ry_what_if_input in = {assignment, nics, 4};

    return ry_what_if_read(arena, ry_data_path(arena, "share/launch/what-if.csv"), &in,
                           what, diag);
}

START_TEST(settings_become_what_they_do)
{
    struct ry_what_if what;

    ck_assert_int_eq(read_what_if("NCCL_IB_HCA=mlx5_1", &what, NULL), RY_OK);
    ck_assert_double_eq(what.degrade.nics_frac, 0.75); /* mlx5_1, mlx5_10, mlx5_11 */
    ck_assert_int_eq(read_what_if("NCCL_IB_HCA==mlx5_1", &what, NULL), RY_OK);
    ck_assert_double_eq(what.degrade.nics_frac, 0.25);
    ck_assert_int_eq(read_what_if("NCCL_ALGO=Ring", &what, NULL), RY_OK);
    ck_assert(what.degrade.no_algo[RY_COLL_ALGO_TREE] && what.degrade.no_nvls &&
              what.degrade.no_algo[RY_COLL_ALGO_SHARP]);
    ck_assert_int_eq(read_what_if("NCCL_ALGO=^Tree", &what, NULL), RY_OK);
    ck_assert(what.degrade.no_algo[RY_COLL_ALGO_TREE] && !what.degrade.no_nvls);
    ck_assert_int_eq(read_what_if("NCCL_ALGO=Tree", &what, NULL), RY_OK);
    ck_assert_int_eq(what.kind, RY_WHAT_IF_UNKNOWN);
    ck_assert_int_eq(read_what_if("NCCL_PROTO=^LL128", &what, NULL), RY_OK);
    ck_assert(what.degrade.no_proto[RY_PROTO_LL128] &&
              !what.degrade.no_proto[RY_PROTO_LL]);
    ck_assert_int_eq(what.kind, RY_WHAT_IF_LEAST);
    ck_assert_int_eq(read_what_if("NCCL_NET_GDR_READ=0", &what, NULL), RY_OK);
    ck_assert_int_eq(what.kind, RY_WHAT_IF_MOST);
    ck_assert_int_eq(read_what_if("CUDA_LAUNCH_BLOCKING=1", &what, NULL), RY_OK);
    ck_assert(what.blocking);
}
END_TEST

static const struct {
    const char *assignment;
    enum ry_err code;
    const char *text;
} refused[] = {
    {"NCCL_P2P_DISABEL=1", RY_ERR_NOTFOUND,
     "'NCCL_P2P_DISABEL' is not known; did you mean NCCL_P2P_DISABLE? ('railyard launch "
     "--settings' lists them all)"},
    {"NCCL_IB_DISABLE", RY_ERR_USAGE, "'NCCL_IB_DISABLE' is not NAME=VALUE"},
    {"NCCL_P2P_DISABLE=7", RY_ERR_RANGE, "nothing is known of the value '7'"},
    {"NCCL_ALGO=Rign", RY_ERR_RANGE, "'Rign' is none of those known"},
    {"NCCL_PROTO=^LL,LL128,Simple", RY_ERR_RANGE,
     "'^LL,LL128,Simple' leaves no protocol"},
    {"NCCL_IB_QPS_PER_CONNECTION=0", RY_ERR_RANGE,
     "'0' is not a whole number from 1 to 128"},
    {"NCCL_IB_QPS_PER_CONNECTION=2.5", RY_ERR_RANGE,
     "'2.5' is not a whole number from 1 to 128"},
};

START_TEST(settings_that_cannot_be_are_refused)
{
    struct ry_what_if what;
    struct ry_diag diag = {0};

    ck_assert_int_eq(read_what_if(refused[_i].assignment, &what, &diag),
                     refused[_i].code);
    ck_assert_str_eq(diag.text, refused[_i].text);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("launch");
    TCase *tcase = tcase_create("launch");

    tcase_add_checked_fixture(tcase, open_library, close_library);
    tcase_add_test(tcase, ranks_nest_tp_cp_dp_pp);
    tcase_add_test(tcase, experts_nest_etp_ep_edp_within_a_stage);
    tcase_add_loop_test(tcase, hca_lists_are_read_as_nccl_reads_them, 0,
                        sizeof(hca_cases) / sizeof(hca_cases[0]));
    tcase_add_test(tcase, rows_hold_by_their_facts_and_say_their_values);
    tcase_add_test(tcase, rows_that_cannot_be_are_told);
    tcase_add_test(tcase, what_is_worse_is_never_faster_and_nothing_is_the_plan);
    tcase_add_test(tcase, half_the_nics_are_nics_of_half_the_rate);
    tcase_add_test(tcase, shares_that_cannot_be_are_refused);
    tcase_add_test(tcase, settings_become_what_they_do);
    tcase_add_loop_test(tcase, settings_that_cannot_be_are_refused, 0,
                        sizeof(refused) / sizeof(refused[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
