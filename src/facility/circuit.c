/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/circuit.h"

#include <math.h>

static const double sqrt_3 = 1.7320508075688772;
static const double netbox_sqrt_3 = 1.732; /* netbox/dcim/models/power.py */

static double three_phase_va(double volts_line_line, double amps, double derate_frac)
{
    return sqrt_3 * volts_line_line * amps * derate_frac;
}

static double single_phase_va(double volts, double amps, double derate_frac)
{
    return volts * amps * derate_frac;
}

double ry_circuit_va(const struct ry_circuit *circuit)
{
    return circuit->phases == 3
               ? three_phase_va(circuit->volts, circuit->amps, circuit->derate_frac)
               : single_phase_va(circuit->volts, circuit->amps, circuit->derate_frac);
}

double ry_circuit_w(const struct ry_circuit *circuit)
{
    return ry_circuit_va(circuit) * circuit->power_factor;
}

static double line_a(double a, double b)
{
    return sqrt(a * a + b * b + a * b);
}

struct ry_line_currents ry_delta_line_currents(double i12_a, double i23_a, double i31_a)
{
    return (struct ry_line_currents){
        .l1_a = line_a(i12_a, i31_a),
        .l2_a = line_a(i12_a, i23_a),
        .l3_a = line_a(i23_a, i31_a),
    };
}

double ry_line_currents_most(struct ry_line_currents lines)
{
    return fmax(lines.l1_a, fmax(lines.l2_a, lines.l3_a));
}

double ry_wye_neutral_a(struct ry_line_currents lines)
{
    const double a = lines.l1_a, b = lines.l2_a, c = lines.l3_a;
    return sqrt(fmax(0.0, a * a + b * b + c * c - a * b - b * c - c * a));
}

double ry_phase_imbalance_frac(struct ry_line_currents lines)
{
    const double mean = (lines.l1_a + lines.l2_a + lines.l3_a) / 3.0;
    const double least = fmin(lines.l1_a, fmin(lines.l2_a, lines.l3_a));
    return mean > 0.0 ? (ry_line_currents_most(lines) - least) / mean : 0.0;
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
