/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/step.h"

#include "base/normal.h"
#include "kernel/compute_model.h"
#include "sim/build.h"

#include <math.h>


void ry_step_widen(struct ry_step *step, double sigma_frac)
{
    const double old = log(step->hi_s / step->step_time_s);
    const double wide = sqrt(old * old + RY_Z90 * RY_Z90 * sigma_frac * sigma_frac);
    step->lo_s = step->step_time_s * exp(-wide);
    step->hi_s = step->step_time_s * exp(wide);
}

/** Traffic of one kind: its curve repeats to 5 to 15 %, what hides it is known less. */
static const double traffic_sigma = 0.25;

/* Experts' exchange: in rack-scale domains one dispatcher is used (HybridEP).  Elsewhere
 * runs do not say which, and published kernels of one GPU differ by three (DeepEP issue
 * 394 and pull request 420: 135 to 169 GB/s, 426 to 513 GB/s with 24 SMs). */
static const double exchange_sigma[2] = {0.12, 0.5};

static double squared(double x)
{
    return x * x;
}

/** Kinds of traffic run over other links and hide behind other work: independent. */
static double traffic_variance(const struct ry_step_inputs *in, const double *part_s)
{
    static const enum ry_step_part kinds[] = {RY_PART_TP, RY_PART_CP, RY_PART_PP,
                                              RY_PART_DP, RY_PART_SLOWDOWN,
                                              RY_PART_OFFLOAD};
    const bool rack = in->machine->net->domain.gpus > 8;
    double sum = squared(exchange_sigma[rack ? 0 : 1] * part_s[RY_PART_EP]);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        sum += squared(traffic_sigma * part_s[kinds[i]]);
    return sum;
}

/** Kernels, by the scatter of their fits; products are many and average out: half of it. */
static double kernel_variance(const struct ry_step_inputs *in, const double *part_s)
{
    const struct ry_compute_model *m = in->machine->compute;
    const enum ry_precision inner = ry_inner_precision(in->strategy->precision);
    const double products = part_s[RY_PART_GEMM] + part_s[RY_PART_RECOMPUTE];
    const double memory =
        part_s[RY_PART_MEMORY] + part_s[RY_PART_HEAD] + part_s[RY_PART_OPTIMIZER];
    return squared(0.5 * m->gemm[inner].sigma_rel * products) +
           squared(m->attn_sigma_rel * part_s[RY_PART_ATTENTION]) +
           squared(fmax(m->stream_sigma_rel, 0.08) * memory);
}

/** What a preset leaves unknown of all that it runs, of experts, of adapters. */
static double preset_variance(const struct ry_step_inputs *in)
{
    const struct ry_traits *t = in->traits;
    const bool experts = in->arch->experts > 0, lora = in->strategy->task == RY_TASK_LORA;
    return squared(t->sigma_frac) + (experts ? squared(t->moe_sigma_frac) : 0) +
           (lora ? squared(t->lora_sigma_frac) : 0);
}

/** Standard deviations of what is independent add as squares. */
void ry_step_interval(const struct ry_step_inputs *in, struct ry_step *out)
{
    const double t = out->step_time_s;
    const double host = 0.3 * (out->part_s[RY_PART_HOST] + out->part_s[RY_PART_FIXED]);
    const double sigma = sqrt((kernel_variance(in, out->part_s) +
                               traffic_variance(in, out->part_s) + squared(host)) /
                                  squared(t) +
                              preset_variance(in));
    out->lo_s = t * exp(-RY_Z90 * sigma);
    out->hi_s = t * exp(RY_Z90 * sigma);
}
