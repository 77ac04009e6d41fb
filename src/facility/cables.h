/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Every cable of the fabric: its length from where both ends stand, the product that
 * covers it for the least money, and the modules that optical ones need.
 *
 * A level of links (nodes to leaves, leaves to spines, ...) uses one optical product at
 * each end: the cheapest that reaches its longest link.  A copper or active cable takes a
 * cage at each end, so it is used for whole cages of links of one pair of devices (or of
 * one switch cage, for splitters) where it reaches and costs less than the optics.
 * Modules are counted by cage from the explicit ports.
 */
#ifndef RY_FACILITY_CABLES_H
#define RY_FACILITY_CABLES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/problems.h"
#include "catalog/parts.h"
#include "facility/cable_choice.h"
#include "facility/gear.h"
#include "facility/racks.h"

struct ry_graph;

enum { RY_CABLE_LEVELS_MOST = 32, RY_CABLE_CLASSES_MOST = 64 };

struct ry_cable_rules {
    const struct ry_catalog *catalog;
    const char *protocol; /**< "ib" or "eth" */
    struct ry_port_cage node_cage, switch_cage;
    double extra_m;    /**< added to every length */
    double spare_frac; /**< of each line, rounded up; 0: none */
};

/** One line of the plan: a cable of one stock length, or a module. */
struct ry_cable_line {
    const char *level;              /**< "node-leaf" */
    const struct ry_cable *product; /**< NULL: nothing in the catalog fits */
    const char *what; /**< "cable", "fibre", "module (switch)", "module (node)" */
    double length_m;  /**< stock length; NAN for a module */
    double longest_m; /**< of the links it serves; NAN for a module */
    size_t links;     /**< served */
    size_t count, spares;
    bool no_plug; /**< no product, as the plug of the node's NIC is not known */
};

struct ry_cable_plan {
    size_t n;
    struct ry_cable_line *at; /**< [n] by level, then cables by length, then modules */
    size_t links;             /**< cabled: not backplanes */
    size_t uncovered;         /**< links that no product of the catalog reaches */
    size_t over_reach;        /**< of them, because of their length */
    double total_m, longest_m, mean_m;
    double power_w; /**< of all modules and active ends */
};

/** Where both ends of every link stand. */
struct ry_cable_input {
    const struct ry_graph *graph;    /**< fabric with explicit ports */
    const struct ry_gear_list *gear; /**< devices as placed */
    const struct ry_rack_plan *racks;
    const struct ry_room_geometry *room;
    /** Index of the gear of each class of the graph; SIZE_MAX: not placed, such as what
     * is inside a node. */
    size_t of_class[RY_CABLE_CLASSES_MOST];
};

/** Plan all cables and modules; @p arena owns the plan. */
RY_MUST_USE enum ry_err ry_cables_plan(struct ry_arena *arena,
                                       const struct ry_cable_input *in,
                                       const struct ry_cable_rules *rules,
                                       struct ry_cable_plan *plan, struct ry_diag *diag);

/** One problem for each level with links that no product fits and reaches. */
void ry_cables_faults(const struct ry_cable_plan *plan, struct ry_problems *problems);

/** Stock lengths in m that cables are sold in, ascending; NAN past the last. */
double ry_cable_stock_at(size_t i);

#endif
