/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * For the verifier: every port is of one device and in one cable, and both ends agree.
 */
#ifndef RY_TOPOLOGY_VERIFY_PORTS_H
#define RY_TOPOLOGY_VERIFY_PORTS_H

#include "base/arena.h"
#include "topology/verify.h"

#include <stdbool.h>

/**
 * Check devices, links, ports and circuits.
 * @param arena    scratch memory, a byte a port.
 * @param verified its ports_used, ports_free and links_down are counted up, from 0.
 * @param sound    set: all indices are in range, so that the rest may be measured.
 * @return false: out of memory.
 */
bool ry_verify_ports(struct ry_arena *arena, const struct ry_graph *graph,
                     struct ry_problems *problems, struct ry_verified *verified,
                     bool *sound);

#endif
