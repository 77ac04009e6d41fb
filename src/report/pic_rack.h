/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Picture of a rack's elevation.
 */
#ifndef RY_REPORT_PIC_RACK_H
#define RY_REPORT_PIC_RACK_H

#include "base/arena.h"
#include "report/picture.h"

#include <stddef.h>

struct ry_facility;

/** Where the inside of a rack begins, points from the picture's left. */
enum { RY_RACK_LEFT = 24 };

/** One rack from the front, 208 points wide. */
struct ry_picture ry_rack_picture(struct ry_arena *arena,
                                  const struct ry_facility *facility, size_t rack);

/** Draw it into another picture, at its origin. */
void ry_rack_draw(cairo_t *cairo, const struct ry_facility *facility, size_t rack);

/** Its height, points. */
double ry_rack_height(const struct ry_facility *facility, size_t rack);

#endif
