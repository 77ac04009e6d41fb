/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/rack_fit.h"

#include <math.h>

enum ry_rack_use ry_rack_use_of(const struct ry_gear *gear)
{
    if (gear->whole_rack)
        return RY_RACK_WHOLE;
    return gear->role == RY_GEAR_NODE ? RY_RACK_COMPUTE : RY_RACK_NETWORK;
}

const struct ry_rack_kind *ry_rack_kind_of(const struct ry_floor *floor,
                                           enum ry_rack_use use)
{
    return use == RY_RACK_NETWORK ? &floor->network : &floor->compute;
}

double ry_rack_payload_kg(const struct ry_floor *floor, const struct ry_rack_kind *kind)
{
    const double empty = isnan(kind->empty_kg) ? 0.0 : kind->empty_kg;
    return fmin(kind->payload_kg, floor->floor_kg - empty); /* fmin drops a NAN */
}

struct ry_pack ry_rack_pack(const struct ry_floor *floor, const struct ry_gear *gear)
{
    const struct ry_rack_kind *kind = ry_rack_kind_of(floor, ry_rack_use_of(gear));

    return ry_pack(&(struct ry_pack_input){
        .devices = (double)gear->count,
        .rack_units = gear->rack_units,
        .watts = gear->max_w,
        .kilograms = gear->weight_kg,
        .metres = gear->depth_m,
        .rack_metres = kind->depth_m,
        .rack_rack_units = kind->rack_units,
        .reserved_units = kind->reserved_units,
        .rack_watts = kind->limit_w,
        .rack_payload_kg = ry_rack_payload_kg(floor, kind),
        .rack_outlets = (double)NAN,
    });
}

static enum ry_err check_fits(const struct ry_floor *floor, const struct ry_gear *gear,
                              const struct ry_pack *pack, struct ry_diag *diag)
{
    const struct ry_rack_kind *kind = ry_rack_kind_of(floor, ry_rack_use_of(gear));

    if (!(gear->rack_units > 0.0))
        return ry_fail(diag, RY_ERR_RANGE, gear->part,
                       "its height is not in the catalog; give rack_units");
    if (pack->by_limit[RY_RACK_LIMIT_U] < 1.0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, gear->part,
                       "%g U do not fit the %g U that %s leaves", gear->rack_units,
                       kind->rack_units - kind->reserved_units, kind->part);
    if (pack->by_limit[RY_RACK_LIMIT_POWER] < 1.0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, gear->part,
                       "%.2f kW are over the %.2f kW a rack may draw", gear->max_w / 1e3,
                       kind->limit_w / 1e3);
    if (pack->by_limit[RY_RACK_LIMIT_DEPTH] < 1.0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, gear->part,
                       "%.0f mm deep, %s leaves %.0f mm", gear->depth_m * 1e3, kind->part,
                       kind->depth_m * 1e3);
    if (!(ry_rack_payload_kg(floor, kind) > 0.0))
        return ry_fail(diag, RY_ERR_INFEASIBLE, gear->part,
                       "the empty %s weighs %.1f kg, the floor takes %.1f kg a rack",
                       kind->part, kind->empty_kg, floor->floor_kg);
    if (pack->by_limit[RY_RACK_LIMIT_WEIGHT] < 1.0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, gear->part,
                       "%.1f kg are over the %.1f kg a rack may carry", gear->weight_kg,
                       ry_rack_payload_kg(floor, kind));
    return RY_OK;
}

static enum ry_err check_whole(const struct ry_floor *floor, const struct ry_gear *gear,
                               struct ry_diag *diag)
{
    if (gear->weight_kg > floor->floor_kg)
        return ry_fail(diag, RY_ERR_INFEASIBLE, gear->part,
                       "%.0f kg are over the %.0f kg that the floor takes",
                       gear->weight_kg, floor->floor_kg);
    if (gear->max_w > floor->compute.limit_w)
        return ry_fail(diag, RY_ERR_INFEASIBLE, gear->part,
                       "%.1f kW are over the %.1f kW a rack may draw", gear->max_w / 1e3,
                       floor->compute.limit_w / 1e3);
    return RY_OK;
}

enum ry_err ry_rack_check(const struct ry_floor *floor, const struct ry_gear *gear,
                          const struct ry_pack *pack, struct ry_diag *diag)
{
    return ry_rack_use_of(gear) == RY_RACK_WHOLE ? check_whole(floor, gear, diag)
                                                 : check_fits(floor, gear, pack, diag);
}
