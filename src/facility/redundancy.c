/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/redundancy.h"

#include "facility/round.h"

#include <math.h>

struct ry_psu_redundancy ry_psu_redundancy(double psus, double psu_w, double load_w)
{
    const double needed = ry_count_up(load_w / psu_w);

    return (struct ry_psu_redundancy){
        .needed = needed,
        .spare = psus - needed,
        .survives_half_lost = floor(psus / 2.0) * psu_w >= load_w,
    };
}

bool ry_psu_survives_feed(double psus, double psu_w, double load_w, size_t feeds)
{
    const double lost = ry_count_up(psus / (double)feeds);
    return (psus - lost) * psu_w >= load_w * (1.0 - RY_ROUND_SLACK);
}

struct ry_ups_modules ry_ups_modules(double load_w, double power_factor, double module_va,
                                     double redundant_modules)
{
    const double va = load_w / power_factor;
    const double n = ry_count_up(va / module_va);

    return (struct ry_ups_modules){
        .va = va, .n = n, .n_plus_1 = n + redundant_modules, .two_n = 2.0 * n};
}

double ry_ups_energy_j(double load_w, double seconds, double inverter_eff,
                       double depth_frac)
{
    return load_w * seconds / inverter_eff / depth_frac;
}

struct ry_generators ry_generators(double facility_w, double power_factor,
                                   double sizing_factor, double unit_w)
{
    const double n = ry_count_up(facility_w * sizing_factor / unit_w);

    return (struct ry_generators){
        .va = facility_w * sizing_factor / power_factor, .n = n, .n_plus_1 = n + 1.0};
}
