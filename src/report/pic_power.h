/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A picture of the power tree: utility, feeds, and the racks on them, with the fullest
 * circuit of each kind: load now, load after the loss of a feed, limit.
 */
#ifndef RY_REPORT_PIC_POWER_H
#define RY_REPORT_PIC_POWER_H

#include "base/arena.h"
#include "report/picture.h"

struct ry_facility;

struct ry_picture ry_power_picture(struct ry_arena *arena,
                                   const struct ry_facility *facility);

#endif
