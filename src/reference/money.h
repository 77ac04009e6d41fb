/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Budgets of clusters and runs as published sheets reckon them.
 * Published arithmetic: the library offers it and test vectors run it, no plan is made of
 * it.
 */
#ifndef RY_REFERENCE_MONEY_H
#define RY_REFERENCE_MONEY_H

#include <stddef.h>

/** Capital by part of a cluster as public budget sheets write it. */
struct ry_capex_input {
    double nodes, gpus_per_node, node_usd;
    double switches, switch_usd;
    double connector_usd_per_gpu, facility_usd_per_node;
};

struct ry_capex {
    double gpus;
    double node_usd, switch_usd, connector_usd, facility_usd, total_usd;
    double per_node_usd, per_gpu_usd;
    double network_share_frac; /**< (switches + connectors) / total */
};

/** Sums and shares of a budget sheet, USD. */
struct ry_capex ry_capex(const struct ry_capex_input *in);

/** (2 t - 1) gpus / radix: a folded Clos of t tiers, fractions of switches allowed. */
double ry_fractional_clos_switches(double gpus, double radix, double tiers);

struct ry_gpu_hour_input {
    double capex_usd, discount_frac, years;
    double utilization_frac; /**< sold or useful hours / all hours */
    double gpus, watts_per_gpu, pue, usd_per_kwh;
};

struct ry_gpu_hour {
    double annual_capital_usd;
    double annual_energy_usd; /**< all hours: idle GPUs are charged as busy ones */
    double usd_per_gpu_hour;
};

/** Dollars of a useful GPU-hour from capital recovered evenly and energy. */
struct ry_gpu_hour ry_gpu_hour(const struct ry_gpu_hour_input *in);

/** Days that @p gpu_hours take on @p gpus. */
double ry_training_days(double gpu_hours, double gpus);

/** 6 N D of a dense decoder, forward and backward (Kaplan et al. 2020, 2.1). */
double ry_training_flop(double params, double tokens);

/** Model FLOP utilisation over a run. */
double ry_training_mfu_frac(double flop, double gpu_hours, double peak_flop_per_s);

#endif
