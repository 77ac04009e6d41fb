/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other simulators get wrong: each is a property or a figure worked by hand. */
#include "plan_fixture.h"

#include "comm/net.h"

#define PRETRAIN(model, more)                                                            \
    "{\"model\": \"" model "\", \"seq\": 4096, \"global_batch\": 64,"                    \
    " \"tokens\": \"1B\"" more "}"

static struct ry_strategy cut(unsigned tp, unsigned pp, unsigned dp)
{
    return (struct ry_strategy){.tp = tp,
                                .pp = pp,
                                .vpp = 1,
                                .dp = dp,
                                .cp = 1,
                                .ep = 1,
                                .etp = 1,
                                .micro_batch = 1,
                                .zero_stage = 1,
                                .sequence_parallel = tp > 1,
                                .tp_overlap = true,
                                .dp_overlap = true,
                                .pp_overlap = true};
}

static double step_s(const char *design, const char *workload, struct ry_strategy s)
{
    return predict(design_of(design), workload_of(workload), s).step.step_time_s;
}

/* 32 heads: tp 3 and 5 cannot cut them, 4 can; the search says so and goes on. */
START_TEST(an_indivisible_strategy_is_skipped_and_does_not_end_the_search)
{
    const struct ry_case c =
        evaluate("{\"node\": \"DGX-H100\", \"nodes\": 1}",
                 PRETRAIN("llama3-8b", ", \"strategy\": {\"tp\": [3, 5, 4]}"));

    ck_assert(c.feasible);
    ck_assert_uint_eq(c.result.strategy.tp, 4);
    ck_assert_uint_gt(c.best.uncut, 0);
    const struct ry_case none =
        evaluate("{\"node\": \"DGX-H100\", \"nodes\": 1}",
                 PRETRAIN("llama3-8b", ", \"strategy\": {\"tp\": [3, 5]}"));
    ck_assert(!none.feasible);
    ck_assert_ptr_nonnull(strstr(none.why, "heads 32"));
}
END_TEST

/* 70.6e9 parameters, an eighth on each GPU: by hand 70.6e9 x 0.25 ns of the node's CPUs,
 * and 8.8e9 x 6 bytes of gradients and parameters over PCIe at 25 to 64 GB/s. */
START_TEST(an_offloaded_optimizer_costs_its_copies_and_the_cpus_update)
{
    struct ry_strategy s = cut(8, 1, 1);
    s.offload_optimizer_frac = 1.0;
    const struct ry_result r =
        predict(design_of("{\"node\": \"DGX-H100\", \"nodes\": 1}"),
                workload_of(PRETRAIN("llama3-70b", "")), s);
    const double update_s = 70.6e9 * 0.25e-9;

    ck_assert_double_gt(r.step.part_s[RY_PART_OFFLOAD], update_s + 52.9e9 / 64e9);
    ck_assert_double_lt(r.step.part_s[RY_PART_OFFLOAD], update_s + 52.9e9 / 25e9);
}
END_TEST

static double seen(const struct ry_result *r, enum ry_step_part part)
{
    return r->step.part_s[part] + r->step.hidden_s[part];
}

START_TEST(no_cost_of_a_parallelism_that_is_used_is_zero)
{
    const struct ry_design *design = design_of(H100_NDR(8));
    const struct ry_workload *dense = workload_of(PRETRAIN("llama3-70b", ""));
    struct ry_strategy s = cut(4, 4, 4);
    s.recompute = RY_RECOMPUTE_FULL;
    const struct ry_result r = predict(design, dense, s);
    const enum ry_step_part parts[] = {
        RY_PART_GEMM,   RY_PART_ATTENTION, RY_PART_MEMORY, RY_PART_RECOMPUTE,
        RY_PART_HEAD,   RY_PART_TP,        RY_PART_PP,     RY_PART_DP,
        RY_PART_BUBBLE, RY_PART_OPTIMIZER};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!(seen(&r, parts[i]) > 0.0))
            ck_abort_msg("%s is zero", ry_part_text(parts[i]));
    }
    s = cut(1, 1, 64);
    s.ep = 8;
    const struct ry_result moe =
        predict(design, workload_of(PRETRAIN("mixtral-8x7b", "")), s);
    ck_assert_double_gt(seen(&moe, RY_PART_EP), 0.0);
    s = cut(1, 1, 32);
    s.cp = 2;
    const struct ry_result context =
        predict(design, workload_of(PRETRAIN("llama3-8b", "")), s);
    ck_assert_double_gt(seen(&context, RY_PART_CP), 0.0);
}
END_TEST

START_TEST(the_parts_sum_to_the_step)
{
    const struct ry_case c = evaluate(H100_NDR(4), PRETRAIN("llama3-70b", ""));
    double sum = 0.0;
    double memory = 0.0;

    ck_assert(c.feasible);
    for (int i = 0; i < RY_PARTS; i++)
        sum += c.result.step.part_s[i];
    for (int i = 0; i < RY_MEMORY_PARTS; i++)
        memory += c.result.step.memory_bytes[i];
    ck_assert_rel(sum, c.result.step.step_time_s, 1e-12);
    ck_assert_rel(memory, c.result.step.peak_bytes, 1e-12);
}
END_TEST

/* One NIC a node, so that three tiers of 128 ports hold more GPUs than are laid out. */
#define ONE_NIC(n)                                                                       \
    "{\"node\": \"DGX-H100\", \"nodes\": " #n ", \"nics\": {\"part\":"                   \
    " \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 1, \"in_node_price\": true},"           \
    " \"fabric\": {\"technology\": \"roce\", \"leaf\": \"SN5600\"}}"

/* 131,072 nodes of eight GPUs are as many as are laid out.  One more still trains, but
 * nothing that its site would say is made up, and it is refused. */
START_TEST(a_design_too_large_to_lay_out_trains_and_is_refused)
{
    static const char says[] = "1048584 GPUs, at most 1048576 are laid out (rate "
                               "'planning:most GPUs laid out')";
    struct ry_case c =
        evaluate(ONE_NIC(131073), "{\"model\": \"llama3-70b\", \"seq\": 8192,"
                                  " \"global_batch\": 65536, \"tokens\": \"1T\"}");
    const struct ry_facility_options options = ry_facility_defaults();
    struct ry_layout layout;
    struct ry_diag diag = {0};

    ck_assert_int_eq(ry_layout_limit(&catalog, design_of(ONE_NIC(131072)), NULL), RY_OK);
    ck_assert(c.has_result);
    ck_assert_double_gt(c.result.tokens_per_s, 0.0);
    ck_assert_double_gt(c.result.days, 0.0);
    ck_assert_double_nan(c.result.capex.usd);
    ck_assert_double_nan(c.result.tco.usd);
    ck_assert_double_nan(c.result.usd_per_trillion_tokens);
    ck_assert_double_nan(c.result.facility_w);
    ck_assert_double_nan(c.result.racks);
    ck_assert(!c.feasible);
    ck_assert_str_eq(c.why, says);
    ck_assert_int_eq(ry_layout_make(arena, &catalog, c.design, &options, &layout, &diag),
                     RY_ERR_RANGE);
    ck_assert_str_eq(diag.text, says);
}
END_TEST

/* A part without a price: the total is a lower bound and says how many are missing. */
START_TEST(a_missing_price_is_never_a_zero)
{
    const struct ry_design *design =
        design_of("{\"node\": {\"base\": \"DGX-H100\", \"price_usd\": null, \"kind\":"
                  " \"rack-tray\", \"fabric\": \"nvlink-direct\"}, \"nodes\": 1}");
    const struct ry_result r =
        predict(design, workload_of(PRETRAIN("llama3-8b", "")), cut(1, 1, 8));

    ck_assert_double_eq(r.capex.usd, 2600.0 + 1500.0 + 3.0 * 1800.0); /* rack,
                                                      installing, PDUs of N+1 */
    ck_assert_uint_eq(r.capex.unpriced, 1);
    ck_assert_uint_gt(r.tco.unpriced, 0);
}
END_TEST

START_TEST(a_lower_bound_does_not_win_a_ranking_by_cost)
{
    struct ry_case dear = evaluate(
        "{\"name\": \"dear\", \"node\": {\"base\": \"DGX-H100\", \"price_usd\": 9e6},"
        " \"nodes\": 1}",
        PRETRAIN("llama3-8b", ""));
    struct ry_case unknown = evaluate(
        "{\"name\": \"a\", \"node\": {\"base\": \"DGX-H100\", \"price_usd\": null,"
        " \"kind\": \"rack-tray\"}, \"nodes\": 1}",
        PRETRAIN("llama3-8b", ""));
    struct ry_case *cases[] = {&unknown, &dear};
    struct ry_case *spare[2];
    struct ry_constraints budget = ry_no_constraints();

    ck_assert(dear.feasible && unknown.feasible);
    ry_cases_sort(cases, spare, 2, RY_BY_COST_PER_TOKEN);
    ck_assert_ptr_eq(cases[0], &dear);
    budget.capex_usd = 1e9;
    ry_case_evaluate(arena, &catalog, &budget, &unknown);
    ck_assert(!unknown.feasible);
    ck_assert_ptr_nonnull(strstr(unknown.why, "without a price"));
}
END_TEST

/* Each change must show in the step of a strategy that uses what is changed. */
#define NODE(fields)                                                                     \
    "{\"node\": {\"base\": \"DGX-H100\"" fields "}, \"nodes\": 8, \"nics\": {\"part\":"  \
    " \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 8}, \"fabric\": {\"technology\":"       \
    " \"infiniband\", \"leaf\": \"QM9700\", \"rail_optimised\": true}}"

START_TEST(every_input_that_should_matter_changes_the_step)
{
    const char *plain = PRETRAIN("llama3-8b", "");
    const struct ry_strategy dp = cut(1, 1, 64);
    const double base = step_s(H100_NDR(8), plain, dp);

    ck_assert_double_ne(base, step_s(H100_NDR(8), PRETRAIN("llama3-70b", ""), dp));
    ck_assert_double_ne(
        base, step_s(H100_NDR(8),
                     "{\"model\": \"llama3-8b\", \"seq\": 8192, \"global_batch\": 64,"
                     " \"tokens\": \"1B\"}",
                     dp));
    ck_assert_double_ne(
        base, step_s(H100_NDR(8), PRETRAIN("llama3-8b", ", \"precision\": \"fp8\""), dp));
    ck_assert_double_ne(base, step_s(H100_NDR(8), plain, cut(1, 1, 32)));
    ck_assert_double_ne(base, step_s(H100_NDR(8), plain, cut(2, 1, 32)));
    ck_assert_double_ne(base, step_s(H100_NDR(8), plain, cut(1, 2, 32)));
    const double capped = step_s(
        "{\"node\": \"DGX-H100\", \"nodes\": 8, \"gpu_power_cap\": \"350 W\", \"nics\":"
        " {\"part\": \"ConnectX-7-400G-1P-OSFP\", \"per_node\": 8}, \"fabric\":"
        " {\"technology\": \"infiniband\", \"leaf\": \"QM9700\", \"rail_optimised\":"
        " true}}",
        plain, dp);
    ck_assert_double_gt(capped, base);
}
END_TEST

static struct ry_step nic_step(const char *nics, const char *over, struct ry_strategy s)
{
    char text[512];

    (void)snprintf(text, sizeof(text),
                   "{\"node\": \"DGX-H100\", \"nodes\": 32, \"nics\": {\"part\":"
                   " \"ConnectX-7-400G-1P-OSFP\", %s},"
                   " \"fabric\": {\"technology\": \"infiniband\", \"leaf\": \"QM9700\","
                   " \"rail_optimised\": false, \"oversubscription\": %s}}",
                   nics, over);
    s.dp = 256 / (s.tp * s.pp);
    const struct ry_workload *workload =
        workload_of("{\"model\": \"mixtral-8x7b\", \"seq\": 4096, \"global_batch\": 256,"
                    " \"tokens\": \"1B\"}");
    return predict(design_of(text), workload, s).step;
}

/* Fails with the part that grew most. */
static void not_slower(const struct ry_step *now, const struct ry_step *before,
                       const struct ry_strategy *s)
{
    if (!(before->step_time_s > 0.0) ||
        now->step_time_s <= before->step_time_s * (1.0 + 1e-9))
        return;
    int worst = 0;
    for (int i = 0; i < RY_PARTS; i++) {
        if (now->part_s[i] - before->part_s[i] >
            now->part_s[worst] - before->part_s[worst])
            worst = i;
    }
    ck_abort_msg("tp %u pp %u: %g s became %g s, %s %g to %g s", s->tp, s->pp,
                 before->step_time_s, now->step_time_s,
                 ry_part_text((enum ry_step_part)worst), before->part_s[worst],
                 now->part_s[worst]);
}

START_TEST(more_bandwidth_never_slows_a_fixed_strategy)
{
    /* rates far apart, as start-up constants of 200G and 400G fabrics are fitted to
     * different clusters; numbers of one NIC close together */
    static const char *const nics[] = {"\"per_node\": 8, \"rate\": \"25 Gb/s\"",
                                       "\"per_node\": 2", "\"per_node\": 4",
                                       "\"per_node\": 8"};
    static const char *const over[] = {"8", "4", "2", "1"};
    const unsigned tps[] = {1, 2, 8};
    const unsigned pps[] = {1, 2, 4};

    for (size_t t = 0; t < 3; t++) {
        for (size_t p = 0; p < 3; p++) {
            struct ry_strategy s = cut(tps[t], pps[p], 1);
            s.ep = pps[p] == 1 ? 8 : 1;
            struct ry_step before[2] = {{0}};
            for (size_t i = 0; i < 4; i++) {
                const struct ry_step rate = nic_step(nics[i], "1", s);
                const struct ry_step uplinks = nic_step("\"per_node\": 8", over[i], s);
                not_slower(&rate, &before[0], &s);
                not_slower(&uplinks, &before[1], &s);
                before[0] = rate;
                before[1] = uplinks;
            }
        }
    }
}
END_TEST

START_TEST(prices_never_change_times)
{
    const struct ry_case a =
        evaluate("{\"node\": {\"base\": \"DGX-H100\", \"price_usd\": 1}, \"nodes\": 1}",
                 PRETRAIN("llama3-8b", ""));
    const struct ry_case b =
        evaluate("{\"node\": {\"base\": \"DGX-H100\", \"price_usd\": 9e6}, \"nodes\": 1,"
                 " \"facility\": {\"electricity_price\": \"2 USD/kWh\", \"pue\": 1.9},"
                 " \"finance\": {\"years\": 2}}",
                 PRETRAIN("llama3-8b", ""));

    ck_assert_double_eq(a.result.step.step_time_s, b.result.step.step_time_s);
    ck_assert_double_eq(a.result.days, b.result.days);
    ck_assert_double_lt(a.result.usd_per_trillion_tokens,
                        b.result.usd_per_trillion_tokens);
}
END_TEST

static const struct ry_net *net_of(const char *design, struct ry_case *c)
{
    struct ry_diag diag = {0};

    *c = case_of(design_of(design), workload_of(PRETRAIN("llama3-8b", "")));
    if (ry_site_make(arena, &catalog, c->design, &c->models, c->site, &diag) != RY_OK)
        ck_abort_msg("%s", diag.text);
    return &c->site->built.net;
}

/* 16 ranks on two nodes, 256 MB: each node's eight NICs of 50 GB/s must send and receive
 * the bytes once, 0.64 ms; slower NICs and slower NVLink both show. */
START_TEST(a_group_over_two_levels_pays_for_both)
{
    struct ry_case c;
    struct ry_net net = *net_of(H100_NDR(8), &c);
    const double bytes = 256e6;
    const struct ry_group across = ry_group_place(&net, 16, 1);
    const struct ry_coll_time base =
        ry_collective(&net, RY_COLL_ALL_REDUCE, &across, bytes);

    ck_assert_double_ge(base.s, base.bound_s);
    ck_assert_double_ge(base.s, bytes / (8 * 50e9));
    net.fabric.nic_bytes_per_s /= 4.0;
    const double slow_nic = ry_collective_s(&net, RY_COLL_ALL_REDUCE, &across, bytes);
    ck_assert_double_gt(slow_nic, 1.5 * base.s);
    net.fabric.nic_bytes_per_s *= 4.0;
    net.domain.ring_bytes_per_s /= 4.0;
    net.domain.nvls_bytes_per_s /= 4.0;
    const double slow_nvlink = ry_collective_s(&net, RY_COLL_ALL_REDUCE, &across, bytes);
    ck_assert_double_gt(slow_nvlink, 1.5 * base.s);
}
END_TEST

START_TEST(latency_of_a_collective_grows_with_its_ranks)
{
    struct ry_case c;
    const struct ry_net *net = net_of(H100_NDR(32), &c);
    double before = 0.0;

    for (size_t ranks = 16; ranks <= 256; ranks *= 2) { /* across nodes */
        const struct ry_group group = ry_group_place(net, ranks, 1);
        const double now = ry_collective_s(net, RY_COLL_ALL_GATHER, &group, 1e3);
        ck_assert_double_gt(now, before);
        before = now;
    }
    const struct ry_group pair = ry_group_place(net, 2, 1);
    ck_assert_double_gt(before,
                        2.0 * ry_collective_s(net, RY_COLL_ALL_GATHER, &pair, 1e3));
}
END_TEST

static double states_bytes(const struct ry_result *r)
{
    return r->step.memory_bytes[RY_MEM_PARAMETERS] +
           r->step.memory_bytes[RY_MEM_GRADIENTS] +
           r->step.memory_bytes[RY_MEM_OPTIMIZER];
}

/* Mixtral 8x7B: experts are 45.1 of 46.7e9 parameters: 32 layers x 8 experts x 3 x 4096 x
 * 14336.  With tp 8 and etp 1 a GPU keeps all of them: 90.2 GB at 2 B; with etp 8 or ep 8
 * an eighth, 11.3 GB.  The rest, 1.6e9, is cut by tp in each. */
START_TEST(experts_are_divided_by_ep_and_etp_and_never_by_tp_alone)
{
    const struct ry_design *design = design_of("{\"node\": \"DGX-H100\", \"nodes\": 1}");
    const struct ry_workload *workload = workload_of(PRETRAIN("mixtral-8x7b", ""));
    const double experts = 32.0 * 8.0 * 3.0 * 4096.0 * 14336.0;
    struct ry_strategy s = cut(8, 1, 1);
    s.etp = 1;
    const double whole =
        predict(design, workload, s).step.memory_bytes[RY_MEM_PARAMETERS];
    s.etp = 8;
    const double by_etp =
        predict(design, workload, s).step.memory_bytes[RY_MEM_PARAMETERS];
    s.etp = 1;
    s.ep = 8;
    const double by_ep =
        predict(design, workload, s).step.memory_bytes[RY_MEM_PARAMETERS];

    ck_assert_double_ge(whole, 2.0 * experts);
    ck_assert_rel(whole - by_etp, 2.0 * experts * 7.0 / 8.0, 1e-3);
    ck_assert_rel(by_ep, by_etp, 1e-3);
}
END_TEST

/* Llama-3-8B: a head of 128,256 x 4,096 is 6.5 % of the matrix FLOP. */
START_TEST(the_head_and_loss_are_priced_and_sit_on_the_last_stage)
{
    const struct ry_design *design = design_of(H100_NDR(1));
    const struct ry_workload *workload = workload_of(PRETRAIN("llama3-8b", ""));
    const struct ry_result r = predict(design, workload, cut(1, 1, 8));
    const double share = r.step.part_s[RY_PART_HEAD] / r.step.step_time_s;

    ck_assert_double_gt(share, 0.03);
    ck_assert_double_lt(share, 0.20);
    struct ry_workload wide = *workload;
    wide.arch.vocab *= 4;
    ck_assert_double_gt(predict(design, &wide, cut(1, 1, 8)).step.step_time_s,
                        r.step.step_time_s);
    /* with stages, the larger head makes the pipeline wait: it is not averaged away */
    const double even =
        predict(design, workload, cut(1, 4, 2)).step.part_s[RY_PART_BUBBLE];
    const double uneven =
        predict(design, &wide, cut(1, 4, 2)).step.part_s[RY_PART_BUBBLE];
    ck_assert_double_gt(uneven, even);
}
END_TEST

/* Megatron mixed precision: 2 B parameter + 4 B gradient + 12 B states / DP. */
START_TEST(the_distributed_optimizer_takes_six_and_twelve_over_dp)
{
    const struct ry_design *design = design_of(H100_NDR(8));
    const struct ry_workload *workload =
        workload_of(PRETRAIN("llama3-8b", ", \"preset\": \"megatron-core\""));
    const double parameters =
        predict(design, workload, cut(1, 1, 1)).step.memory_bytes[RY_MEM_PARAMETERS] /
        2.0;
    const unsigned dps[] = {1, 2, 8, 64};

    ck_assert_rel(parameters, 8.03e9, 0.005);
    for (size_t i = 0; i < 4; i++) {
        const struct ry_result r = predict(design, workload, cut(1, 1, dps[i]));
        ck_assert_rel(states_bytes(&r), parameters * (6.0 + 12.0 / dps[i]), 1e-6);
    }
}
END_TEST

/* A step's time may not depend on micro-batches in cost, only in value: 8 times the
 * batch on the same replicas takes 7 to 8.2 times as long, never the same. */
START_TEST(a_larger_batch_takes_longer_in_proportion)
{
    const struct ry_design *design = design_of(H100_NDR(8));
    const struct ry_workload *small = workload_of(PRETRAIN("llama3-8b", ""));
    const struct ry_workload *large =
        workload_of("{\"model\": \"llama3-8b\", \"seq\": 4096, \"global_batch\": 512,"
                    " \"tokens\": \"1B\"}");
    const double ratio = predict(design, large, cut(1, 1, 64)).step.step_time_s /
                         predict(design, small, cut(1, 1, 64)).step.step_time_s;

    ck_assert_double_gt(ratio, 6.0);
    ck_assert_double_lt(ratio, 8.2);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("peers");
    TCase *tcase = tcase_create("peers");

    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, open_library, close_library);
    tcase_add_test(tcase, an_indivisible_strategy_is_skipped_and_does_not_end_the_search);
    tcase_add_test(tcase, an_offloaded_optimizer_costs_its_copies_and_the_cpus_update);
    tcase_add_test(tcase, no_cost_of_a_parallelism_that_is_used_is_zero);
    tcase_add_test(tcase, the_parts_sum_to_the_step);
    tcase_add_test(tcase, a_design_too_large_to_lay_out_trains_and_is_refused);
    tcase_add_test(tcase, a_missing_price_is_never_a_zero);
    tcase_add_test(tcase, a_lower_bound_does_not_win_a_ranking_by_cost);
    tcase_add_test(tcase, every_input_that_should_matter_changes_the_step);
    tcase_add_test(tcase, more_bandwidth_never_slows_a_fixed_strategy);
    tcase_add_test(tcase, prices_never_change_times);
    tcase_add_test(tcase, a_group_over_two_levels_pays_for_both);
    tcase_add_test(tcase, latency_of_a_collective_grows_with_its_ranks);
    tcase_add_test(tcase, experts_are_divided_by_ep_and_etp_and_never_by_tp_alone);
    tcase_add_test(tcase, the_head_and_loss_are_priced_and_sit_on_the_last_stage);
    tcase_add_test(tcase, the_distributed_optimizer_takes_six_and_twelve_over_dp);
    tcase_add_test(tcase, a_larger_batch_takes_longer_in_proportion);
    suite_add_tcase(suite, tcase);
    return suite;
}
