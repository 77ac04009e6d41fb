/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * From runs of collectives to the curves of a domain.
 */
#ifndef RY_CALIBRATE_COLLECTIVE_FIT_H
#define RY_CALIBRATE_COLLECTIVE_FIT_H

#include "calibrate/link_fit.h"
#include "comm/net.h"

/** All points of one collective, rank and node count. */
struct ry_coll_run {
    enum ry_coll coll;
    size_t ranks, nodes;
    bool nodes_known; /**< false: the file does not say it, nodes is 0 */
    const char *file; /**< of its first points, for messages and provenance */
    const char *gpu;  /**< device name, NULL: not said */
    size_t n;
    struct ry_link_point *points; /**< [n] */
};

/** One fitted curve; its rates are algorithm bandwidth, times bus_factor: busbw. */
struct ry_coll_fit {
    enum ry_coll coll;
    size_t ranks, nodes;
    const char *file;
    double bus_factor;
    struct ry_link_fit fit;
};

struct ry_coll_fits {
    size_t n;
    struct ry_coll_fit *at; /**< [n] by collective, ranks, nodes */
    double rel_sigma;       /**< of one time: 1.48 times the median error, 1 % at least */
};

/**
 * Fit every run.
 * @param arena owns the result.
 * @param runs  [n] any order; with fewer than three sizes a run is left out.
 * @param n     how many.
 * @param fits  set on RY_OK.
 * @param diag  nullable.
 * @return RY_OK, RY_ERR_DEGENERATE when no run can be fitted, RY_ERR_NOMEM, RY_ERR_RANGE.
 */
RY_MUST_USE enum ry_err ry_coll_fits_make(struct ry_arena *arena,
                                          const struct ry_coll_run runs[], size_t n,
                                          struct ry_coll_fits *fits,
                                          struct ry_diag *diag);

/** alpha of one collective = base + intra steps * step inside + inter steps * between. */
struct ry_alpha_steps {
    struct ry_estimate base_s, intra_step_s, inter_step_s;
    bool intra_known, inter_known; /**< false: the runs cannot tell it */
    size_t runs;
};

/**
 * Split start-up times over ring steps inside and between nodes, by non-negative least
 * squares on relative errors.  Needs runs of the same collective at two node counts to
 * know a step between nodes, and two rank counts a node to know one inside.
 */
RY_MUST_USE enum ry_err ry_alpha_steps_fit(const struct ry_coll_fits *fits,
                                           enum ry_coll coll,
                                           struct ry_alpha_steps *steps,
                                           struct ry_diag *diag);

#endif
