/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotes in, workbooks out, and the rates of a cost. */
#include "base/arena.h"
#include "cost/owning.h"
#include "io/catalog_csv.h"
#include "io/quote_file.h"
#include "report/table_rows.h"
#include "report/xlsx.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ry_arena *arena;
static struct ry_problems problems;
static struct ry_catalog rates;
static char path[] = "check_quote.XXXXXX";

static void setup(void)
{
    arena = ry_arena_create(0);
    memset(&problems, 0, sizeof(problems));
    (void)strcpy(path, "check_quote.XXXXXX");
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(close(fd), 0);
}

static void teardown(void)
{
    ry_arena_destroy(arena);
    (void)remove(path);
}

static enum ry_err read_text(const char *text, struct ry_quote *quote)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    if (ry_catalog_load(arena, &(struct ry_catalog_sources){0}, &problems, &rates) !=
        RY_OK)
        ck_abort_msg("no catalog");
    return ry_quote_read(arena, &rates, path, &problems, quote);
}

START_TEST(a_quote_is_read_as_vendors_write_it)
{
    struct ry_quote quote;

    ck_assert_int_eq(read_text("SKU,Qty,Unit price,Lead time\r\n"
                               "QM9700,12,\"$49,500.00\",10\r\n"
                               ",,,\r\n"
                               "SN2201,2,,\r\n",
                               &quote),
                     RY_OK);
    ck_assert_uint_eq(quote.n, 2);
    ck_assert_str_eq(quote.at[0].part, "QM9700");
    ck_assert_rel(quote.at[0].quantity, 12.0, 1e-12);
    ck_assert_rel(quote.at[0].price.usd, 49500.0, 1e-12);
    ck_assert_rel(quote.at[0].lead_time_weeks, 10.0, 1e-12);
    ck_assert(isnan(quote.at[1].price.usd));
}
END_TEST

START_TEST(every_mistake_of_a_quote_is_named)
{
    struct ry_quote quote = {0};

    ck_assert_int_eq(
        read_text("part,quantity,price\nA,many,1\nB,-2,1\nC,3,1e999\n", &quote),
        RY_ERR_SYNTAX);
    ck_assert_uint_eq(problems.count, 3);
    ck_assert_ptr_nonnull(strstr(problems.diags[0].text, "'many'"));
    ck_assert_uint_eq(quote.n, 0);
    memset(&problems, 0, sizeof(problems));
    ck_assert_int_eq(read_text("thing,number\nA,1\n", &quote), RY_ERR_SYNTAX);
    ck_assert_uint_eq(problems.count, 2); /* no part, no quantity */
}
END_TEST

/* 250,000 EUR at 1.175, 12,000 GBP at 1.34655. */
START_TEST(a_quote_in_other_currencies_is_converted_and_says_so)
{
    struct ry_quote quote;

    ck_assert_int_eq(read_text("part,qty,unit price,currency\n"
                               "DGX-H100,32,\"250,000\",EUR\nSN2201,2,12000,gbp\n"
                               "QM9700,12,36000,USD\nX,1,5,\n",
                               &quote),
                     RY_OK);
    ck_assert_rel(quote.at[0].price.usd, 293750.0, 1e-12);
    ck_assert_str_eq(quote.at[0].said, "250000 EUR = $293750");
    ck_assert_rel(quote.at[1].price.usd, 12000 * 1.34655, 1e-12);
    ck_assert_rel(quote.at[2].price.usd, 36000.0, 1e-12);
    ck_assert_str_eq(quote.at[2].said, "$36000");
    ck_assert_ptr_null(quote.at[3].currency);
}
END_TEST

static const struct {
    const char *text, *says;
} misread[] = {
    {"part,qty,price\nA,1,\"1.250,00\"\n", "'1.250,00' is not a number"},
    {"part,qty,price\nA,1,\"1,25\"\n", "'1,25' is not a number"},
    {"part,qty,price\nA,1,\"1,2500\"\n", "'1,2500' is not a number"},
    {"part,qty,price\nA,1,\",250\"\n", "',250' is not a number"},
    {"part,qty,price\nA,1,0x10\n", "'0x10' is not a number"},
    {"part,qty,price\nA,1,nan\n", "'nan' is not a number"},
    {"part,qty,price\nA,1,-5\n", "'-5' is not a number"},
    {"part,qty,price\nA,1.5,5\n", "qty 1.5 is not a whole number"},
    {"part,qty,price\nA,1,1.250,00\n", "4 cells, the header has 3"},
    {"part,qty,price,currency\nA,1,5,Euro\n", "no exchange rate of 'Euro'"},
    {"part,qty,price_usd,currency\nA,1,5,EUR\n", "a price in dollars by its column"},
};

START_TEST(a_figure_that_reads_two_ways_is_refused)
{
    struct ry_quote quote = {0};

    ck_assert_int_ne(read_text(misread[_i].text, &quote), RY_OK);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_msg(strstr(problems.diags[0].text, misread[_i].says) != NULL, "%s",
                  problems.diags[0].text);
}
END_TEST

START_TEST(a_workbook_is_written_whole_and_holds_no_formula)
{
    static const struct ry_column columns[] = {{.key = "text"},
                                               {.key = "value", .show = RY_SHOW_NUMBER}};
    struct ry_table *table = ry_table_create(arena, columns, 2);
    char start[2] = "";

    ry_table_row(table, (struct ry_cell[]){RY_TEXT("=cmd|'/c calc'!A1"), RY_NUM(1.5)});
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(NULL), RY_NUM(NAN)});
    ck_assert_int_eq(ry_xlsx_write(path, &(struct ry_sheet){"bill", table}, 1, NULL),
                     RY_OK);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(start, 1, 2, file), 2);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(start[0] == 'P' && start[1] == 'K'); /* a zip archive */
    ck_assert_int_eq(
        ry_xlsx_write("/nonexistent/x.xlsx", &(struct ry_sheet){"bill", table}, 1, NULL),
        RY_ERR_IO);
    table->failed = true; /* a row found no memory */
    ck_assert_int_eq(ry_xlsx_write(path, &(struct ry_sheet){"bill", table}, 1, NULL),
                     RY_ERR_NOMEM);
}
END_TEST

START_TEST(a_rate_brings_its_range_and_source)
{
    struct ry_catalog catalog;

    ck_assert_int_eq(
        ry_catalog_load(arena, &(struct ry_catalog_sources){0}, &problems, &catalog),
        RY_OK);
    const struct ry_rated rate =
        ry_rate_of(arena, &catalog, "maintenance:server hardware support (OEM)", 0.01);
    ck_assert_rel(rate.value, 0.08, 1e-12);
    ck_assert_rel(rate.low, 0.05, 1e-12);
    ck_assert_ptr_nonnull(strstr(rate.source, "estimate"));
    ck_assert(isnan(ry_rate_of(arena, &catalog, "no:such", 1.0).value));
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("quote");
    TCase *tcase = tcase_create("files");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_quote_is_read_as_vendors_write_it);
    tcase_add_test(tcase, every_mistake_of_a_quote_is_named);
    tcase_add_test(tcase, a_quote_in_other_currencies_is_converted_and_says_so);
    tcase_add_loop_test(tcase, a_figure_that_reads_two_ways_is_refused, 0,
                        (int)(sizeof(misread) / sizeof(misread[0])));
    tcase_add_test(tcase, a_workbook_is_written_whole_and_holds_no_formula);
    tcase_add_test(tcase, a_rate_brings_its_range_and_source);
    suite_add_tcase(suite, tcase);
    return suite;
}
