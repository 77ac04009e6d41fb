/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/html.h"
#include "report/say.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBSP "\xc2\xa0"
#define DASH "\xe2\x80\x93"

/* What the design of the page asks for: three digits, no-break space, en dash. */
static const struct {
    enum ry_say kind;
    double value;
    const char *text;
} said[] = {
    {RY_SAY_USD, 496217.0, "$496" NBSP "k"},
    {RY_SAY_USD, 30429700.0, "$30.4" NBSP "M"},
    {RY_SAY_USD, 3.00221, "$3.00"},
    {RY_SAY_USD, 999600.0, "$1.00" NBSP "M"},
    {RY_SAY_USD, 0.0, "$0"},
    {RY_SAY_USD_FULL, 12400000.0, "$12,400,000"},
    {RY_SAY_USD_FULL, 82.5, "$82.50"},
    {RY_SAY_SECONDS, 16.9, "16.9" NBSP "s"},
    {RY_SAY_SECONDS, 573.5, "574" NBSP "s"},
    {RY_SAY_SECONDS, 0.0456, "45.6" NBSP "ms"},
    {RY_SAY_DAYS, 47.58, "47.6" NBSP "days"},
    {RY_SAY_DAYS, 729.0, "729" NBSP "days"},
    {RY_SAY_DAYS, 3214.2, "8.8" NBSP "years"},
    {RY_SAY_FRACTION, 0.356243, "35.6" NBSP "%"},
    {RY_SAY_FRACTION, 0.05, "5.0" NBSP "%"},
    {RY_SAY_FRACTION, 0.0009, "0.09" NBSP "%"},
    {RY_SAY_WATTS, 571550.0, "572" NBSP "kW"},
    {RY_SAY_KILOGRAMS, 1360.0, "1,360" NBSP "kg"},
    {RY_SAY_COUNT, 1024.0, "1,024"},
    {RY_SAY_SCALED, 486450.0, "486" NBSP "k"},
    {RY_SAY_BITS_PER_S, 50e9, "400" NBSP "Gb/s"},
    {RY_SAY_PLAIN, 0.851107, "0.851"},
    {RY_SAY_USD, (double)NAN, DASH},
    {RY_SAY_DAYS, INFINITY, "no limit"},
    {RY_SAY_USD, -3500.0, "\xe2\x88\x92$3.50" NBSP "k"},
};

START_TEST(a_number_is_said_with_three_digits_and_its_unit)
{
    char text[RY_SAY_BYTES_MOST];

    ck_assert_str_eq(ry_say(said[_i].kind, said[_i].value, text), said[_i].text);
}
END_TEST

START_TEST(a_range_has_one_unit_and_one_scale)
{
    char text[RY_SAY_BYTES_MOST];

    ck_assert_str_eq(ry_say_range(RY_SAY_USD, 395e3, 632e3, text),
                     "$395" DASH "632" NBSP "k");
    ck_assert_str_eq(ry_say_range(RY_SAY_USD, 9.8e5, 36.5e6, text),
                     "$1.0" DASH "36.5" NBSP "M");
    ck_assert_str_eq(ry_say_range(RY_SAY_DAYS, 41.2, 56.1, text),
                     "41.2" DASH "56.1" NBSP "days");
    ck_assert_str_eq(ry_say_range(RY_SAY_USD, 67213.0, 67213.0, text), "$67.2" NBSP "k");
    ck_assert_str_eq(ry_say_range(RY_SAY_USD, (double)NAN, 1.0, text), DASH);
}
END_TEST

/* What a writer leaves in a file. */
static const char *written(void (*write)(FILE *out, const char *text), const char *text,
                           char got[256])
{
    FILE *file = tmpfile();

    ck_assert_ptr_nonnull(file);
    write(file, text);
    rewind(file);
    got[fread(got, 1, 255, file)] = '\0';
    (void)fclose(file);
    return got;
}

START_TEST(text_is_never_markup)
{
    char got[256];

    ck_assert_str_eq(written(ry_html_text, "<script>alert(\"1\")</script>&'", got),
                     "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;");
    ck_assert_str_eq(written(ry_html_text, "=cmd() \xc3\xa9 \xff\x01", got),
                     "=cmd() \xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd");
    ck_assert_str_eq(written(ry_html_json_text, "</script><!--\"\\\n", got),
                     "\"\\u003c/script\\u003e\\u003c!--\\u0022\\u005c\\u000a\"");
}
END_TEST

static void put_example(FILE *out, const char *text)
{
    ry_html(out, "<b title=\"%s\">%zu %%</b>", text, (size_t)7);
}

START_TEST(values_in_markup_are_escaped)
{
    char got[256];

    ck_assert_str_eq(written(put_example, "\"><i>", got),
                     "<b title=\"&quot;&gt;&lt;i&gt;\">7 %</b>");
}
END_TEST

static void put_slot(FILE *out, const char *name, const void *ctx)
{
    (void)ctx;
    (void)fprintf(out, "[%s]", name);
}

static void put_template(FILE *out, const char *text)
{
    const struct ry_text whole = {text, strlen(text)};

    ry_html_template(out, &whole, put_slot, NULL);
}

START_TEST(a_template_is_copied_around_its_slots)
{
    char got[256];

    ck_assert_str_eq(written(put_template, "a{{b}}c{{d}}e}} {{f", got),
                     "a[b]c[d]e}} {{f");
    ck_assert_str_eq(written(put_template, "", got), "");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("page");
    TCase *tc = tcase_create("page");

    tcase_add_loop_test(tc, a_number_is_said_with_three_digits_and_its_unit, 0,
                        sizeof(said) / sizeof(said[0]));
    tcase_add_test(tc, a_range_has_one_unit_and_one_scale);
    tcase_add_test(tc, text_is_never_markup);
    tcase_add_test(tc, values_in_markup_are_escaped);
    tcase_add_test(tc, a_template_is_copied_around_its_slots);
    suite_add_tcase(suite, tc);
    return suite;
}
