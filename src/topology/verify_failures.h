/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * For the verifier: what one failed link or switch cuts off.
 */
#ifndef RY_TOPOLOGY_VERIFY_FAILURES_H
#define RY_TOPOLOGY_VERIFY_FAILURES_H

#include "base/arena.h"
#include "topology/verify.h"
#include "topology/verify_reach.h"

/**
 * Let every link between switches and every device that routes fail, one at a time.
 * @param arena    scratch memory, 40 bytes a device.
 * @param reach    of ry_reach_find(); its parts are made anew.
 * @param measured its components are known; survives_link, survives_switch,
 * lost_by_switch and own_of_switch are set.
 * @return false: out of memory.
 */
bool ry_verify_failures(struct ry_arena *arena, struct ry_reach *reach, size_t fabric,
                        struct ry_fabric_measured *measured);

#endif
