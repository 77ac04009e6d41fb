/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/circuit.h"

#include <math.h>

static const double sqrt_3 = 1.7320508075688772;

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

double ry_phase_imbalance_frac(struct ry_line_currents lines)
{
    const double mean = (lines.l1_a + lines.l2_a + lines.l3_a) / 3.0;
    const double least = fmin(lines.l1_a, fmin(lines.l2_a, lines.l3_a));
    return mean > 0.0 ? (ry_line_currents_most(lines) - least) / mean : 0.0;
}

double ry_busbar_a(double load_w, double volts)
{
    return load_w / volts;
}
