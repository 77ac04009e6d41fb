/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hf_reading.h"

struct ry_json ry_hf_take(struct ry_hf_reading *r, const char *key)
{
    if (r->n < RY_HF_USED_MOST)
        r->used[r->n++] = key;
    return ry_json_get(r->at, key);
}

unsigned ry_hf_optional(struct ry_hf_reading *r, const char *key, unsigned fallback)
{
    const struct ry_json_bounds bounds = {0, RY_HF_SIZE_MOST};
    return (unsigned)ry_json_as_count(ry_hf_take(r, key), bounds, fallback);
}

unsigned ry_hf_needed(struct ry_hf_reading *r, const char *key)
{
    const struct ry_json_bounds bounds = {1, RY_HF_SIZE_MOST};

    (void)ry_hf_take(r, key);
    return (unsigned)ry_json_as_count(ry_json_need(r->at, key), bounds, 1);
}

bool ry_hf_flag(struct ry_hf_reading *r, const char *key, bool fallback)
{
    return ry_json_as_bool(ry_hf_take(r, key), fallback);
}

unsigned ry_hf_needed_unless(struct ry_hf_reading *r, const char *key, unsigned absent)
{
    return absent > 0 ? ry_hf_optional(r, key, absent) : ry_hf_needed(r, key);
}

unsigned ry_hf_needed_of(struct ry_hf_reading *r, const char *key, const char *other)
{
    if (!ry_json_has(r->at, key) && ry_json_has(r->at, other))
        return ry_hf_needed(r, other);
    (void)ry_hf_take(r, other);
    return ry_hf_needed(r, key);
}

void ry_hf_must_be(struct ry_hf_reading *r, const char *key, bool wanted)
{
    const struct ry_json member = ry_hf_take(r, key);

    if (ry_json_as_bool(member, wanted) != wanted)
        ry_json_problem(member, RY_ERR_RANGE,
                        "%s changes the architecture and is not supported",
                        wanted ? "false" : "true");
}
