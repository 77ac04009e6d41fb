/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Circuits of every rack, what each carries normally and after each single failure, and
 * the power of the whole site.
 *
 * Supplies of a device go to the rack's circuits in turn.  Circuits go to upstream feeds
 * in turn: one feed for N, two (A, B) for 2N, as many as circuits for N+1 (distributed
 * redundant).  When a circuit or feed is lost, each device shares its load over the
 * supplies it has left, so a device with too few left stops, and its load goes.
 */
#ifndef RY_FACILITY_POWER_H
#define RY_FACILITY_POWER_H

#include "base/arena.h"
#include "base/err.h"
#include "facility/circuit.h"
#include "facility/gear.h"
#include "facility/racks.h"

enum ry_power_scheme { RY_POWER_N, RY_POWER_N_PLUS_1, RY_POWER_2N };

/** A rack PDU with the circuit it is plugged into. */
struct ry_rack_feed {
    const char *part; /**< PDU in the catalog */
    struct ry_circuit circuit;
    bool delta;                      /**< outlets between lines; else line to neutral */
    double outlets_c19, outlets_c13; /**< NAN: unknown */
};

struct ry_power_rules {
    enum ry_power_scheme scheme;
    struct ry_rack_feed compute, network, whole; /**< whole: one a shelf of the rack */
    double pue;
    double ups_module_va, ups_minutes, ups_inverter_eff, ups_depth_frac;
    double generator_unit_w, generator_factor, power_factor;
    double busbar_volts; /**< of rack-scale nodes: 50 */
};

/** The worst thing that one failure does to racks of one kind. */
struct ry_rack_power {
    enum ry_rack_use use;
    size_t racks;   /**< that are alike */
    size_t example; /**< one of them */
    double load_w;
    size_t circuits, feeds;
    double circuit_w;             /**< what one may carry */
    double normal_w;              /**< the fullest, all well */
    double circuit_lost_w;        /**< the fullest after the worst loss of one circuit */
    double feed_lost_w;           /**< the same, after the worst loss of one feed */
    double phase_a, phase_lost_a; /**< most loaded line, normally and after a loss; A */
    double phase_limit_a;
    double imbalance_frac;                          /**< of the phases, all well */
    size_t devices_down_circuit, devices_down_feed; /**< that stop in the worst loss */
    bool ok_normal, ok_phase, ok_circuit_lost, ok_feed_lost, ok_phase_lost;
    double outlets_c19, outlets_c13; /**< used on the fullest circuit */
    bool ok_outlets;
};

/** A finding: what fails or is worth knowing, with its numbers. */
struct ry_power_finding {
    bool fails;       /**< false: a warning */
    const char *what; /**< rack kind or part */
    const char *text;
};

struct ry_power_plan {
    size_t kinds_n;
    struct ry_rack_power *kinds; /**< [kinds_n] racks that are alike */
    size_t *kind_of_rack;        /**< [racks] index into kinds */
    size_t findings_n;
    struct ry_power_finding *findings;
    size_t pdus_compute, pdus_network, pdus_whole; /**< circuits = rack PDUs or whips */
    double it_max_w, it_typical_w, it_energy_w;    /**< NAN: some figure is unknown */
    double facility_w, overhead_w;                 /**< at nameplate and the stated PUE */
    double ups_modules_n, ups_modules_n_plus_1, ups_battery_j;
    double generators_n, generators_n_plus_1;
    double busbar_a; /**< of one rack-scale node; 0 without */
};

/** Circuits, feeds, UPS and generators of placed racks; RY_ERR_INFEASIBLE: too many of
 * them. */
RY_MUST_USE enum ry_err ry_power_plan(struct ry_arena *arena,
                                      const struct ry_gear_list *gear,
                                      const struct ry_rack_plan *racks,
                                      const struct ry_power_rules *rules,
                                      struct ry_power_plan *plan, struct ry_diag *diag);

#endif
