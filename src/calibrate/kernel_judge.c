/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/kernel_judge.h"

#include "base/order.h"
#include "calibrate/kernel_note.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Kernels that are long enough for their launch not to count. */
static const double large_flop = 1e11;
static const double large_bytes = 64.0 * 1048576.0;

enum { LEAST_JUDGED = 8 };

static bool large_gemm(const struct ry_sample *s, int precision)
{
    return ry_sample_is_gemm(s, precision) && ry_gemm_flop(&s->gemm) > large_flop;
}

static bool any_large_gemm(const struct ry_sample *s, int unused)
{
    (void)unused;
    return large_gemm(s, RY_BF16) || large_gemm(s, RY_FP8) || large_gemm(s, RY_MXFP8);
}

static bool any_attention(const struct ry_sample *s, int unused)
{
    (void)unused;
    return s->kind == RY_SAMPLE_ATTENTION;
}

static bool any_large_attention(const struct ry_sample *s, int unused)
{
    return any_attention(s, unused) &&
           ry_attention_flop(&s->attention, s->backward) > large_flop;
}

static bool grouped_split(const struct ry_sample *s, int uneven)
{
    return s->kind == RY_SAMPLE_GROUPED && s->grouped.uneven == (uneven != 0);
}

static bool large_stream(const struct ry_sample *s, int unused)
{
    (void)unused;
    return s->kind == RY_SAMPLE_STREAM && s->bytes > large_bytes &&
           s->stream != RY_STREAM_HOST_TO_DEVICE && s->stream != RY_STREAM_DEVICE_TO_HOST;
}

static const struct class
{
    const char *name;
    ry_sample_is *has;
    int which;
} classes[] = {
    {"gemm, over 1e11 FLOP", any_large_gemm, 0},
    {"gemm bf16, over 1e11 FLOP", large_gemm, RY_BF16},
    {"gemm bf16, all", ry_sample_is_gemm, RY_BF16},
    {"gemm fp8, over 1e11 FLOP", large_gemm, RY_FP8},
    {"gemm fp32", ry_sample_is_gemm, RY_FP32},
    {"attention, over 1e11 FLOP", any_large_attention, 0},
    {"attention forward, all", ry_sample_is_attention, 0},
    {"attention backward, all", ry_sample_is_attention, 1},
    {"attention, all", any_attention, 0},
    {"memory-bound, over 64 MiB", large_stream, 0},
    {"grouped, even", grouped_split, 0},
    {"grouped, uneven", grouped_split, 1},
};

_Static_assert(sizeof(classes) / sizeof(classes[0]) <= RY_FIT_CLASSES,
               "each has its place");

/* The errors of a class; of no samples: 0 of them.  @p errors [samples] is scratch. */
static struct ry_fit_class judge(const struct ry_kernel_data *data,
                                 const struct class *class, double errors[])
{
    struct ry_fit_class c = {.name = class->name};
    size_t n = 0;

    for (size_t i = 0; i < data->samples; i++) {
        const struct ry_sample *s = &data->sample[i];

        if (!class->has(s, class->which))
            continue;
        if (isfinite(s->fitted_s)) {
            c.bias += s->fitted_s / s->time_s - 1.0;
            errors[n] = fabs(s->fitted_s / s->time_s - 1.0);
            c.mean_abs += errors[n++];
        }
        if (isfinite(s->held_out_s)) {
            c.held_out += fabs(s->held_out_s / s->time_s - 1.0);
            c.held_out_samples++;
        }
    }
    c.samples = n;
    if (n == 0)
        return c;
    qsort(errors, n, sizeof(errors[0]), ry_by_value);
    c.mean_abs /= (double)n;
    c.bias /= (double)n;
    c.p95 = errors[(size_t)(0.95 * (double)(n - 1) + 0.5)];
    c.held_out =
        c.held_out_samples > 0 ? c.held_out / (double)c.held_out_samples : (double)NAN;
    return c;
}

/* What a class scatters around its fit is the uncertainty of one kernel. */
static void note_scatter(const struct ry_kernel_data *data,
                         const struct ry_kernel_fit *fit, struct ry_compute_file *file)
{
    static const struct {
        const char *class;
        const char *param;
    } rows[] = {{"gemm bf16, over 1e11 FLOP", "gemm.bf16.sigma_rel"},
                {"gemm fp8, over 1e11 FLOP", "gemm.fp8.sigma_rel"},
                {"attention, over 1e11 FLOP", "attention.sigma_rel"},
                {"memory-bound, over 64 MiB", "stream.sigma_rel"},
                {"grouped, even", "grouped.sigma_rel"}};

    for (size_t i = 0; i < fit->classes; i++) {
        const struct ry_fit_class *c = &fit->classed[i];

        for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
            const double error = isfinite(c->held_out) ? c->held_out : c->mean_abs;

            if (strcmp(rows[k].class, c->name) != 0 || c->samples < LEAST_JUDGED)
                continue;
            /* standard deviation of a normal from its mean absolute value */
            const size_t at = ry_param_find(rows[k].param);
            ry_param_set(&file->model, at, 1.2533 * error);
            ry_kernel_note(data, file, at, 0.0, "scatter of held-out kernels");
        }
    }
}

enum ry_err ry_kernel_judge(struct ry_arena *arena, const struct ry_kernel_data *data,
                            struct ry_compute_file *file, struct ry_kernel_fit *fit,
                            struct ry_diag *diag)
{
    double *errors = RY_NEW(arena, double, data->samples + 1);

    if (!errors)
        return ry_fail(diag, RY_ERR_NOMEM, "fit", "%zu errors", data->samples);
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        const struct ry_fit_class c = judge(data, &classes[i], errors);
        if (c.samples > 0)
            fit->classed[fit->classes++] = c;
    }
    note_scatter(data, fit, file);
    return RY_OK;
}
