/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference/site.h"

#include "facility/heat.h"
#include "facility/round.h"

#include <math.h>

static const double netbox_sqrt_3 = 1.732; /* netbox/dcim/models/power.py */
static const double rule_cfm_f_per_w = 3.16;
static const double btu_per_h_per_gpm_f = 500.0; /* 8.33 lb/gal x 60 min */
static const double day_s = 86400.0;

static double segment(const struct ry_saddle_geometry *room, double column)
{
    return floor((column - 1.0) / room->racks_per_segment + RY_ROUND_SLACK);
}

double ry_saddle_run_m(const struct ry_saddle_geometry *room, struct ry_place a,
                       struct ry_place b)
{
    const double unit_m = room->rack_height_m / room->rack_size_u;

    if (a.rack == b.rack && a.row == b.row)
        return fabs(a.u - b.u) * unit_m;
    return (room->rack_size_u - a.u) * unit_m + (room->rack_size_u - b.u) * unit_m +
           2.0 * room->tray_m + fabs(a.rack - b.rack) * room->rack_width_m +
           fabs(a.row - b.row) * (room->rack_depth_m + room->front_clear_m) +
           fabs(segment(room, a.rack) - segment(room, b.rack)) * room->side_clear_m;
}

struct ry_optics_count ry_optics_count(double links, double dac_frac)
{
    const double dac = links * dac_frac;

    return (struct ry_optics_count){.dac_cables = dac,
                                    .fibre_cables = links - dac,
                                    .transceivers = 2.0 * (links - dac)};
}

struct ry_optics_count ry_optics_count_twin(double links, double ports_per_transceiver)
{
    return (struct ry_optics_count){.fibre_cables = links,
                                    .transceivers =
                                        2.0 * ry_count_up(links / ports_per_transceiver)};
}

double ry_wye_neutral_a(struct ry_line_currents lines)
{
    const double a = lines.l1_a, b = lines.l2_a, c = lines.l3_a;
    return sqrt(fmax(0.0, a * a + b * b + c * c - a * b - b * c - c * a));
}

double ry_voltage_current_ratio(double volts_from, double volts_to)
{
    return volts_from / volts_to;
}

double ry_voltage_loss_ratio(double volts_from, double volts_to)
{
    const double ratio = ry_voltage_current_ratio(volts_from, volts_to);
    return ratio * ratio;
}

double ry_netbox_feed_w(double volts, double amps, double utilization_percent, int phases)
{
    const double watts = volts * amps * (utilization_percent / 100.0);
    return round(phases == 3 ? watts * netbox_sqrt_3 : watts);
}

double ry_power_chain_w(double it_w, size_t n, const double efficiency[])
{
    double product = 1.0;

    for (size_t i = 0; i < n; i++)
        product *= efficiency[i];
    return it_w / product;
}

double ry_airflow_rule_cfm(double watts, double rise_f)
{
    return rule_cfm_f_per_w * watts / rise_f;
}

double ry_airflow_at_altitude_cfm(double watts, double rise_f, double altitude_m)
{
    return ry_airflow_cfm(watts, rise_f) / ry_air_pressure_atm(altitude_m);
}

double ry_water_gpm_us(double watts, double rise_f)
{
    return ry_heat_btu_per_h(watts) / (btu_per_h_per_gpm_f * rise_f);
}

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

struct ry_failure_rate ry_failure_rate(double window_s, double gpus, double unexpected,
                                       double planned)
{
    const double mtbf_s = window_s / unexpected;

    return (struct ry_failure_rate){
        .interruptions = unexpected + planned,
        .mtbf_s = mtbf_s,
        .per_gpu_mtbf_s = mtbf_s * gpus,
        .per_1000_gpu_days = unexpected * 1000.0 / (gpus * window_s / day_s),
    };
}

struct ry_checkpoint_plan ry_checkpoint_plan(const struct ry_checkpoint_times *times)
{
    const double c = times->save_s, m = times->mtbf_s, r = times->restart_s;
    const double young_s = sqrt(2.0 * c * m);
    const double waste = c / young_s + (young_s / 2.0 + r) / m;

    return (struct ry_checkpoint_plan){
        .young_s = young_s,
        .daly_first_order_s = sqrt(2.0 * c * (m + r)),
        .availability_period_s = c + sqrt(2.0 * (m + r) * c + c * c),
        .waste_at_young_frac = waste,
        .goodput_at_young_frac = 1.0 - waste,
    };
}

double ry_bytes_per_param(size_t n, const double bytes[])
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += bytes[i];
    return sum;
}

double ry_storage_share(double aggregate, double devices)
{
    return aggregate / devices;
}
