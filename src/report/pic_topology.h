/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A picture of a fabric: levels from the top down, devices in groups, links between
 * groups.  At most 16 boxes a level, whatever the size.
 */
#ifndef RY_REPORT_PIC_TOPOLOGY_H
#define RY_REPORT_PIC_TOPOLOGY_H

#include "base/arena.h"
#include "report/picture.h"

struct ry_graph;

/**
 * @param arena owns what the picture draws from; width 0: out of memory.
 * @param graph with its down links left out.
 */
struct ry_picture ry_topology_picture(struct ry_arena *arena,
                                      const struct ry_graph *graph);

#endif
