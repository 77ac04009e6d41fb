/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arena_fixture.h"
#include "io/model_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ry_params params_of(const struct ry_model *model)
{
    struct ry_arch arch = model->arch;

    arch.mtp_layers = 0; /* published totals leave them out */
    return ry_arch_params(&arch, arch.vocab);
}

static struct ry_model load(const char *name)
{
    struct ry_model model = {0};

    if (ry_model_load(arena, name, &problems, &model) != RY_OK)
        ck_abort_msg("%s: %s: %s", name, problems.diags[0].where, problems.diags[0].text);
    return model;
}

START_TEST(sixty_models_or_more_have_their_published_parameters)
{
    const char *const *names = ry_model_names(arena, &problems);
    size_t n = 0;

    ck_assert_ptr_nonnull(names);
    for (; names[n]; n++) {
        const struct ry_model model = load(names[n]);
        const struct ry_params params = params_of(&model);
        const double error = fabs(params.total / model.published_params - 1.0);
        ck_assert_str_eq(model.arch.name, names[n]);
        ck_assert_msg(model.source[0] != '\0', "%s has no source", names[n]);
        if (model.params_exact)
            ck_assert_msg(error <= 0.005, "%s: %.0f, published %.0f", names[n],
                          params.total, model.published_params);
        else
            ck_assert_msg(error <= 0.08, "%s: %.0f", names[n], params.total);
    }
    ck_assert_uint_ge(n, 60);
}
END_TEST

/* Published active counts are with or without the input embedding, to two digits. */
START_TEST(active_parameters_are_the_published_ones)
{
    const char *const *names = ry_model_names(arena, &problems);

    for (; *names; names++) {
        const struct ry_model model = load(*names);
        const struct ry_params params = params_of(&model);
        const double rounding = 0.005 * model.published_active + 0.05e9;
        const double without =
            params.active - (model.arch.tied_embeddings ? 0.0 : params.embedding);
        if (model.params_exact)
            ck_assert_msg(without - rounding <= model.published_active &&
                              model.published_active <= params.active + rounding,
                          "%s: %.4g to %.4g, published %.4g", *names, without,
                          params.active, model.published_active);
    }
}
END_TEST

/* Config, and the parameter count of the published checkpoint (its tensors; for phi-4,
 * falcon, gpt2 and the like the model card or the sum of its shapes). */
static const struct {
    const char *file;
    double params;
} configs[] = {
    {"llama-3-8b", 8030261248},
    {"llama-2-7b", 6738415616},
    {"llama-3.2-1b", 1235814400},
    {"mistral-7b-v0.1", 7241732096},
    {"mixtral-8x7b-v0.1", 46702792704},
    {"mixtral-8x22b-v0.1", 140620634112},
    {"qwen2.5-7b", 7615616512},
    {"qwen2.5-0.5b", 494032768},
    {"qwen1.5-moe-a2.7b", 14315784192},
    {"qwen3-8b", 8190735360},
    {"qwen3-30b-a3b", 30532122624},
    {"deepseek-v2-lite", 15706484224},
    {"deepseek-v3", 671026419200},
    {"kimi-k2", 1026e9},
    {"gpt-oss-20b", 20914757184},
    {"gemma-2b", 2506172416},
    {"gemma-2-9b", 9241705984},
    {"gemma-3-1b", 999885952},
    {"gemma-3-4b", 3880099328},
    {"gpt2", 124439808},
    {"gpt2-xl", 1557611200},
    {"gpt-neox-20b", 20554567680},
    {"pythia-6.9b", 6857302016},
    {"bloom-7b1", 7069016064},
    {"opt-6.7b", 6658473984},
    {"falcon-7b", 6921720704},
    {"falcon-40b", 41303293952},
    {"phi-2", 2779683840},
    {"phi-3-mini-4k", 3821079552},
    {"phi-4", 14659507200},
};

static const char *config_path(const char *name)
{
    static char path[512];

    (void)snprintf(path, sizeof(path), "%s/tests/hf/%s.json", getenv("RAILYARD_DATA"),
                   name);
    return path;
}

START_TEST(a_hugging_face_config_gives_the_published_parameters)
{
    const struct ry_model model = load(config_path(configs[_i].file));

    ck_assert_rel(params_of(&model).total, configs[_i].params, 0.005);
    ck_assert_str_eq(model.arch.name, configs[_i].file);
}
END_TEST

/* Pairs of a config and a shipped file that describe the same architecture. */
static const struct {
    const char *config;
    const char *shipped;
} same[] = {
    {"llama-3-8b", "llama3-8b"},
    {"mistral-7b-v0.1", "mistral-7b-v0.1"},
    {"qwen2.5-7b", "qwen2.5-7b"},
    {"qwen3-30b-a3b", "qwen3-30b-a3b"},
    {"deepseek-v3", "deepseek-v3"},
    {"deepseek-v2-lite", "deepseek-v2-lite"},
    {"gpt-oss-20b", "gpt-oss-20b"},
    {"gemma-2-9b", "gemma2-9b"},
    {"gemma-3-1b", "gemma3-1b"},
    {"gpt-neox-20b", "gpt-neox-20b"},
    {"opt-6.7b", "opt-6.7b"},
    {"falcon-7b", "falcon-7b"},
    {"mixtral-8x7b-v0.1", "mixtral-8x7b"},
};

START_TEST(two_ways_to_describe_a_model_agree)
{
    const struct ry_arch a = load(config_path(same[_i].config)).arch;
    const struct ry_arch b = load(same[_i].shipped).arch;

    ck_assert_double_eq(ry_arch_params(&a, a.vocab).total,
                        ry_arch_params(&b, b.vocab).total);
    ck_assert_double_eq(ry_arch_flop_per_token(&a, 8192.0, true),
                        ry_arch_flop_per_token(&b, 8192.0, true));
    ck_assert_uint_eq(a.window_layers, b.window_layers);
    ck_assert_uint_eq(a.mtp_layers, b.mtp_layers);
    ck_assert_int_eq(a.positions, b.positions);
}
END_TEST

static const struct {
    const char *file;
    const char *says;
} refused[] = {
    {"bad-mamba", "model_type 'mamba2' is not supported"},
    {"bad-hybrid", "'linear_attention' changes the architecture"},
    {"bad-hybrid", "may change the architecture and is not supported for model_type"},
    {"bad-hybrid", "true changes the architecture and is not supported"},
    {"bad-sizes", "has no 'vocab_size', which is needed"},
    {"bad-sizes", "-1 is not between 1 and 100000000"},
    {"bad-sizes", "'big' is not a number"},
    {"bad-heads", "heads: 0 is not between 1 and"},
};

START_TEST(what_is_not_modelled_is_refused_with_its_pointer)
{
    struct ry_model model = {0};
    size_t hits = 0;

    ck_assert_int_ne(
        ry_model_load(arena, config_path(refused[_i].file), &problems, &model), RY_OK);
    for (size_t i = 0; i < problems.count; i++)
        hits += strstr(problems.diags[i].text, refused[_i].says) != NULL &&
                strstr(problems.diags[i].where, ".json:") != NULL;
    ck_assert_uint_eq(hits, 1);
}
END_TEST

START_TEST(ignored_keys_are_listed)
{
    const struct ry_model model = load(config_path("llama-3-8b"));

    ck_assert_ptr_nonnull(strstr(model.ignored, "rope_theta"));
    ck_assert_ptr_null(strstr(model.ignored, "hidden_size"));
}
END_TEST

START_TEST(a_name_ignores_case_and_an_unknown_one_names_the_nearest)
{
    struct ry_model model = {0};

    ck_assert_str_eq(load("Llama3-70B").arch.name, "llama3-70b");
    ck_assert_int_eq(ry_model_load(arena, "llama3-7b", &problems, &model),
                     RY_ERR_NOTFOUND);
    ck_assert_ptr_nonnull(strstr(problems.diags[0].text, "did you mean 'llama"));
    ck_assert_int_eq(ry_model_load(arena, "no/such.json", &problems, &model),
                     RY_ERR_NOTFOUND);
    ck_assert_str_eq(problems.diags[1].text, "no such file");
}
END_TEST

START_TEST(every_allocation_failure_ends_with_a_problem)
{
    static const char *const names[] = {"llama3-70b", NULL, "no-such-model-at-all"};
    struct ry_model model = {0};

    for (size_t i = 0; i < 3; i++) {
        for (size_t limit = 1; limit < 1000000; limit += 64 * 1024) {
            struct ry_arena *small = ry_arena_create(limit);
            problems.count = 0;
            const char *name = names[i] ? names[i] : config_path("gemma-3-4b");
            const enum ry_err err = ry_model_load(small, name, &problems, &model);
            ck_assert((err == RY_OK) == (problems.count == 0));
            ry_arena_destroy(small);
        }
    }
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *unit_suite(void)
{
    Suite *suite = suite_create("model");
    TCase *tcase = tcase_create("model");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, sixty_models_or_more_have_their_published_parameters);
    tcase_add_test(tcase, active_parameters_are_the_published_ones);
    tcase_add_loop_test(tcase, a_hugging_face_config_gives_the_published_parameters, 0,
                        COUNT(configs));
    tcase_add_loop_test(tcase, two_ways_to_describe_a_model_agree, 0, COUNT(same));
    tcase_add_loop_test(tcase, what_is_not_modelled_is_refused_with_its_pointer, 0,
                        COUNT(refused));
    tcase_add_test(tcase, ignored_keys_are_listed);
    tcase_add_test(tcase, a_name_ignores_case_and_an_unknown_one_names_the_nearest);
    tcase_add_test(tcase, every_allocation_failure_ends_with_a_problem);
    suite_add_tcase(suite, tcase);
    return suite;
}
