/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The options of the strategy space: for each class of shapes those that matter to it.
 */
#ifndef RY_SEARCH_SPACE_OPTIONS_H
#define RY_SEARCH_SPACE_OPTIONS_H

#include "search/space.h"

/** The class of a shape, below RY_SPACE_CLASSES: which of its degrees are over 1. */
unsigned ry_space_class_of(const struct ry_space_shape *shape);

/**
 * List the options of a class in the order of the fields of struct ry_space_option.
 * @param list all 0 before; @p arena owns what it holds.
 * @return false: out of memory.
 */
bool ry_space_options(struct ry_arena *arena, const struct ry_workload *workload,
                      unsigned class, struct ry_space_class *list);

#endif
