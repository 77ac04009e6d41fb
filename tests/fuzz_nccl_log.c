/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NCCL logs: no input crashes the reader or the judgement. */
#include "io/nccl_findings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ry_arena *arena = ry_arena_create(64 * 1024 * 1024);
    char *text = malloc(size + 1);
    const struct ry_log_plan plan = {
        .nodes = 2, .nics_per_node = 4, .nic_bytes_per_s = 5e10};
    struct ry_nccl_log log;
    struct ry_findings findings = {.arena = arena};

    if (!arena || !text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    const struct ry_log_text one = {"fuzz", text, size};
    if (ry_nccl_log_parse(arena, 1, &one, &log, NULL) == RY_OK &&
        ry_nccl_findings(&log, &plan, 0, NULL, &findings, NULL) == RY_OK) {
        for (size_t i = 0; i < findings.n; i++) {
            if (!findings.at[i].text || !findings.at[i].action)
                abort();
        }
    }
    free(text);
    ry_arena_destroy(arena);
    return 0;
}
