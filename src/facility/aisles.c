/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/aisles.h"

#include "facility/round.h"

#include <math.h>
#include <stdint.h>

enum ry_err ry_aisles_rows(const struct ry_aisle_rules *rules, struct ry_aisles *aisles,
                           struct ry_diag *diag)
{
    const double along_m = rules->room_length_m - 2.0 * rules->end_aisle_m;
    const double fit = rules->rack_pitch_m > 0.0 && isfinite(along_m)
                           ? ry_count_down(along_m / rules->rack_pitch_m)
                           : (double)INFINITY;
    const double asked =
        rules->row_racks > 0 ? (double)rules->row_racks : (double)INFINITY;

    *aisles = (struct ry_aisles){
        .cold_m = rules->cold_aisle_m,
        .hot_m = 2.0 * (rules->row_pitch_m - rules->rack_depth_m) - rules->cold_aisle_m,
        .row_racks = isfinite(fmin(fit, asked)) ? (size_t)fmin(fit, asked) : 0,
    };
    if (aisles->cold_m < RY_COLD_AISLE_LEAST_M - RY_ROUND_SLACK)
        return ry_fail(diag, RY_ERR_RANGE, "cold-aisle", "%.2f m, at least %.1f m",
                       aisles->cold_m, RY_COLD_AISLE_LEAST_M);
    if (aisles->hot_m < RY_HOT_AISLE_LEAST_M - RY_ROUND_SLACK)
        return ry_fail(
            diag, RY_ERR_RANGE, "row-pitch",
            "%.2f m leave a hot aisle of %.2f m beside racks of %.2f m and a cold "
            "aisle of %.2f m, at least %.1f m",
            rules->row_pitch_m, aisles->hot_m, rules->rack_depth_m, aisles->cold_m,
            RY_HOT_AISLE_LEAST_M);
    if (fit < 1.0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "room",
                       "%.2f m long, no rack of %.2f m between end aisles of %.2f m",
                       rules->room_length_m, rules->rack_pitch_m, rules->end_aisle_m);
    return RY_OK;
}

/* Aisles before row 0, between rows and behind the last: cold, hot, cold, ... */
static double across_m(const struct ry_aisle_rules *rules, const struct ry_aisles *aisles,
                       size_t rows)
{
    const size_t all = rows + 1;

    return (double)rows * rules->rack_depth_m + (double)((all + 1) / 2) * aisles->cold_m +
           (double)(all / 2) * aisles->hot_m;
}

enum ry_err ry_aisles_plan(const struct ry_aisle_rules *rules, size_t rows,
                           size_t longest_row, struct ry_aisles *aisles,
                           struct ry_diag *diag)
{
    RY_TRY(ry_aisles_rows(rules, aisles, diag));
    aisles->cold_n = rows > 0 ? (rows + 2) / 2 : 0;
    aisles->hot_n = rows > 0 ? (rows + 1) / 2 : 0;
    aisles->length_m =
        (double)longest_row * rules->rack_pitch_m + 2.0 * rules->end_aisle_m;
    aisles->width_m = across_m(rules, aisles, rows);
    if (aisles->width_m > rules->room_width_m * (1.0 + RY_ROUND_SLACK))
        return ry_fail(diag, RY_ERR_INFEASIBLE, "room",
                       "%zu rows with their aisles are %.1f m across, it is %.1f m wide",
                       rows, aisles->width_m, rules->room_width_m);
    return RY_OK;
}

struct ry_row_place ry_row_place(const struct ry_aisle_rules *rules,
                                 const struct ry_aisles *aisles, size_t row)
{
    const double from_m = across_m(rules, aisles, row); /* all that is before it */

    return (struct ry_row_place){.from_m = from_m,
                                 .to_m = from_m + rules->rack_depth_m,
                                 .turned = row % 2 != 0,
                                 .cold = (row + 1) / 2 + 1,
                                 .hot = row / 2 + 1};
}
