/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The whole site of a design: racks, circuits, cooling, cables, from one call.
 *
 * This is where a design and catalog rows become the plain inputs of racks.h, power.h,
 * cooling.h and cables.h.  Everything that is assumed is in ry_facility_options.
 */
#ifndef RY_FACILITY_FACILITY_H
#define RY_FACILITY_FACILITY_H

#include "base/arena.h"
#include "base/err.h"
#include "base/problems.h"
#include "catalog/parts.h"
#include "facility/aisles.h"
#include "facility/cables.h"
#include "facility/cooling.h"
#include "facility/power.h"
#include "facility/racks.h"

struct ry_design;
struct ry_graph;

/** Height of a rack where a design names none: the common 19-inch cabinet. */
#define RY_USUAL_RACK_UNITS 48.0

/** Which rating rule circuits follow. */
enum ry_circuit_rule {
    RY_RULE_CATALOG, /**< as the catalog row of the PDU says */
    RY_RULE_NEC,     /**< 80 % of the breaker in continuous use */
    RY_RULE_IEC,     /**< 100 % */
};

struct ry_facility_options {
    enum ry_power_scheme scheme;
    enum ry_circuit_rule rule;
#define N(field, value, above, kind, dim, option, help) double field;
#define T(field, value, option, help) const char *field;
#include "facility/options.def"
#undef N
#undef T
    double node_step_w; /**< mean draw of a node in the simulated step; NAN: none */
};

/** N+1, the catalog's rule, and the values of options.def. */
struct ry_facility_options ry_facility_defaults(void);

struct ry_facility_input {
    const struct ry_design *design;
    const struct ry_catalog *catalog;
    const struct ry_graph *graph; /**< its fabric, explicit; NULL: one node or domain */
    const struct ry_facility_options *options;
};

/** Notes: one a class of the graph, and those of nodes, out-of-band ports and aisles. */
enum { RY_FACILITY_GEARS_MOST = 32, RY_FACILITY_NOTES_MOST = RY_CABLE_CLASSES_MOST + 8 };

struct ry_facility {
    const struct ry_design *design;
    struct ry_gear gears[RY_FACILITY_GEARS_MOST]; /**< nodes first */
    const void *parts[RY_FACILITY_GEARS_MOST]; /**< ry_node, ry_switch; NULL: not in the
                                                  catalog */
    struct ry_gear_list gear;
    const struct ry_rack *compute_rack, *network_rack; /**< NULL: none needed */
    struct ry_floor floor;
    struct ry_aisle_rules aisle_rules;
    struct ry_aisles aisles;
    const char *containment; /**< "hot", "cold" or "none" */
    struct ry_power_rules power_rules;
    struct ry_cooling_rules cooling_rules;
    struct ry_rack_plan racks;
    struct ry_power_plan power;
    struct ry_cooling_plan cooling;
    struct ry_cable_plan cables; /**< empty without a graph */
    double other_max_w,
        other_typical_w;          /**< all but the nodes, with the modules of links */
    const struct ry_graph *graph; /**< its fabric; NULL without */
    size_t gear_of_class[RY_CABLE_CLASSES_MOST]; /**< SIZE_MAX: not placed */
    size_t managed_ports;      /**< out-of-band ports: one of every managed device */
    double management_cable_m; /**< mean length to the nearest out-of-band switch */
    size_t notes_n;
    const char *notes[RY_FACILITY_NOTES_MOST]; /**< what the plan does not hold */
};

/**
 * Plan a site.
 * @param arena owns everything in @p facility.
 * @param in    the design, its parts and its fabric.
 * @param facility  set on RY_OK; it points into itself: pass it by pointer, do not copy
 * it.
 * @return RY_OK; RY_ERR_INFEASIBLE with the limit and the numbers; RY_ERR_NOTFOUND for a
 *         part that an option names; RY_ERR_RANGE (a figure that is needed is missing).
 */
RY_MUST_USE enum ry_err ry_facility_plan(struct ry_arena *arena,
                                         const struct ry_facility_input *in,
                                         struct ry_facility *facility,
                                         struct ry_diag *diag);

/** The rules of aisles of a design: its room, the depth of its racks, and the options. */
struct ry_aisle_rules ry_facility_aisles(const struct ry_design *design,
                                         const struct ry_facility_options *options);

/** The verifier of verify.h on this site. */
RY_MUST_USE enum ry_err ry_facility_check(struct ry_arena *scratch,
                                          const struct ry_facility *facility,
                                          struct ry_problems *problems);

#endif
