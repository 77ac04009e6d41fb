/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * One stage of a kernel fit: a few parameters, the samples that tell them.
 */
#ifndef RY_CALIBRATE_KERNEL_STAGE_H
#define RY_CALIBRATE_KERNEL_STAGE_H

#include "calibrate/kernel_fit.h"

#include <stdbool.h>

enum { RY_STAGE_PARAMS = 10 };

/** What a benchmark adds to a kernel. */
struct ry_bench_terms {
    double floor_s[RY_FLOORS];
    double heat, heat_s; /**< of products, not of those narrower than 16 bits */
};

struct ry_stage {
    const char *params[RY_STAGE_PARAMS]; /**< names; ends with NULL */
    size_t n;
    bool floor; /**< fit floor_s[floor_of] too */
    enum ry_floor floor_of;
    bool heat; /**< fit heat and heat_s too */
    size_t samples;
    const size_t *sample; /**< [samples] indices into the data */
};

struct ry_stage_state {
    struct ry_kernel_data *data;
    struct ry_compute_model *model;
    struct ry_bench_terms *bench;
    double sigma_rel[RY_STAGE_PARAMS]; /**< by the jackknife, of each parameter */
};

/** Seconds that the benchmark would report for @p sample. */
double ry_bench_s(const struct ry_compute_model *model,
                  const struct ry_bench_terms *bench, const struct ry_sample *sample);

/** Mean absolute relative error on the halves not fitted to; the model is unchanged. */
RY_MUST_USE enum ry_err ry_stage_cross(const struct ry_stage *stage,
                                       const struct ry_stage_state *state,
                                       double *held_out, struct ry_diag *diag);

/** Fit to all samples; sets held_out_s by halves, then fitted_s and sigma_rel. */
RY_MUST_USE enum ry_err ry_stage_fit(const struct ry_stage *stage,
                                     struct ry_stage_state *state, struct ry_diag *diag);

#endif
