/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs of other planners: the first byte says whose, the rest is the file. */
#include "io/peer.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct ry_problems problems;
    static struct ry_peer peer;
    struct ry_arena *arena = ry_arena_create(64 << 20);
    char *text = arena && size > 0 ? ry_arena_alloc(arena, size + 1, 1) : NULL;

    problems = (struct ry_problems){0};
    size_t planners = 0;
    while (ry_peer_choices[planners])
        planners++;
    if (text) {
        memcpy(text, data + 1, size - 1);
        ry_peer_init(&peer, arena, &problems);
        (void)!ry_peer_read(&peer, data[0] % planners, "input",
                            (struct ry_text){text, size - 1});
    }
    ry_arena_destroy(arena);
    return 0;
}
