/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How layers, parameters and data-parallel groups fall on stages.  Internal to sim.
 */
#ifndef RY_SIM_LAYOUT_H
#define RY_SIM_LAYOUT_H

#include "sim/step.h"

/** Stage classes: the first, those between, the last. */
enum { RY_STAGE_FIRST, RY_STAGE_MIDDLE, RY_STAGE_LAST, RY_STAGES };

/** Dense and MoE layers, embedding and head of a stage class. */
struct ry_stage {
    double dense, moe;
    bool embedding, head;
};

/** Stages that class @p which stands for; 0 when there is none. */
double ry_stage_count(const struct ry_strategy *strategy, int which);

/** What sits on a stage of class @p which. */
struct ry_stage ry_stage_of(const struct ry_arch *arch,
                            const struct ry_strategy *strategy,
                            const struct ry_layout_cost *layout, int which);

/** Of the layers of a stage, the share that the strategy recomputes in backward; 1 for
 * modes that are not by layer. */
double ry_recomputed_share(const struct ry_strategy *strategy,
                           const struct ry_stage *stage);

/** Activations of one micro-batch that a stage keeps until its backward, bytes of a
 * GPU. */
double ry_stage_kept_bytes(const struct ry_step_inputs *in, const struct ry_stage *stage);

/** Ranks that hold the same expert (data-parallel copies of it), 1 or more. */
double ry_expert_ranks(const struct ry_traits *traits,
                       const struct ry_strategy *strategy);

/** Fill the layers_* fields. */
void ry_layout_stages(const struct ry_arch *arch, const struct ry_strategy *strategy,
                      struct ry_layout_cost *layout);

#endif
