/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/topo_findings.h"

#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ry_arena *arena = ry_arena_create(64 * 1024 * 1024);
    char *text = fuzz_text(data, size);
    struct ry_findings findings = {.arena = arena};
    struct ry_topo_m topo;

    if (!arena)
        abort();
    if (ry_topo_m_parse(arena, "fuzz", text, size, &topo, NULL) == RY_OK)
        ry_topo_m_findings(&topo, "fuzz", &findings);
    free(text);
    ry_arena_destroy(arena);
    return 0;
}
