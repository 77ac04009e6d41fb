/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The table of all subcommands, in the order of cmds.def.
 */
#ifndef RY_CLI_COMMANDS_H
#define RY_CLI_COMMANDS_H

#include "cli/cmd.h"

/** The i-th command, or NULL past the last. */
const struct ry_cmd *ry_command_at(size_t i);

/** The i-th command by name, or NULL past the last: how help and manual list them. */
const struct ry_cmd *ry_command_sorted(size_t i);

/** The command nearest to what was typed, or NULL. */
const struct ry_cmd *ry_command_nearest(const char *typed);

#endif
