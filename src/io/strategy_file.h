/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The "strategy" object of a workload, and the names of its choices.
 */
#ifndef RY_IO_STRATEGY_FILE_H
#define RY_IO_STRATEGY_FILE_H

#include "io/json.h"
#include "plan/workload.h"

/** Names of the choices in files and options, as lists that end with NULL. */
extern const char *const ry_task_choices[];       /**< of enum ry_task */
extern const char *const ry_precision_choices[];  /**< of enum ry_train_precision */
extern const char *const ry_recompute_choices[];  /**< of enum ry_recompute */
extern const char *const ry_schedule_choices[];   /**< of enum ry_schedule */
extern const char *const ry_cp_kind_choices[];    /**< of enum ry_cp_kind */
extern const char *const ry_cuda_graph_choices[]; /**< of enum ry_cuda_graph */

/** The i-th key of "strategy", NULL past the end. */
const char *ry_bounds_key(size_t i);

/** Read what may be tried; mistakes go to the problems of the document. */
void ry_bounds_read(struct ry_json at, struct ry_bounds *bounds);

/** "tp=8 pp=4 vpp=2 dp=8 mbs=1 zero1 full", in a buffer of @p size bytes. */
void ry_strategy_text(const struct ry_strategy *strategy, char *text, size_t size);

#endif
