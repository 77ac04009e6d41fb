/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/kernel_data.h"

bool ry_sample_is_gemm(const struct ry_sample *s, int precision)
{
    return s->kind == RY_SAMPLE_GEMM && (int)s->gemm.precision == precision &&
           s->run == RY_RUN_MAIN;
}

bool ry_sample_is_attention(const struct ry_sample *s, int backward)
{
    return s->kind == RY_SAMPLE_ATTENTION && s->backward == (backward != 0);
}

size_t ry_samples_count(const struct ry_kernel_data *data, ry_sample_is *is, int which)
{
    size_t n = 0;

    for (size_t i = 0; i < data->samples; i++)
        n += is(&data->sample[i], which) ? 1 : 0;
    return n;
}
