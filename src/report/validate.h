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
    size_t file;            /**< index of its file */
    double error;           /**< predicted / measured - 1 */
    double corrected_error; /**< the same with errors of the table put right */
};

struct ry_errors {
    size_t used;
    double corrected;               /**< mape with errors of the tables put right */
    double mape, bias, p95, median; /**< NAN where nothing was used */
};

/** Measured rows of files, and what is predicted of each. */
struct ry_checks {
    size_t files;
    const struct ry_run_file *file; /**< [files] */
    size_t n;
    struct ry_check *check; /**< [n] in the order of files and their rows */
};

/** Errors of the rows of @p file, or of all with (size_t)-1.  Sorts a copy in @p
 * arena. */
struct ry_errors ry_errors_of(struct ry_arena *arena, const struct ry_check *checks,
                              size_t n, size_t file);

/** Mean over files of their mean absolute error; NAN where no row was used. */
double ry_mean_of_files(struct ry_arena *arena, const struct ry_checks *checks);

struct ry_order {
    size_t pairs;      /**< over 5 % apart, of one model, GPUs and batch */
    double right_frac; /**< in the predicted order */
    size_t groups;
    double regret; /**< mean of measured time of the predicted best over the best - 1 */
};

/** Order within groups of rows that differ only in how a job is cut. */
struct ry_order ry_order_of(const struct ry_check *checks, size_t n, size_t file);

/** Share of measured times inside [lo_s, hi_s]; NAN for no rows. */
double ry_coverage_of(const struct ry_check *checks, size_t n, size_t file);

/** What a model is, as far as intervals differ. */
enum ry_kind_of_run { RY_RUN_DENSE, RY_RUN_LORA, RY_RUN_EXPERTS, RY_RUN_KINDS };

/** "dense", "lora", "experts". */
const char *ry_kind_of_run_name(enum ry_kind_of_run kind);

struct ry_widths {
    size_t used;
    double coverage;   /**< share of measured times inside */
    double half_width; /**< median of hi_s / step_time_s - 1 */
    double needed;     /**< factor on the widths at which nine rows in ten are inside */
};

/** Intervals of the rows of @p preset (NULL: all) and a kind; NAN where there are
 * none. */
struct ry_widths ry_widths_of(struct ry_arena *arena, const struct ry_check *checks,
                              size_t n, const char *preset, enum ry_kind_of_run kind);

/**
 * Intervals of a quarter of the rows of a kind, 0 with the narrowest to 3 with the
 * widest: a width that knows its causes holds in each of them.
 */
struct ry_widths ry_widths_quarter(struct ry_arena *arena, const struct ry_check *checks,
                                   size_t n, enum ry_kind_of_run kind, size_t quarter);

#endif
