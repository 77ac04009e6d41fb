/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel/kinds.h"

#include <string.h>

static const struct {
    const char *name;
    double bytes;
} precisions[RY_PRECISIONS] = {
    [RY_BF16] = {"bf16", 2.0},
    [RY_FP16] = {"fp16", 2.0},
    [RY_FP32] = {"fp32", 4.0},
    [RY_FP8] = {"fp8", 1.0},
    /* a byte of scale a block of 32, or of 16 four-bit values */
    [RY_MXFP8] = {"mxfp8", 1.0 + 1.0 / 32.0},
    [RY_NVFP4] = {"nvfp4", 0.5 + 1.0 / 16.0},
};

static const char *const streams[RY_STREAMS] = {
#define X(symbol, name, efficiency, note) [symbol] = name,
#include "kernel/streams.def"
#undef X
};

const char *ry_precision_name(enum ry_precision precision)
{
    return precisions[precision].name;
}

double ry_precision_bytes(enum ry_precision precision)
{
    return precisions[precision].bytes;
}

const char *ry_stream_name(enum ry_stream stream)
{
    return streams[stream];
}
