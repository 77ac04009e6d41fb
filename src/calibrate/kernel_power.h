/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Power and the sustained clock, from products and attention that were held for seconds.
 */
#ifndef RY_CALIBRATE_KERNEL_POWER_H
#define RY_CALIBRATE_KERNEL_POWER_H

#include "calibrate/kernel_stage.h"

/**
 * Power by kind of work, and the sustained rates: products held for seconds against what
 * the fit to short benchmarks says of the same shapes.  Without power samples the limit
 * of long products is taken for the sustained rate.
 */
void ry_fit_power(const struct ry_kernel_data *data, struct ry_compute_file *file,
                  const struct ry_bench_terms *bench);

#endif
