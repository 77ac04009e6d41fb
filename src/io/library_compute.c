/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/library.h"

#include "base/names.h"
#include "kernel/compute_model.h"
#include "kernel/params.h"

#include <math.h>

/* PROVISIONAL until models/compute is read: data-sheet peaks at the share that an H200
 * reaches. */
static struct ry_compute_model from_sheet(const struct ry_gpu *gpu)
{
    struct ry_compute_model model = ry_compute_model_default();
    const double peak[RY_PRECISIONS] = {
        [RY_BF16] = gpu->bf16_flop_per_s,  [RY_FP16] = gpu->fp16_flop_per_s,
        [RY_FP32] = gpu->fp32_flop_per_s,  [RY_FP8] = gpu->fp8_flop_per_s,
        [RY_MXFP8] = gpu->fp8_flop_per_s,  [RY_NVFP4] = gpu->fp4_flop_per_s,
    };

    for (size_t p = 0; p < RY_PRECISIONS; p++) {
        model.peak_flop_per_s[p] = isfinite(peak[p]) ? peak[p] : 0.0;
        model.gemm[p].rate_flop_per_s = 0.67 * model.peak_flop_per_s[p];
    }
    model.hbm_bytes_per_s = gpu->hbm_bytes_per_s;
    model.attn_flop_per_s[0] = 0.63 * model.peak_flop_per_s[RY_BF16];
    model.attn_flop_per_s[1] = 0.56 * model.peak_flop_per_s[RY_BF16];
    model.cap_w = gpu->power_max_w;
    model.tensor_w = gpu->power_max_w;
    return model;
}

const struct ry_found_model *ry_library_compute(struct ry_library *library,
                                                const struct ry_gpu *gpu,
                                                struct ry_problems *problems)
{
    (void)problems;
    for (size_t i = 0; i < library->gpus_n; i++) {
        if (ry_name_eq(library->gpus[i].gpu, gpu->part.name))
            return &library->gpus[i];
    }
    struct ry_compute_model *model = RY_NEW(library->arena, struct ry_compute_model, 1);
    if (!model || library->gpus_n == RY_LIBRARY_GPUS_MOST)
        return NULL;
    *model = from_sheet(gpu);
    struct ry_found_model *found = &library->gpus[library->gpus_n++];
    *found = (struct ry_found_model){.gpu = gpu->part.name,
                                     .model = model,
                                     .from = "data sheet at the share an H200 reaches",
                                     .sigma_rel = 0.15};
    return found;
}
