/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What differs between two bundles: versions, command lines, inputs value by value,
 * catalog rows cell by cell, models by their digests, results value by value.
 */
#ifndef RY_REPORT_BUNDLE_DIFF_H
#define RY_REPORT_BUNDLE_DIFF_H

#include "report/bundle.h"
#include "report/table.h"

/** One difference: columns of ry_bundle_diff(). */
enum { RY_BUNDLE_DIFF_COLUMNS = 7 };

/**
 * Compare.
 * @param arena owns the table.
 * @param table set on RY_OK; a row a difference, in the order of the paths.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_bundle_diff(struct ry_arena *arena, const struct ry_bundle *a,
                                       const struct ry_bundle *b, struct ry_table **table,
                                       struct ry_diag *diag);

#endif
