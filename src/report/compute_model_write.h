/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Writing the compute models that io/compute_model.h reads.
 */
#ifndef RY_REPORT_COMPUTE_MODEL_WRITE_H
#define RY_REPORT_COMPUTE_MODEL_WRITE_H

#include "calibrate/kernel_fit.h"
#include "kernel/params.h"

/** What a model was made from; both nullable. */
struct ry_compute_made {
    const struct ry_kernel_data *data;
    const struct ry_kernel_fit *fit;
};

/** Write a model.  Numbers have 7 digits, so that a remake gives the same file. */
RY_MUST_USE enum ry_err ry_compute_model_write(const char *path,
                                               const struct ry_compute_file *file,
                                               const struct ry_compute_made *made,
                                               struct ry_diag *diag);

#endif
