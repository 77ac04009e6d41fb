/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What one rack takes of one type of device, and whether it takes it at all.
 */
#ifndef RY_FACILITY_RACK_FIT_H
#define RY_FACILITY_RACK_FIT_H

#include "base/err.h"
#include "facility/gear.h"
#include "facility/pack.h"
#include "facility/racks.h"

/** The use of the racks that the device stands in. */
enum ry_rack_use ry_rack_use_of(const struct ry_gear *gear);

/** The rack that a use takes; a rack-scale node counts with the compute racks. */
const struct ry_rack_kind *ry_rack_kind_of(const struct ry_floor *floor,
                                           enum ry_rack_use use);

/** What the frame and the floor leave for devices; 0 or less: the empty rack is too
 * heavy. */
double ry_rack_payload_kg(const struct ry_floor *floor, const struct ry_rack_kind *kind);

/** How many of the device alone a rack of its use holds. */
struct ry_pack ry_rack_pack(const struct ry_floor *floor, const struct ry_gear *gear);

/**
 * Whether one device goes into a rack, or its rack into the room.
 * @param pack of ry_rack_pack().
 * @return RY_OK; RY_ERR_RANGE: its height is not known; RY_ERR_INFEASIBLE with the limit
 * and the numbers.
 */
RY_MUST_USE enum ry_err ry_rack_check(const struct ry_floor *floor,
                                      const struct ry_gear *gear,
                                      const struct ry_pack *pack, struct ry_diag *diag);

#endif
