/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel/compute_model.h"

#include <math.h>

/* How the compute and the memory part of one kernel combine: near the larger. */
static const double blend = 4.0;

struct tile {
    double m, n, efficiency;
};

enum { TILES = 7 };

struct product {
    const struct ry_compute_model *model;
    double m, n, k, batch;
    double sm_flop_per_s; /* one SM at efficiency 1 */
    double k0;
};

static void tiles_of(const struct ry_tiles *tiles, struct tile out[TILES])
{
    const struct tile all[TILES] = {
        {256, 256, tiles->t256x256}, {256, 128, tiles->t256x128},
        {128, 256, tiles->t256x128}, {128, 128, tiles->t128x128},
        {64, 128, tiles->t64x128},   {128, 64, tiles->t64x128},
        {64, 64, tiles->t64x64},
    };

    for (int i = 0; i < TILES; i++)
        out[i] = all[i];
}

static double combined(double compute_s, double memory_s)
{
    return pow(pow(compute_s, blend) + pow(memory_s, blend), 1.0 / blend);
}

/* The rate left when the contiguous dimensions are not multiples of 8 elements. */
static double alignment(const struct ry_compute_model *model, const struct ry_gemm *gemm)
{
    /* rows of the operands and of C: k and n forward, n and k dgrad, m and n wgrad */
    const double inner = gemm->role == RY_WGRAD ? gemm->m : gemm->k;
    const double worst = fmin(fmod(inner, 8.0) == 0.0 ? 8.0 : fmod(inner, 8.0),
                              fmod(gemm->n, 8.0) == 0.0 ? 8.0 : fmod(gemm->n, 8.0));

    if (worst == 8.0)
        return 1.0;
    if (fmod(inner, 4.0) == 0.0 && fmod(gemm->n, 4.0) == 0.0)
        return model->align_rate[0];
    if (fmod(inner, 2.0) == 0.0 && fmod(gemm->n, 2.0) == 0.0)
        return model->align_rate[1];
    return model->align_rate[2];
}

static double tile_s(const struct product *p, const struct tile *tile, double pieces)
{
    const double tiles = ceil(p->m / tile->m) * ceil(p->n / tile->n) * p->batch * pieces;
    const double waves = tiles / p->model->sm_count;
    const double q = p->model->wave_q;
    const double counted = q * ceil(waves) + (1.0 - q) * fmax(waves, 1.0) +
                           (waves > 1.0 ? p->model->tail_waves : 0.0);

    return counted * 2.0 * tile->m * tile->n * (p->k / pieces + p->k0) /
           (p->sm_flop_per_s * tile->efficiency);
}

/* Best tile and number of pieces of k, as a library's heuristics would choose. */
static double compute_s(const struct product *p)
{
    const double partial_s = 8.0 * p->m * p->n * p->batch /
                             (p->model->gemm_hbm_frac * p->model->hbm_bytes_per_s);
    struct tile tiles[TILES];
    double best = INFINITY;

    tiles_of(&p->model->tiles, tiles);
    for (int i = 0; i < TILES; i++) {
        if (tiles[i].efficiency <= 0.0)
            continue;
        best = fmin(best, tile_s(p, &tiles[i], 1.0));
        for (double s = 2.0; s <= p->model->split_most && p->k / s >= 256.0; s *= 2.0)
            best = fmin(best, tile_s(p, &tiles[i], s) + p->model->split_fixed_s +
                                  partial_s * s / 2.0);
    }
    return best;
}

static double memory_bytes(const struct ry_gemm *gemm, double batch)
{
    const double in = ry_precision_bytes(gemm->precision);
    const double out =
        (gemm->out_bytes > 0.0 ? gemm->out_bytes : 2.0) * (gemm->accumulate ? 2.0 : 1.0);

    return batch * (in * gemm->k * (gemm->m + gemm->n) + out * gemm->m * gemm->n);
}

static double product_s(const struct ry_compute_model *model, const struct ry_gemm *gemm,
                        double rate_flop_per_s, double k0)
{
    const struct ry_gemm_rate *rate = &model->gemm[gemm->precision];
    const double batch = gemm->batch > 0.0 ? gemm->batch : 1.0;
    const bool thin = batch > 1.0 && fmin(gemm->n, gemm->k) < 256.0;
    const double flop_per_s = rate_flop_per_s * rate->role[gemm->role] *
                              alignment(model, gemm) * (thin ? model->batched_rate : 1.0);
    const struct product product = {
        .model = model,
        .m = gemm->m,
        .n = gemm->n,
        .k = gemm->k,
        .batch = batch,
        .sm_flop_per_s = flop_per_s / model->sm_count,
        .k0 = thin ? 0.0 : k0,
    };
    const double hbm = model->gemm_hbm_frac * model->hbm_bytes_per_s;
    const double peak = model->peak_flop_per_s[gemm->precision];
    const double floor_s = peak > 0.0 ? ry_gemm_flop(gemm) / peak : 0.0;

    return model->gemm_fixed_s +
           combined(fmax(compute_s(&product), floor_s), memory_bytes(gemm, batch) / hbm);
}

double ry_gemm_flop(const struct ry_gemm *gemm)
{
    return 2.0 * gemm->m * gemm->n * gemm->k * (gemm->batch > 0.0 ? gemm->batch : 1.0);
}

double ry_gemm_s(const struct ry_compute_model *model, const struct ry_gemm *gemm)
{
    const struct ry_gemm_rate *rate = &model->gemm[gemm->precision];

    return product_s(model, gemm, rate->rate_flop_per_s, rate->k0);
}

double ry_gemm_burst_s(const struct ry_compute_model *model, const struct ry_gemm *gemm)
{
    const struct ry_gemm_rate *rate = &model->gemm[gemm->precision];

    return product_s(model, gemm, rate->rate_flop_per_s * rate->burst, rate->k0_burst);
}

/* Rows that tiles of @p rows cover for one group, and the time of them all. */
static double grouped_rows_s(const struct ry_compute_model *model,
                             const struct ry_grouped_gemm *g, double rows,
                             double efficiency)
{
    const struct ry_gemm_rate *rate = &model->gemm[g->precision];
    const double each = g->rows / g->groups;
    const double covered = g->uneven ? each + rows / 2.0 : ceil(each / rows) * rows;
    const double flop_per_s = rate->rate_flop_per_s * model->grouped_rate * efficiency;

    return 2.0 * g->groups * covered * g->n * (g->k + rate->k0) / flop_per_s;
}

/* Each group reduces its rows; the ramp is paid a group. */
static double grouped_wgrad_s(const struct ry_compute_model *model,
                              const struct ry_grouped_gemm *g)
{
    const struct ry_gemm_rate *rate = &model->gemm[g->precision];
    const double flop_per_s = rate->rate_flop_per_s * model->grouped_rate *
                              model->grouped_wgrad * rate->role[RY_WGRAD];

    return 2.0 * g->n * g->k * (g->rows + g->groups * rate->k0) / flop_per_s;
}

static double grouped_bytes(const struct ry_grouped_gemm *g)
{
    const double in = ry_precision_bytes(g->precision);
    const double out =
        (g->out_bytes > 0.0 ? g->out_bytes : 2.0) * (g->accumulate ? 2.0 : 1.0);
    const double weight = g->groups * g->n * g->k;

    if (g->role == RY_WGRAD)
        return in * g->rows * (g->n + g->k) + out * weight;
    return in * (g->rows * g->k + weight) + out * g->rows * g->n;
}

double ry_grouped_gemm_s(const struct ry_compute_model *model,
                         const struct ry_grouped_gemm *g)
{
    const double memory_s =
        grouped_bytes(g) / (model->grouped_hbm_frac * model->hbm_bytes_per_s);
    /* libraries choose the smaller tile by the mean rows of a group */
    const bool few = g->rows / g->groups <= model->grouped_rows / 2.0;
    double s;

    if (g->role == RY_WGRAD)
        s = grouped_wgrad_s(model, g);
    else
        s = few ? grouped_rows_s(model, g, model->grouped_rows / 2.0,
                                 model->grouped_small_eff)
                : grouped_rows_s(model, g, model->grouped_rows, 1.0);
    return model->gemm_fixed_s + g->groups * model->grouped_expert_s +
           combined(s, memory_s);
}
