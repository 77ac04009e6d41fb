/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

enum { CHUNK_BYTES = 64 * 1024 };

struct chunk {
    struct chunk *next;
    size_t used_bytes;
    size_t size_bytes;
    _Alignas(max_align_t) unsigned char data[];
};

struct ry_arena {
    struct chunk *chunks; /* newest first */
    size_t limit_bytes;   /* 0: none */
    size_t taken_bytes;
};

struct ry_arena *ry_arena_create(size_t limit_bytes)
{
    struct ry_arena *arena = calloc(1, sizeof(*arena));
    if (arena)
        arena->limit_bytes = limit_bytes;
    return arena;
}

void ry_arena_destroy(struct ry_arena *arena)
{
    if (!arena)
        return;
    while (arena->chunks) {
        struct chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    free(arena);
}

static struct chunk *add_chunk(struct ry_arena *arena, size_t need_bytes)
{
    const size_t size_bytes = need_bytes > CHUNK_BYTES ? need_bytes : CHUNK_BYTES;
    if (size_bytes > SIZE_MAX - sizeof(struct chunk))
        return NULL;
    if (arena->limit_bytes && size_bytes > arena->limit_bytes - arena->taken_bytes)
        return NULL;

    struct chunk *chunk = calloc(1, sizeof(*chunk) + size_bytes);
    if (!chunk)
        return NULL;
    chunk->size_bytes = size_bytes;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->taken_bytes += size_bytes;
    return chunk;
}

void *ry_arena_alloc(struct ry_arena *arena, size_t count, size_t size)
{
    const size_t align = _Alignof(max_align_t);

    assert(arena && size > 0);
    if (count > (SIZE_MAX - align) / size)
        return NULL;
    const size_t need_bytes = (count * size + align - 1) / align * align;

    struct chunk *chunk = arena->chunks;
    if (!chunk || need_bytes > chunk->size_bytes - chunk->used_bytes)
        chunk = add_chunk(arena, need_bytes);
    if (!chunk)
        return NULL;

    void *memory = chunk->data + chunk->used_bytes;
    chunk->used_bytes += need_bytes;
    return memory;
}
