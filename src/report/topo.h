/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What `railyard topo` and `railyard check` print of a graph.
 */
#ifndef RY_REPORT_TOPO_H
#define RY_REPORT_TOPO_H

#include "report/table.h"
#include "topology/graph.h"
#include "topology/measure.h"
#include "topology/verify.h"

#include <stddef.h>

/** Measures of one fabric. */
struct ry_fabric_report {
    struct ry_distances distances;
    double halves_bytes_per_s;
    struct ry_diversity diversity;
};

struct ry_topo_report {
    const char *name;
    const struct ry_graph *graph;
    size_t gpus, nodes, failed_links;
    const struct ry_verified *verified;
    double asked_ratio; /**< down : up of a leaf of the first fabric; 0: not said */
    size_t spines,
        spines_least; /**< as built, and by ports alone; 0: not said, or they grow */
    size_t leaf_up;   /**< uplinks of a leaf, with them */
    struct ry_problems *faults; /**< NULL: not checked */
    const char *site;           /**< what was checked of racks and power, or why not */
    struct ry_fabric_report fabric[RY_FABRICS_MOST];
};

/** Print the structure: devices, cables, fabrics. */
RY_MUST_USE enum ry_err ry_topo_report_print(struct ry_arena *arena,
                                             const struct ry_topo_report *report,
                                             enum ry_table_format format,
                                             struct ry_diag *diag);

/** Print what the verifier found: faults, and stated against measured. */
RY_MUST_USE enum ry_err ry_topo_check_print(struct ry_arena *arena,
                                            const struct ry_topo_report *report,
                                            enum ry_table_format format,
                                            struct ry_diag *diag);

#endif
