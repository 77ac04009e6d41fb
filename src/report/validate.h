/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Predicted against measured: errors by source, coverage of intervals, order of pairs.
 */
#ifndef RY_REPORT_VALIDATE_H
#define RY_REPORT_VALIDATE_H

#include "io/published.h"
#include "io/run_resolve.h"

/** One predicted row. */
struct ry_check {
    const struct ry_job *run;
    const struct ry_measured *measured;
    struct ry_resolved predicted;
    size_t file;   /**< index of its file */
    double error;  /**< predicted / measured - 1 */
    double corrected_error; /**< the same with errors of the table put right */
};

struct ry_errors {
    size_t used;
    double corrected; /**< mape with errors of the tables put right */
    double mape, bias, p95, median; /**< NAN where nothing was used */
};

/** Errors of the rows of @p file, or of all with (size_t)-1.  Sorts a copy in @p arena. */
struct ry_errors ry_errors_of(struct ry_arena *arena, const struct ry_check *checks,
                              size_t n, size_t file);

struct ry_order {
    size_t pairs;      /**< over 5 % apart, of one model, GPUs and batch */
    double right_frac; /**< in the predicted order */
    size_t groups;
    double regret;     /**< mean of measured time of the predicted best over the best - 1 */
};

/** Order within groups of rows that differ only in how a job is cut. */
struct ry_order ry_order_of(const struct ry_check *checks, size_t n, size_t file);

/** Share of measured times inside [lo_s, hi_s]; NAN for no rows. */
double ry_coverage_of(const struct ry_check *checks, size_t n, size_t file);

#endif
