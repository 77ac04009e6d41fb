/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/library.h"

#include "base/names.h"
#include "io/compute_model.h"
#include "io/data.h"
#include "io/file.h"

#include <math.h>

/* One standard deviation of a rate that is scaled by data sheets alone: what is left
 * between siblings whose kernels were measured (H100 against H200, A100 against B200)
 * once their peaks are divided out. */
static const double scaled_sigma_rel = 0.15;

static void no_memory(struct ry_problems *problems, const char *gpu)
{
    ry_problem(problems, RY_ERR_NOMEM, gpu, "its compute model");
}

static bool has_model(struct ry_arena *arena, const char *gpu,
                      struct ry_problems *problems)
{
    const char *name = ry_strfmt(arena, "models/compute/%s.json", gpu);
    const char *path = name ? ry_data_path(arena, name) : NULL;

    if (!path)
        no_memory(problems, gpu);
    return path && ry_file_exists(path);
}

/* How near a sibling is: the same architecture, the same vendor, or neither. */
static int likeness(const struct ry_gpu *a, const struct ry_gpu *b)
{
    if (ry_name_eq(a->architecture, b->architecture))
        return 2;
    return ry_name_eq(a->vendor, b->vendor) ? 1 : 0;
}

/* The most alike GPU with a model, of these the one with the nearest peak. */
static const struct ry_gpu *sibling(const struct ry_library *library,
                                    const struct ry_gpu *gpu,
                                    struct ry_problems *problems)
{
    const struct ry_gpu *best = NULL;
    const struct ry_part *part = NULL;

    for (size_t i = 0; (part = ry_catalog_at(library->catalog, RY_KIND_GPU, i)); i++) {
        const struct ry_gpu *other = (const struct ry_gpu *)(const void *)part;
        if (!(other->bf16_flop_per_s > 0.0) ||
            !has_model(library->arena, part->name, problems))
            continue;
        const double far = fabs(log(other->bf16_flop_per_s / gpu->bf16_flop_per_s));
        if (!best || likeness(gpu, other) > likeness(gpu, best) ||
            (likeness(gpu, other) == likeness(gpu, best) &&
             far < fabs(log(best->bf16_flop_per_s / gpu->bf16_flop_per_s))))
            best = other;
    }
    return best;
}

static double ratio(double a, double b)
{
    return isfinite(a) && b > 0.0 ? a / b : 0.0;
}

/* Rates by the ratio of peaks, bandwidth and power by the data sheets. */
static void scale(struct ry_compute_model *model, const struct ry_gpu *from,
                  const struct ry_gpu *to)
{
    const double by[RY_PRECISIONS] = {
        [RY_BF16] = ratio(to->bf16_flop_per_s, from->bf16_flop_per_s),
        [RY_FP16] = ratio(to->fp16_flop_per_s, from->fp16_flop_per_s),
        [RY_FP32] = ratio(to->fp32_flop_per_s, from->fp32_flop_per_s),
        [RY_FP8] = ratio(to->fp8_flop_per_s, from->fp8_flop_per_s),
        [RY_MXFP8] = ratio(to->fp8_flop_per_s, from->fp8_flop_per_s),
        [RY_NVFP4] = ratio(to->fp4_flop_per_s, from->fp4_flop_per_s),
    };
    const double power = ratio(to->power_max_w, from->power_max_w);

    for (size_t p = 0; p < RY_PRECISIONS; p++) {
        model->gemm[p].rate_flop_per_s *= by[p];
        model->peak_flop_per_s[p] *= by[p];
    }
    model->attn_flop_per_s[0] *= by[RY_BF16];
    model->attn_flop_per_s[1] *= by[RY_BF16];
    model->hbm_bytes_per_s = to->hbm_bytes_per_s;
    model->idle_w *= power;
    model->cap_w = to->power_max_w;
    model->tensor_w *= power;
    model->attention_w *= power;
    model->memory_w *= power;
    model->comm_w *= power;
}

/* "models/compute/X.json: published: 0.95 of the best published shape ..." */
static void describe(struct ry_arena *arena, const struct ry_compute_file *file,
                     struct ry_found_model *found)
{
    const struct ry_param_info *info =
        &file->info[ry_param_find("gemm.bf16.rate_flop_per_s")];

    found->from = ry_strfmt(arena, "models/compute/%s.json; product rate %s%s%s",
                            file->gpu, ry_origin_name(info->origin),
                            info->from ? ": " : "", info->from ? info->from : "");
    if (info->origin == RY_ORIGIN_SCALED || info->origin == RY_ORIGIN_ASSUMED)
        found->sigma_rel = info->sigma_rel;
}

/* The row of the catalog that a part changes, or itself. */
static const struct ry_gpu *original(const struct ry_library *library,
                                     const struct ry_gpu *gpu)
{
    const struct ry_gpu *row = ry_find_gpu(library->catalog, gpu->part.name);

    return row ? row : gpu;
}

static bool load(struct ry_library *library, const struct ry_gpu *gpu,
                 struct ry_problems *problems, struct ry_found_model *found)
{
    const size_t before = problems->count;
    struct ry_compute_file *file = RY_NEW(library->arena, struct ry_compute_file, 1);
    double *sigma = RY_NEW(library->arena, double, ry_param_count());
    const bool own = has_model(library->arena, gpu->part.name, problems);
    const struct ry_gpu *from =
        own ? original(library, gpu) : sibling(library, gpu, problems);

    if (!file || !sigma)
        no_memory(problems, gpu->part.name);
    if (problems->count > before || !from ||
        ry_compute_model_load(library->arena, from->part.name, problems, file) != RY_OK)
        return false;
    found->model = &file->model;
    for (size_t i = 0; i < ry_param_count(); i++)
        sigma[i] = file->info[i].sigma_rel;
    found->param_sigma = sigma;
    describe(library->arena, file, found);
    if (from == gpu)
        return true;
    scale(&file->model, from, gpu);
    found->from = ry_strfmt(library->arena,
                            "scaled from %s by data-sheet peaks, bandwidth and power; %s",
                            from->part.name, found->from ? found->from : "");
    found->sigma_rel = fmax(found->sigma_rel, scaled_sigma_rel);
    return true;
}

const struct ry_found_model *ry_library_compute(struct ry_library *library,
                                                const struct ry_gpu *gpu,
                                                struct ry_problems *problems)
{
    for (size_t i = 0; i < library->gpus_n; i++)
        if (library->gpus[i]->part == gpu)
            return library->gpus[i];
    struct ry_found_model *found = RY_NEW(library->arena, struct ry_found_model, 1);
    if (!found) {
        no_memory(problems, gpu->part.name);
        return NULL;
    }
    *found = (struct ry_found_model){.part = gpu, .from = ""};
    if (!load(library, gpu, problems, found))
        return NULL;
    if (!found->from) {
        no_memory(problems, gpu->part.name);
        return NULL;
    }
    if (library->gpus_n < RY_LIBRARY_GPUS_MOST)
        library->gpus[library->gpus_n++] = found;
    return found;
}
