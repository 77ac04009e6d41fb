/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The terms that a design is built on: its room, its money, how often it is interrupted.
 */
#ifndef RY_DESIGN_TERMS_H
#define RY_DESIGN_TERMS_H

#include <stdbool.h>
#include <stddef.h>

struct ry_cooling;
struct ry_rack;

/** Whose room it is: who brings UPS, generators, cooling and circuits. */
enum ry_place_kind {
    RY_PLACE_COLOCATION, /**< rented by the kW: in the rent */
    RY_PLACE_BUILT,      /**< built for it: in the price of the building */
    RY_PLACE_OWN,        /**< the user's own room: bought, but for what is owned */
};

struct ry_facility_inputs {
    const char *region; /**< "" or what the electricity price is of */
    double pue;         /**< facility power / IT power, 1 or more */
    double electricity_usd_per_kwh;
    double site_power_w;   /**< limit of the site, or INFINITY */
    double rack_power_w;   /**< limit a rack: from the room, not the part */
    double rack_weight_kg; /**< limit of the floor a rack, or INFINITY */
    size_t racks_most;     /**< limit of the room, or SIZE_MAX */
    double room_length_m,
        room_width_m;           /**< along and across rows; 0 or INFINITY: no limit */
    size_t nodes_per_rack;      /**< 0: as many as fit */
    const struct ry_rack *rack; /**< NULL for rack-scale nodes */
    const struct ry_cooling *cooling; /**< NULL: air, in the facility's price */
    double inlet_c;
    double altitude_m;
    double colocation_usd_per_kw_month; /**< 0: see ry_design_place() */
    double construction_usd_per_w;      /**< 0: an existing or rented facility */
};

struct ry_finance {
    double years;                    /**< over which TCO is counted */
    double discount_frac;            /**< a year, cost of capital */
    double utilisation_frac;         /**< of time that the cluster trains, all causes */
    double maintenance_frac;         /**< of hardware price a year */
    double network_maintenance_frac; /**< of network price a year */
    double residual_frac;            /**< of hardware price left when it is sold */
    bool resale_published;           /**< that share by age, from rows of rates instead */
    double refresh_years; /**< hardware is bought anew after so many; 0: never */
    double install_usd_per_node;
    double staff_usd_per_year; /**< of one technician, loaded */
    double nodes_per_staff;
    double network_staff_per_1000_gpus; /**< people, by the fabric's technology */
    double software_usd_per_gpu_year;   /**< NAN: not given */
};

/** What interruptions take from a long run. */
struct ry_reliability {
    double gpu_mtbf_s; /**< of one GPU's share, between interruptions of the job */
    double loss_s;     /**< mean time lost an interruption: rework, detection, restart */
};

#endif
