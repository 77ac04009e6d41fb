/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * rank and step --explain: where figures came from.
 */
#ifndef RY_CLI_ORIGIN_TABLE_H
#define RY_CLI_ORIGIN_TABLE_H

#include "report/table.h"
#include "search/case.h"

/**
 * Where every figure of a case came from: inputs, catalog rows, models, formulas.
 * @param cases [n] by workload; a design's origins stand once.
 */
struct ry_table *ry_origin_table(struct ry_arena *arena, struct ry_case *const cases[],
                                 size_t n);

#endif
