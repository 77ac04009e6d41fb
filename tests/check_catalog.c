/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arena_fixture.h"
#include "catalog/currency.h"
#include "catalog/price.h"
#include "io/catalog_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ry_catalog catalog;

static const char *source_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];

    (void)snprintf(path, sizeof(paths[0]), "%s/%s", getenv("RAILYARD_DATA"), name);
    return path;
}

static void load(const char *own, const char *prices)
{
    const struct ry_catalog_sources sources = {.own = own ? source_folder(own) : NULL,
                                               .prices =
                                                   prices ? source_folder(prices) : NULL};

    ck_assert_int_eq(ry_catalog_load(arena, &sources, &problems, &catalog), RY_OK);
}

START_TEST(the_shipped_catalog_is_read_and_consistent)
{
    load(NULL, NULL);
    for (int kind = 0; kind < RY_KIND_COUNT; kind++) {
        ck_assert_uint_ge(catalog.parts[kind].n, 14);
        ry_catalog_check(&catalog, (enum ry_kind)kind, &problems);
    }
    ck_assert_msg(problems.count == 0, "%s: %s", problems.diags[0].where,
                  problems.diags[0].text);
}
END_TEST

START_TEST(numbers_are_in_si_and_names_ignore_case)
{
    load(NULL, NULL);
    const struct ry_gpu *h200 = ry_find_gpu(&catalog, "h200-sxm-141gb");
    const struct ry_node *dgx = ry_find_node(&catalog, "DGX-H100");
    const struct ry_pdu *pdu = ry_find_pdu(&catalog, "APC-AP8841");

    ck_assert_ptr_nonnull(h200);
    ck_assert_rel(h200->hbm_usable_bytes, 150.1e9, 1e-12); /* measured */
    ck_assert_rel(h200->bf16_flop_per_s, 989.4e12, 1e-12);
    ck_assert_rel(dgx->scaleout_nic_bytes_per_s, 50e9, 1e-12); /* 400 Gb/s */
    ck_assert_rel(dgx->power_max_w, 10200.0, 1e-12);
    ck_assert_rel(pdu->usable_w, 4990.0, 1e-12);
    ck_assert(isnan(h200->c2c_bytes_per_s));
    ck_assert_ptr_null(ry_find_gpu(&catalog, "H100"));
    ck_assert_str_eq(ry_catalog_nearest(&catalog, RY_KIND_NODE, "DGX-H10"), "DGX-H100");
}
END_TEST

START_TEST(a_node_without_a_price_is_gpus_and_a_base_system)
{
    char origin[RY_PRICE_ORIGIN_BYTES];
    load(NULL, NULL);
    const struct ry_price node =
        ry_price_find(&catalog, RY_KIND_NODE, "PowerEdge-XE9680-H100");
    const struct ry_price gpu = ry_price_find(&catalog, RY_KIND_GPU, "H100-SXM5-80GB");

    /* by hand: 8 x 30000 + 70000; low 8 x 24000 + 49000, high 8 x 36000 + 105000 */
    ck_assert_int_eq(node.kind, RY_PRICE_ESTIMATE);
    ck_assert_int_eq(gpu.kind, RY_PRICE_ESTIMATE);
    ck_assert_rel(node.usd, 310000.0, 1e-12);
    ck_assert_rel(node.low_usd, 241000.0, 1e-12);
    ck_assert_rel(node.high_usd, 393000.0, 1e-12);
    ck_assert_ptr_nonnull(strstr(ry_price_origin(&node, origin),
                                 "8 x H100-SXM5-80GB at $30000 + base system $70000"));
}
END_TEST

static const struct {
    enum ry_kind kind;
    const char *name;
    enum ry_price_kind price;
} kinds[] = {
    {RY_KIND_NODE, "DGX-B200", RY_PRICE_LISTED},
    {RY_KIND_NODE, "DGX-H100", RY_PRICE_ESTIMATE},
    {RY_KIND_NODE, "GB200-NVL72-rack", RY_PRICE_ESTIMATE},
    {RY_KIND_NODE, "HPE-ProLiant-DL380a-Gen12", RY_PRICE_ESTIMATE}, /* GPU by sibling */
    {RY_KIND_NODE, "AWS-p5.48xlarge", RY_PRICE_NONE},               /* rented */
    {RY_KIND_NODE, "GB200-NVL72-compute-tray", RY_PRICE_NONE},      /* sold as a rack */
    {RY_KIND_NODE, "TPU-v5p-host", RY_PRICE_NONE},
    {RY_KIND_GPU, "GB200-GPU", RY_PRICE_NONE},
    {RY_KIND_SWITCH, "HPE-Slingshot-switch", RY_PRICE_NONE},
    {RY_KIND_SWITCH, "Dell-Z9664F-ON", RY_PRICE_ESTIMATE}, /* by Tb/s */
    {RY_KIND_SWITCH, "FS-N9600-64OD", RY_PRICE_LISTED},
    {RY_KIND_RACK, "no-such-rack", RY_PRICE_NONE},
};

START_TEST(a_price_says_what_it_is)
{
    load(NULL, NULL);
    const struct ry_price price = ry_price_find(&catalog, kinds[_i].kind, kinds[_i].name);
    ck_assert_int_eq(price.kind, kinds[_i].price);
    ck_assert(isnan(price.usd) == (price.kind == RY_PRICE_NONE));
}
END_TEST

START_TEST(no_price_is_zero_and_every_range_holds_its_price)
{
    load(NULL, NULL);
    for (int kind = 0; kind < RY_KIND_COUNT; kind++) {
        const struct ry_part *part = NULL;
        for (size_t i = 0; (part = ry_catalog_at(&catalog, (enum ry_kind)kind, i)); i++) {
            const struct ry_price p = ry_price_of(&catalog, (enum ry_kind)kind, part);
            if (p.kind == RY_PRICE_NONE)
                ck_assert(isnan(p.usd) && isnan(p.low_usd) && isnan(p.high_usd));
            else
                ck_assert(0.0 < p.low_usd && p.low_usd <= p.usd && p.usd <= p.high_usd);
        }
    }
}
END_TEST

START_TEST(the_users_parts_override_by_name)
{
    load("tests/catalog/own", NULL);
    const struct ry_node *dgx = ry_find_node(&catalog, "DGX-H100");
    const struct ry_price price = ry_price_of(&catalog, RY_KIND_NODE, &dgx->part);

    ck_assert_rel(price.usd, 275000.0, 1e-12);
    ck_assert_int_eq(price.kind, RY_PRICE_LISTED);
    ck_assert_rel(price.high_usd, 275000.0, 1e-12);  /* one's own price is exact */
    ck_assert_rel(dgx->power_max_w, 10200.0, 1e-12); /* an empty cell changes nothing */
    ck_assert(dgx->part.own);
    ck_assert_ptr_nonnull(ry_find_node(&catalog, "my-node"));
    /* 8 x 26000 + 70000: the node follows the user's GPU price */
    ck_assert_rel(ry_price_find(&catalog, RY_KIND_NODE, "HGX-H100-8-generic-8U").usd,
                  278000.0, 1e-12);
}
END_TEST

START_TEST(a_quote_overrides_and_says_where_it_is_from)
{
    char origin[RY_PRICE_ORIGIN_BYTES];
    load(NULL, "tests/catalog/quote.csv");
    const struct ry_price price = ry_price_find(&catalog, RY_KIND_NODE, "DGX-B200");

    ck_assert_int_eq(price.kind, RY_PRICE_QUOTE);
    ck_assert_rel(price.usd, 401500.0, 1e-12);
    ck_assert_rel(price.low_usd, 401500.0, 1e-12);
    ck_assert_ptr_nonnull(
        strstr(ry_price_origin(&price, origin), "Example Systems, offer 17, 2026-11-02"));
    /* DGX-H200 = 8 x 29500 + 70000 */
    ck_assert_rel(ry_price_find(&catalog, RY_KIND_NODE, "DGX-H200").usd, 306000.0, 1e-12);
}
END_TEST

/* 250,000 EUR at 1.175 are 293,750 USD; --exchange goes before the catalog's rate. */
START_TEST(a_quote_in_euros_is_converted_and_says_by_which_rate)
{
    char origin[RY_PRICE_ORIGIN_BYTES];
    struct ry_catalog_sources sources = {
        .prices = source_folder("tests/catalog/quote-eur.csv")};

    ck_assert_int_eq(ry_catalog_load(arena, &sources, &problems, &catalog), RY_OK);
    const struct ry_node *dgx = ry_find_node(&catalog, "DGX-H100");
    struct ry_price price = ry_price_of(&catalog, RY_KIND_NODE, &dgx->part);
    ck_assert_int_eq(price.kind, RY_PRICE_QUOTE);
    ck_assert_rel(price.usd, 293750.0, 1e-12);
    ck_assert_ptr_nonnull(strstr(ry_price_origin(&price, origin),
                                 "250000 EUR, 1 EUR = 1.175 USD of 2025-12-31"));
    ck_assert_rel(dgx->part.lead_time_weeks, 14.0, 1e-12);
    ck_assert_ptr_null(catalog.shown);
    sources.exchange = "EUR=1.2@2026-11-27,gbp=1.4";
    sources.currency = "eur";
    ck_assert_int_eq(ry_catalog_load(arena, &sources, &problems, &catalog), RY_OK);
    price = ry_price_find(&catalog, RY_KIND_NODE, "DGX-H100");
    ck_assert_rel(price.usd, 300000.0, 1e-12);
    ck_assert_ptr_nonnull(strstr(ry_price_origin(&price, origin),
                                 "1 EUR = 1.2 USD of 2026-11-27 (--exchange)"));
    ck_assert_rel(ry_in_currency(catalog.shown, price.usd), 250000.0, 1e-12);
    ck_assert_rel(ry_find_currency(&catalog, "GBP")->usd_per_unit, 1.4, 1e-12);
}
END_TEST

static const struct {
    const char *exchange, *currency, *prices, *says;
} no_rates[] = {
    {"EUX=1.2", NULL, NULL, "no exchange rate of 'EUX', did you mean 'EUR'?"},
    {"EUR", NULL, NULL, "'EUR' is not CODE=USD@DATE"},
    {"EUR=0", NULL, NULL, "'EUR=0' is not CODE=USD@DATE"},
    {"EUR=nan", NULL, NULL, "'EUR=nan' is not CODE=USD@DATE"},
    {"EUR=1.2@tomorrow", NULL, NULL, "'tomorrow' is not a date"},
    {"EUR=1.2@2026-02-29", NULL, NULL, "'2026-02-29' is not a date"},
    {"EUR=1.2,eur=1.3", NULL, NULL, "EUR is given twice"},
    {"USD=2", NULL, NULL, "'USD=2': rates are in dollars"},
    {NULL, "XYZ", NULL, "no exchange rate of 'XYZ'"},
    {NULL, NULL, "tests/catalog/bad/quote-currency.csv", "no exchange rate of 'Euro'"},
    {NULL, NULL, "tests/catalog/bad/quote-both.csv", "price_usd is in dollars"},
    {NULL, NULL, "tests/catalog/bad/quote-none.csv",
     "'price' without a column 'currency'"},
};

START_TEST(no_money_is_converted_without_a_rate)
{
    const struct ry_catalog_sources sources = {
        .exchange = no_rates[_i].exchange,
        .currency = no_rates[_i].currency,
        .prices = no_rates[_i].prices ? source_folder(no_rates[_i].prices) : NULL};

    ck_assert_int_ne(ry_catalog_load(arena, &sources, &problems, &catalog), RY_OK);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_msg(strstr(problems.diags[0].text, no_rates[_i].says) != NULL, "%s",
                  problems.diags[0].text);
}
END_TEST

static const struct {
    const char *where;
    const char *says;
} found[] = {
    {"nodes.csv:1", "unknown column 'vendr', did you mean 'vendor'?"},
    {"switches.csv:2: power_max_w", "'1e400' is not a plain number"},
    {"switches.csv:2: verified", "'maybe' is not yes or no"},
    {"switches.csv:3", "5 cells, the header has 6 columns"},
    {"switches.csv:3: ports", "-1 is not between 1 and 10000"},
    {"switches.csv:3: power_max_w", "'12 kW' is not a plain number"},
    {"switches.csv:4: name", "'one' stands twice, first on line 2"},
    {"switches.csv:5: name", "is empty"},
    {"racks.csv:2", "a quoted cell does not end"},
    {"quote.csv:2: name", "no part is called 'DGX-B2000', did you mean 'DGX-B200'?"},
    {"quote.csv:3: price_usd", "'401,500' is not a plain number"},
    {"quote.csv:4: date", "is not a date"},
    {"quote.csv:4: source", "is empty"},
    {"quote.csv:4: price_usd", "0 is not between 0.01 and"},
};

START_TEST(every_mistake_has_file_line_column_and_value)
{
    const struct ry_catalog_sources sources = {
        .own = source_folder("tests/catalog/bad"),
        .prices = source_folder("tests/catalog/bad/quote.csv")};
    size_t hits = 0;

    ck_assert_int_eq(ry_catalog_load(arena, &sources, &problems, &catalog),
                     RY_ERR_SYNTAX);
    for (size_t i = 0; i < problems.count; i++) {
        const char *where = problems.diags[i].where;
        const size_t end = strlen(found[_i].where);
        hits += strlen(where) > end &&
                strcmp(where + strlen(where) - end, found[_i].where) == 0 &&
                strstr(problems.diags[i].text, found[_i].says);
    }
    ck_assert_uint_eq(hits, 1);
    ck_assert_uint_eq(problems.count, sizeof(found) / sizeof(found[0]));
}
END_TEST

START_TEST(check_finds_what_does_not_add_up)
{
    struct ry_csv csv = {0};
    static const char text[] = "name,gpu_model,power_max_w,power_typ_w,price_usd,"
                               "unverified_fields,source,verified\n"
                               "n,H100-SXM5-80G,100,200,0,prize_usd,s,yes\n";

    load(NULL, NULL);
    ck_assert_int_eq(ry_csv_parse(arena, "n.csv", text, strlen(text), &problems, &csv),
                     RY_OK);
    ry_catalog_take(arena, &catalog, RY_KIND_NODE, &csv, true, &problems);
    ck_assert_uint_eq(problems.count, 0);
    ry_catalog_check(&catalog, RY_KIND_NODE, &problems);
    ck_assert_uint_eq(problems.count, 4);
    ck_assert_str_eq(problems.diags[0].text, "n: power_typ_w is above power_max_w");
    ck_assert_ptr_nonnull(
        strstr(problems.diags[3].text, "did you mean 'H100-SXM5-80GB'?"));
}
END_TEST

START_TEST(a_folder_without_catalog_files_is_an_error)
{
    const struct ry_catalog_sources sources = {.own = "/"};

    ck_assert_int_eq(ry_catalog_load(arena, &sources, &problems, &catalog),
                     RY_ERR_NOTFOUND);
}
END_TEST

START_TEST(every_allocation_failure_ends_with_a_problem)
{
    const struct ry_catalog_sources sources = {
        .own = source_folder("tests/catalog/own"),
        .prices = source_folder("tests/catalog/quote.csv")};
    enum ry_err err = RY_ERR_NOMEM;
    size_t failures = 0;

    for (size_t limit = 1; err != RY_OK; limit += 64 * 1024) {
        struct ry_arena *small = ry_arena_create(limit);
        ck_assert_ptr_nonnull(small);
        problems.count = 0;
        err = ry_catalog_load(small, &sources, &problems, &catalog);
        ck_assert((err == RY_OK) == (problems.count == 0));
        failures += err != RY_OK;
        ry_arena_destroy(small);
    }
    ck_assert_uint_ge(failures, 5);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("catalog");
    TCase *tcase = tcase_create("catalog");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_shipped_catalog_is_read_and_consistent);
    tcase_add_test(tcase, numbers_are_in_si_and_names_ignore_case);
    tcase_add_test(tcase, a_node_without_a_price_is_gpus_and_a_base_system);
    tcase_add_loop_test(tcase, a_price_says_what_it_is, 0, COUNT(kinds));
    tcase_add_test(tcase, no_price_is_zero_and_every_range_holds_its_price);
    tcase_add_test(tcase, the_users_parts_override_by_name);
    tcase_add_test(tcase, a_quote_in_euros_is_converted_and_says_by_which_rate);
    tcase_add_loop_test(tcase, no_money_is_converted_without_a_rate, 0,
                        (int)(sizeof(no_rates) / sizeof(no_rates[0])));
    tcase_add_test(tcase, a_quote_overrides_and_says_where_it_is_from);
    tcase_add_loop_test(tcase, every_mistake_has_file_line_column_and_value, 0,
                        COUNT(found));
    tcase_add_test(tcase, check_finds_what_does_not_add_up);
    tcase_add_test(tcase, a_folder_without_catalog_files_is_an_error);
    tcase_add_test(tcase, every_allocation_failure_ends_with_a_problem);
    suite_add_tcase(suite, tcase);
    return suite;
}
