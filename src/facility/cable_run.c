/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/cable_run.h"

#include "facility/round.h"

#include <math.h>

double ry_cable_run_m(const struct ry_room_geometry *room, struct ry_place a,
                      struct ry_place b)
{
    double run_m;

    if (a.rack == b.rack && a.row == b.row)
        run_m = fabs(a.u - b.u) * RY_RACK_UNIT_M + 2.0 * room->side_m;
    else
        run_m = (2.0 * room->rack_u - a.u - b.u) * RY_RACK_UNIT_M + 2.0 * room->tray_m +
                fabs(a.rack - b.rack) * room->pitch_m +
                fabs(a.row - b.row) * room->row_pitch_m;
    return run_m * (1.0 + room->slack_frac);
}

double ry_cable_stock_m(double length_m, size_t n, const double stock_m[])
{
    double best_m = NAN;

    for (size_t i = 0; i < n; i++)
        if (stock_m[i] >= length_m - RY_ROUND_SLACK && !(stock_m[i] >= best_m))
            best_m = stock_m[i];
    return best_m;
}
