/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Out-of-band cables: each device to the switch that is nearest. */
#include "facility/facility_work.h"

#include "facility/cables.h"

#include <math.h>

/* Racks as they stand, and from the tray above each the way to the nearest switch. */
struct ways {
    size_t rows, columns;
    double *least_m; /* [rows * columns] */
};

static double drop_m(const struct ry_room_geometry *room, double u)
{
    return (room->rack_u - u) * RY_RACK_UNIT_M + room->tray_m;
}

/* Along one line of racks, both ways. */
static void spread_line(double *least_m, size_t n, size_t stride, double step_m)
{
    for (size_t i = 1; i < n; i++)
        least_m[i * stride] =
            fmin(least_m[i * stride], least_m[(i - 1) * stride] + step_m);
    for (size_t i = n; i-- > 1;)
        least_m[(i - 1) * stride] =
            fmin(least_m[(i - 1) * stride], least_m[i * stride] + step_m);
}

static double *way_of(const struct ways *ways, struct ry_place at)
{
    return &ways->least_m[(size_t)at.row * ways->columns + (size_t)at.rack];
}

static size_t longest_row(const struct ry_rack_plan *racks)
{
    size_t columns = 0;

    for (size_t r = 0; r < racks->racks_n; r++)
        if (racks->racks[r].column >= columns)
            columns = racks->racks[r].column + 1;
    return columns;
}

static enum ry_err start(struct ry_arena *arena, const struct ry_rack_plan *racks,
                         struct ways *ways)
{
    *ways = (struct ways){.rows = racks->rows, .columns = longest_row(racks)};
    ways->least_m = RY_NEW(arena, double, ways->rows * ways->columns + 1);
    for (size_t i = 0; ways->least_m && i < ways->rows * ways->columns; i++)
        ways->least_m[i] = (double)INFINITY;
    return ways->least_m ? RY_OK : RY_ERR_NOMEM;
}

static void put_switches(const struct ry_facility *out, size_t switches,
                         struct ways *ways)
{
    for (size_t m = 0; m < out->gears[switches].count; m++) {
        const struct ry_place at = ry_rack_place_of(&out->racks, &out->gear, switches, m);
        *way_of(ways, at) = fmin(*way_of(ways, at), drop_m(&out->floor.geometry, at.u));
    }
}

/* Trays run along rows and across them, so one after the other finds the shortest. */
static void spread(const struct ry_room_geometry *room, struct ways *ways)
{
    for (size_t r = 0; r < ways->rows; r++)
        spread_line(&ways->least_m[r * ways->columns], ways->columns, 1, room->pitch_m);
    for (size_t c = 0; c < ways->columns; c++)
        spread_line(&ways->least_m[c], ways->rows, ways->columns, room->row_pitch_m);
}

static double over_tray_m(const struct ry_room_geometry *room, const struct ways *ways,
                          struct ry_place from)
{
    return (drop_m(room, from.u) + *way_of(ways, from)) * (1.0 + room->slack_frac);
}

/* From one device, over the tray or to a switch of its own rack. */
static double nearest_m(const struct ry_facility *out, const struct ways *ways,
                        size_t switches, const struct ry_rack_slot *slot)
{
    const struct ry_room_geometry *room = &out->floor.geometry;
    const struct ry_rack_place *rack = &out->racks.racks[slot->rack];
    const struct ry_place from =
        ry_rack_place_of(&out->racks, &out->gear, slot->gear, slot->item);
    double least_m = over_tray_m(room, ways, from);

    for (size_t i = 0; i < rack->slots; i++) {
        const struct ry_rack_slot *other =
            &out->racks.slots[out->racks.by_rack[rack->first_slot + i]];
        if (other->gear == switches)
            least_m =
                fmin(least_m, ry_cable_run_m(room, from,
                                             ry_rack_place_of(&out->racks, &out->gear,
                                                              switches, other->item)));
    }
    return least_m;
}

static size_t management_gear(const struct ry_facility *out)
{
    size_t i = 0;

    while (i < out->gear.n && out->gears[i].role != RY_GEAR_MANAGEMENT)
        i++;
    return i;
}

enum ry_err ry_facility_management_cable(struct ry_facility_work *work)
{
    struct ry_facility *out = work->out;
    const size_t switches = management_gear(out);
    struct ways ways;
    double sum_m = 0.0;
    size_t i = 0;

    if (switches == out->gear.n)
        return RY_OK;
    if (start(work->arena, &out->racks, &ways) != RY_OK)
        return ry_fail(work->diag, RY_ERR_NOMEM, "racks", "%zu racks",
                       out->racks.racks_n);
    put_switches(out, switches, &ways);
    spread(&out->floor.geometry, &ways);
    for (size_t s = 0; s < out->racks.slots_n; s++)
        if (out->racks.slots[s].gear != switches)
            sum_m += nearest_m(out, &ways, switches, &out->racks.slots[s]);
    const double mean_m =
        sum_m / (double)(out->racks.slots_n - out->gears[switches].count);
    while (ry_cable_stock_at(i) < mean_m)
        i++;
    out->management_cable_m = ry_cable_stock_at(i);
    return RY_OK;
}
