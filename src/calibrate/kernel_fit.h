/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Fit a GPU's compute model to kernel timings.
 *
 * Errors are logarithms of predicted over measured time; what is minimised is their
 * mean absolute value, rounded near zero (robust against spikes).  Parameters are fitted
 * in stages (products by precision, attention by direction, streams by kind, grouped
 * products), each with GSL's simplex in the logarithm of the parameters.  A stage is
 * fitted three more times on parts of its samples: on either half, to judge the other
 * (cross-validation), and with a sixth left out in turn, for the uncertainty of each
 * parameter (jackknife).  The wave treatment is the one that predicts the other half
 * best.
 *
 * Benchmarks run at another clock than a long step: rates are brought to the sustained
 * clock by the power samples, where there are any.
 */
#ifndef RY_CALIBRATE_KERNEL_FIT_H
#define RY_CALIBRATE_KERNEL_FIT_H

#include "base/arena.h"
#include "base/err.h"
#include "calibrate/kernel_data.h"
#include "kernel/params.h"

enum { RY_WAVES = 5, RY_FIT_CLASSES = 16 };

/** How well a class of kernels is predicted. */
struct ry_fit_class {
    const char *name;
    size_t samples;
    double mean_abs; /**< mean of |predicted / measured - 1| */
    double bias;     /**< mean of predicted / measured - 1 */
    double p95;      /**< 95th percentile of the absolute error */
    double held_out; /**< mean absolute error of fits that did not see the sample */
    size_t held_out_samples;
};

struct ry_kernel_fit {
    double floor_s[RY_FLOORS]; /**< host cost that bounded the benchmark from below */
    struct {
        double q, held_out; /**< mean absolute error on the other half */
    } wave[RY_WAVES];
    size_t waves; /**< 0: too few products to choose */
    size_t classes;
    struct ry_fit_class classed[RY_FIT_CLASSES];
};

/**
 * Fit.
 * @param arena scratch and texts of @p file->info.
 * @param data  samples; their fitted_s and held_out_s are set.
 * @param file  the start: data-sheet values and what is not measured; its model and info
 *              are replaced where samples say more.
 * @param fit   set on RY_OK.
 * @return RY_OK, RY_ERR_DEGENERATE (no samples) or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_kernel_fit(struct ry_arena *arena, struct ry_kernel_data *data,
                                      struct ry_compute_file *file,
                                      struct ry_kernel_fit *fit, struct ry_diag *diag);

#endif
