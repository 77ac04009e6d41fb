/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * `calibrate fit --plot`: measured points, fits and their 90 % bands.
 */
#ifndef RY_CLI_FIT_PLOT_H
#define RY_CLI_FIT_PLOT_H

#include "calibrate/fabric_fit.h"
#include "cli/collective_input.h"

/** Curves of a domain fit. */
RY_MUST_USE enum ry_err ry_fit_plot_curves(struct ry_arena *arena, const char *path,
                                           const struct ry_collective_input *input,
                                           const struct ry_coll_fits *fits,
                                           struct ry_diag *diag);

/** Predictions of a fitted fabric against its runs. */
RY_MUST_USE enum ry_err ry_fit_plot_fabric(struct ry_arena *arena, const char *path,
                                           const struct ry_fabric_case cases[], size_t n,
                                           const struct ry_net_fabric *fabric,
                                           struct ry_diag *diag);

#endif
