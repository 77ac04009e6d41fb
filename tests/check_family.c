/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/json_family.h"
#include "io/strategy_file.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct ry_arena *arena;
static struct ry_problems problems;

static void set_up(void)
{
    arena = ry_arena_create(0);
    problems = (struct ry_problems){0};
}

static void tear_down(void)
{
    ry_arena_destroy(arena);
}

static struct ry_json parse(const char *text)
{
    const struct ry_json_text input = {"f.json", text, strlen(text)};
    struct ry_json root = {0};

    ck_assert_int_eq(
        ry_json_parse(arena, &input, &ry_json_default_limits, &problems, &root), RY_OK);
    return root;
}

static struct ry_json_member member(const struct ry_json_family *family, size_t i)
{
    struct ry_json_member out;

    ck_assert_int_eq(ry_json_family_at(arena, family, i, &out), RY_OK);
    return out;
}

START_TEST(a_document_without_a_choice_is_its_only_member)
{
    struct ry_json_family family;

    ck_assert_int_eq(ry_json_family(parse("{\"a\": [1, 2]}"), &family), RY_OK);
    ck_assert_uint_eq(family.n, 1);
    ck_assert_str_eq(member(&family, 0).choice, "");
    ck_assert_uint_eq(ry_json_size(ry_json_get(member(&family, 0).root, "a")), 2);
}
END_TEST

START_TEST(members_are_the_product_with_the_last_choice_fastest)
{
    const char *text =
        "{\"n\": {\"any\": [1, 2]}, \"keep\": {\"deep\": [true]},"
        " \"f\": {\"o\": {\"any\": [\"x\", {\"name\": \"y\", \"k\": 7}, 3]}}}";
    static const char *const choices[] = {"n=1, o=x", "n=1, o=y", "n=1, o=3",
                                          "n=2, o=x", "n=2, o=y", "n=2, o=3"};
    struct ry_json_family family;

    ck_assert_int_eq(ry_json_family(parse(text), &family), RY_OK);
    ck_assert_uint_eq(family.n, 6);
    for (size_t i = 0; i < 6; i++) {
        const struct ry_json_member m = member(&family, i);
        ck_assert_str_eq(m.choice, choices[i]);
        ck_assert_double_eq(ry_json_number(m.root, "n", 0), i < 3 ? 1.0 : 2.0);
        ck_assert(ry_json_as_bool(
            ry_json_at(ry_json_get(ry_json_get(m.root, "keep"), "deep"), 0), false));
    }
    const struct ry_json chosen =
        ry_json_get(ry_json_get(member(&family, 4).root, "f"), "o");
    ck_assert_double_eq(ry_json_number(chosen, "k", 0), 7.0);
    ck_assert_str_eq(ry_json_where(ry_json_get(chosen, "k")), "f.json:1: /f/o/k");
}
END_TEST

static const struct {
    const char *text, *says;
} bad[] = {
    {"{\"a\": {\"any\": []}}", "empty"},
    {"{\"a\": {\"any\": [1, {\"b\": {\"any\": [2]}}]}}", "inside"},
};

START_TEST(a_choice_that_cannot_be_is_a_problem_with_its_place)
{
    struct ry_json_family family;

    ck_assert_int_eq(ry_json_family(parse(bad[_i].text), &family), RY_ERR_RANGE);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_ptr_nonnull(strstr(problems.diags[0].text, bad[_i].says));
    ck_assert_ptr_nonnull(strstr(problems.diags[0].where, "/a"));
}
END_TEST

START_TEST(a_product_over_a_million_is_refused)
{
    char text[8192] = "{";
    struct ry_json_family family;

    for (int i = 0; i < 7; i++) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, sizeof(text) - used,
                       "%s\"k%d\": {\"any\": [0,1,2,3,4,5,6,7,8,9]}", i ? ", " : "", i);
    }
    strcat(text, "}");
    ck_assert_int_eq(ry_json_family(parse(text), &family), RY_ERR_RANGE);
}
END_TEST

START_TEST(bounds_take_a_value_or_a_list_and_report_every_mistake)
{
    struct ry_bounds bounds;

    ry_bounds_read(
        parse("{\"tp\": 8, \"recompute\": [\"none\", \"full\"],"
              " \"sequence_parallel\": true, \"offload_optimizer\": [0, \"50 %\"]}"),
        &bounds);
    ck_assert_uint_eq(problems.count, 0);
    ck_assert_uint_eq(bounds.tp.at[0], 8);
    ck_assert_uint_eq(bounds.recompute.at[1], RY_RECOMPUTE_FULL);
    ck_assert_uint_eq(bounds.sequence_parallel.at[0], 1);
    ck_assert_rel(bounds.offload_optimizer.at[1], 0.5, 1e-12);
    ry_bounds_read(parse("{\"tp\": 0, \"reccompute\": \"none\", \"zero\": [1, 4],"
                         " \"pp\": [], \"offload_optimizer\": 2}"),
                   &bounds);
    ck_assert_uint_eq(problems.count, 5);
}
END_TEST

START_TEST(a_strategy_reads_as_one_line)
{
    const struct ry_strategy strategy = {.tp = 8,
                                         .pp = 4,
                                         .vpp = 2,
                                         .dp = 8,
                                         .cp = 1,
                                         .ep = 1,
                                         .micro_batch = 1,
                                         .zero_stage = 1,
                                         .sequence_parallel = true,
                                         .recompute = RY_RECOMPUTE_FULL};
    char text[128];

    ry_strategy_text(&strategy, text, sizeof(text));
    ck_assert_str_eq(text, "tp8 pp4 vpp2 dp8 mbs1 zero1 sp recompute-full");
    ry_strategy_text(&strategy, text, 8);
    ck_assert_str_eq(text, "tp8 pp4");
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("family");
    TCase *tcase = tcase_create("family");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_document_without_a_choice_is_its_only_member);
    tcase_add_test(tcase, members_are_the_product_with_the_last_choice_fastest);
    tcase_add_loop_test(tcase, a_choice_that_cannot_be_is_a_problem_with_its_place, 0,
                        (int)(sizeof(bad) / sizeof(bad[0])));
    tcase_add_test(tcase, a_product_over_a_million_is_refused);
    tcase_add_test(tcase, bounds_take_a_value_or_a_list_and_report_every_mistake);
    tcase_add_test(tcase, a_strategy_reads_as_one_line);
    suite_add_tcase(suite, tcase);
    return suite;
}
