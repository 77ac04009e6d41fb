/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Measures of a fabric as it stands, failed links left out: distances, bisection, paths.
 */
#ifndef RY_TOPOLOGY_MEASURE_H
#define RY_TOPOLOGY_MEASURE_H

#include "base/err.h"
#include "topology/adjacency.h"

#include <stdbool.h>
#include <stddef.h>

struct ry_distances {
    size_t diameter_links; /**< longest shortest path between two endpoints */
    double mean_links;     /**< over all pairs of different endpoints that are joined */
    double joined_frac;    /**< pairs that are joined (planes are separate) */
    size_t sources;        /**< switches that distances were taken from */
    bool sampled;          /**< not from all of them: too many for the work allowed */
};

/** Distances over at most @p work arc visits (0: no limit). */
RY_MUST_USE enum ry_err ry_measure_distances(struct ry_arena *arena,
                                             const struct ry_adjacency *adjacency,
                                             size_t work, struct ry_distances *distances,
                                             struct ry_diag *diag);

/**
 * The most that the first half of the nodes can send to the second half at once
 * (max-flow over links and NICs, one direction).  For even halves along the structure it
 * is the bisection; for other graphs an upper bound of the worst halving.
 */
RY_MUST_USE enum ry_err ry_measure_halves(struct ry_arena *arena,
                                          const struct ry_graph *graph, size_t fabric,
                                          const struct ry_adjacency *adjacency,
                                          double *bytes_per_s, struct ry_diag *diag);

struct ry_diversity {
    uint32_t from, to;     /**< devices: the first and the last with endpoints */
    double shortest_paths; /**< of equal length, parallel links counted */
    size_t disjoint_links; /**< paths that share no link */
};

/** Paths between the first and the last switch with endpoints that are joined. */
RY_MUST_USE enum ry_err ry_measure_diversity(struct ry_arena *arena,
                                             const struct ry_adjacency *adjacency,
                                             struct ry_diversity *diversity,
                                             struct ry_diag *diag);

#endif
