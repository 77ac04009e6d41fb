/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Which files the options and arguments of a command name.
 */
#ifndef RY_CLI_OPT_FILES_H
#define RY_CLI_OPT_FILES_H

#include "cli/cmd.h"

/**
 * Refuse an output that is also read, by an argument or an option, under any name: what
 * is read would be gone.  "bundle make -o design.json -- rank design.json".  Two outputs
 * of one name are refused too.
 * @return RY_OK or RY_ERR_USAGE.
 */
RY_MUST_USE enum ry_err ry_opts_keep_inputs(const struct ry_cmd *cmd, const void *options,
                                            const struct ry_strings *args,
                                            struct ry_diag *diag);

#endif
