/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What launch prints of a job: its ranks, settings, fabric and options of a framework.
 */
#ifndef RY_CLI_LAUNCH_PRINT_H
#define RY_CLI_LAUNCH_PRINT_H

#include "report/launch.h"
#include "report/table.h"

/**
 * Print it.
 * @param framework whose options; NULL: that of the workload's preset, in JSON all.
 * @param ranks     every rank, not those of the first host alone.
 * @return RY_OK; RY_ERR_NOTFOUND: no such framework; as ry_table_print().
 */
RY_MUST_USE enum ry_err ry_launch_print(const struct ry_launch_plan *launch,
                                        const char *framework, bool ranks,
                                        enum ry_table_format format,
                                        struct ry_diag *diag);

#endif
