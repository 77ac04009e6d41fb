/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/finance.h"

#include <math.h>

double ry_capital_recovery_factor(double rate_frac, double years)
{
    if (rate_frac == 0.0)
        return 1.0 / years;
    const double grown = pow(1.0 + rate_frac, years);
    return rate_frac * grown / (grown - 1.0);
}

struct ry_depreciation ry_straight_line(double cost_usd, double salvage_usd,
                                        double life_years, double year)
{
    const double annual_usd = (cost_usd - salvage_usd) / life_years;

    return (struct ry_depreciation){.annual_usd = annual_usd,
                                    .book_value_usd = cost_usd - annual_usd * year};
}

double ry_energy_kwh(double watts, double pue, double hours)
{
    return watts * pue * hours / 1000.0;
}

double ry_break_even_months(double capital_usd, double own_usd_per_month,
                            double rent_usd_per_month)
{
    const double saved = rent_usd_per_month - own_usd_per_month;
    return saved > 0.0 ? capital_usd / saved : (double)INFINITY;
}
