/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What data-parallel ranks exchange in a step: gradients, and parameters where they are
 * sharded, in the manner of the framework.  Internal to sim.
 */
#ifndef RY_SIM_GRADIENTS_H
#define RY_SIM_GRADIENTS_H

#include "sim/build.h"

/**
 * Times of reductions, gathers and the copies around them, alone: reduce_s, gather_s,
 * tail_frac, copy_s, those of FSDP, and what they run beside.
 * @param worst the stage class with the most trained parameters.
 * @param l     its sizes are known; times are 0.
 */
void ry_gradients_times(const struct ry_build *build, const struct ry_shape_cost *shape,
                        int worst, struct ry_layout_cost *l);

/** Of a gradient reduction and a parameter gather, what nothing hides. */
double ry_tail_frac(const struct ry_strategy *strategy,
                    const struct ry_layout_cost *layout);

#endif
