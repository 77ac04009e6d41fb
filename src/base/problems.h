/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Every mistake of one input, in the order found.
 *
 * A loader does not stop at the first mistake: it adds each to a list, goes on, and
 * fails once at the end.  The list keeps a bounded number of diagnostics and counts
 * the rest, so that a hostile file cannot fill memory.
 */
#ifndef RY_BASE_PROBLEMS_H
#define RY_BASE_PROBLEMS_H

#include "base/err.h"

#include <stddef.h>

enum { RY_PROBLEMS_KEPT = 50 };

struct ry_problems {
    size_t count;                           /**< all that were added */
    struct ry_diag diags[RY_PROBLEMS_KEPT]; /**< [min(count, RY_PROBLEMS_KEPT)] */
};

/** Add one mistake; @p where and the text as in ry_fail().  NULL list: nothing. */
void ry_problem(struct ry_problems *problems, enum ry_err code, const char *where,
                const char *fmt, ...) RY_PRINTF(4, 5);

/** Add a diagnostic that a failing call left behind. */
void ry_problem_diag(struct ry_problems *problems, const struct ry_diag *diag);

/**
 * RY_OK when the list is empty; otherwise copy its first diagnostic to @p diag and
 * return that diagnostic's code.
 */
enum ry_err ry_problems_err(const struct ry_problems *problems, struct ry_diag *diag);

/** The code of the first mistake past @p before of them; RY_OK when there is none. */
enum ry_err ry_problems_since(const struct ry_problems *problems, size_t before);

#endif
