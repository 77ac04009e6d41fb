/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Arena: memory that lives and dies together.
 *
 * One arena holds one lifetime: a catalog, a loaded design, a simulation result.
 * Nothing in it is freed alone, so no function of the core needs a clean-up path.
 * An arena is not thread-safe; give each thread its own.
 */
#ifndef RY_BASE_ARENA_H
#define RY_BASE_ARENA_H

#include <stddef.h>

struct ry_arena;

/**
 * Make an empty arena.
 * @param limit_bytes most bytes it may take from the system; 0 means no limit.
 *                    Tests set it to make every allocation fail in turn.
 * @return the arena, owned by the caller, or NULL when out of memory.
 */
struct ry_arena *ry_arena_create(size_t limit_bytes);

/** Free the arena and all that was allocated in it.  NULL is allowed. */
void ry_arena_destroy(struct ry_arena *arena);

/**
 * Allocate @p count zeroed objects of @p size bytes, aligned for any type.
 * @return memory owned by @p arena, or NULL when out of memory or over its limit.
 */
void *ry_arena_alloc(struct ry_arena *arena, size_t count, size_t size);

/** A zeroed array of @p count values of @p type in @p arena, or NULL. */
#define RY_NEW(arena, type, count)                                                       \
    ((type *)ry_arena_alloc((arena), (count), sizeof(type)))

#endif
