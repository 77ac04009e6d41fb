/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A picture of one training step: time by part, memory by part, and over time.
 */
#ifndef RY_REPORT_PIC_STEP_H
#define RY_REPORT_PIC_STEP_H

#include "base/arena.h"
#include "report/picture.h"

struct ry_step;
struct ry_timeline;

/**
 * @p title is kept.  Parts under a millionth of the whole are left out.
 * @param timeline of it, or NULL.
 */
struct ry_picture ry_step_picture(struct ry_arena *arena, const char *title,
                                  const struct ry_step *step,
                                  const struct ry_timeline *timeline);

#endif
