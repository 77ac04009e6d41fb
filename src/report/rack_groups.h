/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Racks of a plan that hold the same, with their figures in words.
 */
#ifndef RY_REPORT_RACK_GROUPS_H
#define RY_REPORT_RACK_GROUPS_H

#include "base/arena.h"
#include "base/err.h"

#include <stddef.h>

struct ry_facility;

/** Racks that hold the same. */
struct ry_rack_group {
    size_t example; /**< one of them */
    size_t count;
    const char *places; /**< "R1–R4, R6" */
    const char *title;  /**< "Node rack × 8" */
    /** "40.8 of 41 kW"; the limit where there is one */
    const char *power, *weight, *space;
    int binding; /**< which of the three is reached first, or -1 */
};

struct ry_rack_groups {
    size_t n;
    struct ry_rack_group *at; /**< [n] in the order of their first rack */
    size_t others;            /**< racks of more kinds than are kept */
};

/** Group the racks of a plan.  RY_ERR_NOMEM. */
RY_MUST_USE enum ry_err ry_rack_groups_make(struct ry_arena *arena,
                                            const struct ry_facility *facility,
                                            struct ry_rack_groups *groups,
                                            struct ry_diag *diag);

#endif
