/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The circuits of one rack: how many, what hangs on each, and what each carries normally
 * and after the loss of any circuit or feed.
 */
#ifndef RY_FACILITY_RACK_POWER_H
#define RY_FACILITY_RACK_POWER_H

#include "base/err.h"
#include "facility/power.h"

/**
 * The wiring: on which circuit of its rack supply @p supply of the @p device -th device
 * (in the order of ry_rack_plan.by_rack) hangs.  Supplies start one circuit further on
 * for each device, so that the remainder of an uneven division moves around.
 */
size_t ry_power_wire(size_t device, size_t supply, size_t circuits);

/**
 * Circuits of the rack @p index of @p racks, 0 to racks_n - 1, as @p rules have them.
 * @param out set on RY_OK; a rack by itself: racks is 1.
 * @return RY_OK; RY_ERR_INFEASIBLE: it takes too many circuits.
 */
RY_MUST_USE enum ry_err ry_rack_power_assess(
    const struct ry_gear_list *gear, const struct ry_rack_plan *racks, size_t index,
    const struct ry_power_rules *rules, struct ry_rack_power *out, struct ry_diag *diag);

#endif
