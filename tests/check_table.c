/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/table.h"
#include "report/table_fit.h"
#include "unit.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    enum ry_show show;
    double value;
    const char *text;
} shown[] = {
    {RY_SHOW_SECONDS, 1.2345, "1.23 s"},
    {RY_SHOW_SECONDS, 0.0456, "45.6 ms"},
    {RY_SHOW_SECONDS, 99e-9, "99.0 ns"},
    {RY_SHOW_SECONDS, 0.0, "0 s"},
    {RY_SHOW_SECONDS, 7200.0, "2.00 h"},
    {RY_SHOW_SECONDS, 86400.0 * 34.5, "34.5 d"},
    {RY_SHOW_SECONDS, 0.9999, "1.00 s"},
    {RY_SHOW_SECONDS, NAN, "-"},
    {RY_SHOW_WATTS, 12.34e6, "12.3 MW"},
    {RY_SHOW_WATTS, 999.9, "1.00 kW"},
    {RY_SHOW_WATTS, 0.0, "0 W"},
    {RY_SHOW_USD, 4.5e6, "$4.50 M"},
    {RY_SHOW_USD, 12345.0, "$12,345"},
    {RY_SHOW_USD, 250000.0, "$250 k"},
    {RY_SHOW_USD, -3.5, "-$3.50"},
    {RY_SHOW_USD, 0.0, "$0"},
    {RY_SHOW_BYTES, 150.1e9, "150.1 GB"},
    {RY_SHOW_BITS_PER_S, 50e9, "400 Gb/s"},
    {RY_SHOW_FRACTION, 0.4567, "45.7 %"},
    {RY_SHOW_FRACTION, 1.0, "100 %"},
    {RY_SHOW_COUNT, 1234567.0, "1,234,567"},
    {RY_SHOW_COUNT, 2.5, "2.5"},
    {RY_SHOW_SCALED, 70.56e9, "70.6 B"},
    {RY_SHOW_YEAR, 2024.0, "2024"},
    {RY_SHOW_NUMBER, 0.00012345, "0.0001234"},
    {RY_SHOW_FLOP_PER_S, 989.4e12, "989 TFLOP/s"},
    {RY_SHOW_BOOL, 1.0, "yes"},
};

START_TEST(people_see_few_digits_and_a_fitting_unit)
{
    char text[RY_NUMBER_BYTES];

    ck_assert_str_eq(ry_number_show(shown[_i].show, shown[_i].value, text),
                     shown[_i].text);
}
END_TEST

static const double exact[] = {0.1, 1.0 / 3.0, 150.1e9, 5e-324, 1.7976931348623157e308,
                               -0.0};

START_TEST(machines_read_the_same_number_back)
{
    char text[RY_NUMBER_BYTES];

    ck_assert_double_eq(strtod(ry_number_exact(exact[_i], text), NULL), exact[_i]);
}
END_TEST

static const struct ry_column columns[] = {
    {.key = "name", .title = "name"},
    {.key = "step_time_s", .title = "step", .show = RY_SHOW_SECONDS},
    {.key = "fits", .title = "fits", .show = RY_SHOW_BOOL},
    {.key = "note"},
};

static char *printed(enum ry_table_format format, const char *name, const char *note)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_table *table = ry_table_create(arena, columns, 4);
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(out);
    ry_table_row(table, (struct ry_cell[]){RY_TEXT(name), RY_NUM(0.0456), RY_NUM(1.0),
                                           RY_TEXT(note)});
    ry_table_row(
        table, (struct ry_cell[]){RY_TEXT("b"), RY_NUM(NAN), RY_NUM(NAN), RY_TEXT(NULL)});
    ck_assert_int_eq(ry_table_print(table, out, format, NULL), RY_OK);
    (void)fclose(out);
    ry_arena_destroy(arena);
    return text;
}

START_TEST(one_description_prints_as_table)
{
    char *text = printed(RY_TABLE_HUMAN, "\xc3\xa9t\xc3\xa9", "x");
    ck_assert_str_eq(
        text, "name    step fits\n\xc3\xa9t\xc3\xa9  45.6 ms  yes\nb          -    -\n");
    free(text);
}
END_TEST

START_TEST(a_hostile_name_does_not_reach_the_terminal)
{
    char *text = printed(RY_TABLE_HUMAN, "\x1b[31m\xff", "x");
    ck_assert_ptr_null(strchr(text, '\x1b'));
    ck_assert_ptr_nonnull(strstr(text, "\\x1b[31m\\xff"));
    free(text);
}
END_TEST

START_TEST(one_description_prints_as_json)
{
    char *text = printed(RY_TABLE_JSON, "a\"b\\c\n\xff", "x");
    ck_assert_str_eq(
        text, "[\n  {\"name\": \"a\\\"b\\\\c\\u000a\\ufffd\", \"step_time_s\": 0.0456, "
              "\"fits\": true, \"note\": \"x\"},\n  {\"name\": \"b\", \"step_time_s\": "
              "null, \"fits\": null, \"note\": null}\n]\n");
    free(text);
}
END_TEST

START_TEST(one_description_prints_as_csv)
{
    char *text = printed(RY_TABLE_CSV, "a,\"b\"", "=1+1");
    ck_assert_str_eq(text, "name,step_time_s,fits,note\r\n\"a,\"\"b\"\"\",0.0456,true,"
                           "\"'=1+1\"\r\nb,,,\r\n");
    free(text);
}
END_TEST

START_TEST(a_row_that_does_not_fit_is_reported)
{
    struct ry_arena *arena = ry_arena_create(64 * 1024);
    struct ry_table *table = ry_table_create(arena, columns, 4);

    for (int i = 0; i < 2000; i++)
        ry_table_row(table, (struct ry_cell[]){RY_TEXT("a"), RY_NUM(1.0), RY_NUM(1.0),
                                               RY_TEXT(NULL)});
    ck_assert_int_eq(ry_table_print(table, stdout, RY_TABLE_CSV, NULL), RY_ERR_NOMEM);
    ry_arena_destroy(arena);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* Worked by hand: the words, and where a line of that width ends. */
static const struct {
    const char *text;
    size_t width;
    const char *folded;
} folds[] = {
    {"tp8 pp2 vpp4 dp16", 8, "tp8 pp2\nvpp4\ndp16"},
    {"tp8 pp2", 7, "tp8 pp2"},
    {"catalog/switches.csv:4", 12, "catalog/\nswitches.csv\n:4"},
    {"abcdefgh", 3, "abc\ndef\ngh"},
    {"caf\xc3\xa9 caf\xc3\xa9", 4, "caf\xc3\xa9\ncaf\xc3\xa9"},
    {"\xe4\xb8\xad\xe6\x96\x87", 3, "\xe4\xb8\xad\n\xe6\x96\x87"}, /* two cells each */
    {"a\nb", 9, "a\nb"},
    {"", 9, ""},
};

static void use_utf8(void)
{
    ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
}

START_TEST(a_text_is_broken_at_words)
{
    struct ry_arena *arena = ry_arena_create(0);

    use_utf8();
    ck_assert_str_eq(ry_text_folded(arena, folds[_i].text, folds[_i].width),
                     folds[_i].folded);
    ry_arena_destroy(arena);
}
END_TEST

static const struct ry_column five[] = {
    {.key = "rank", .title = "#", .show = RY_SHOW_COUNT},
    {.key = "name", .title = "name"},
    {.key = "hidden"},
    {.key = "power", .title = "power", .show = RY_SHOW_WATTS, .less = 2},
    {.key = "note", .title = "note"},
    {.key = "days", .title = "days", .show = RY_SHOW_COUNT},
};
enum { FIVE = sizeof(five) / sizeof(five[0]) };

/* Natural widths 1, 20, -, 7, 30, 4 and four gaps: 66.  Below, the widest text gives
 * first (note to 20, then both); a name keeps 18 and a note 12: 46 is the least for all;
 * then power goes (38), then days from the right (33), then note (20). */
static const struct {
    size_t width;
    size_t want[FIVE];
} fits[] = {
    {66, {1, 20, 0, 7, 30, 4}}, {56, {1, 20, 0, 7, 20, 4}}, {54, {1, 19, 0, 7, 19, 4}},
    {46, {1, 18, 0, 7, 12, 4}}, {45, {1, 18, 0, 0, 19, 4}}, {37, {1, 18, 0, 0, 16, 0}},
    {20, {1, 18, 0, 0, 0, 0}},
};

START_TEST(a_narrow_terminal_takes_from_texts_then_columns)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_table *table = ry_table_create(arena, five, FIVE);
    struct ry_table_fit fit;
    size_t sum = 0;

    use_utf8();
    ry_table_row(table, (struct ry_cell[]){RY_NUM(1), RY_TEXT("twenty-letters-name-"),
                                           RY_TEXT("not seen"), RY_NUM(99.9e3),
                                           RY_TEXT("a note that is thirty letters."),
                                           RY_NUM(999)});
    ck_assert_int_eq(ry_table_fit(arena, table, fits[_i].width, &fit), RY_OK);
    for (size_t i = 0; i < FIVE; i++) {
        ck_assert_msg(fit.width[i] == fits[_i].want[i], "%zu: column %zu is %zu",
                      fits[_i].width, i, fit.width[i]);
        sum += fit.width[i] + (fit.width[i] > 0);
    }
    ck_assert_uint_le(sum - 1, fits[_i].width);
    ry_arena_destroy(arena);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("table");
    TCase *tcase = tcase_create("table");

    tcase_add_loop_test(tcase, people_see_few_digits_and_a_fitting_unit, 0, COUNT(shown));
    tcase_add_loop_test(tcase, machines_read_the_same_number_back, 0, COUNT(exact));
    tcase_add_loop_test(tcase, a_text_is_broken_at_words, 0, COUNT(folds));
    tcase_add_loop_test(tcase, a_narrow_terminal_takes_from_texts_then_columns, 0,
                        COUNT(fits));
    tcase_add_test(tcase, one_description_prints_as_table);
    tcase_add_test(tcase, a_hostile_name_does_not_reach_the_terminal);
    tcase_add_test(tcase, one_description_prints_as_json);
    tcase_add_test(tcase, one_description_prints_as_csv);
    tcase_add_test(tcase, a_row_that_does_not_fit_is_reported);
    suite_add_tcase(suite, tcase);
    return suite;
}
