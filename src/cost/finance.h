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

/** Energy in kWh: watts x pue x hours. */
double ry_energy_kwh(double watts, double pue, double hours);

/**
 * Months until owning has cost less than renting: capital at month 0, then a constant
 * monthly cost against rent.  INFINITY when rent is never dearer.
 */
double ry_break_even_months(double capital_usd, double own_usd_per_month,
                            double rent_usd_per_month);

#endif
