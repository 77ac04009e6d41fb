/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: JSON text, and every getter on every value of it. */
#include "io/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth)
{
    if (!truth)
        abort();
}

/* Whatever the value is, a getter gives its fallback or something within its bounds. */
static void read_value(struct ry_json at)
{
    static const char *const choices[] = {"a", "bc", NULL};
    const struct ry_json_bounds bounds = {1, 8};

    for (int dim = RY_DIM_BYTES; dim <= RY_DIM_FRACTION; dim++) {
        const double si = ry_json_as_quantity(at, (enum ry_dim)dim, -1.0);
        need(isfinite(si) && (si >= 0.0 || si == -1.0));
    }
    need(isfinite(ry_json_as_number(at, 0.0)));
    const size_t count = ry_json_as_count(at, bounds, 9);
    need(count >= 1 && count <= 9);
    need(ry_json_as_text(at, "") != NULL);
    (void)ry_json_as_bool(at, true);
    const int choice = ry_json_as_choice(at, choices, 2);
    need(choice >= 0 && choice <= 2);
    need(ry_json_where(at)[0] != '\0');
    ry_json_known_keys(at, choices);
}

static void walk(struct ry_json root)
{
    for (size_t i = 0; i < ry_json_size(root); i++) {
        const struct ry_json at = ry_json_at(root, i);
        read_value(at);
        if (ry_json_key(at))
            need(ry_json_get(root, ry_json_key(at)).node == at.node);
        for (size_t k = 0; k < ry_json_size(at); k++)
            read_value(ry_json_at(at, k));
    }
    need(ry_json_type(ry_json_at(root, ry_json_size(root))) == RY_JSON_ABSENT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ry_arena *arena = ry_arena_create((size_t)64 << 20);
    struct ry_problems *problems = arena ? RY_NEW(arena, struct ry_problems, 1) : NULL;
    const struct ry_json_text text = {"fuzz.json", (const char *)data, size};
    struct ry_json root = {0};

    need(problems != NULL);
    const enum ry_err err =
        ry_json_parse(arena, &text, &ry_json_default_limits, problems, &root);
    need((err == RY_OK) == (problems->count == 0));
    if (err == RY_OK) {
        read_value(root);
        walk(root);
    }
    ry_arena_destroy(arena);
    return 0;
}
