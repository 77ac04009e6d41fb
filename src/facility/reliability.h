/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Failures and spares.  How often to save is in sim/goodput.h.
 */
#ifndef RY_FACILITY_RELIABILITY_H
#define RY_FACILITY_RELIABILITY_H

#include <stddef.h>

/** Mean time between failures of @p gpus GPUs. */
double ry_cluster_mtbf_s(double gpus, double per_gpu_mtbf_s);

/**
 * Share of the time that a job makes progress: mtbf / (mtbf + loss), with the job's mtbf
 * that of a GPU / GPUs used.  1 without a mtbf.  What ranking, cost and reports use.
 */
double ry_goodput_frac(double gpus, double per_gpu_mtbf_s, double loss_s);

/** Nodes down at a time: failures a second times repair time. */
double ry_expected_down(double failures_per_s, double repair_s);

/** Spares that cover the mean. */
double ry_spares_mean(double failures_per_s, double repair_s);

/** Fewest spares that suffice with probability >= @p confidence_frac (Poisson). */
double ry_spares_for(double failures_per_s, double repair_s, double confidence_frac);

#endif
