/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A step over time: what each pipeline stage computes and sends when.
 */
#ifndef RY_REPORT_PIC_TIMELINE_H
#define RY_REPORT_PIC_TIMELINE_H

#include "report/picture.h"

struct ry_timeline;

/** Points that a timeline takes: its title, a key, a row a stage, an axis. */
double ry_timeline_height(const struct ry_timeline *timeline);

/**
 * Draw it between @p x and @p x + @p width, from @p y down.  Of many stages the first and
 * the last are drawn; of many tasks the beginning of the step, and it says so.
 */
void ry_timeline_draw(cairo_t *cairo, const struct ry_timeline *timeline, double x,
                      double y, double width);

#endif
