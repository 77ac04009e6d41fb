/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/kernel_fit.h"

#include "base/names.h"
#include "calibrate/kernel_direct.h"
#include "calibrate/kernel_judge.h"
#include "calibrate/kernel_note.h"
#include "calibrate/kernel_power.h"
#include "calibrate/kernel_stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double no_floor_s = 1e-9;
static const double clearly = 0.02; /* better, to prefer whole waves to fractional ones */

enum { LEAST_SAMPLES = 4, MIN_WAVE_SAMPLES = 20, MANY_GROUPED = 40 };

struct fitting {
    struct ry_arena *arena;
    struct ry_kernel_data *data;
    struct ry_compute_file *file;
    struct ry_kernel_fit *fit;
    struct ry_bench_terms bench;
    double fp16_of_bf16; /* rates of one sweep */
    struct ry_diag *diag;
};

static bool is_role(const struct ry_sample *s, int role)
{
    return ry_sample_is_gemm(s, RY_BF16) && (int)s->gemm.role == role;
}

static bool is_grouped(const struct ry_sample *s, int unused)
{
    (void)unused;
    return s->kind == RY_SAMPLE_GROUPED;
}

static bool is_grouped_wgrad(const struct ry_sample *s, int unused)
{
    (void)unused;
    return s->kind == RY_SAMPLE_GROUPED && s->grouped.role == RY_WGRAD;
}

static bool is_head64(const struct ry_sample *s, int backward)
{
    return ry_sample_is_attention(s, backward) && s->attention.head_dim < 128.0;
}

static bool is_head192(const struct ry_sample *s, int backward)
{
    return ry_sample_is_attention(s, backward) && s->attention.head_dim > 128.0;
}

static enum ry_err choose(const struct fitting *f, ry_sample_is *wanted, int which,
                          struct ry_stage *stage)
{
    size_t *index = RY_NEW(f->arena, size_t, f->data->samples + 1);
    size_t n = 0;

    if (!index)
        return ry_fail(f->diag, RY_ERR_NOMEM, "fit", "%zu samples", f->data->samples);
    for (size_t i = 0; i < f->data->samples; i++)
        if (wanted(&f->data->sample[i], which))
            index[n++] = i;
    stage->sample = index;
    stage->samples = n;
    return RY_OK;
}

static void param(struct ry_stage *stage, const char *name, bool wanted)
{
    if (wanted && stage->n < RY_STAGE_PARAMS)
        stage->params[stage->n++] = name;
}

static struct ry_stage_state state_of(struct fitting *f)
{
    return (struct ry_stage_state){
        .data = f->data, .model = &f->file->model, .bench = &f->bench};
}

static enum ry_err run_stage(struct fitting *f, const struct ry_stage *stage)
{
    struct ry_stage_state state = state_of(f);
    const char *from = ry_strfmt(f->arena, "%zu kernels", stage->samples);

    for (size_t i = 0; i < stage->n; i++)
        from = stage->params[i] ? from : NULL;
    if (!from)
        return ry_fail(f->diag, RY_ERR_NOMEM, "fit", "names of parameters");
    RY_TRY(ry_stage_fit(stage, &state, f->diag));
    for (size_t i = 0; i < stage->n; i++)
        ry_kernel_note(f->data, f->file, ry_param_find(stage->params[i]),
                       state.sigma_rel[i], from);
    return RY_OK;
}

/* The times of a group that are near its least are its host floor: their mean. */
static void start_floor(struct fitting *f, enum ry_floor floor)
{
    double least = INFINITY, sum = 0.0;
    double n = 0.0;

    for (size_t i = 0; i < f->data->samples; i++)
        if (f->data->sample[i].floor == floor)
            least = fmin(least, f->data->sample[i].time_s);
    for (size_t i = 0; i < f->data->samples; i++) {
        if (f->data->sample[i].floor == floor &&
            f->data->sample[i].time_s < 1.35 * least) {
            sum += f->data->sample[i].time_s;
            n += 1.0;
        }
    }
    f->bench.floor_s[floor] = n > 0.0 && !f->data->published ? sum / n : no_floor_s;
}

static bool has_floor(const struct fitting *f)
{
    return !f->data->published;
}

static enum ry_err bf16_stage(struct fitting *f, struct ry_stage *stage)
{
    *stage =
        (struct ry_stage){.floor = has_floor(f), .floor_of = RY_FLOOR_GEMM, .heat = true};
    param(stage, "gemm.bf16.rate_flop_per_s", true);
    param(stage, "gemm.bf16.k0", true);
    param(stage, "tile.128x128", true);
    param(stage, "tile.64x128", f->data->published);
    param(stage, "gemm.fixed_s", f->data->published); /* else the host hides it */
    param(stage, "gemm.bf16.dgrad",
          ry_samples_count(f->data, is_role, RY_DGRAD) >= LEAST_SAMPLES);
    param(stage, "gemm.bf16.wgrad",
          ry_samples_count(f->data, is_role, RY_WGRAD) >= LEAST_SAMPLES);
    return choose(f, ry_sample_is_gemm, RY_BF16, stage);
}

/* The wave treatment whose fit to half of the products predicts the other half best. */
static enum ry_err choose_wave(struct fitting *f, const struct ry_stage *stage)
{
    struct ry_stage_state state = state_of(f);
    double best = INFINITY;
    double best_q = f->file->model.wave_q;

    if (stage->samples < MIN_WAVE_SAMPLES)
        return RY_OK;
    for (int i = 0; i < RY_WAVES; i++) {
        const double q = (double)i / (RY_WAVES - 1);

        f->file->model.wave_q = q;
        f->fit->wave[i].q = q;
        RY_TRY(ry_stage_cross(stage, &state, &f->fit->wave[i].held_out, f->diag));
        if (f->fit->wave[i].held_out < best * (1.0 - clearly)) {
            best = f->fit->wave[i].held_out;
            best_q = q;
        }
    }
    f->fit->waves = RY_WAVES;
    f->file->model.wave_q = best_q;
    ry_kernel_note(f->data, f->file, ry_param_find("gemm.wave_q"), 0.3,
                   "cross-validation");
    return RY_OK;
}

/* A rate near what the largest products show, so that the simplex starts inside. */
static void start_rate(struct fitting *f, enum ry_precision precision)
{
    double most = 0.0;

    for (size_t i = 0; i < f->data->samples; i++) {
        const struct ry_sample *s = &f->data->sample[i];
        if (ry_sample_is_gemm(s, (int)precision))
            most = fmax(most, ry_gemm_flop(&s->gemm) / s->time_s);
    }
    f->file->model.gemm[precision].rate_flop_per_s = most;
}

static enum ry_err fit_bf16(struct fitting *f)
{
    struct ry_stage stage;

    if (ry_samples_count(f->data, ry_sample_is_gemm, RY_BF16) < LEAST_SAMPLES)
        return RY_OK;
    start_rate(f, RY_BF16);
    f->bench.heat = 0.05;
    start_floor(f, RY_FLOOR_GEMM);
    RY_TRY(bf16_stage(f, &stage));
    RY_TRY(choose_wave(f, &stage));
    return run_stage(f, &stage);
}

static enum ry_err fit_low(struct fitting *f, enum ry_precision precision,
                           enum ry_floor floor)
{
    const char *name = ry_precision_name(precision);
    struct ry_stage stage = {.floor = has_floor(f), .floor_of = floor};

    if (ry_samples_count(f->data, ry_sample_is_gemm, (int)precision) < LEAST_SAMPLES)
        return RY_OK;
    start_rate(f, precision);
    start_floor(f, floor);
    param(&stage, ry_strfmt(f->arena, "gemm.%s.rate_flop_per_s", name), true);
    param(&stage, ry_strfmt(f->arena, "gemm.%s.k0", name), true);
    RY_TRY(choose(f, ry_sample_is_gemm, (int)precision, &stage));
    return run_stage(f, &stage);
}

static enum ry_err fit_fp32(struct fitting *f)
{
    struct ry_stage stage = {.floor = false};

    if (ry_samples_count(f->data, ry_sample_is_gemm, RY_FP32) < LEAST_SAMPLES)
        return RY_OK;
    start_rate(f, RY_FP32);
    param(&stage, "gemm.fp32.rate_flop_per_s", true);
    RY_TRY(choose(f, ry_sample_is_gemm, RY_FP32, &stage));
    return run_stage(f, &stage);
}

static enum ry_err fit_attention(struct fitting *f, int backward)
{
    const char *way = backward ? "backward" : "forward";
    struct ry_stage stage = {
        .floor = has_floor(f),
        .floor_of = backward ? RY_FLOOR_BACKWARD : RY_FLOOR_FORWARD,
    };
    double most = 0.0;

    RY_TRY(choose(f, ry_sample_is_attention, backward, &stage));
    if (stage.samples < LEAST_SAMPLES)
        return RY_OK;
    for (size_t i = 0; i < stage.samples; i++) {
        const struct ry_sample *s = &f->data->sample[stage.sample[i]];
        most = fmax(most, ry_attention_flop(&s->attention, s->backward) / s->time_s);
    }
    f->file->model.attn_flop_per_s[backward] = most * 1.02;
    /* a table of few sequence lengths cannot tell bytes from FLOP */
    f->file->model.attn_row_s[backward] =
        f->data->published ? 0.0 : 0.8 / f->file->model.hbm_bytes_per_s;
    start_floor(f, stage.floor_of);
    param(&stage, ry_strfmt(f->arena, "attention.%s_flop_per_s", way), true);
    param(&stage, ry_strfmt(f->arena, "attention.%s_tail", way), true);
    param(&stage, ry_strfmt(f->arena, "attention.%s_fixed_s", way), !f->data->published);
    param(&stage, ry_strfmt(f->arena, "attention.%s_s_per_byte", way),
          !f->data->published);
    param(&stage, ry_strfmt(f->arena, "attention.%s_head64", way),
          ry_samples_count(f->data, is_head64, backward) >= LEAST_SAMPLES);
    param(&stage, ry_strfmt(f->arena, "attention.%s_head192", way),
          ry_samples_count(f->data, is_head192, backward) >= LEAST_SAMPLES);
    return run_stage(f, &stage);
}

static enum ry_err fit_grouped(struct fitting *f)
{
    struct ry_stage stage = {.floor = false};

    RY_TRY(choose(f, is_grouped, 0, &stage));
    if (stage.samples < LEAST_SAMPLES)
        return RY_OK;
    f->bench.floor_s[RY_FLOOR_GROUPED] = no_floor_s;
    param(&stage, "grouped.rate", true);
    param(&stage, "grouped.small_eff", true);
    param(&stage, "grouped.expert_s", stage.samples >= MANY_GROUPED);
    param(&stage, "grouped.hbm_frac", stage.samples >= MANY_GROUPED);
    param(&stage, "grouped.wgrad",
          ry_samples_count(f->data, is_grouped_wgrad, 0) >= LEAST_SAMPLES);
    return run_stage(f, &stage);
}

/* fp16 runs at the rate of bf16 on every part known. */
static void copy_fp16(struct fitting *f)
{
    static const char *const fields[] = {"rate_flop_per_s", "burst",    "k0",
                                         "k0_burst",        "forward",  "dgrad",
                                         "wgrad",           "sigma_rel"};
    char from[64];
    char to[64];

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        (void)snprintf(from, sizeof(from), "gemm.bf16.%s", fields[i]);
        (void)snprintf(to, sizeof(to), "gemm.fp16.%s", fields[i]);
        const size_t at = ry_param_find(to);
        ry_param_set(&f->file->model, at,
                     ry_param_get(&f->file->model, ry_param_find(from)));
        f->file->info[at] = f->file->info[ry_param_find(from)];
        f->file->info[at].from = "as bf16";
    }
}

/* The rate alone, against that of bf16: only of bf16 is it known what is sustained. */
static enum ry_err fit_fp16(struct fitting *f)
{
    const struct ry_gemm_rate *rate = f->file->model.gemm;
    struct ry_stage stage = {.floor = false};

    if (ry_samples_count(f->data, ry_sample_is_gemm, RY_FP16) < LEAST_SAMPLES)
        return RY_OK;
    if (ry_samples_count(f->data, ry_sample_is_gemm, RY_BF16) < LEAST_SAMPLES)
        return fit_low(f, RY_FP16, RY_FLOOR_GEMM);
    copy_fp16(f);
    param(&stage, "gemm.fp16.rate_flop_per_s", true);
    RY_TRY(choose(f, ry_sample_is_gemm, RY_FP16, &stage));
    RY_TRY(run_stage(f, &stage));
    f->fp16_of_bf16 = rate[RY_FP16].rate_flop_per_s / rate[RY_BF16].rate_flop_per_s;
    return RY_OK;
}

static void finish_fp16(struct fitting *f)
{
    const size_t at = ry_param_find("gemm.fp16.rate_flop_per_s");
    const struct ry_param_info fitted = f->file->info[at];
    const bool measured =
        ry_samples_count(f->data, ry_sample_is_gemm, RY_FP16) >= LEAST_SAMPLES;

    if (measured && ry_samples_count(f->data, ry_sample_is_gemm, RY_BF16) < LEAST_SAMPLES)
        return;
    copy_fp16(f);
    if (!measured)
        return;
    f->file->model.gemm[RY_FP16].rate_flop_per_s *= f->fp16_of_bf16;
    f->file->info[at] = fitted;
}

static enum ry_err fit_products(struct fitting *f)
{
    RY_TRY(fit_bf16(f));
    RY_TRY(fit_fp16(f));
    RY_TRY(fit_low(f, RY_FP8, RY_FLOOR_FP8));
    RY_TRY(fit_low(f, RY_MXFP8, RY_FLOOR_FP8));
    RY_TRY(fit_low(f, RY_NVFP4, RY_FLOOR_FP8));
    RY_TRY(fit_fp32(f));
    return fit_grouped(f);
}

/* Fitted attention rates are those of attention alone. */
static void attention_at_products_clock(struct fitting *f)
{
    for (int way = 0; way < 2; way++)
        if (ry_samples_count(f->data, ry_sample_is_attention, way) >= LEAST_SAMPLES)
            f->file->model.attn_flop_per_s[way] /= f->file->model.attn_burst;
}

enum ry_err ry_kernel_fit(struct ry_arena *arena, struct ry_kernel_data *data,
                          struct ry_compute_file *file, struct ry_kernel_fit *fit,
                          struct ry_diag *diag)
{
    struct ry_kernel_fit out = {.waves = 0};
    struct fitting f = {.arena = arena,
                        .data = data,
                        .file = file,
                        .fit = &out,
                        .bench = {.heat_s = 5e-4},
                        .diag = diag};

    if (data->samples + data->hosts + data->besides + data->powers == 0)
        return ry_fail(diag, RY_ERR_DEGENERATE, data->gpu ? data->gpu : "kernels",
                       "no kernel timings");
    for (int i = 0; i < RY_FLOORS; i++)
        f.bench.floor_s[i] = no_floor_s;
    RY_TRY(fit_products(&f));
    RY_TRY(fit_attention(&f, 0));
    RY_TRY(fit_attention(&f, 1));
    start_floor(&f, RY_FLOOR_EAGER);
    start_floor(&f, RY_FLOOR_COMPILED);
    start_floor(&f, RY_FLOOR_COMPILED_TWO);
    ry_fit_streams(data, file, &f.bench);
    ry_fit_roles(data, file);
    ry_fit_power(data, file, &f.bench);
    attention_at_products_clock(&f);
    ry_fit_host(data, file);
    ry_fit_beside(data, file);
    RY_TRY(ry_kernel_judge(arena, data, file, &out, diag));
    finish_fp16(&f);
    memcpy(out.floor_s, f.bench.floor_s, sizeof(out.floor_s));
    *fit = out;
    return RY_OK;
}
