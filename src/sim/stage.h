/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Time of one stage for one micro-batch.  Internal to sim.
 */
#ifndef RY_SIM_STAGE_H
#define RY_SIM_STAGE_H

#include "sim/step.h"

/** Stage @p cost where clocked work takes @p scale of its time at the sustained clock. */
struct ry_stage_time ry_stage_time_at(const struct ry_step_inputs *in,
                                      const struct ry_stage_cost *cost, double scale);

/**
 * Share of a stage exchange that is seen.  Megatron hides exchanges only where chunks
 * interleave or directions alternate (DualPipe); PyTorch's schedules send asynchronously.
 */
double ry_stage_exchange_visible(const struct ry_step_inputs *in);

/**
 * Micro-batches whose compute gradient and parameter traffic can run beside.  With v
 * chunks of a stage, the gradients of the first finished chunk are ready while pp
 * micro-batches still go backward through the other v - 1.
 */
double ry_dp_window(const struct ry_step_inputs *in);

#endif
