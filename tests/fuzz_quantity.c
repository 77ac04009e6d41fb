/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target.  With --enable-fuzzing it is linked with libFuzzer; otherwise
 * fuzz_replay.c gives it a main() that replays tests/fuzz-corpus in make check. */
#include "base/units.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[64];

    if (size >= sizeof(text))
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';

    for (int dim = RY_DIM_BYTES; dim <= RY_DIM_USD; dim++) {
        double si = -1.0;
        const enum ry_err err =
            ry_quantity_parse("fuzz", text, (enum ry_dim)dim, &si, NULL);
        const int kept = err == RY_OK ? isfinite(si) && si >= 0.0 : si == -1.0;
        if (!kept)
            abort();
    }
    return 0;
}
