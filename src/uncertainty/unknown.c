/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "uncertainty/unknown.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>

#include <math.h>

/* Beyond this width a triangle of the value itself would put most of its weight above
 * the best estimate. */
static const double log_from_ratio = 4.0;

struct ry_unknown ry_unknown_normal(const char *key, const char *name, double sigma)
{
    return (struct ry_unknown){.key = key,
                               .name = name,
                               .shape = RY_SPREAD_NORMAL,
                               .sigma = sigma,
                               .low = 1.0,
                               .high = 1.0};
}

struct ry_unknown ry_unknown_range(const char *key, const char *name, double low,
                                   double best, double high)
{
    const double least = fmin(low, best) / best;
    const double most = fmax(high, best) / best;

    return (struct ry_unknown){.key = key,
                               .name = name,
                               .shape = most > log_from_ratio * least
                                            ? RY_SPREAD_TRIANGLE_LOG
                                            : RY_SPREAD_TRIANGLE,
                               .low = least,
                               .high = most};
}

int ry_unknown_is_wide(const struct ry_unknown *unknown)
{
    return unknown->shape == RY_SPREAD_NORMAL ? unknown->sigma > 0.0
                                              : unknown->high > unknown->low;
}

/* Quantile of the triangle from a to b with its top at c. */
static double triangle(double a, double c, double b, double u)
{
    const double width = b - a;

    if (!(width > 0.0))
        return c;
    if (u * width < c - a)
        return a + sqrt(u * width * (c - a));
    return b - sqrt((1.0 - u) * width * (b - c));
}

double ry_unknown_at(const struct ry_unknown *unknown, double u)
{
    switch (unknown->shape) {
    case RY_SPREAD_NORMAL:
        return exp(unknown->sigma * gsl_cdf_ugaussian_Pinv(u));
    case RY_SPREAD_TRIANGLE:
        return triangle(unknown->low, 1.0, unknown->high, u);
    case RY_SPREAD_TRIANGLE_LOG:
        return exp(triangle(log(unknown->low), 0.0, log(unknown->high), u));
    }
    return 1.0;
}

/* FNV-1a of the key, from the seed (Fowler, Noll, Vo; 64 bit). */
static uint64_t seed_of(const char *key, uint64_t seed)
{
    uint64_t hash = 14695981039346656037ULL ^ (seed * 0x9e3779b97f4a7c15ULL);

    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 1099511628211ULL;
    return hash ^ (hash >> 32);
}

enum ry_err ry_unknown_draws(const char *key, uint64_t seed, size_t n, double u[],
                             struct ry_diag *diag)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    if (!rng)
        return ry_fail(diag, RY_ERR_NOMEM, "random numbers", "for '%s'", key);
    gsl_rng_set(rng, (unsigned long)(seed_of(key, seed) & 0xffffffffU));
    for (size_t i = 0; i < n; i++)
        u[i] = gsl_rng_uniform_pos(rng);
    gsl_rng_free(rng);
    return RY_OK;
}
