/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Money over time: the formulas that bills, TCO and checks are made of.
 */
#ifndef RY_COST_FINANCE_H
#define RY_COST_FINANCE_H

#include <stddef.h>

#define RY_HOURS_PER_YEAR 8760.0

/** r (1 + r)^n / ((1 + r)^n - 1): what one dollar costs a year; 1/n at a rate of 0. */
double ry_capital_recovery_factor(double rate_frac, double years);

struct ry_depreciation {
    double annual_usd, book_value_usd;
};

/** Straight line over @p life_years down to @p salvage_usd, seen after @p year years. */
struct ry_depreciation ry_straight_line(double cost_usd, double salvage_usd,
                                        double life_years, double year);

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

struct ry_gpu_hour ry_gpu_hour(const struct ry_gpu_hour_input *in);

/** Energy in kWh: watts x pue x hours. */
double ry_energy_kwh(double watts, double pue, double hours);

/** Days that @p gpu_hours take on @p gpus. */
double ry_training_days(double gpu_hours, double gpus);

/** 6 N D of a dense decoder, forward and backward (Kaplan et al. 2020, 2.1). */
double ry_training_flop(double params, double tokens);

/** Model FLOP utilisation over a run. */
double ry_training_mfu_frac(double flop, double gpu_hours, double peak_flop_per_s);

/**
 * Months until owning has cost less than renting: capital at month 0, then a constant
 * monthly cost against rent.  INFINITY when rent is never dearer.
 */
double ry_break_even_months(double capital_usd, double own_usd_per_month,
                            double rent_usd_per_month);

#endif
