/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a model file or Hugging Face config; what is accepted is a model. */
#include "io/model_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct ry_model *model)
{
    const struct ry_params params = ry_arch_params(&model->arch, model->arch.vocab);

    if (ry_arch_check(&model->arch, NULL) != RY_OK || !isfinite(params.total) ||
        !(params.total > 0.0) || !(params.active > 0.0) ||
        !(params.active <= params.total * (1.0 + 1e-9)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ry_arena *arena = ry_arena_create((size_t)64 << 20);
    struct ry_problems *problems = arena ? RY_NEW(arena, struct ry_problems, 1) : NULL;
    const struct ry_json_text text = {"fuzz.json", (const char *)data, size};
    struct ry_json root = {0};
    struct ry_model model;

    if (!problems)
        abort();
    if (ry_json_parse(arena, &text, &ry_json_default_limits, problems, &root) == RY_OK) {
        ry_model_read(root, arena, &model);
        if (problems->count == 0)
            check(&model);
    }
    ry_arena_destroy(arena);
    return 0;
}
