/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Rules of thumb and published formulas of rooms: runs, optics, feeds, air, failures,
 * saves. Published arithmetic: the library offers it and test vectors run it, no plan is
 * made of it. Intervals: J. W. Young, "A first order approximation to the optimum
 * checkpoint interval", CACM 17(9), 1974; J. T. Daly, FGCS 22(3), 2006, first order.
 */
#ifndef RY_REFERENCE_SITE_H
#define RY_REFERENCE_SITE_H

#include "facility/cable_run.h"
#include "facility/circuit.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Geometry of SADDLE (Solnushkin, "Automated design of computer clusters", 2012-14):
 * racks in segments with a gap between them, clearance in front of each row, no slack.
 */
struct ry_saddle_geometry {
    double rack_size_u, rack_height_m, tray_m;
    double rack_width_m, rack_depth_m, front_clear_m, side_clear_m;
    double racks_per_segment;
};

/** @p a and @p b with rack and row counted from 1. */
double ry_saddle_run_m(const struct ry_saddle_geometry *room, struct ry_place a,
                       struct ry_place b);

struct ry_optics_count {
    double dac_cables, fibre_cables, transceivers;
};

/** @param dac_frac share of links short enough for copper. */
struct ry_optics_count ry_optics_count(double links, double dac_frac);

/** Modules with @p ports_per_transceiver ports at both ends; a cable a link. */
struct ry_optics_count ry_optics_count_twin(double links, double ports_per_transceiver);

/** Neutral current of three line-to-neutral loads 120 degrees apart (vector sum). */
double ry_wye_neutral_a(struct ry_line_currents lines);

/** Current ratio of carrying the same power at @p volts_to instead of @p volts_from. */
double ry_voltage_current_ratio(double volts_from, double volts_to);

/** The resistive loss in the same conductor changes by the square of that ratio. */
double ry_voltage_loss_ratio(double volts_from, double volts_to);

/**
 * What NetBox shows as the available power of a feed: V A utilisation, times 1.732
 * (not sqrt 3) for three phases, to the nearest watt.
 */
double ry_netbox_feed_w(double volts, double amps, double utilization_percent,
                        int phases);

/** Input power of stages in series, @p efficiency [n]: it_w / product. */
double ry_power_chain_w(double it_w, size_t n, const double efficiency[]);

/** The same by the common rule 3.16 W / dT_F (0.5 % above). */
double ry_airflow_rule_cfm(double watts, double rise_f);

/** Thinner air: sea-level flow / pressure. */
double ry_airflow_at_altitude_cfm(double watts, double rise_f, double altitude_m);

/** US rule for water: GPM = BTU/h / (500 dT_F). */
double ry_water_gpm_us(double watts, double rise_f);

/** Feeds for one load under N, N+1 and 2N, and how full each then is (0 to 1). */
struct ry_feed_redundancy {
    double n, n_plus_1, two_n;
    double util_n, util_n1_normal, util_2n_normal;
    double util_2n_one_side_lost;
};

struct ry_rack_circuits {
    double normal_w, one_lost_w; /**< load of each circuit that is left */
    bool ok_one_lost, ok_two_lost;
};

/** @param feed_va apparent power that one feed may carry; @param power_factor of the
 * load. */
struct ry_feed_redundancy ry_feed_redundancy(double load_w, double feed_va,
                                             double power_factor);

/** Load shared by @p circuits of @p circuit_w each. */
struct ry_rack_circuits ry_rack_circuits(double load_w, double circuits,
                                         double circuit_w);

struct ry_failure_rate {
    double interruptions; /**< planned and not */
    double mtbf_s;        /**< of the cluster, unexpected ones */
    double per_gpu_mtbf_s;
    double per_1000_gpu_days;
};

/** Counts of a window of @p window_s on @p gpus GPUs. */
struct ry_failure_rate ry_failure_rate(double window_s, double gpus, double unexpected,
                                       double planned);

/** C, M, R of a job: time to save, mean time between failures, time to restart. */
struct ry_checkpoint_times {
    double save_s, mtbf_s, restart_s;
};

struct ry_checkpoint_plan {
    double young_s;               /**< compute between saves: sqrt(2 C M) */
    double daly_first_order_s;    /**< sqrt(2 C (M + R)) */
    double availability_period_s; /**< start to start: C + sqrt(2 (M + R) C + C^2) */
    double waste_at_young_frac;   /**< C/t + (t/2 + R)/M, t = young_s */
    double goodput_at_young_frac; /**< 1 - waste; negative: the job makes no progress */
};

/** Intervals of saves, all in seconds; a negative goodput makes no progress. */
struct ry_checkpoint_plan ry_checkpoint_plan(const struct ry_checkpoint_times *times);

/** Sum of the bytes of each state that is saved, @p bytes [n] a parameter. */
double ry_bytes_per_param(size_t n, const double bytes[]);

/** Each of @p devices shares @p aggregate equally: per node or per server. */
double ry_storage_share(double aggregate, double devices);

#endif
