/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/step.h"

#include "comm/net.h"
#include "kernel/compute_model.h"

#include <math.h>

/** One-sigma of a sum whose parts err together: each part's sigma times its share. */
void ry_step_interval(const struct ry_step_inputs *in, struct ry_step *out)
{
    const struct ry_compute_model *m = in->machine->compute;
    const double t = out->step_time_s;
    const double *p = out->part_s;
    const double gemm = m->gemm[RY_BF16].sigma_rel * 0.5;
    const double compute = (p[RY_PART_GEMM] + p[RY_PART_RECOMPUTE]) * gemm;
    const double attention = p[RY_PART_ATTENTION] * m->attn_sigma_rel;
    const double memory = (p[RY_PART_MEMORY] + p[RY_PART_HEAD] + p[RY_PART_OPTIMIZER]) *
                          fmax(m->stream_sigma_rel, 0.1);
    const double traffic = 0.3 * (p[RY_PART_TP] + p[RY_PART_CP] + p[RY_PART_EP] +
                                  p[RY_PART_PP] + p[RY_PART_DP] + p[RY_PART_SLOWDOWN]);
    const double host = 0.3 * (p[RY_PART_HOST] + p[RY_PART_FIXED]);
    const double preset = in->traits->sigma_frac * t;
    const double sigma =
        sqrt(compute * compute + attention * attention + memory * memory +
             traffic * traffic + host * host + preset * preset) / t;
    const double z90 = 1.645;
    out->lo_s = t * exp(-z90 * sigma);
    out->hi_s = t * exp(z90 * sigma);
}
