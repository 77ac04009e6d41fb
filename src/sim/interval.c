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

static double squared(double x)
{
    return x * x;
}

/** Kinds of traffic run over other links and hide behind other work: independent. */
static double traffic_variance(const struct ry_step_inputs *in, const double *part_s)
{
    static const enum ry_step_part kinds[] = {RY_PART_TP,       RY_PART_CP,
                                              RY_PART_PP,       RY_PART_DP,
                                              RY_PART_SLOWDOWN, RY_PART_OFFLOAD};
    const bool rack = in->machine->net->domain.gpus > 8;
    const struct ry_traits *t = in->traits;
    const double exchange = rack ? t->exchange_rack_sigma_frac : t->exchange_sigma_frac;
    double sum = squared(exchange * part_s[RY_PART_EP]);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        sum += squared(t->traffic_sigma_frac * part_s[kinds[i]]);
    return sum;
}

/** Kernels, by the scatter of their fits; products are many and average out in part. */
static double kernel_variance(const struct ry_step_inputs *in, const double *part_s)
{
    const struct ry_compute_model *m = in->machine->compute;
    const struct ry_traits *t = in->traits;
    const enum ry_precision inner = ry_inner_precision(in->strategy->precision);
    const double products = part_s[RY_PART_GEMM] + part_s[RY_PART_RECOMPUTE];
    const double memory =
        part_s[RY_PART_MEMORY] + part_s[RY_PART_HEAD] + part_s[RY_PART_OPTIMIZER];
    return squared(t->product_sigma_times * m->gemm[inner].sigma_rel * products) +
           squared(m->attn_sigma_rel * part_s[RY_PART_ATTENTION]) +
           squared(fmax(m->stream_sigma_rel, t->stream_sigma_frac) * memory);
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
    const double host = in->traits->host_sigma_frac *
                        (out->part_s[RY_PART_HOST] + out->part_s[RY_PART_FIXED]);
    const double sigma = sqrt((kernel_variance(in, out->part_s) +
                               traffic_variance(in, out->part_s) + squared(host)) /
                                  squared(t) +
                              preset_variance(in));
    out->lo_s = t * exp(-RY_Z90 * sigma);
    out->hi_s = t * exp(RY_Z90 * sigma);
}
