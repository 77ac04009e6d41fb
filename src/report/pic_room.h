/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Pictures of the room: the floor, and the racks above it.
 */
#ifndef RY_REPORT_PIC_ROOM_H
#define RY_REPORT_PIC_ROOM_H

#include "base/arena.h"
#include "report/picture.h"

struct ry_facility;
struct ry_rack_groups;

/** The rows from above, with aisles and trays. */
struct ry_picture ry_floor_picture(struct ry_arena *arena,
                                   const struct ry_facility *facility);

/** Every kind of rack with its figures, and the floor below. */
struct ry_picture ry_room_picture(struct ry_arena *arena,
                                  const struct ry_facility *facility,
                                  const struct ry_rack_groups *groups);

#endif
