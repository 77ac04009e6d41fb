/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Counting of folded Clos networks: ratios, ports of a switch, balanced spines, pods.
 *
 * These functions count; they do not refuse what cannot be cabled (topology/family.h
 * does, with the rule).  Links are cables between two ports at port speed.
 * Source of balanced spines and units: NVIDIA DGX SuperPOD reference architectures.
 */
#ifndef RY_TOPOLOGY_CLOS_H
#define RY_TOPOLOGY_CLOS_H

#include <stdbool.h>
#include <stddef.h>

/** Down to up ports of a switch, "3:1" being {3, 1}; both above 0. */
struct ry_ratio {
    double down, up;
};

/** Read "3:1" or "1.067:1"; false when it is not two numbers above 0. */
bool ry_ratio_parse(const char *text, struct ry_ratio *ratio);

/** ceil and floor of a quotient, with a slack of 1e-9 so that 14.4 / 0.8 is 18. */
double ry_ceil_div(double a, double b);
double ry_floor_div(double a, double b);

/** base^exponent, or SIZE_MAX where it would overflow. */
size_t ry_power(size_t base, size_t exponent);

/** The smallest s >= least with up mod s = 0; @p least when up is smaller (no such s). */
size_t ry_balanced_spines(size_t least, size_t up);

struct ry_split {
    size_t down, up, unused;
};

/** Whole multiples of the ratio: m = floor(radix / (d + u)), down m d, up m u. */
struct ry_split ry_port_split(size_t radix, struct ry_ratio ratio);

enum ry_spine_policy {
    RY_SPINES_BALANCED, /**< every leaf has the same number of links to every spine */
    RY_SPINES_MIN,      /**< as few as the ports allow */
};

struct ry_pods_input {
    size_t leaves, leaf_up; /**< of a plane */
    size_t spine_radix;     /**< also of the cores */
    size_t quantum;         /**< leaves that must share a pod: those of a unit */
    struct ry_ratio ratio;  /**< of spines, down to up */
    enum ry_spine_policy policy;
};

struct ry_pods {
    size_t pods, pod_leaves, pod_spines;           /**< leaves: most in a pod */
    size_t spine_down_most, spine_up, spine_cores; /**< cores of each spine index */
    size_t spines, cores, spine_core_links;
    bool fits; /**< else a core has too few ports, or nothing divides evenly */
};

/**
 * Three tiers that can be cabled evenly: pods of leaves and balanced spines, spine i of
 * every pod on the cores of index i.  Of up to four times the fewest pods it takes the
 * number with the fewest switches; for hosts that fill all of them that is 2 N / r
 * leaves, as many spines and half as many cores.
 */
struct ry_pods ry_clos_pods(struct ry_pods_input in);

#endif
