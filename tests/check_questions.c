/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The questions that people ask before they buy, with models, batches and speeds stated.
 * Expected values are bounds worked by hand beside each test. */
#include "plan_fixture.h"

#define PRETRAIN_70B(strategy)                                                           \
    "{\"model\": \"llama3-70b\", \"task\": \"pretrain\", \"seq\": 8192,"                 \
    " \"global_batch\": 512, \"tokens\": \"15T\", \"precision\": \"bf16\","              \
    " \"strategy\": " strategy "}"

/* 70.6e9 parameters at 18 B (2 parameter, 4 gradient, 12 Adam) are 1,270 GB; eight A100
 * hold 8 x 85 GB. */
START_TEST(llama_70b_from_scratch_does_not_fit_eight_a100)
{
    const struct ry_case c =
        evaluate("{\"node\": \"DGX-A100-640GB\", \"nodes\": 1}", PRETRAIN_70B("{}"));

    ck_assert(!c.feasible);
    printf("# %s\n", c.why);
    ck_assert_ptr_nonnull(strstr(c.why, "GB"));
    ck_assert_uint_eq(c.best.evaluated, 0);
    ck_assert_uint_gt(c.best.infeasible, 0);
}
END_TEST

/* With the optimizer's 847 GB in 2 TB of host memory it fits, and takes for ever:
 * 6 x 70.6e9 x 15e12 FLOP at eight times the peak of 312 TFLOP/s are 80.6 years; twice
 * that at 50 % MFU. */
START_TEST(with_optimizer_offload_it_fits_and_takes_more_than_a_lifetime)
{
    const struct ry_case c = evaluate("{\"node\": \"DGX-A100-640GB\", \"nodes\": 1}",
                                      PRETRAIN_70B("{\"offload_optimizer\": [0, 1]}"));
    const double years = c.result.days / 365.25;

    ck_assert(c.feasible);
    ck_assert_double_gt(c.result.strategy.offload_optimizer_frac, 0.0);
    ck_assert_double_gt(c.result.step.host_bytes, 70e9 * 12);
    printf("# %.0f years\n", years);
    ck_assert_double_gt(years, 80.6);
    ck_assert_double_lt(years, 300.0);
}
END_TEST

START_TEST(offload_does_not_fit_where_the_host_memory_is_small)
{
    const struct ry_case c =
        evaluate("{\"node\": {\"base\": \"DGX-A100-640GB\", \"ram_bytes\": \"512 GB\"},"
                 " \"nodes\": 1}",
                 PRETRAIN_70B("{\"offload_optimizer\": 1}"));

    ck_assert(!c.feasible);
    printf("# %s\n", c.why);
    ck_assert_ptr_nonnull(strstr(c.why, "host"));
}
END_TEST

/* One NVLink node against eight nodes with one GPU and one 400G NIC each; Llama-3-70B,
 * one sequence of 8,192 tokens a micro-batch, 8 a step, bf16 with frozen weights (LoRA)
 * and fp8 pre-training.  By hand, fp8: 8,192 tokens are 0.43 PFLOP a GPU, 0.36 s at 1.2
 * PFLOP/s; 4 all-reduces of 134 MB in each of 80 layers are 0.19 s at 400 GB/s of bus
 * bandwidth and 1.56 s at 48 GB/s. */
START_TEST(tensor_parallel_across_ethernet_nodes_is_three_times_slower)
{
    const struct ry_design *inside = design_of("{\"node\": \"DGX-H100\", \"nodes\": 1}");
    const struct ry_design *across = design_of(
        "{\"node\": {\"base\": \"DGX-H100\", \"gpu_count\": 1, \"fabric\": \"pcie\"},"
        " \"nodes\": 8, \"nics\": {\"part\": \"ConnectX-7-400G-1P-OSFP\","
        " \"per_node\": 1}, \"fabric\": {\"technology\": \"roce\", \"leaf\": "
        "\"SN5600\"}}");
    const struct ry_workload *workload =
        workload_of("{\"model\": \"llama3-70b\", \"seq\": 8192, \"global_batch\": 8, "
                    "\"tokens\": \"1B\","
                    " \"precision\": \"fp8\"}");
    const struct ry_strategy tp8 = {.tp = 8,
                                    .pp = 1,
                                    .vpp = 1,
                                    .dp = 1,
                                    .cp = 1,
                                    .ep = 1,
                                    .micro_batch = 1,
                                    .tp_overlap = true,
                                    .sequence_parallel = true};
    const double fast = predict(inside, workload, tp8).step.step_time_s;
    const double slow = predict(across, workload, tp8).step.step_time_s;

    printf("# %.2f s inside NVLink, %.2f s across nodes: %.1f times\n", fast, slow,
           slow / fast);
    ck_assert_double_gt(slow, 3.0 * fast);
}
END_TEST

/* Llama-3-8B, full fine-tuning, plain data parallel, 64 GPUs, batch 512 of 4,096. */
START_TEST(data_parallel_fine_tuning_of_8b_loses_little_on_ethernet)
{
    const char *workload =
        "{\"model\": \"llama3-8b\", \"task\": \"sft\", \"seq\": 4096,"
        " \"global_batch\": 512, \"tokens\": \"1B\","
        " \"strategy\": {\"tp\": 1, \"pp\": 1, \"cp\": 1, \"dp\": 64}}";
    const struct ry_case ib = evaluate(H100_NDR(8), workload);
    const struct ry_case roce = evaluate(H100_ROCE(8), workload);

    ck_assert(ib.feasible && roce.feasible);
    printf("# InfiniBand %.3f s, Ethernet %.3f s\n", ib.result.step.step_time_s,
           roce.result.step.step_time_s);
    ck_assert_double_lt(roce.result.step.step_time_s, 1.10 * ib.result.step.step_time_s);
    ck_assert_double_ge(roce.result.step.step_time_s, 0.999 * ib.result.step.step_time_s);
}
END_TEST

#define SFT_8B                                                                           \
    "{\"model\": \"llama3-8b\", \"task\": \"sft\", \"seq\": 4096,"                       \
    " \"global_batch\": 256, \"tokens\": \"1B\"}"

static struct ry_case node_at_price(const char *node, double usd)
{
    char text[256];

    (void)snprintf(text, sizeof(text),
                   "{\"node\": {\"base\": \"%s\", \"price_usd\": %.2f}, \"nodes\": 1}",
                   node, usd);
    return evaluate(text, SFT_8B);
}

/* Peaks are 989 against 312 TFLOP/s, memory 3.35 against 2.04 TB/s: the speed ratio lies
 * between 1.64 and 3.17.  The price ratio at which the answer turns is that and a bit
 * more: for the same tokens the H100 also takes less power and space (10.2 kW against 6.5
 * kW times the speed ratio). */
START_TEST(h100_beats_a100_a_dollar_up_to_a_price_ratio_and_not_beyond)
{
    const double a100_usd = 150000.0;
    const struct ry_case a100 = node_at_price("DGX-A100-640GB", a100_usd);
    const double target = a100.result.usd_per_trillion_tokens;
    double low = 0.5;
    double high = 10.0;

    ck_assert(a100.feasible);
    for (int i = 0; i < 40; i++) {
        const double ratio = (low + high) / 2.0;
        const struct ry_case h100 = node_at_price("DGX-H100", ratio * a100_usd);
        if (h100.result.usd_per_trillion_tokens < target)
            low = ratio;
        else
            high = ratio;
    }
    printf("# H100 pays up to %.2f times the price of an A100 node of $150,000\n", low);
    ck_assert_double_gt(low, 1.64);
    ck_assert_double_lt(low, 4.5);
    ck_assert_double_lt(
        node_at_price("DGX-H100", 0.95 * low * a100_usd).result.usd_per_trillion_tokens,
        target);
    ck_assert_double_gt(
        node_at_price("DGX-H100", 1.05 * low * a100_usd).result.usd_per_trillion_tokens,
        target);
}
END_TEST

/* 64 GPUs, one strategy: what the job loses when NCCL silently takes sockets. */
START_TEST(a_fall_back_to_sockets_costs_what_the_exposed_traffic_says)
{
    const struct ry_workload *workload =
        workload_of("{\"model\": \"llama3-8b\", \"task\": \"sft\", \"seq\": 4096,"
                    " \"global_batch\": 64, \"tokens\": \"1B\"}");
    const struct ry_strategy fsdp = {.tp = 1,
                                     .pp = 1,
                                     .vpp = 1,
                                     .dp = 64,
                                     .cp = 1,
                                     .ep = 1,
                                     .micro_batch = 1,
                                     .zero_stage = 3,
                                     .fsdp = true,
                                     .dp_overlap = true};
    const struct ry_result rdma = predict(design_of(H100_ROCE(8)), workload, fsdp);
    const struct ry_result socket = predict(design_of(H100_TCP(8)), workload, fsdp);

    printf("# RDMA %.3f s, sockets %.3f s: %.2f times\n", rdma.step.step_time_s,
           socket.step.step_time_s, socket.step.step_time_s / rdma.step.step_time_s);
    ck_assert_double_gt(socket.step.step_time_s, 1.3 * rdma.step.step_time_s);
    ck_assert_double_gt(socket.step.part_s[RY_PART_DP], rdma.step.part_s[RY_PART_DP]);
}
END_TEST

/* Frozen weights need no weight gradients: counting them would pass the peak. */
START_TEST(lora_does_not_count_gradients_of_frozen_weights_as_work)
{
    const struct ry_case c =
        evaluate("{\"node\": \"DGX-A100-640GB\", \"nodes\": 1}",
                 "{\"model\": \"llama3-70b\", \"task\": \"lora\", \"seq\": 4096,"
                 " \"global_batch\": 64, \"tokens\": \"1B\"}");

    ck_assert(c.feasible);
    ck_assert_double_gt(c.result.mfu_frac, 0.3);
    ck_assert_double_lt(c.result.mfu_frac, 0.85);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("questions");
    TCase *tcase = tcase_create("questions");

    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, open_library, close_library);
    tcase_add_test(tcase, llama_70b_from_scratch_does_not_fit_eight_a100);
    tcase_add_test(tcase, with_optimizer_offload_it_fits_and_takes_more_than_a_lifetime);
    tcase_add_test(tcase, offload_does_not_fit_where_the_host_memory_is_small);
    tcase_add_test(tcase, tensor_parallel_across_ethernet_nodes_is_three_times_slower);
    tcase_add_test(tcase, data_parallel_fine_tuning_of_8b_loses_little_on_ethernet);
    tcase_add_test(tcase, h100_beats_a100_a_dollar_up_to_a_price_ratio_and_not_beyond);
    tcase_add_test(tcase, a_fall_back_to_sockets_costs_what_the_exposed_traffic_says);
    tcase_add_test(tcase, lora_does_not_count_gradients_of_frozen_weights_as_work);
    suite_add_tcase(suite, tcase);
    return suite;
}
