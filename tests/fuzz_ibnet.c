/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/fabric_import.h"
#include "io/topo_findings.h"

#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ry_arena *arena = ry_arena_create(64 * 1024 * 1024);
    char *text = fuzz_text(data, size);
    struct ry_findings findings = {.arena = arena};
    struct ry_ib_fabric fabric;

    if (!arena)
        abort();
    if (ry_ibnet_parse(arena, "fuzz", text, size, &fabric, NULL) == RY_OK) {
        struct ry_fabric_import import;
        ry_ibnet_findings(&fabric, "fuzz", &findings);
        (void)!ry_fabric_import(arena, &fabric, &import, NULL);
    }
    free(text);
    ry_arena_destroy(arena);
    return 0;
}
