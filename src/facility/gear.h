/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Equipment: what stands in racks, draws power and gives heat.  Plain figures of each
 * type of device, whatever catalog or file they came from; NAN where unknown.
 */
#ifndef RY_FACILITY_GEAR_H
#define RY_FACILITY_GEAR_H

#include <stdbool.h>
#include <stddef.h>

enum ry_gear_role {
    RY_GEAR_NODE,
    RY_GEAR_LEAF,
    RY_GEAR_SPINE,
    RY_GEAR_CORE,
    RY_GEAR_MANAGEMENT, /**< out-of-band switches */
    RY_GEAR_SERVER,     /**< management, storage and other servers */
    RY_GEAR_ROLES
};

/** "node", "leaf", ... */
const char *ry_gear_role_name(enum ry_gear_role role);

/** One type of device, and how many of it. */
struct ry_gear {
    enum ry_gear_role role;
    const char *part; /**< its name in the catalog */
    size_t count;
    bool whole_rack;   /**< a rack by itself, such as an NVL72 */
    double rack_units; /**< NAN for a whole rack */
    double weight_kg;
    double depth_m;   /**< front rail to its back; NAN: unknown */
    double max_w;     /**< nameplate: what circuits are sized with */
    double typical_w; /**< NAN: no figure */
    double step_w;    /**< mean draw that the simulated step implies; NAN */
    double airflow_cfm;
    double liquid_frac;     /**< share of the heat that the liquid takes */
    double inlet_max_c;     /**< warmest air that it may take in */
    size_t psus;            /**< power supplies or shelves; 0: unknown */
    double psu_w;           /**< of one of them; NAN: unknown */
    const char *psu_scheme; /**< "4+2", "N+N"; "" unknown */
    const char *connector;  /**< inlet of a supply: "C20", "C14"; "" unknown */
    size_t per_group;       /**< items that stand together; 0: no groups */
};

struct ry_gear_list {
    size_t n;
    struct ry_gear *at; /**< [n] */
};

/** Sums over all devices; a device without the figure makes the sum NAN. */
struct ry_gear_sums {
    double max_w, typical_w, energy_w, weight_kg, liquid_w; /**< liquid share of max_w */
};

struct ry_gear_sums ry_gear_sums(const struct ry_gear_list *list);

#endif
