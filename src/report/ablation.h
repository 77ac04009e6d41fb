/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Switching off one term of the step model, to see what it is worth.
 */
#ifndef RY_REPORT_ABLATION_H
#define RY_REPORT_ABLATION_H

#include "kernel/compute_model.h"
#include "workload/traits.h"

enum ry_ablation {
#define X(symbol, text) symbol,
#include "report/ablation.def"
#undef X
    RY_ABLATIONS
};

/** "memory-bound kernels", ... */
const char *ry_ablation_text(enum ry_ablation ablation);

/** Take the term out of a compute model and of a preset. */
void ry_ablate(enum ry_ablation ablation, struct ry_compute_model *model,
               struct ry_traits *traits);

#endif
