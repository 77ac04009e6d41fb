/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Placement: ranks go to GPUs in order; which groups of a parallelism mix cross which
 * level, and which order of the dimensions would cross less.
 */
#ifndef RY_TOPOLOGY_PLACE_H
#define RY_TOPOLOGY_PLACE_H

#include "base/err.h"
#include "topology/groups.h"

#include <stdbool.h>
#include <stddef.h>

/** Dimensions of a mix, the heaviest traffic first; DP is EP times EDP. */
enum ry_place_dim {
    RY_PLACE_TP,
    RY_PLACE_EP,
    RY_PLACE_CP,
    RY_PLACE_EDP, /**< data parallel over what EP leaves */
    RY_PLACE_PP,
    RY_PLACE_DIMS
};

/** How far a group reaches. */
enum ry_place_level {
    RY_PLACE_NODE, /**< within a node or NVLink domain */
    RY_PLACE_LEAF, /**< one leaf, or one unit of a railed fabric: one switch between */
    RY_PLACE_POD,  /**< over spines */
    RY_PLACE_CORE, /**< over cores, or between dragonfly groups */
    RY_PLACE_LEVELS
};

struct ry_placement {
    size_t size[RY_PLACE_DIMS];             /**< 1 or more */
    enum ry_place_dim order[RY_PLACE_DIMS]; /**< the first varies fastest with the rank */
};

struct ry_place_report {
    size_t ranks;
    size_t groups[RY_PLACE_DIMS][RY_PLACE_LEVELS]; /**< by the level that they reach */
};

/** Read an order such as "tp,cp,ep,dp,pp"; what is not named follows in that order. */
RY_MUST_USE enum ry_err ry_place_order(const char *text, struct ry_placement *placement,
                                       struct ry_diag *diag);

/**
 * Count.
 * @return RY_OK; RY_ERR_INFEASIBLE when there are more ranks than GPUs.
 */
RY_MUST_USE enum ry_err ry_place_count(const struct ry_node_groups *nodes,
                                       size_t gpus_per_node,
                                       const struct ry_placement *placement,
                                       struct ry_place_report *report,
                                       struct ry_diag *diag);

/**
 * The order whose heaviest dimensions reach least far, of all 120.
 * @return RY_OK, as ry_place_count() otherwise; @p better false when the given one is as
 *         good.
 */
RY_MUST_USE enum ry_err ry_place_best(const struct ry_node_groups *nodes,
                                      size_t gpus_per_node,
                                      const struct ry_placement *placement,
                                      struct ry_placement *best, bool *better,
                                      struct ry_diag *diag);

/** "tp", "ep", "cp", "dp", "pp". */
const char *ry_place_dim_text(enum ry_place_dim dim);
#endif
