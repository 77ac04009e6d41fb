/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference/levels.h"

double ry_levels_all_reduce_s(const struct ry_net_level levels[], size_t n, double bytes)
{
    double total_s = 0.0, left_bytes = bytes;

    for (size_t i = 0; i < n; i++) {
        const double members = (double)levels[i].members;
        total_s += 2.0 * (members - 1.0) * levels[i].step_s +
                   2.0 * left_bytes * (members - 1.0) / members / levels[i].bytes_per_s;
        left_bytes /= members;
    }
    return total_s;
}

double ry_direct_all_reduce_s(const struct ry_net_level *level, double bytes)
{
    const double members = (double)level->members;

    return level->members < 2 ? 0.0
                              : 2.0 * level->step_s + 2.0 * bytes * (members - 1.0) /
                                                          members / level->bytes_per_s;
}
