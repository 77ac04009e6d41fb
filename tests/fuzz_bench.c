/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmark outputs of any kind: no input crashes, and what is valid is sound. */
#include "io/bench.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_row(const struct ry_bench_row *row)
{
    if (row->valid != (row->reason == NULL))
        abort();
    if (row->valid && !(row->time_s > 0.0) && !(row->busbw_bytes_per_s > 0.0))
        abort();
    if (row->valid && !(row->bytes > 0.0) && !isnan(row->bytes))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ry_arena *arena = ry_arena_create(64 * 1024 * 1024);
    char *text = malloc(size + 1);
    struct ry_bench_file file;

    if (!arena || !text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (ry_bench_parse(arena, "fuzz", (struct ry_text){text, size}, NULL, &file, NULL) ==
        RY_OK) {
        for (size_t i = 0; i < file.n_runs; i++) {
            for (size_t k = 0; k < file.runs[i].n_rows; k++)
                check_row(&file.runs[i].rows[k]);
        }
    }
    free(text);
    ry_arena_destroy(arena);
    return 0;
}
