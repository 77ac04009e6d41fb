/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A design laid out: its fabric port by port, every rack, circuit and cable.
 *
 * The one way from a design to its facility: racks, power, cooling, bom, cost, report and
 * rank all take it, so that they cannot disagree.
 */
#ifndef RY_PLAN_LAYOUT_H
#define RY_PLAN_LAYOUT_H

#include "design/design.h"
#include "facility/facility.h"

struct ry_graph;

/** Keep it where it is: the facility points into itself. */
struct ry_layout {
    struct ry_graph *graph; /**< NULL: one node or domain */
    struct ry_facility facility;
};

/**
 * Whether a design has few enough GPUs: the rate "planning:most GPUs laid out".
 * @return RY_OK; RY_ERR_RANGE with the number, the limit and the rate.
 */
RY_MUST_USE enum ry_err ry_layout_limit(const struct ry_catalog *catalog,
                                        const struct ry_design *design,
                                        struct ry_diag *diag);

/**
 * Lay out.
 * @param arena owns everything in @p layout.
 * @return RY_OK, or why it cannot be: errors as ry_design_check(), ry_layout_limit(),
 *         ry_design_topology(), ry_topo_build() and ry_facility_plan().
 */
RY_MUST_USE enum ry_err ry_layout_make(struct ry_arena *arena,
                                       const struct ry_catalog *catalog,
                                       const struct ry_design *design,
                                       const struct ry_facility_options *options,
                                       struct ry_layout *layout, struct ry_diag *diag);

/**
 * Everything for which `railyard racks`, `power` or `cooling` answers no: one judgement
 * for check, rank, bom and cost.  Limits of racks and power are said by the plan's own
 * finding, and only where it has none by the verifier.
 * @return RY_OK, problems or not; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_layout_faults(struct ry_arena *scratch,
                                         const struct ry_layout *layout,
                                         struct ry_problems *problems);

/**
 * The first thing for which `railyard racks`, `power` or `cooling` answers no.
 * @return RY_OK: nothing; RY_ERR_INFEASIBLE with the finding in @p diag; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_layout_check(struct ry_arena *scratch,
                                        const struct ry_layout *layout,
                                        struct ry_diag *diag);

#endif
