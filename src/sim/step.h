/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Time and memory of one training step, in closed form.
 *
 * Two phases, so that a search pays for a shape once:
 *
 *  1. ry_shape_cost(): kernels and in-layer collectives of one (tp, sp, cp, ep, etp,
 *     micro-batch, sequence, precision, overlap, compile, graph), all recompute modes.
 *     ry_layout_sizes(), ry_layout_times(): parameters, and what depends on pp and dp
 * too. Caller-provided storage, nothing allocated; cache both by the fields of struct
 *     ry_strategy that their comments name.
 *  2. ry_step_combine(): pure arithmetic, well under a microsecond, no allocation.
 *
 * ry_step_predict() is the two in a row.  Search, rank and validate use nothing else.
 */
#ifndef RY_SIM_STEP_H
#define RY_SIM_STEP_H

#include "base/err.h"
#include "sim/costs.h"
#include "sim/machine.h"
#include "workload/arch.h"
#include "workload/strategy.h"
#include "workload/traits.h"

#include <stdbool.h>

enum ry_step_part {
#define X(code, key, text) code,
#include "sim/parts.def"
#undef X
    RY_PARTS
};

enum ry_memory_part {
#define X(code, key, text) code,
#include "sim/memory_parts.def"
#undef X
    RY_MEMORY_PARTS
};

/** JSON key ("gemm_s") and title of a part. */
const char *ry_part_key(enum ry_step_part part);
const char *ry_part_text(enum ry_step_part part);
const char *ry_memory_part_key(enum ry_memory_part part);
const char *ry_memory_part_text(enum ry_memory_part part);

struct ry_step {
    double step_time_s;
    double lo_s, hi_s;                    /**< 90 % interval */
    double part_s[RY_PARTS];              /**< sums to step_time_s */
    double hidden_s[RY_PARTS];            /**< traffic that overlaps compute, by kind */
    double memory_bytes[RY_MEMORY_PARTS]; /**< sums to peak_bytes */
    double peak_bytes;                    /**< of one GPU, worst stage */
    double usable_bytes;                  /**< of one GPU */
    double host_bytes;                    /**< of one node, offloaded states */
    bool fits;                            /**< GPU and host memory */
    unsigned worst_stage;                 /**< that holds most memory */
    double micro_batches;
    double tokens; /**< of a step, all GPUs */
    double tokens_per_s;
    double model_flop; /**< of a step, all GPUs, no recomputation */
    double duty_frac;  /**< of the step in which tensor cores work */
    double power_w;    /**< mean of one GPU's board over the step */
};

/** Phase 1: see struct ry_shape_cost. */
void ry_shape_cost(const struct ry_machine *machine, const struct ry_arch *arch,
                   const struct ry_traits *traits, const struct ry_strategy *strategy,
                   struct ry_shape_cost *out);

/** Phase 1: what memory needs of struct ry_layout_cost: layers, parameters, shards. */
void ry_layout_sizes(const struct ry_arch *arch, const struct ry_traits *traits,
                     const struct ry_strategy *strategy,
                     const struct ry_shape_cost *shape, struct ry_layout_cost *l);

/** Phase 1: the rest of it, collectives and optimizer, after ry_layout_sizes(). */
void ry_layout_times(const struct ry_machine *machine, const struct ry_arch *arch,
                     const struct ry_traits *traits, const struct ry_strategy *strategy,
                     const struct ry_shape_cost *shape, struct ry_layout_cost *l);

/** What phase 2 reads. */
struct ry_step_inputs {
    const struct ry_machine *machine;
    const struct ry_arch *arch;
    const struct ry_traits *traits;
    const struct ry_strategy *strategy;
    const struct ry_shape_cost *shape;
    const struct ry_layout_cost *layout;
    const struct ry_stages_cost *stages;
};

/** Phase 1: see struct ry_stages_cost; @p in needs all but `stages`. */
void ry_stages_cost(const struct ry_step_inputs *in, struct ry_stages_cost *out);

/** One micro-batch of what the busiest GPU runs. */
struct ry_stage_time ry_busiest_time(const struct ry_stages_cost *stages);

/**
 * What a step takes beside its passes, bubble, exchanges and overlapped traffic: copies
 * and sums of gradients, update, norm, host copies, the constant.
 */
double ry_step_rest_s(const struct ry_step_inputs *in);

/** Phase 2, the time alone, s: the step_time_s of ry_step_combine() but for rounding. */
double ry_step_time_s(const struct ry_step_inputs *in);

/** Phase 2: time, parts, memory.  Total for checked inputs. */
void ry_step_combine(const struct ry_step_inputs *in, struct ry_step *out);

/** Fill lo_s and hi_s from what calibration and configuration leave unknown. */
void ry_step_interval(const struct ry_step_inputs *in, struct ry_step *out);

/** Widen the interval by one more unknown, a standard deviation of @p sigma_frac. */
void ry_step_widen(struct ry_step *step, double sigma_frac);

/** Phase 2, memory alone (prunes a search before any time is computed). */
void ry_step_memory(const struct ry_step_inputs *in, struct ry_step *out);

/** Check, then both phases.  RY_ERR_INFEASIBLE where the model cannot be cut that way. */
RY_MUST_USE enum ry_err ry_step_predict(const struct ry_machine *machine,
                                        const struct ry_arch *arch,
                                        const struct ry_traits *traits,
                                        const struct ry_strategy *strategy,
                                        struct ry_step *out, struct ry_diag *diag);

/**
 * One line that says why @p step does not fit ("70.6B parameters at 18 B each are
 * 1,270 GB, 8 GPUs of 85 GB hold 680 GB: add nodes, offload or 8-bit states"), or "".
 * @param size  room in @p text; 240 is enough.
 */
void ry_step_why_not(const struct ry_step_inputs *in, const struct ry_step *step,
                     char *text, unsigned size);

#endif
