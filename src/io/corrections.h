/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Errors of published tables: data_corrections.json beside them, each with its reason.
 * Corrected figures are shown beside the as-stated ones, never instead of them.
 */
#ifndef RY_IO_CORRECTIONS_H
#define RY_IO_CORRECTIONS_H

#include "io/published.h"

enum { RY_CORRECTIONS_MOST = 64 };

struct ry_correction {
    const char *id;       /**< of one row, or NULL */
    const char *file;     /**< of all rows of a file by that name, or NULL */
    double step_time_s;   /**< what should stand there; NAN: as stated */
    bool no_recompute;    /**< the configuration had no recomputation */
    bool nvfp4;           /**< its products ran in nvfp4 */
    unsigned micro_batch; /**< sequences; 0: as stated */
    const char *reason;
};

struct ry_corrections {
    size_t n;
    struct ry_correction at[RY_CORRECTIONS_MOST];
};

/** Add those of @p path; a file that is not there adds none. */
RY_MUST_USE enum ry_err ry_corrections_read(struct ry_arena *arena, const char *path,
                                            struct ry_problems *problems,
                                            struct ry_corrections *corrections);

/** The correction of row @p id of the file @p name, or NULL. */
const struct ry_correction *ry_correction_of(const struct ry_corrections *corrections,
                                             const char *name, const char *id);

#endif
