/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * For the verifier: where traffic from each port is received, over links that are up and
 * the circuits of optical switches, and which devices such ways hold together.
 */
#ifndef RY_TOPOLOGY_VERIFY_REACH_H
#define RY_TOPOLOGY_VERIFY_REACH_H

#include "base/arena.h"
#include "topology/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ry_reach {
    const struct ry_graph *graph;
    uint32_t *far;    /**< [ports] the port that traffic from here reaches, or RY_NONE */
    uint32_t *parent; /**< [devices] union-find */
};

/** Follow every link of a graph whose indices are in range; false: out of memory. */
bool ry_reach_find(struct ry_arena *arena, const struct ry_graph *graph,
                   struct ry_reach *reach);

/** Whether a device passes on what is not for it. */
bool ry_reach_routes(const struct ry_reach *reach, uint32_t device);

/** Whether a device is a node or a GPU. */
bool ry_reach_endpoint(const struct ry_reach *reach, uint32_t device);

/** The level of the link in a cabled port. */
const struct ry_level *ry_reach_level(const struct ry_reach *reach, uint32_t port);

/** Parts of a fabric that its links of rank up to @p rank, 0 to RY_RANKS_MOST, hold
 * together: of devices that route. */
void ry_reach_unite(struct ry_reach *reach, size_t fabric, int rank);

/** The device that stands for the part of @p device since ry_reach_unite(). */
uint32_t ry_reach_root(struct ry_reach *reach, uint32_t device);

#endif
