/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A workload on one design with its best strategy, for commands that then cost, store
 * or power it.
 */
#ifndef RY_CLI_TRAINED_H
#define RY_CLI_TRAINED_H

#include "cli/plan_cases.h"

struct ry_trained_input {
    const struct ry_catalog_sources *catalog;
    const char *design;   /**< its file */
    const char *workload; /**< a file; NULL: the one of the design's own file */
    size_t member;        /**< of a family of designs, from 1 */
};

/**
 * Read both, try every strategy in bounds.
 * @param arena owns the case.
 * @param in    what to read.
 * @param found set on RY_OK: a case with a result.
 * @return RY_OK; RY_ERR_INFEASIBLE with the reason (nothing fits).
 */
RY_MUST_USE enum ry_err ry_trained(struct ry_arena *arena,
                                   const struct ry_trained_input *in,
                                   const struct ry_case **found, struct ry_diag *diag);

#endif
