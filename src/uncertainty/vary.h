/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Parameters of a compute model by number, to vary them: internal to this folder.
 * (kernel/params.h and comm/net_build.h cannot be included together: both name origins.)
 */
#ifndef RY_UNCERTAINTY_VARY_H
#define RY_UNCERTAINTY_VARY_H

#include "kernel/compute_model.h"

#include <stddef.h>

/** How many there are. */
size_t ry_vary_count(void);

/** "gemm.bf16.rate_flop_per_s" */
const char *ry_vary_name(size_t i);

/** Its value. */
double ry_vary_get(const struct ry_compute_model *model, size_t i);

/** Times @p factor, within the parameter's bounds. */
void ry_vary(struct ry_compute_model *model, size_t i, double factor);

#endif
