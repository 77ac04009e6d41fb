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

/** Cables of every fabric, into the plan; racks and cages are known.  As
 * ry_cables_plan(). */
RY_MUST_USE enum ry_err ry_facility_cables(struct ry_facility_work *work);

#endif
