/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/space.h"

#include "arena_fixture.h"

#include <stdlib.h>
#include <string.h>

/* A dense model of 8 layers and 8 heads, batch 32 of 4096 tokens. */
static struct ry_workload small(void)
{
    return (struct ry_workload){
        .name = "small",
        .arch = {.layers = 8, .hidden = 1024, .heads = 8, .kv_heads = 8, .head_dim = 128},
        .base = {.global_batch = 32, .seq = 4096},
    };
}

static struct ry_space make(const struct ry_workload *workload, unsigned gpus)
{
    const struct ry_space_limits limits = {.gpus = gpus, .tensor_most = 8};
    struct ry_space space;

    ck_assert_int_eq(ry_space_create(arena, workload, &limits, &space, NULL), RY_OK);
    return space;
}

/* By hand: tp 1 only, pp 1 only, cp 1, dp 8, micro-batch 1, 2, 4 (32 / 8 = 4 sequences a
 * replica); recompute none and full, zero 0, 1 and FSDP: 3 x 2 x 3. */
START_TEST(a_bounded_space_has_the_size_worked_by_hand)
{
    struct ry_workload workload = small();

    workload.bounds.tp = (struct ry_set){.n = 1, .at = {1}};
    workload.bounds.pp = (struct ry_set){.n = 1, .at = {1}};
    workload.traits.attention = RY_ATTN_FLASH2;
    const struct ry_space space = make(&workload, 8);
    ck_assert_uint_eq(space.shapes_n, 3);
    ck_assert_uint_eq(space.n, 18);
    ck_assert_uint_eq(space.shapes[2].micro_batch, 4);
    ck_assert_uint_eq(space.shapes[2].dp, 8);
}
END_TEST

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct ry_strategy));
}

START_TEST(no_strategy_is_listed_twice_and_every_one_fits_the_gpus)
{
    const struct ry_workload workload = small();
    const struct ry_space space = make(&workload, 24);
    struct ry_strategy *all = calloc(space.n, sizeof(*all));

    ck_assert_ptr_nonnull(all);
    for (uint64_t i = 0; i < space.n; i++) {
        all[i] = ry_space_at(&space, i);
        ck_assert_uint_le(all[i].tp * all[i].pp * all[i].dp * all[i].cp, 24);
        ck_assert_uint_eq(32 % (all[i].dp * all[i].micro_batch), 0);
    }
    qsort(all, space.n, sizeof(*all), by_bytes);
    for (uint64_t i = 1; i < space.n; i++)
        ck_assert_int_ne(by_bytes(&all[i - 1], &all[i]), 0);
    free(all);
}
END_TEST

START_TEST(the_index_counts_shapes_then_options)
{
    const struct ry_workload workload = small();
    const struct ry_space space = make(&workload, 16);
    uint64_t i = 0;

    for (size_t s = 0; s < space.shapes_n; s++) {
        for (size_t o = 0; o < space.classes[space.shapes[s].class].n; o++, i++) {
            const struct ry_strategy a = ry_space_strategy(&space, s, o);
            const struct ry_strategy b = ry_space_at(&space, i);
            ck_assert_int_eq(memcmp(&a, &b, sizeof(a)), 0);
        }
    }
    ck_assert_uint_eq(i, space.n);
}
END_TEST

START_TEST(an_empty_space_says_why)
{
    struct ry_workload workload = small();
    const struct ry_space_limits limits = {.gpus = 4, .tensor_most = 8};
    struct ry_diag diag = {0};
    struct ry_space space;

    workload.bounds.tp = (struct ry_set){.n = 1, .at = {8}};
    ck_assert_int_eq(ry_space_create(arena, &workload, &limits, &space, &diag),
                     RY_ERR_INFEASIBLE);
    ck_assert_ptr_nonnull(strstr(diag.text, "takes 8 GPUs, there are 4"));
    workload.bounds.tp = (struct ry_set){0};
    workload.bounds.dp = (struct ry_set){.n = 1, .at = {3}};
    workload.base.global_batch = 64;
    ck_assert_int_eq(ry_space_create(arena, &workload, &limits, &space, &diag),
                     RY_ERR_INFEASIBLE);
    ck_assert_ptr_nonnull(
        strstr(diag.text, "dp 3 does not divide the global batch of 64"));
    workload.bounds.dp = (struct ry_set){0};
    workload.bounds.ep = (struct ry_set){.n = 1, .at = {8}};
    workload.arch.experts = 0;
    ck_assert_int_eq(ry_space_create(arena, &workload, &limits, &space, &diag),
                     RY_ERR_INFEASIBLE);
    ck_assert_ptr_nonnull(strstr(diag.text, "dense"));
}
END_TEST

START_TEST(running_out_of_memory_is_an_error_at_every_size)
{
    const struct ry_workload workload = small();
    const struct ry_space_limits limits = {.gpus = 64, .tensor_most = 8};
    struct ry_space space;
    bool failed = false;

    for (size_t limit = 1000; limit < 3000000; limit *= 2) {
        struct ry_arena *tight = ry_arena_create(limit);
        const enum ry_err err = ry_space_create(tight, &workload, &limits, &space, NULL);
        ck_assert(err == RY_OK || err == RY_ERR_NOMEM);
        failed = failed || err == RY_ERR_NOMEM;
        ry_arena_destroy(tight);
    }
    ck_assert(failed);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("space");
    TCase *tcase = tcase_create("space");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_bounded_space_has_the_size_worked_by_hand);
    tcase_add_test(tcase, no_strategy_is_listed_twice_and_every_one_fits_the_gpus);
    tcase_add_test(tcase, the_index_counts_shapes_then_options);
    tcase_add_test(tcase, an_empty_space_says_why);
    tcase_add_test(tcase, running_out_of_memory_is_an_error_at_every_size);
    suite_add_tcase(suite, tcase);
    return suite;
}
