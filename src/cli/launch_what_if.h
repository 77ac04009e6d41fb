/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * `railyard launch --what-if`: a job planned again with settings that change its traffic.
 */
#ifndef RY_CLI_LAUNCH_WHAT_IF_H
#define RY_CLI_LAUNCH_WHAT_IF_H

#include "cli/cmd.h"
#include "cli/plan_cases.h"
#include "report/launch.h"

/** Print what each setting costs. */
RY_MUST_USE enum ry_err ry_launch_what_if(const struct ry_launch_plan *launch,
                                          const struct ry_case *planned,
                                          const struct ry_strings *settings, int format,
                                          struct ry_diag *diag);

/** Print the settings known. */
RY_MUST_USE enum ry_err ry_launch_settings(struct ry_arena *arena, int format,
                                           struct ry_diag *diag);

#endif
