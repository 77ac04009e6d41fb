/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/pack.h"

#include "facility/round.h"

#include <math.h>

const char *ry_rack_limit_name(enum ry_rack_limit limit)
{
    static const char *const names[] = {"u", "power", "weight", "outlets", "depth"};
    return names[limit];
}

static double room_for(double have, double need)
{
    return need > 0.0 && !isnan(have) ? ry_count_down(have / need) : (double)INFINITY;
}

/* Devices stand above each other: one too deep fits not once, others do not count. */
static double depth_for(double have_m, double need_m)
{
    return need_m > have_m * (1.0 + RY_ROUND_SLACK) ? 0.0 : (double)INFINITY;
}

struct ry_pack ry_pack(const struct ry_pack_input *in)
{
    const double free_units = in->rack_rack_units - in->reserved_units;
    struct ry_pack pack = {
        .by_limit = {room_for(free_units, in->rack_units),
                     room_for(in->rack_watts, in->watts),
                     room_for(in->rack_payload_kg, in->kilograms),
                     room_for(in->rack_outlets, in->outlets),
                     depth_for(in->rack_metres, in->metres)},
        .per_rack = INFINITY,
    };

    for (int i = 0; i < RY_RACK_LIMIT_COUNT; i++)
        pack.per_rack = fmin(pack.per_rack, pack.by_limit[i]);
    for (int i = 0; i < RY_RACK_LIMIT_COUNT; i++)
        pack.binding[i] = pack.by_limit[i] == pack.per_rack && isfinite(pack.per_rack);
    const double full = isfinite(pack.per_rack) ? pack.per_rack : in->devices;
    pack.racks = full > 0.0 ? ry_count_up(in->devices / full) : 0.0;
    pack.rack_watts = full * in->watts;
    pack.rack_kilograms = full * in->kilograms;
    pack.stranded_units = free_units - full * in->rack_units;
    return pack;
}
