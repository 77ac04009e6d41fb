/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What the parts of ry_facility_plan() share while a site is planned; not for others.
 */
#ifndef RY_FACILITY_FACILITY_WORK_H
#define RY_FACILITY_FACILITY_WORK_H

#include "facility/facility.h"

struct ry_facility_work {
    struct ry_arena *arena;
    const struct ry_facility_input *in;
    const struct ry_facility_options *options;
    struct ry_facility *out;
    struct ry_diag *diag;
};

/** Keep a text of what the plan does not hold; NULL: there was no memory for it. */
void ry_facility_note(struct ry_facility_work *work, const char *text);

/** Nodes and the switches of every fabric, as gear; the out-of-band ones are not known
 * yet. */
void ry_facility_gear(struct ry_facility_work *work);

/**
 * One out-of-band port of each host, switch, power shelf and PDU; switches for them.
 * @param pdus of the plan without those switches.
 * @return RY_OK; RY_ERR_NOTFOUND: the catalog has no such switch.
 */
RY_MUST_USE enum ry_err ry_facility_management(struct ry_facility_work *work,
                                               size_t pdus);

/**
 * The stock length of an out-of-band cable: the mean way from a device to the nearest
 * such switch; racks are placed.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_facility_management_cable(struct ry_facility_work *work);

/**
 * The rules that circuits are planned by, with the rack PDU that serves each use of racks
 * best; racks are placed.
 * @return RY_OK; RY_ERR_NOTFOUND: no such part; else as ry_power_plan().
 */
RY_MUST_USE enum ry_err ry_facility_power_rules(struct ry_facility_work *work);

/** The rules that cooling is planned by; RY_ERR_NOTFOUND: no such coolant, class or
 * part. */
RY_MUST_USE enum ry_err ry_facility_cooling_rules(struct ry_facility_work *work);

/** Cables of every fabric, into the plan; racks and cages are known.  As
 * ry_cables_plan(). */
RY_MUST_USE enum ry_err ry_facility_cables(struct ry_facility_work *work);

#endif
