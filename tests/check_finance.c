/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/finance.h"
#include "reference/money.h"
#include "unit.h"

START_TEST(capital_recovers_as_the_tables_say)
{
    ck_assert_rel(ry_capital_recovery_factor(0.08, 4), 0.3019208044540391, 1e-12);
    ck_assert_rel(ry_capital_recovery_factor(0.0, 4), 0.25, 1e-12);
    ck_assert_rel(ry_straight_line(100, 10, 5, 2).book_value_usd, 64.0, 1e-12);
}
END_TEST

/* Public H100 budget sheet, August 2024: 512 GPUs $46.9K, 1,024 GPUs $49.2K a GPU. */
START_TEST(the_h100_sheet_comes_out)
{
    const struct ry_capex big =
        ry_capex(&(struct ry_capex_input){128, 8, 310000, 48, 36000, 2560, 50000});
    const struct ry_capex small =
        ry_capex(&(struct ry_capex_input){64, 8, 310000, 8, 36000, 1320, 50000});

    ck_assert_rel(big.per_gpu_usd, 49247.5, 1e-9);
    ck_assert_rel(big.network_share_frac, 0.0825, 0.2); /* published 4 to 13 % */
    ck_assert_rel(small.per_gpu_usd, 46900.0, 1e-3);
    ck_assert_rel(ry_fractional_clos_switches(1024, 64, 2), 48.0, 1e-12);
}
END_TEST

/* DeepSeek-V3 (arXiv:2412.19437, table 1): 2,788K H800 hours at $2 are $5.576M. */
START_TEST(deepseek_v3_cost_5_576_million)
{
    ck_assert_rel((2664e3 + 119e3 + 5e3) * 2.0, 5.576e6, 1e-12);
    ck_assert_rel(ry_training_days(180e3, 2048), 3.7, 0.02); /* a trillion tokens */
}
END_TEST

/* Llama 3.1 405B: 30.84M H100 hours, 15.6T tokens, 400 TFLOP/s and 38-43 % MFU. */
START_TEST(llama_3_1_took_3_8e25_flop)
{
    const double flop = ry_training_flop(405e9, 15.6e12);

    ck_assert_rel(flop, 3.79e25, 2e-3);
    ck_assert_rel(ry_training_mfu_frac(flop, 30.84e6, 989e12), 0.345, 5e-3);
    ck_assert_rel(ry_training_days(30.84e6, 16384), 78.43, 1e-4);
    ck_assert_rel(ry_energy_kwh(700, 1, 30.84e6) / 1000, 21588.0, 1e-9);
}
END_TEST

START_TEST(an_owned_gpu_hour_costs_3_17_in_the_sheet)
{
    const struct ry_gpu_hour hour = ry_gpu_hour(
        &(struct ry_gpu_hour_input){24003840, 0.06, 3, 0.7, 512, 1275, 1.4, 0.12});

    ck_assert_rel(hour.annual_capital_usd, 8980072.08865435, 1e-12);
    ck_assert_rel(hour.usd_per_gpu_hour, 3.1662745104620074, 1e-12);
}
END_TEST

START_TEST(owning_breaks_even_only_when_rent_is_dearer)
{
    ck_assert_rel(ry_break_even_months(1e6, 1e4, 6e4), 20.0, 1e-12);
    ck_assert(isinf(ry_break_even_months(1e6, 6e4, 6e4)));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("finance");
    TCase *tcase = tcase_create("formulas");

    tcase_add_test(tcase, capital_recovers_as_the_tables_say);
    tcase_add_test(tcase, the_h100_sheet_comes_out);
    tcase_add_test(tcase, deepseek_v3_cost_5_576_million);
    tcase_add_test(tcase, llama_3_1_took_3_8e25_flop);
    tcase_add_test(tcase, an_owned_gpu_hour_costs_3_17_in_the_sheet);
    tcase_add_test(tcase, owning_breaks_even_only_when_rent_is_dearer);
    suite_add_tcase(suite, tcase);
    return suite;
}
