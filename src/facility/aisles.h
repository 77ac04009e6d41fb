/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Rows, aisles and the room: which way rows face, how wide aisles are, what fits a floor.
 *
 * Rows stand back to back and front to front: the first faces the cold aisle before it,
 * its back and that of the second share a hot aisle, the second and third face one cold
 * aisle, and so on; an aisle lies before the first and behind the last row.  From row to
 * row it is a rack's depth and an aisle; the mean over a cold and a hot one is the row
 * pitch. Least widths: 1.0 m before racks and 0.6 m behind them (ANSI/TIA-942-B, 6.4; 1.2
 * m and 1.0 m preferred there).
 */
#ifndef RY_FACILITY_AISLES_H
#define RY_FACILITY_AISLES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define RY_COLD_AISLE_LEAST_M 1.0
#define RY_HOT_AISLE_LEAST_M 0.6

struct ry_aisle_rules {
    double rack_pitch_m, rack_depth_m; /**< along and across a row */
    double row_pitch_m;                /**< mean from row to row */
    double cold_aisle_m;
    double end_aisle_m;                 /**< at each end of the rows */
    double room_length_m, room_width_m; /**< along and across rows; INFINITY: no limit */
    size_t row_racks;                   /**< most in a row; 0: no limit */
};

struct ry_aisles {
    size_t row_racks;     /**< most that stand in a row */
    double cold_m, hot_m; /**< widths */
    size_t cold_n, hot_n;
    double length_m, width_m; /**< of rows and aisles together */
};

/** One row: where it lies across the room, and what is before and behind it. */
struct ry_row_place {
    double from_m, to_m; /**< from the edge of the first aisle */
    bool turned;         /**< its front is on the far side */
    size_t cold, hot;    /**< its aisles, from 1 */
};

/**
 * Widths, and how many racks a row takes.
 * @return RY_OK; RY_ERR_RANGE: an aisle is under its least width; RY_ERR_INFEASIBLE: not
 * one rack fits into a row.
 */
RY_MUST_USE enum ry_err ry_aisles_rows(const struct ry_aisle_rules *rules,
                                       struct ry_aisles *aisles, struct ry_diag *diag);

/**
 * The same with the numbers of aisles and the size of the floor for so many rows of
 * racks.
 * @return as ry_aisles_rows(); RY_ERR_INFEASIBLE: the rows do not fit across the room.
 */
RY_MUST_USE enum ry_err ry_aisles_plan(const struct ry_aisle_rules *rules, size_t rows,
                                       size_t longest_row, struct ry_aisles *aisles,
                                       struct ry_diag *diag);

/** Where a row lies, from 0. */
struct ry_row_place ry_row_place(const struct ry_aisle_rules *rules,
                                 const struct ry_aisles *aisles, size_t row);

#endif
