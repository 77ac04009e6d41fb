/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Branch circuits, line currents and conductors: what one feed carries.
 *
 * Rating rules.  North America loads a breaker to 80 % in continuous use (NEC 210.20(A),
 * 215.3: the breaker is at least 125 % of a continuous load).  IEC feeds are quoted at
 * their full rated current (IEC 60309 plugs, IEC 60947-2 breakers at reference
 * temperature).  The rule is a factor here, never hidden in a constant.
 */
#ifndef RY_FACILITY_CIRCUIT_H
#define RY_FACILITY_CIRCUIT_H

#include <stddef.h>

/** Of a breaker in continuous use: NEC 210.20(A), 215.3. */
#define RY_NEC_CONTINUOUS_FRAC 0.8

/** A branch circuit as its breaker is labelled. */
struct ry_circuit {
    double volts;        /**< line to line for 3 phases, across the load for 1 */
    double amps;         /**< breaker */
    double derate_frac;  /**< 0.8: NEC continuous rule; 1: IEC */
    double power_factor; /**< of the load, 0 to 1 */
    int phases;          /**< 1 or 3 */
};

struct ry_line_currents {
    double l1_a, l2_a, l3_a;
};

/** Apparent power that the circuit may carry for hours, in VA. */
double ry_circuit_va(const struct ry_circuit *circuit);

/** The same as real power at the circuit's power factor, in W. */
double ry_circuit_w(const struct ry_circuit *circuit);

/**
 * Line currents of three loads between lines, unity power factor each.
 * The currents of two loads that meet at a line are 60 degrees apart, so each line
 * carries sqrt(a^2 + b^2 + a b): 1.732 a when they are equal.
 */
struct ry_line_currents ry_delta_line_currents(double i12_a, double i23_a, double i31_a);

/** The largest of the three. */
double ry_line_currents_most(struct ry_line_currents lines);

/** Spread of the phases: (largest - smallest) / mean; 0 when nothing flows. */
double ry_phase_imbalance_frac(struct ry_line_currents lines);

/** Current of a DC busbar. */
double ry_busbar_a(double load_w, double volts);

#endif
