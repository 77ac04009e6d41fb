/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How a parameter of a compute model that samples tell is kept, with where it is from.
 */
#ifndef RY_CALIBRATE_KERNEL_NOTE_H
#define RY_CALIBRATE_KERNEL_NOTE_H

#include "calibrate/kernel_data.h"
#include "kernel/params.h"

/**
 * Note where the value of parameter @p i is from.
 * @param sigma_rel its relative standard deviation.
 * @param from      kept as it is, not copied.
 */
void ry_kernel_note(const struct ry_kernel_data *data, struct ry_compute_file *file,
                    size_t i, double sigma_rel, const char *from);

/** Set a parameter within its bounds and note it; not an unknown name or what is not
 * finite. */
void ry_kernel_set(const struct ry_kernel_data *data, struct ry_compute_file *file,
                   const char *name, double value, double sigma_rel, const char *from);

#endif
