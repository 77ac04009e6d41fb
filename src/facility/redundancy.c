/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/redundancy.h"

#include "facility/round.h"

#include <math.h>

struct ry_feed_redundancy ry_feed_redundancy(double load_w, double feed_va,
                                             double power_factor)
{
    const double feed_w = feed_va * power_factor;
    const double n = ry_count_up(load_w / feed_w);

    return (struct ry_feed_redundancy){
        .n = n,
        .n_plus_1 = n + 1.0,
        .two_n = 2.0 * n,
        .util_n = load_w / (n * feed_w),
        .util_n1_normal = load_w / ((n + 1.0) * feed_w),
        .util_2n_normal = load_w / (2.0 * n * feed_w),
        .util_2n_one_side_lost = load_w / (n * feed_w),
    };
}

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

struct ry_rack_circuits ry_rack_circuits(double load_w, double circuits, double circuit_w)
{
    const double most_w = circuit_w * (1.0 + RY_ROUND_SLACK);

    return (struct ry_rack_circuits){
        .normal_w = load_w / circuits,
        .one_lost_w = circuits > 1.0 ? load_w / (circuits - 1.0) : (double)INFINITY,
        .ok_one_lost = circuits > 1.0 && load_w / (circuits - 1.0) <= most_w,
        .ok_two_lost = circuits > 2.0 && load_w / (circuits - 2.0) <= most_w,
    };
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
