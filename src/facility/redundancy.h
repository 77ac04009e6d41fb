/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How many of a thing are needed, and what is left after one fails: supplies of a
 * node, circuits of a rack, UPS modules, generators.
 */
#ifndef RY_FACILITY_REDUNDANCY_H
#define RY_FACILITY_REDUNDANCY_H

#include <stdbool.h>
#include <stddef.h>

struct ry_psu_redundancy {
    double needed;           /**< ceil(load / one supply) */
    double spare;            /**< supplies - needed; negative: the node cannot run */
    bool survives_half_lost; /**< floor(supplies/2) still carry the load */
};

struct ry_ups_modules {
    double va;
    double n, n_plus_1, two_n;
};

struct ry_generators {
    double va;
    double n, n_plus_1;
};

/** Supplies of @p psu_w each under @p load_w. */
struct ry_psu_redundancy ry_psu_redundancy(double psus, double psu_w, double load_w);

/**
 * Supplies spread over feeds as evenly as their number allows: does the node live on
 * when the feed with most supplies fails?  The 4+2 trap: six 3.3 kW supplies on two
 * feeds leave 9.9 kW for a 10.2 kW node, on three feeds 13.2 kW.
 */
bool ry_psu_survives_feed(double psus, double psu_w, double load_w, size_t feeds);

/** Modules of @p module_va for a load at its power factor. */
struct ry_ups_modules ry_ups_modules(double load_w, double power_factor, double module_va,
                                     double redundant_modules);

/** Battery energy, in J, for @p seconds of ride-through. */
double ry_ups_energy_j(double load_w, double seconds, double inverter_eff,
                       double depth_frac);

/** @param sizing_factor margin for steps and motors, e.g. 1.25. */
struct ry_generators ry_generators(double facility_w, double power_factor,
                                   double sizing_factor, double unit_w);

#endif
