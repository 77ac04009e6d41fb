/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/set.h"

void ry_set_add(struct ry_set *set, unsigned value)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->at[i] == value)
            return;
    if (set->n < RY_SET_MOST)
        set->at[set->n++] = value;
}

struct ry_set ry_set_or(const struct ry_set *given, struct ry_set fallback)
{
    return given->n > 0 ? *given : fallback;
}

struct ry_set ry_set_one(unsigned value)
{
    return (struct ry_set){.n = 1, .at = {value}};
}

struct ry_set ry_set_powers(unsigned most)
{
    struct ry_set set = {0};

    for (unsigned value = 1; value <= most && value != 0; value *= 2)
        ry_set_add(&set, value);
    return set;
}

struct ry_set ry_set_divisors(unsigned number, unsigned most)
{
    struct ry_set set = {0};

    for (unsigned value = 1; value <= number && value <= most; value++)
        if (number % value == 0)
            ry_set_add(&set, value);
    return set;
}
