/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How many of one device go into one rack, and which limit says so.
 */
#ifndef RY_FACILITY_PACK_H
#define RY_FACILITY_PACK_H

#include <stdbool.h>

enum ry_rack_limit {
    RY_RACK_LIMIT_U,
    RY_RACK_LIMIT_POWER,
    RY_RACK_LIMIT_WEIGHT,
    RY_RACK_LIMIT_OUTLETS,
    RY_RACK_LIMIT_DEPTH,
    RY_RACK_LIMIT_COUNT
};

/** "u", "power", "weight", "outlets", "depth". */
const char *ry_rack_limit_name(enum ry_rack_limit limit);

/** One device and the rack it goes into.  A need of 0 or NaN never binds. */
struct ry_pack_input {
    double devices;
    double rack_units, watts, kilograms, outlets; /**< of one device */
    double metres, rack_metres;                   /**< depth of it and what there is */
    double rack_rack_units, reserved_units;
    double rack_watts, rack_payload_kg, rack_outlets; /**< NaN: no limit */
};

struct ry_pack {
    double by_limit[RY_RACK_LIMIT_COUNT]; /**< INFINITY where nothing limits */
    double per_rack;                      /**< the least of them; INFINITY: no limit */
    bool binding[RY_RACK_LIMIT_COUNT];    /**< all that equal it */
    double racks;                         /**< 0 when per_rack is 0: it does not fit */
    double rack_watts, rack_kilograms;    /**< of a full rack */
    double stranded_units;                /**< free U in a full rack */
};

/** How many of one device a rack holds, and what limits it. */
struct ry_pack ry_pack(const struct ry_pack_input *in);

#endif
