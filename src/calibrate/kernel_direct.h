/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Parameters that follow from measurements without a search: medians and means.
 */
#ifndef RY_CALIBRATE_KERNEL_DIRECT_H
#define RY_CALIBRATE_KERNEL_DIRECT_H

#include "calibrate/kernel_stage.h"

/** Share of bandwidth of each kind: the weighted median of what its samples show. */
void ry_fit_streams(struct ry_kernel_data *data, struct ry_compute_file *file,
                    const struct ry_bench_terms *bench);

/** Rates of the layouts, from shapes that were measured in each of them. */
void ry_fit_roles(const struct ry_kernel_data *data, struct ry_compute_file *file);

/** Host seconds an operation, forward and backward. */
void ry_fit_host(const struct ry_kernel_data *data, struct ry_compute_file *file);

/** Slow-downs of work side by side: geometric means. */
void ry_fit_beside(const struct ry_kernel_data *data, struct ry_compute_file *file);

#endif
