/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * How each framework reads its options: internal to report/launch.
 */
#ifndef RY_REPORT_LAUNCH_OPTIONS_H
#define RY_REPORT_LAUNCH_OPTIONS_H

#include "report/launch.h"

/** ".args" or ".json". */
const char *ry_launch_suffix(const char *framework);

#endif
