/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Heat of the plan: air and liquid per device, airflow at altitude, coolant flow, units.
 */
#ifndef RY_FACILITY_COOLING_H
#define RY_FACILITY_COOLING_H

#include "base/arena.h"
#include "base/err.h"
#include "facility/gear.h"
#include "facility/heat.h"
#include "facility/racks.h"

/** Cooling equipment as it is bought; capacity_w NAN: none chosen. */
struct ry_cooling_unit {
    const char *part;
    double capacity_w;
    double max_flow_l_per_min; /**< NAN: unknown */
    double power_w;            /**< nameplate of one; NAN */
};

struct ry_cooling_rules {
    const struct ry_fluid *fluid;
    double liquid_rise_k;
    double air_rise_f; /**< where a device has no airflow of its own */
    double altitude_m;
    double inlet_c; /**< supply air */
    double liquid_supply_c;
    const char *air_class, *liquid_class; /**< ASHRAE, e.g. "A2", "W32" */
    double air_rack_limit_w; /**< most heat that air takes from one rack; INFINITY */
    struct ry_cooling_unit cdu, rear_door, room_air, rejection;
};

/** Heat of one type of device. */
struct ry_cooling_gear {
    size_t gear;
    double liquid_w, air_w; /**< of one device at nameplate */
    double cfm, own_cfm;    /**< by rise and altitude; stated by the vendor, NAN */
    double rise_f;          /**< of its air at own_cfm (at altitude), or as given */
    double l_per_min;
};

struct ry_cooling_finding {
    bool fails;
    const char *what, *text;
};

struct ry_cooling_plan {
    size_t gears_n;
    struct ry_cooling_gear *gears; /**< [gears_n] */
    double liquid_w, air_w;        /**< of the plan at nameplate */
    double cfm, m3_per_h, l_per_min, gpm;
    double btu_per_h, tons;
    double hottest_air_w;  /**< most air heat of one rack */
    size_t racks_over_air; /**< racks over air_rack_limit_w: doors or liquid */
    double rear_doors;
    struct ry_cdu_count cdus;                 /**< 0 without liquid */
    double room_units_n, room_units_n_plus_1; /**< for the air heat that no door takes */
    double rejection_n, rejection_n_plus_1;   /**< chillers or dry coolers, all heat */
    size_t findings_n;
    struct ry_cooling_finding *findings;
};

/** Units, flows and findings for placed racks; RY_ERR_NOMEM alone. */
RY_MUST_USE enum ry_err ry_cooling_plan(struct ry_arena *arena,
                                        const struct ry_gear_list *gear,
                                        const struct ry_rack_plan *racks,
                                        const struct ry_cooling_rules *rules,
                                        struct ry_cooling_plan *plan,
                                        struct ry_diag *diag);

#endif
