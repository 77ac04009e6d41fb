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
#include "facility/cables.h"
#include "facility/cooling.h"
#include "facility/power.h"
#include "facility/racks.h"

struct ry_graph;

/** What a switch has: ports, split where it allows, and their rate together. */
struct ry_port_limit {
    double ports;       /**< NAN: unknown */
    double bytes_per_s; /**< one direction; NAN: unknown */
};

/** Everything the verifier is told; nothing in it is trusted but the parts' figures. */
struct ry_facility_claim {
    const struct ry_gear_list *gear;
    const struct ry_floor *floor;
    const struct ry_rack_plan *racks;
    const struct ry_power_rules *rules;
    const struct ry_power_plan *power; /**< NULL: racks only */
    double site_w;                     /**< most that the site may draw; INFINITY */
    const struct ry_cooling_rules *cooling_rules;
    const struct ry_cooling_plan *cooling; /**< NULL: not checked, like all below */
    const struct ry_cable_plan *cables;
    const struct ry_graph *graph;
    const struct ry_port_limit *ports; /**< [gear] */
    const size_t *gear_of_class;       /**< [classes of the graph] SIZE_MAX: not placed */
};

/**
 * Add a problem (RY_ERR_NO) to @p problems for everything that does not hold:
 * a device placed not once, two devices in one unit, deeper than its rack, a rack over U,
 * kW or kg, two racks on one place, a row over its length, more racks than the room
 * holds; a circuit or a line of it over its rating, a device without power or outlets
 * short, with everything well; a circuit over its rating or a device without power after
 * each single loss of a circuit (its PDU or breaker) or feed that the scheme claims to
 * survive; UPS modules, generators, CDUs, room air units and chillers after the loss of
 * any one of them; a rack whose heat neither air nor its door takes; the site's power; a
 * switch with more ports or rate in use than it has; a cable beyond its reach or shorter
 * than its way.
 *
 * Lines of a three-phase circuit after a loss are a note of the plan, not a fault: what
 * breakers and supplies then do depends on time.
 * @return RY_OK when the work was done, whatever it found; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_facility_verify(struct ry_arena *scratch,
                                           const struct ry_facility_claim *claim,
                                           struct ry_problems *problems);

/** The part of it that is about the site as a whole; called by ry_facility_verify(). */
void ry_facility_verify_site(const struct ry_facility_claim *claim,
                             struct ry_problems *problems);

#endif
