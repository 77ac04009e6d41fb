/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/step.h"

#include "kernel/compute_model.h"

#include <math.h>

/* Half of a 90 % interval of a normal distribution, in standard deviations. */
static const double z90 = 1.645;

void ry_step_widen(struct ry_step *step, double sigma_frac)
{
    const double old = log(step->hi_s / step->step_time_s);
    const double wide = sqrt(old * old + z90 * z90 * sigma_frac * sigma_frac);
    step->lo_s = step->step_time_s * exp(-wide);
    step->hi_s = step->step_time_s * exp(wide);
}

/**
 * Standard deviations of the parts add as squares: kernels by the scatter of their fits
 * (products are many and average out: half of it), traffic by a quarter (curves repeat to
 * 5 to 15 %, what hides behind compute is known less), host by 0.3, the framework by what
 * its preset says, experts by what theirs says.
 */
void ry_step_interval(const struct ry_step_inputs *in, struct ry_step *out)
{
    const struct ry_compute_model *m = in->machine->compute;
    const double t = out->step_time_s;
    const double *p = out->part_s;
    const double products =
        (p[RY_PART_GEMM] + p[RY_PART_RECOMPUTE]) * 0.5 * m->gemm[RY_BF16].sigma_rel;
    const double attention = p[RY_PART_ATTENTION] * m->attn_sigma_rel;
    const double memory = (p[RY_PART_MEMORY] + p[RY_PART_HEAD] + p[RY_PART_OPTIMIZER]) *
                          fmax(m->stream_sigma_rel, 0.08);
    const double traffic = 0.25 * (p[RY_PART_TP] + p[RY_PART_CP] + p[RY_PART_EP] +
                                   p[RY_PART_PP] + p[RY_PART_DP] + p[RY_PART_SLOWDOWN] +
                                   p[RY_PART_OFFLOAD]);
    const double host = 0.3 * (p[RY_PART_HOST] + p[RY_PART_FIXED]);
    const double preset = in->traits->sigma_frac * t;
    const double experts = in->arch->experts > 0 ? in->traits->moe_sigma_frac * t : 0;
    const double lora =
        in->strategy->task == RY_TASK_LORA ? in->traits->lora_sigma_frac * t : 0;
    const double sigma =
        sqrt(products * products + attention * attention + memory * memory +
             traffic * traffic + host * host + preset * preset + experts * experts +
             lora * lora) /
        t;
    out->lo_s = t * exp(-z90 * sigma);
    out->hi_s = t * exp(z90 * sigma);
}
