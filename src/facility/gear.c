/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/gear.h"

#include <math.h>

const char *ry_gear_role_name(enum ry_gear_role role)
{
    static const char *const names[RY_GEAR_ROLES] = {
        [RY_GEAR_NODE] = "node",
        [RY_GEAR_LEAF] = "leaf",
        [RY_GEAR_SPINE] = "spine",
        [RY_GEAR_CORE] = "core",
        [RY_GEAR_MANAGEMENT] = "management",
        [RY_GEAR_SERVER] = "server",
    };
    return names[role];
}

static double gear_energy_w(const struct ry_gear *gear)
{
    if (!isnan(gear->step_w))
        return gear->step_w;
    return isnan(gear->typical_w) ? gear->max_w : gear->typical_w;
}

struct ry_gear_sums ry_gear_sums(const struct ry_gear_list *list)
{
    struct ry_gear_sums sums = {0};

    for (size_t i = 0; i < list->n; i++) {
        const struct ry_gear *gear = &list->at[i];
        const double count = (double)gear->count;
        const double liquid = isnan(gear->liquid_frac) ? 0.0 : gear->liquid_frac;
        sums.max_w += count * gear->max_w;
        sums.typical_w += count * gear->typical_w;
        sums.energy_w += count * gear_energy_w(gear);
        sums.weight_kg += count * gear->weight_kg;
        sums.liquid_w += count * gear->max_w * liquid;
    }
    return sums;
}
