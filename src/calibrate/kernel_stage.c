/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/kernel_stage.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>

enum {
    UNKNOWNS_MOST = RY_STAGE_PARAMS + 3,
    ITERATIONS = 600,
    RESTARTS = 2,
    JACKKNIFE = 6,
};

static const double rounding = 0.02; /* of the absolute value, in log time */
static const double outside = 10.0;  /* loss of parameters out of their bounds */
static const double least_sigma = 0.005;
static const double start_step = 0.08;

/* A burst beats the sustained clock by half at most, for 0.2 to 2 ms: shorter, and it
 * would stand for the start of small kernels instead. */
static const double heat_most = 0.5;
static const double heat_least_s = 2e-4;
static const double heat_most_s = 2e-3;

/* Which samples a fit sees. */
enum part { PART_ALL, PART_EVEN, PART_ODD, PART_WITHOUT };

struct view {
    enum part part;
    size_t left_out; /* of PART_WITHOUT, modulo JACKKNIFE */
};

struct problem {
    const struct ry_stage *stage;
    const struct ry_kernel_data *data;
    struct view view;
    size_t index[RY_STAGE_PARAMS];
    struct ry_compute_model model; /* scratch */
    struct ry_bench_terms bench;
    size_t unknowns;
    double start[UNKNOWNS_MOST];
};

static double device_s(const struct ry_compute_model *model, const struct ry_sample *s)
{
    switch (s->kind) {
    case RY_SAMPLE_GEMM:
        return ry_gemm_s(model, &s->gemm);
    case RY_SAMPLE_GROUPED:
        return ry_grouped_gemm_s(model, &s->grouped);
    case RY_SAMPLE_ATTENTION:
        return ry_attention_s(model, &s->attention, s->backward);
    case RY_SAMPLE_STREAM:
        return ry_stream_s(model, s->stream, s->bytes);
    }
    return 0.0;
}

double ry_bench_s(const struct ry_compute_model *model,
                  const struct ry_bench_terms *bench, const struct ry_sample *s)
{
    const double device = device_s(model, s);
    const bool warms =
        s->kind == RY_SAMPLE_GEMM && ry_precision_bytes(s->gemm.precision) > 1.5;
    const double cool =
        warms ? 1.0 + bench->heat / (1.0 + pow(device / bench->heat_s, 2.0)) : 1.0;

    return pow(pow(device / cool, 8.0) + pow(bench->floor_s[s->floor], 8.0), 1.0 / 8.0);
}

/* Large products make up a step: the small ones count a tenth. */
static double weight(const struct ry_sample *s)
{
    const double flop = ry_gemm_flop(&s->gemm);

    return s->kind == RY_SAMPLE_GEMM ? flop / (flop + 5e10) + 0.1 : 1.0;
}

/* Halves that do not follow a list's own alternation (batch 1 and 4, even and uneven):
 * 0 1 1 0 0 1 1 0. */
static size_t half_of(size_t i)
{
    return (i / 2 + i) % 2;
}

static bool seen(const struct view *view, size_t i)
{
    switch (view->part) {
    case PART_ALL:
        return true;
    case PART_EVEN:
        return half_of(i) == 0;
    case PART_ODD:
        return half_of(i) == 1;
    case PART_WITHOUT:
        return (i * 7 / 3) % JACKKNIFE != view->left_out;
    }
    return true;
}

static bool unpack(struct problem *p, const gsl_vector *x)
{
    size_t at = 0;
    bool inside = true;

    for (size_t i = 0; i < p->stage->n; i++, at++) {
        const struct ry_param param = ry_param_at(p->index[i]);
        const double value = p->start[at] * exp(gsl_vector_get(x, at));

        inside = inside && value >= param.least && value <= param.most;
        ry_param_set(&p->model, p->index[i], value);
    }
    if (p->stage->floor) {
        p->bench.floor_s[p->stage->floor_of] = p->start[at] * exp(gsl_vector_get(x, at));
        at++;
    }
    if (p->stage->heat) {
        p->bench.heat = p->start[at] * exp(gsl_vector_get(x, at));
        p->bench.heat_s = p->start[at + 1] * exp(gsl_vector_get(x, at + 1));
        inside = inside && p->bench.heat < heat_most && p->bench.heat_s > heat_least_s &&
                 p->bench.heat_s < heat_most_s;
    }
    return inside;
}

static double loss(const gsl_vector *x, void *context)
{
    struct problem *p = context;
    double sum = 0.0, weights = 0.0;

    if (!unpack(p, x))
        return outside;
    for (size_t i = 0; i < p->stage->samples; i++) {
        const struct ry_sample *s = &p->data->sample[p->stage->sample[i]];

        if (!seen(&p->view, i))
            continue;
        const double e = log(ry_bench_s(&p->model, &p->bench, s) / s->time_s);
        sum += weight(s) * (sqrt(e * e + rounding * rounding) - rounding);
        weights += weight(s);
    }
    return weights > 0.0 && isfinite(sum) ? sum / weights : outside;
}

static void start(struct problem *p, const struct ry_stage *stage,
                  const struct ry_stage_state *state)
{
    size_t at = 0;

    p->stage = stage;
    p->data = state->data;
    p->model = *state->model;
    p->bench = *state->bench;
    for (size_t i = 0; i < stage->n; i++) {
        p->index[i] = ry_param_find(stage->params[i]);
        p->start[at++] = ry_param_get(state->model, p->index[i]);
    }
    if (stage->floor)
        p->start[at++] = state->bench->floor_s[stage->floor_of];
    if (stage->heat) {
        p->start[at++] = state->bench->heat;
        p->start[at++] = state->bench->heat_s;
    }
    p->unknowns = at;
}

/* Run the simplex on prepared vectors; @p x becomes the minimum. */
static void descend(gsl_multimin_fminimizer *minimizer, struct problem *p, gsl_vector *x,
                    gsl_vector *step)
{
    gsl_multimin_function function = {.f = loss, .n = p->unknowns, .params = p};

    for (int restart = 0; restart < RESTARTS; restart++) {
        gsl_vector_set_all(step, start_step);
        if (gsl_multimin_fminimizer_set(minimizer, &function, x, step) != GSL_SUCCESS)
            return;
        for (int i = 0; i < ITERATIONS; i++) {
            if (gsl_multimin_fminimizer_iterate(minimizer) != GSL_SUCCESS ||
                gsl_multimin_test_size(gsl_multimin_fminimizer_size(minimizer), 1e-6) ==
                    GSL_SUCCESS)
                break;
        }
        (void)gsl_vector_memcpy(x, gsl_multimin_fminimizer_x(minimizer));
    }
}

/* Minimise over the samples of @p view; the result is in p->model and p->bench. */
static enum ry_err minimise(struct problem *p, struct view view, struct ry_diag *diag)
{
    gsl_multimin_fminimizer *minimizer =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, p->unknowns);
    gsl_vector *x = gsl_vector_calloc(p->unknowns);
    gsl_vector *step = gsl_vector_alloc(p->unknowns);
    const bool ok = minimizer && x && step;

    p->view = view;
    if (ok) {
        descend(minimizer, p, x, step);
        (void)unpack(p, x);
    }
    gsl_vector_free(step);
    gsl_vector_free(x);
    gsl_multimin_fminimizer_free(minimizer);
    return ok ? RY_OK : ry_fail(diag, RY_ERR_NOMEM, "fit", "%zu unknowns", p->unknowns);
}

/* Spread of each parameter when a sixth of the samples is left out in turn (Efron and
 * Stein 1981): sigma^2 = (g - 1) / g * sum of squared deviations. */
static enum ry_err jackknife(const struct ry_stage *stage, struct ry_stage_state *state,
                             struct ry_diag *diag)
{
    double values[RY_STAGE_PARAMS][JACKKNIFE];

    for (size_t g = 0; g < JACKKNIFE; g++) {
        struct problem p;

        start(&p, stage, state);
        RY_TRY(minimise(&p, (struct view){PART_WITHOUT, g}, diag));
        for (size_t i = 0; i < stage->n; i++)
            values[i][g] = log(ry_param_get(&p.model, p.index[i]));
    }
    for (size_t i = 0; i < stage->n; i++) {
        double mean = 0.0, square = 0.0;

        for (size_t g = 0; g < JACKKNIFE; g++)
            mean += values[i][g] / JACKKNIFE;
        for (size_t g = 0; g < JACKKNIFE; g++)
            square += (values[i][g] - mean) * (values[i][g] - mean);
        state->sigma_rel[i] =
            fmax(sqrt(square * (JACKKNIFE - 1.0) / JACKKNIFE), least_sigma);
    }
    return RY_OK;
}

/* Fit each half and let it predict the other. */
static enum ry_err hold_out(const struct ry_stage *stage,
                            const struct ry_stage_state *state, struct ry_diag *diag)
{
    for (int half = 0; half < 2; half++) {
        struct problem p;
        const struct view view = {.part = half == 0 ? PART_EVEN : PART_ODD};

        start(&p, stage, state);
        RY_TRY(minimise(&p, view, diag));
        for (size_t i = 0; i < stage->samples; i++) {
            struct ry_sample *s = &state->data->sample[stage->sample[i]];

            if (!seen(&view, i))
                s->held_out_s = ry_bench_s(&p.model, &p.bench, s);
        }
    }
    return RY_OK;
}

enum ry_err ry_stage_cross(const struct ry_stage *stage,
                           const struct ry_stage_state *state, double *held_out,
                           struct ry_diag *diag)
{
    double sum = 0.0, weights = 0.0;

    RY_TRY(hold_out(stage, state, diag));
    for (size_t i = 0; i < stage->samples; i++) {
        const struct ry_sample *s = &state->data->sample[stage->sample[i]];

        sum += weight(s) * fabs(s->held_out_s / s->time_s - 1.0);
        weights += weight(s);
    }
    *held_out = weights > 0.0 ? sum / weights : (double)NAN;
    return RY_OK;
}

enum ry_err ry_stage_fit(const struct ry_stage *stage, struct ry_stage_state *state,
                         struct ry_diag *diag)
{
    struct problem p;

    if (stage->samples > 1)
        RY_TRY(hold_out(stage, state, diag));
    start(&p, stage, state);
    RY_TRY(minimise(&p, (struct view){.part = PART_ALL}, diag));
    *state->model = p.model;
    *state->bench = p.bench;
    for (size_t i = 0; i < stage->samples; i++) {
        struct ry_sample *s = &state->data->sample[stage->sample[i]];
        s->fitted_s = ry_bench_s(&p.model, &p.bench, s);
    }
    return jackknife(stage, state, diag);
}
