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

#endif
