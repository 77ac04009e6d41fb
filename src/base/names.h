/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Names: copies in an arena, comparison as users type them, the nearest known one.
 */
#ifndef RY_BASE_NAMES_H
#define RY_BASE_NAMES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/** A copy of @p text owned by @p arena, or NULL when out of memory. */
char *ry_strdup(struct ry_arena *arena, const char *text);

/** Formatted text owned by @p arena, or NULL when out of memory. */
char *ry_strfmt(struct ry_arena *arena, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/** What stands behind the last '/' of a path; the path itself without one. */
const char *ry_base_name(const char *path);

/** Whether two part names are the same but for ASCII case ("dgx-h100", "DGX-H100"). */
bool ry_name_eq(const char *a, const char *b);

/** Whether @p part stands anywhere in @p name, but for ASCII case. */
bool ry_name_contains(const char *name, const char *part);

/**
 * The i of the name nearest to @p name: one that begins with it comes first, then edit
 * distance, case apart, ties by order.
 * @param at  returns the i-th known name, or NULL past the end.
 * @return an index, or (size_t)-1 when nothing begins with it or is near
 *         (distance over half the length).
 */
size_t ry_name_nearest(const char *name, const char *(*at)(const void *ctx, size_t i),
                       const void *ctx);

#endif
