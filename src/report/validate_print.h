/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What validate prints: errors by source, intervals by preset, one row in parts, and a
 * plot.
 */
#ifndef RY_REPORT_VALIDATE_PRINT_H
#define RY_REPORT_VALIDATE_PRINT_H

#include "report/table.h"
#include "report/validate.h"

/** Sources, all together and every row that was used, as one JSON document. */
void ry_validate_json(struct ry_arena *arena, const struct ry_checks *checks);

/** Errors by source; for people the mean over sources and what was skipped, too. */
RY_MUST_USE enum ry_err ry_validate_sources(struct ry_arena *arena,
                                            const struct ry_checks *checks,
                                            enum ry_table_format format,
                                            struct ry_diag *diag);

/** Intervals by preset and kind of model, then of all presets, then by their width. */
RY_MUST_USE enum ry_err ry_validate_intervals(struct ry_arena *arena,
                                              const struct ry_checks *checks,
                                              const struct ry_presets *presets,
                                              enum ry_table_format format,
                                              struct ry_diag *diag);

/**
 * Parts of the time and memory of the rows that have @p id in theirs.
 * @return how many there are.
 */
size_t ry_validate_explain(const struct ry_checks *checks, const char *id);

/**
 * Draw predicted over measured step times of every source, and where they are equal.
 * @param path .svg, .pdf or .png.
 * @return as ry_plot_write().
 */
RY_MUST_USE enum ry_err ry_validate_plot(struct ry_arena *arena,
                                         const struct ry_checks *checks, const char *path,
                                         struct ry_diag *diag);

#endif
