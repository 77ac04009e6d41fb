/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arena_fixture.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum ry_err parse_bytes(const char *data, size_t bytes, struct ry_json *root)
{
    return ry_json_parse(arena, &(struct ry_json_text){"a.json", data, bytes},
                         &ry_json_default_limits, &problems, root);
}

static struct ry_json parse(const char *data)
{
    struct ry_json root = {0};
    ck_assert_int_eq(parse_bytes(data, strlen(data), &root), RY_OK);
    return root;
}

START_TEST(a_document_reads_back_with_types_and_order)
{
    const struct ry_json root = parse(
        "{\"z\": [1, -2.5e3, \"x\\u00e9\", true, null, {}, []], \"a\": {\"k\": 7}}");

    ck_assert_int_eq(ry_json_type(root), RY_JSON_OBJECT);
    ck_assert_uint_eq(ry_json_size(root), 2);
    ck_assert_str_eq(ry_json_key(ry_json_at(root, 0)), "z");
    const struct ry_json list = ry_json_get(root, "z");
    ck_assert_uint_eq(ry_json_size(list), 7);
    ck_assert_double_eq(ry_json_as_number(ry_json_at(list, 1), 0.0), -2500.0);
    ck_assert_str_eq(ry_json_as_text(ry_json_at(list, 2), ""), "x\xc3\xa9");
    ck_assert(ry_json_as_bool(ry_json_at(list, 3), false));
    ck_assert_int_eq(ry_json_type(ry_json_at(list, 4)), RY_JSON_NULL);
    ck_assert_int_eq(ry_json_type(ry_json_at(list, 7)), RY_JSON_ABSENT);
    ck_assert_double_eq(ry_json_number(ry_json_get(root, "a"), "k", 0.0), 7.0);
    ck_assert_uint_eq(problems.count, 0);
}
END_TEST

START_TEST(absent_and_null_give_the_fallback_without_a_problem)
{
    const struct ry_json root = parse("{\"a\": null}");
    const struct ry_json none = ry_json_get(ry_json_get(root, "b"), "c");

    ck_assert_double_eq(ry_json_number(root, "a", 4.0), 4.0);
    ck_assert_double_eq(ry_json_quantity(none, "d", RY_DIM_WATTS, 5.0), 5.0);
    ck_assert_str_eq(ry_json_text(none, "d", "x"), "x");
    ck_assert(!ry_json_has(root, "a"));
    ck_assert_uint_eq(ry_json_size(none), 0);
    ck_assert_uint_eq(problems.count, 0);
}
END_TEST

START_TEST(quantities_are_numbers_in_si_or_strings_with_a_unit)
{
    const struct ry_json root = parse("{\"a\": 5e10, \"b\": \"400 Gb/s\"}");

    ck_assert_double_eq(ry_json_quantity(root, "a", RY_DIM_BYTES_PER_S, 0), 5e10);
    ck_assert_rel(ry_json_quantity(root, "b", RY_DIM_BYTES_PER_S, 0), 5e10, 1e-12);
}
END_TEST

/* A text that is refused: what the one diagnostic says of it. */
static const struct {
    const char *text;
    const char *where;
    const char *says;
} refused[] = {
    {"", "a.json:1", "is empty"},
    {"  \n ", "a.json:2", "is empty"},
    {"{", "a.json:1", "the text ends within a list"},
    {"\xef\xbb\xbf{}", "a.json:1", "byte order mark"},
    {"[\"\xff\"]", "a.json:1", "invalid UTF-8"},
    {"[\"\xed\xa0\x80\"]", "a.json:1", "invalid UTF-8"},
    {"[\"\xc0\xaf\"]", "a.json:1", "invalid UTF-8"},
    {"[\"a\nb\"]", "a.json:1", "does not end on its line"},
    {"[\"a\\u0000b\"]", "a.json:1", "\\u0000"},
    {"{\n\"a\": NaN}", "a.json:2", "'NaN' is not a JSON value"},
    {"[Infinity]", "a.json:1", "'Infinity' is not a JSON value"},
    {"[1e400]", "a.json:1", "'1e400' does not fit a double"},
    {"[01]", "a.json:1", "'01' is not a JSON value"},
    {"[+1]", "a.json:1", "'+1' is not a JSON value"},
    {"[1.]", "a.json:1", "'1.' is not a JSON value"},
    {"[0x10]", "a.json:1", "'0x10' is not a JSON value"},
    {"{} {}", "a.json:1", "text after the end"},
    {"[1]\n\n x", "a.json:3", "'x' is not a JSON value"},
    {"{\"a\": 1\n \"b\": 2}", "a.json:2", "',' or ':' or a bracket"},
    {"[1,]", "a.json:1", "missing after ','"},
    {"{'a': 1}", "a.json:1", "not JSON: '''"},
    {"[\"\\x\"]", "a.json:1", "not JSON"},
    {"{\"a\": 1,\n \"b\": 2, \"a\": 3}", "a.json:2: /a", "stands twice, first on line 1"},
};

START_TEST(a_bad_text_is_refused_with_one_line)
{
    struct ry_json root = {0};

    ck_assert_int_ne(parse_bytes(refused[_i].text, strlen(refused[_i].text), &root),
                     RY_OK);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.diags[0].where, refused[_i].where);
    ck_assert_msg(strstr(problems.diags[0].text, refused[_i].says) != NULL, "%s",
                  problems.diags[0].text);
    ck_assert_ptr_null(root.node);
}
END_TEST

START_TEST(a_nul_byte_is_refused)
{
    struct ry_json root = {0};

    ck_assert_int_eq(parse_bytes("[1,\0 2]", 7, &root), RY_ERR_SYNTAX);
    ck_assert_str_eq(problems.diags[0].text, "a NUL byte");
}
END_TEST

/* A wrong value of {"a": VALUE}: what reading it as something says. */
static const struct {
    const char *text;
    char kind;
    const char *says;
} wrong[] = {
    {"{\"a\": \"4 kg\"}", 'q', "'4 kg' is not a number and a unit such as W"},
    {"{\"a\": [4]}", 'q', "a list is not a number or a string with a unit"},
    {"{\"a\": -4}", 'q', "-4 is negative"},
    {"{\"a\": \"x\"}", 'n', "'x' is not a number"},
    {"{\"a\": 1.5}", 'c', "1.5 is not a whole number"},
    {"{\"a\": 99}", 'c', "99 is not between 1 and 8"},
    {"{\"a\": -1}", 'c', "-1 is not between 1 and 8"},
    {"{\"a\": 3}", 't', "3 is not a string"},
    {"{\"a\": {}}", 't', "an object is not a string"},
    {"{\"a\": 1}", 'b', "1 is not true or false"},
    {"{\"a\": \"read\"}", 'o', "'read' is unknown, did you mean 'red'? (red, blue)"},
    {"{\"a\": \"zzzzzz\"}", 'o', "'zzzzzz' is not one of red, blue"},
    {"{\"a\": \"\\u001b[31m\\n\"}", 'n', "'?[31m?' is not a number"},
};

static void read_as(struct ry_json root, char kind)
{
    static const char *const colours[] = {"red", "blue", NULL};

    switch (kind) {
    case 'q':
        ck_assert_double_eq(ry_json_quantity(root, "a", RY_DIM_WATTS, 9.0), 9.0);
        break;
    case 'n':
        ck_assert_double_eq(ry_json_number(root, "a", 9.0), 9.0);
        break;
    case 'c':
        ck_assert_uint_eq(ry_json_count(root, "a", (struct ry_json_bounds){1, 8}, 9), 9);
        break;
    case 't':
        ck_assert_ptr_null(ry_json_text(root, "a", NULL));
        break;
    case 'b':
        ck_assert(ry_json_bool(root, "a", true));
        break;
    default:
        ck_assert_int_eq(ry_json_choice(root, "a", colours, 9), 9);
    }
}

START_TEST(a_wrong_value_is_a_problem_and_gives_the_fallback)
{
    read_as(parse(wrong[_i].text), wrong[_i].kind);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.diags[0].text, wrong[_i].says);
    ck_assert_str_eq(problems.diags[0].where, "a.json:1: /a");
}
END_TEST

START_TEST(unknown_keys_name_the_nearest_known_and_their_line)
{
    static const char *const known[] = {"nodes", "fabric", NULL};
    const struct ry_json root = parse("{\"nodes\": 1,\n \"fabrik\": 2,\n\n \"q/~\": 3}");

    ry_json_known_keys(root, known);
    ck_assert_uint_eq(problems.count, 2);
    ck_assert_str_eq(problems.diags[0].where, "a.json:2: /fabrik");
    ck_assert_str_eq(problems.diags[0].text, "unknown key, did you mean 'fabric'?");
    ck_assert_str_eq(problems.diags[1].where, "a.json:4: /q~1~0");
    ck_assert_str_eq(problems.diags[1].text, "unknown key");
}
END_TEST

START_TEST(a_needed_key_that_is_absent_or_null_is_a_problem)
{
    const struct ry_json root = parse("{\"list\": [{\"x\": null}]}");
    const struct ry_json first = ry_json_at(ry_json_get(root, "list"), 0);

    (void)ry_json_need(first, "gpu");
    (void)ry_json_need(first, "x");
    ck_assert_uint_eq(problems.count, 2);
    ck_assert_str_eq(problems.diags[0].where, "a.json:1: /list/0");
    ck_assert_str_eq(problems.diags[0].text, "has no 'gpu', which is needed");
    ck_assert_str_eq(problems.diags[1].where, "a.json:1: /list/0/x");
}
END_TEST

static char *repeated(const char *piece, size_t times, size_t *bytes)
{
    const size_t length = strlen(piece);
    char *text = malloc(times * length + 1);

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, piece, length);
    *bytes = times * length;
    text[*bytes] = '\0';
    return text;
}

START_TEST(deep_nesting_is_refused)
{
    struct ry_json root = {0};
    size_t bytes = 0;
    char *text = repeated("[", 100000, &bytes);

    ck_assert_int_eq(parse_bytes(text, bytes, &root), RY_ERR_RANGE);
    ck_assert_str_eq(problems.diags[0].text, "nested deeper than 64");
    free(text);
}
END_TEST

START_TEST(ten_million_keys_are_refused)
{
    struct ry_json root = {0};
    size_t bytes = 0;
    char *text = repeated("\"a\":1,", 10000000, &bytes);

    text[0] = '{'; /* {a":1, is no JSON either, but the count comes first */
    ck_assert_int_ne(parse_bytes(text, bytes, &root), RY_OK);
    memcpy(text, "{\"\":1,", 6);
    problems.count = 0;
    ck_assert_int_eq(parse_bytes(text, bytes, &root), RY_ERR_RANGE);
    ck_assert_str_eq(problems.diags[0].text, "more than 2000000 values");
    free(text);
}
END_TEST

START_TEST(a_number_of_400_digits_is_refused)
{
    struct ry_json root = {0};
    size_t bytes = 0;
    char *text = repeated("9", 400, &bytes);

    ck_assert_int_eq(parse_bytes(text, bytes, &root), RY_ERR_RANGE);
    ck_assert_ptr_nonnull(strstr(problems.diags[0].text, "longer than a number may be"));
    free(text);
}
END_TEST

START_TEST(many_keys_are_found_and_unknown_ones_counted_in_little_time)
{
    enum { KEYS = 200000 };
    static const char *const known[] = {"nodes", NULL};
    char *text = malloc(KEYS * 24);
    size_t used = 0;

    ck_assert_ptr_nonnull(text);
    text[used++] = '{';
    for (int i = 0; i < KEYS; i++)
        used += (size_t)sprintf(text + used, "%s\"k%06d\":%d", i ? "," : "", i, i);
    text[used++] = '}';
    text[used] = '\0';
    const struct ry_json root = parse(text);
    for (int i = 0; i < KEYS; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%06d", i);
        ck_assert_double_eq(ry_json_number(root, key, -1.0), i);
    }
    ry_json_known_keys(root, known);
    ck_assert_uint_eq(problems.count, KEYS);
    free(text);
}
END_TEST

START_TEST(every_allocation_failure_is_reported)
{
    static const char text[] = "{\"a\": [1, 2, {\"b\": \"cdefgh\"}], \"b\": \"x\"}";
    struct ry_arena *tiny = ry_arena_create(1);
    struct ry_json root = {0};

    ck_assert_int_eq(ry_json_parse(tiny,
                                   &(struct ry_json_text){"a.json", text, strlen(text)},
                                   &ry_json_default_limits, &problems, &root),
                     RY_ERR_NOMEM);
    ck_assert_uint_eq(problems.count, 1);
    ry_arena_destroy(tiny);
}
END_TEST

START_TEST(a_folder_and_a_missing_file_are_clear_errors)
{
    struct ry_json root = {0};

    ck_assert_int_eq(ry_json_open(arena, "/", &problems, &root), RY_ERR_SYNTAX);
    ck_assert_str_eq(problems.diags[0].text, "is a folder, a file is wanted");
    ck_assert_int_eq(ry_json_open(arena, "/no/such/file", &problems, &root),
                     RY_ERR_NOTFOUND);
    ck_assert_str_eq(problems.diags[1].where, "/no/such/file");
    ck_assert_int_eq(ry_json_open(arena, "/dev/zero", &problems, &root), RY_ERR_RANGE);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("json");
    TCase *tcase = tcase_create("json");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_document_reads_back_with_types_and_order);
    tcase_add_test(tcase, absent_and_null_give_the_fallback_without_a_problem);
    tcase_add_test(tcase, quantities_are_numbers_in_si_or_strings_with_a_unit);
    tcase_add_loop_test(tcase, a_bad_text_is_refused_with_one_line, 0, COUNT(refused));
    tcase_add_test(tcase, a_nul_byte_is_refused);
    tcase_add_loop_test(tcase, a_wrong_value_is_a_problem_and_gives_the_fallback, 0,
                        COUNT(wrong));
    tcase_add_test(tcase, unknown_keys_name_the_nearest_known_and_their_line);
    tcase_add_test(tcase, a_needed_key_that_is_absent_or_null_is_a_problem);
    tcase_add_test(tcase, deep_nesting_is_refused);
    tcase_add_test(tcase, ten_million_keys_are_refused);
    tcase_add_test(tcase, a_number_of_400_digits_is_refused);
    tcase_add_test(tcase, many_keys_are_found_and_unknown_ones_counted_in_little_time);
    tcase_add_test(tcase, every_allocation_failure_is_reported);
    tcase_add_test(tcase, a_folder_and_a_missing_file_are_clear_errors);
    suite_add_tcase(suite, tcase);
    return suite;
}
