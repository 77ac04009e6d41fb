/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Max-min fair rates: progressive filling (Bertsekas and Gallager, Data Networks, 1992,
 * section 6.5.2) of flows over resources.  A flow uses each of its resources with a
 * weight (1: all of its rate, 0.25: a quarter) and stands for `count` equal flows.
 */
#ifndef RY_TOPOLOGY_FLOW_H
#define RY_TOPOLOGY_FLOW_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ry_flow_use {
    uint32_t resource;
    double weight;
};

/** Flows and what they use; grows in an arena. */
struct ry_flow_set {
    struct ry_arena *arena;
    size_t n, room;
    size_t n_uses, room_uses;
    size_t *first;            /**< [n + 1] into uses */
    double *count;            /**< [n] */
    struct ry_flow_use *uses; /**< [n_uses] */
};

/** An empty set. */
struct ry_flow_set ry_flow_set(struct ry_arena *arena);

/** Add a flow with @p n uses; false when out of memory. */
bool ry_flow_add(struct ry_flow_set *set, double count, const struct ry_flow_use uses[],
                 size_t n);

/**
 * The max-min fair rate of each flow.
 * @param arena      scratch memory, about 12 bytes a use.
 * @param set        the flows; one without uses has rate INFINITY.
 * @param capacity   [resources], above 0; INFINITY: no limit.
 * @param resources  how many.
 * @param rate       [set->n], set on RY_OK, in the unit of the capacities.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_flow_max_min(struct ry_arena *arena,
                                        const struct ry_flow_set *set,
                                        const double capacity[], size_t resources,
                                        double rate[], struct ry_diag *diag);

#endif
