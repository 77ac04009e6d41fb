/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How well each class of kernels is predicted by a fit.
 */
#ifndef RY_CALIBRATE_KERNEL_JUDGE_H
#define RY_CALIBRATE_KERNEL_JUDGE_H

#include "calibrate/kernel_fit.h"

/**
 * List the classes with samples in @p fit, and set in @p file the uncertainty of one
 * kernel of those with enough of them: what they scatter around their fit.
 * @param arena scratch.
 * @param data  fitted_s and held_out_s are set.
 * @param fit   without classes.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_kernel_judge(struct ry_arena *arena,
                                        const struct ry_kernel_data *data,
                                        struct ry_compute_file *file,
                                        struct ry_kernel_fit *fit, struct ry_diag *diag);

#endif
