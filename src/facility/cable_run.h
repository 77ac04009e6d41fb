/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Cable lengths from where both ends stand, and what has to be bought for them.
 *
 * Overhead trays: out of the rack at its top, along the row and across rows, down again.
 */
#ifndef RY_FACILITY_CABLE_RUN_H
#define RY_FACILITY_CABLE_RUN_H

#include <stddef.h>

#define RY_RACK_UNIT_M 0.04445 /**< EIA-310: 1.75 inches */

/** A place in the room: rack along its row, row, height in the rack in U. */
struct ry_place {
    double rack, row, u;
};

/** How cables run in the room. */
struct ry_room_geometry {
    double rack_u;      /**< height of the racks in U */
    double pitch_m;     /**< from rack to rack along the row */
    double row_pitch_m; /**< from row to row */
    double tray_m;      /**< from the top of a rack to the tray, each end */
    double side_m;     /**< to the side of the rack and back, each end, inside one rack */
    double slack_frac; /**< extra, 0 to 1 */
};

/** Length with slack of a cable between two places. */
double ry_cable_run_m(const struct ry_room_geometry *room, struct ry_place a,
                      struct ry_place b);

/** Shortest of @p stock_m [n] that is >= @p length_m, in any order; NaN when none is. */
double ry_cable_stock_m(double length_m, size_t n, const double stock_m[]);

#endif
