/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Which fabrics a text form may name, and the keys that it takes.
 */
#ifndef RY_CLI_TOPO_LIST_H
#define RY_CLI_TOPO_LIST_H

#include "report/table.h"

/** Print them; returns as ry_table_print(). */
RY_MUST_USE enum ry_err ry_topo_list_print(struct ry_arena *arena,
                                           enum ry_table_format format,
                                           struct ry_diag *diag);

#endif
