/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Which ports a fabric leaves free: for managers, growth, or because units are not full.
 */
#ifndef RY_REPORT_FREE_PORTS_H
#define RY_REPORT_FREE_PORTS_H

#include "report/table.h"
#include "topology/graph.h"

/**
 * A row for every run of neighbouring devices of a class with the same ports free: "core0
 * to core63", "P17 to P64", so many each and in all.
 * @return the table, owned by @p arena; NULL when out of memory.
 */
struct ry_table *ry_free_ports_table(struct ry_arena *arena,
                                     const struct ry_graph *graph);

#endif
