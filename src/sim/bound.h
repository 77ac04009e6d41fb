/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A lower bound on the time of a step, from the costs of a layer alone.
 *
 * The slowest stage takes no less than the mean of all stages, S / pp, where S is one
 * micro-batch through all layers and ends at the GPU's highest clock, with the traffic
 * that a layer shows; m micro-batches and the bubble take (S / pp) (m + (pp - 1) / vpp)
 * (Narayanan et al. 2021; without the bubble where a schedule fills it).  Everything
 * else in a step (stage exchanges, gradient traffic, optimizer, stragglers, offload) is
 * not negative, so no step of sim/step.h is faster: doc/ranking.md has the proof.
 */
#ifndef RY_SIM_BOUND_H
#define RY_SIM_BOUND_H

#include "sim/step.h"

/** What the bound holds for. */
enum ry_bound_of {
    RY_BOUND_STRATEGY,     /**< the strategy at hand, its recomputation counted */
    RY_BOUND_SHAPE,        /**< it without recomputation, overlapped or not, any ZeRO */
    RY_BOUND_SHAPE_FILLED, /**< and with a schedule that fills its bubble */
};

/** Taken off, so that the order in which a sum is rounded cannot pass the bound. */
#define RY_BOUND_ROUNDING 1e-9

/** No step is shorter, s.  @p in needs machine, arch, traits, strategy and shape. */
double ry_step_least_s(const struct ry_step_inputs *in, enum ry_bound_of of);

#endif
