/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Total cost, the bill, and a vendor's quote against it. */
#include "base/arena.h"
#include "cost/bom.h"
#include "cost/finance.h"
#include "cost/tco.h"
#include "unit.h"

#include <string.h>

static struct ry_rated rate(double value)
{
    return (struct ry_rated){value, NAN, NAN, "test"};
}

/* The public sheet's 64 nodes, with nothing but capital and energy. */
static struct ry_tco_input sheet(void)
{
    return (struct ry_tco_input){.hardware_usd = rate(24003840.0),
                                 .network_usd = rate(0.0),
                                 .facility_usd = rate(0.0),
                                 .facility_life_years = 15.0,
                                 .install_usd = rate(0.0),
                                 .gpus = 512.0,
                                 .nodes = 64.0,
                                 .years = 3.0,
                                 .discount_frac = 0.06,
                                 .utilisation_frac = 0.7,
                                 .depreciation_years = 5.0,
                                 .energy_w = 512.0 * 1275.0,
                                 .pue = 1.4,
                                 .usd_per_kwh = rate(0.12),
                                 .power_reserved_w = 652800.0,
                                 .colocation_usd_per_kw_month = rate(0.0),
                                 .maintenance_frac = rate(0.0),
                                 .network_maintenance_frac = rate(0.0),
                                 .facility_maintenance_frac = rate(0.0),
                                 .staff_usd_per_year = rate(0.0),
                                 .nodes_per_staff = rate(400.0),
                                 .network_staff_per_1000_gpus = rate(0.0),
                                 .software_usd_per_gpu_year = rate(0.0),
                                 .kg_co2_per_kwh = rate(0.37),
                                 .litres_per_kwh = rate(1.8),
                                 .rent_usd_per_gpu_hour = rate(5.0)};
}

static double line_usd(const struct ry_tco *tco, const char *name)
{
    for (size_t i = 0; i < tco->n; i++) {
        if (strcmp(tco->at[i].name, name) == 0)
            return tco->at[i].usd;
    }
    return -1.0;
}

/* Two ways to the same: recovery factor of the capital, and present value of cash. */
START_TEST(a_gpu_hour_is_the_one_of_the_closed_formula)
{
    const struct ry_tco_input in = sheet();
    struct ry_tco tco;

    ry_tco(&in, &tco);
    ck_assert_rel(tco.usd_per_gpu_hour, 3.1662745104620074, 1e-12);
    ck_assert_rel(tco.financing_usd_per_year, 8980072.08865435, 1e-12);
    ck_assert_rel(line_usd(&tco, "energy"), 960712.704, 1e-12);
    ck_assert_uint_eq(tco.unknown, 0);
}
END_TEST

START_TEST(every_line_counts_and_the_sum_is_theirs)
{
    struct ry_tco_input in = sheet();
    struct ry_tco tco;

    in.discount_frac = 0.0;
    in.hardware_usd = rate(1e6);
    in.network_usd = (struct ry_rated){2e5, 1e5, 4e5, "quote"};
    in.tax_frac = 0.05;
    in.residual_frac = 0.1;
    in.colocation_usd_per_kw_month = rate(184.06);
    in.maintenance_frac = rate(0.08);
    in.network_maintenance_frac = rate(0.1);
    in.staff_usd_per_year = rate(110000.0);
    in.network_staff_per_1000_gpus = rate(2.0);
    in.software_usd_per_gpu_year = rate(4500.0);
    ry_tco(&in, &tco);
    ck_assert_rel(line_usd(&tco, "tax and duty"), 6e4, 1e-12);
    ck_assert_rel(line_usd(&tco, "resale"), -1.2e5, 1e-12);
    ck_assert_rel(line_usd(&tco, "colocation"), 652.8 * 12 * 184.06, 1e-12);
    ck_assert_rel(line_usd(&tco, "staff, nodes"), 64.0 / 400 * 110000, 1e-12);
    ck_assert_rel(line_usd(&tco, "staff, network"), 0.512 * 2 * 110000, 1e-12);
    double sum = 0.0;
    for (size_t i = 0; i < tco.n; i++)
        sum += tco.at[i].total_usd;
    ck_assert_rel(tco.total_usd, sum, 1e-12);
    ck_assert_rel(tco.total_usd, tco.nominal_usd, 1e-12); /* undiscounted */
    ck_assert(tco.low_usd < tco.total_usd && tco.total_usd < tco.high_usd);
}
END_TEST

/* A million of hardware for five years, anew after three: sold then at 0.46 and, two
 * years old, at 0.60 at the end.  By hand: 1 + 1 - 0.46 - 0.60; at 10 % 1 + 0.54 / 1.331
 * - 0.60 / 1.61051. */
START_TEST(an_upgrade_is_paid_and_what_it_replaces_is_sold)
{
    struct ry_tco_input in = sheet();
    struct ry_tco tco;

    in.hardware_usd = rate(1e6);
    in.energy_w = 0.0;
    in.years = 5.0;
    in.refresh_years = 3.0;
    in.discount_frac = 0.0;
    in.resale_refresh_frac = (struct ry_rated){0.46, 0.30, 0.55, "row"};
    in.resale_end_frac = rate(0.60);
    ry_tco(&in, &tco);
    ck_assert_rel(line_usd(&tco, "upgrade of hardware"), 1e6, 1e-12);
    ck_assert_rel(line_usd(&tco, "resale of what it replaces"), -4.6e5, 1e-12);
    ck_assert_rel(line_usd(&tco, "resale, hardware"), -6e5, 1e-12);
    ck_assert_rel(tco.total_usd, 0.94e6, 1e-12);
    ck_assert_rel(tco.low_usd, 0.85e6, 1e-12); /* sold dear: 0.55 */
    ck_assert_rel(tco.capital_usd, 1e6, 1e-12);
    in.discount_frac = 0.1;
    ry_tco(&in, &tco);
    ck_assert_rel(tco.total_usd, 1e6 * (1.0 + 0.54 / 1.331 - 0.60 / 1.61051), 1e-9);
    in.refresh_years = 5.0; /* falls on the end: nothing is bought */
    ry_tco(&in, &tco);
    ck_assert_double_eq(line_usd(&tco, "upgrade of hardware"), -1.0);
}
END_TEST

/* Rent of 0.3 M a year against 1 M at once and 0.54 M more after three years: not yet
 * paid back at 3 years (0.9), then at 1.54 / 0.3 = 5.133 years, or never within five. */
START_TEST(the_break_even_knows_of_upgrades)
{
    struct ry_tco_input in = sheet();
    struct ry_tco tco;

    in.hardware_usd = rate(1e6);
    in.energy_w = 0.0;
    in.discount_frac = 0.0;
    in.years = 6.0;
    in.refresh_years = 3.0;
    in.resale_refresh_frac = rate(0.46);
    in.rent_usd_per_gpu_hour = rate(3e5 / (512.0 * 8760.0 * 0.7));
    ry_tco(&in, &tco);
    ck_assert_rel(tco.break_even_months, 12.0 * 1.54 / 0.3, 1e-9);
    in.years = 5.0;
    ry_tco(&in, &tco);
    ck_assert(isinf(tco.break_even_months));
    in.rent_usd_per_gpu_hour =
        rate(4e5 / (512.0 * 8760.0 * 0.7)); /* before the upgrade */
    ry_tco(&in, &tco);
    ck_assert_rel(tco.break_even_months, 30.0, 1e-9);
}
END_TEST

START_TEST(what_is_unknown_is_said_and_is_not_zero)
{
    struct ry_tco_input in = sheet();
    struct ry_tco tco;

    in.usd_per_kwh = rate(NAN);
    in.rent_usd_per_gpu_hour = rate(NAN);
    ry_tco(&in, &tco);
    ck_assert_uint_eq(tco.unknown, 1);
    ck_assert(isnan(line_usd(&tco, "energy")));
    ck_assert_rel(tco.total_usd, 24003840.0, 1e-12);
    ck_assert(isnan(tco.break_even_months));
    in.software_usd_per_gpu_year = rate(NAN); /* not given: no price, and counted apart */
    ry_tco(&in, &tco);
    ck_assert(isnan(line_usd(&tco, "software")));
    ck_assert_uint_eq(tco.unknown, 1);
    ck_assert_uint_eq(tco.not_given, 1);
}
END_TEST

/* 512 x 8760 x 0.7 h x $5 = $15.70M a year of rent; owning runs at $0.96M a year. */
START_TEST(owning_pays_back_after_20_months_at_5_dollars)
{
    const struct ry_tco_input in = sheet();
    struct ry_tco tco;

    ry_tco(&in, &tco);
    ck_assert_rel(tco.rent_usd_per_year, 15697920.0, 1e-12);
    ck_assert_rel(tco.break_even_months, 24003840.0 / ((15697920.0 - 960712.704) / 12),
                  1e-12);
    ck_assert_rel(tco.kg_co2_per_year, 512 * 1.275 * 1.4 * 8760 * 0.37, 1e-12);
    const struct ry_training_bill bill = ry_training_bill(&in, &tco, 1e12, 1e6, 1.0);
    ck_assert_rel(bill.days, 1e6 / 86400, 1e-12);
    ck_assert_rel(bill.usd, 1e6 / 3600 * 512 * 3.1662745104620074, 1e-12);
}
END_TEST

static struct ry_bom_price price(double usd)
{
    return (struct ry_bom_price){usd,    0.8 * usd, 1.2 * usd, 2026,
                                 "list", "test",    false,     NULL};
}

static struct ry_bom bill(struct ry_arena *arena)
{
    struct ry_bom bom = {.arena = arena};
    const struct ry_bom_line lines[] = {
        {RY_BOM_NODE, "DGX-H100", "", "", 32, 1, 8, NAN, price(310000), 12, "quote",
         NULL},
        {RY_BOM_SWITCH, "QM9700", "", "", 12, 0, 0, NAN, price(50000), 20, "press", NULL},
        {RY_BOM_CABLE, "Fiber-MPO12-SMF-trunk", "", "", 250, 6, 0, 10, price(162), NAN,
         "", NULL},
        {RY_BOM_CABLE, "Fiber-MPO12-SMF-trunk", "", "", 100, 0, 0, 15, price(173), NAN,
         "", NULL},
        {RY_BOM_POWER, "APC-AP8888", "", "", 24, 0, 0, NAN, ry_bom_no_price(), NAN, "",
         NULL},
        {RY_BOM_RACK, "Nothing", "", "", 0, 0, 0, NAN, price(1), NAN, "", NULL},
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        ck_assert_int_eq(ry_bom_add(&bom, &lines[i], NULL), RY_OK);
    return bom;
}

START_TEST(a_bill_adds_up_and_counts_what_has_no_price)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_bom bom = bill(arena);
    const struct ry_bom_sums sums = ry_bom_sums(&bom);

    ck_assert_uint_eq(sums.lines, 5);
    ck_assert_uint_eq(sums.without_price, 1);
    ck_assert_rel(sums.usd, 25 * 310e3 + 12 * 50e3 + 256 * 162 + 100 * 173, 1e-12);
    ck_assert_rel(sums.network_usd, 12 * 50e3 + 256 * 162 + 100 * 173, 1e-12);
    ck_assert_rel(sums.high_usd, 1.2 * sums.usd, 1e-12);
    ck_assert(sums.category_without_price[RY_BOM_POWER]);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(the_longest_lead_is_of_what_is_ordered)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_bom bom = bill(arena);
    size_t open = 0;

    /* switches 20 weeks, nodes 12; two lines of fibre and the PDUs have none given */
    ck_assert_str_eq(ry_bom_longest_lead(&bom, &open)->part, "QM9700");
    ck_assert_uint_eq(open, 3);
    bom.at[1].owned = 12; /* nothing to wait for */
    ck_assert_str_eq(ry_bom_longest_lead(&bom, &open)->part, "DGX-H100");
    bom.at[0].within = "the building's price"; /* nor what somebody else brings */
    ck_assert_ptr_null(ry_bom_longest_lead(&bom, &open));
    ck_assert_double_eq(ry_bom_ordered(&bom.at[0]), 0.0);
    ck_assert_rel(ry_bom_sums(&bom).usd, 256.0 * 162 + 100 * 173, 1e-12);
    ry_arena_destroy(arena);
}
END_TEST

static size_t found(const struct ry_quote_findings *findings, enum ry_quote_issue issue,
                    const char *part)
{
    size_t n = 0;

    for (size_t i = 0; i < findings->n; i++)
        n += findings->at[i].issue == issue && strcmp(findings->at[i].part, part) == 0;
    return n;
}

START_TEST(a_quote_is_compared_line_by_line)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_bom bom = bill(arena);
    struct ry_quote_line rows[] = {
        {"DGX-H100", 25, price(310000), NAN, 2, NULL, NULL},
        {"QM9790", 12, price(36000), NAN, 3, NULL, NULL}, /* for QM9700 */
        {"Fiber-MPO12-SMF-trunk", 256, price(500), NAN, 4, NULL,
         NULL}, /* 356 wanted, too dear */
        {"APC-AP8888", 24, price(2000), NAN, 5, NULL, NULL},
        {"APC-AP8888", 24, price(2000), NAN, 6, NULL, NULL}, /* twice */
        {"Espresso-machine", 1, price(3000), NAN, 7, NULL, NULL},
    };
    struct ry_quote_findings findings;

    ck_assert_int_eq(
        ry_bom_reconcile(arena, &bom, &(struct ry_quote){"q", 6, rows}, &findings, NULL),
        RY_OK);
    ck_assert_uint_eq(findings.n, 5);
    ck_assert_uint_eq(found(&findings, RY_QUOTE_TYPE, "QM9700"), 1);
    ck_assert_uint_eq(found(&findings, RY_QUOTE_COUNT, "Fiber-MPO12-SMF-trunk"), 1);
    ck_assert_uint_eq(found(&findings, RY_QUOTE_PRICE, "Fiber-MPO12-SMF-trunk"), 1);
    ck_assert_uint_eq(found(&findings, RY_QUOTE_DOUBLED, "APC-AP8888"), 1);
    ck_assert_uint_eq(found(&findings, RY_QUOTE_EXTRA, "Espresso-machine"), 1);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(what_is_not_ordered_and_every_price_of_a_part_is_compared)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_bom bom = bill(arena);
    struct ry_quote_line rows[] = {
        {"DGX-H100", 20, price(310000), NAN, 2, NULL, NULL},
        {"DGX-H100", 5, price(900000), NAN, 3, NULL,
         NULL}, /* the sum is right, one dear */
        {"QM9700", 12, price(50000), NAN, 4, NULL, NULL},
        {"Fiber-MPO12-SMF-trunk", 356, price(162), NAN, 5, NULL, NULL},
        {"APC-AP8888", 24, price(2000), NAN, 6, NULL, NULL},
    };
    struct ry_quote_findings findings;

    bom.at[1].within = "the rack's price"; /* and the vendor wants money for it */
    ck_assert_int_eq(
        ry_bom_reconcile(arena, &bom, &(struct ry_quote){"q", 5, rows}, &findings, NULL),
        RY_OK);
    ck_assert_uint_eq(findings.n, 2);
    ck_assert_uint_eq(found(&findings, RY_QUOTE_PRICE, "DGX-H100"), 1);
    ck_assert_uint_eq(found(&findings, RY_QUOTE_EXTRA, "QM9700"), 1);
    ck_assert_str_eq(findings.at[1].text,
                     "row 4 has 12, none is ordered: the rack's price");
    ry_arena_destroy(arena);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("tco");
    TCase *tcase = tcase_create("money");

    tcase_add_test(tcase, a_gpu_hour_is_the_one_of_the_closed_formula);
    tcase_add_test(tcase, every_line_counts_and_the_sum_is_theirs);
    tcase_add_test(tcase, an_upgrade_is_paid_and_what_it_replaces_is_sold);
    tcase_add_test(tcase, the_break_even_knows_of_upgrades);
    tcase_add_test(tcase, what_is_unknown_is_said_and_is_not_zero);
    tcase_add_test(tcase, owning_pays_back_after_20_months_at_5_dollars);
    tcase_add_test(tcase, a_bill_adds_up_and_counts_what_has_no_price);
    tcase_add_test(tcase, the_longest_lead_is_of_what_is_ordered);
    tcase_add_test(tcase, a_quote_is_compared_line_by_line);
    tcase_add_test(tcase, what_is_not_ordered_and_every_price_of_a_part_is_compared);
    suite_add_tcase(suite, tcase);
    return suite;
}
