/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The draws of a study, on the threads of one machine; the same for any number of them.
 */
#ifndef RY_PAR_PAR_CONFIDENCE_H
#define RY_PAR_PAR_CONFIDENCE_H

#include "uncertainty/confidence.h"

/**
 * Evaluate every draw.
 * @param threads 0: as OpenMP decides (OMP_NUM_THREADS).
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_par_draws_run(const struct ry_study *study, size_t threads,
                                         struct ry_draws *draws, struct ry_diag *diag);

#endif
