/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What step prints of its cases, and draws of one: time and memory by part.
 */
#ifndef RY_CLI_STEP_PRINT_H
#define RY_CLI_STEP_PRINT_H

#include "cli/plan_cases.h"
#include "report/table.h"

/**
 * Print all cases: a document each for people and in JSON, one table in CSV.
 * @param explain where figures came from, too.
 * @return RY_OK or as ry_table_print().
 */
RY_MUST_USE enum ry_err ry_step_print(struct ry_arena *arena,
                                      const struct ry_plan_cases *all, bool explain,
                                      enum ry_table_format format, struct ry_diag *diag);

/**
 * Draw a case over time; nothing where it has no result.
 * @param plot  .svg, .pdf or .png; NULL: none.  Bars alone where tasks have no known
 * order.
 * @param trace JSON of its timeline; NULL: none.
 * @return RY_OK; of ry_step_timeline_of(), ry_trace_write() or ry_picture_write().
 */
RY_MUST_USE enum ry_err ry_step_draw(struct ry_arena *arena, const struct ry_case *c,
                                     const char *plot, const char *trace,
                                     struct ry_diag *diag);

#endif
