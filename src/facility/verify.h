/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Independent verifier of a facility plan.
 *
 * It shares no code with racks.c and power.c: it adds up the plan's placements again
 * from nothing but the list of slots, and fails supplies, circuits and feeds one by one.
 */
#ifndef RY_FACILITY_VERIFY_H
#define RY_FACILITY_VERIFY_H

#include "base/arena.h"
#include "base/problems.h"
#include "facility/power.h"
#include "facility/racks.h"

/** Everything the verifier is told; nothing in it is trusted but the parts' figures. */
struct ry_facility_claim {
    const struct ry_gear_list *gear;
    const struct ry_floor *floor;
    const struct ry_rack_plan *racks;
    const struct ry_power_rules *rules;
    const struct ry_power_plan *power; /**< NULL: racks only */
};

/**
 * Add a problem (RY_ERR_NO) to @p problems for everything that does not hold:
 * a device placed not once, two devices in one unit, a rack over U, kW or kg, two racks
 * on one place, more racks than the room holds; a circuit over its rating, a device
 * without power or outlets short, with everything well and after each single loss of a
 * circuit or feed that the scheme claims to survive.
 * @return RY_OK when the work was done, whatever it found; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_facility_verify(struct ry_arena *scratch,
                                           const struct ry_facility_claim *claim,
                                           struct ry_problems *problems);

#endif
