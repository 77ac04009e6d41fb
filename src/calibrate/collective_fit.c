/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/collective_fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

static int by_what(const void *a, const void *b)
{
    const struct ry_coll_fit *x = a, *y = b;

    if (x->coll != y->coll)
        return x->coll < y->coll ? -1 : 1;
    if (x->ranks != y->ranks)
        return x->ranks < y->ranks ? -1 : 1;
    return (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

static double sigma_of(const struct ry_coll_fits *fits, double scratch[])
{
    for (size_t i = 0; i < fits->n; i++)
        scratch[i] = fits->at[i].fit.median_error;
    gsl_sort(scratch, 1, fits->n);
    return fmax(0.01, 1.4826 * scratch[fits->n / 2]);
}

enum ry_err ry_coll_fits_make(struct ry_arena *arena, const struct ry_coll_run runs[],
                              size_t n, struct ry_coll_fits *fits, struct ry_diag *diag)
{
    struct ry_coll_fits made = {.at = RY_NEW(arena, struct ry_coll_fit, n + 1)};
    double *scratch = RY_NEW(arena, double, n + 1);

    if (!made.at || !scratch)
        return ry_fail(diag, RY_ERR_NOMEM, "fit", "%zu runs", n);
    for (size_t i = 0; i < n; i++) {
        struct ry_coll_fit *one = &made.at[made.n];
        if (runs[i].ranks < 2)
            continue;
        const enum ry_err err =
            ry_link_fit(arena, runs[i].points, runs[i].n, &one->fit, diag);
        if (err == RY_ERR_DEGENERATE)
            continue;
        RY_TRY(err);
        one->coll = runs[i].coll;
        one->ranks = runs[i].ranks;
        one->nodes = runs[i].nodes;
        one->file = runs[i].file;
        one->bus_factor = ry_coll_bus_factor(one->coll, one->ranks);
        made.n++;
    }
    if (made.n == 0)
        return ry_fail(diag, RY_ERR_DEGENERATE, n ? runs[0].file : "input",
                       "no run of two or more ranks with three sizes to fit");
    qsort(made.at, made.n, sizeof(*made.at), by_what);
    made.rel_sigma = sigma_of(&made, scratch);
    *fits = made;
    return RY_OK;
}

/* Start-up times of one collective. */

enum { ALPHA_PARAMETERS = 3 };

struct alphas {
    const struct ry_coll_fits *fits;
    enum ry_coll coll;
    size_t n;
};

static bool has_alpha(const struct alphas *alphas, const struct ry_coll_fit *fit)
{
    return fit->coll == alphas->coll && fit->fit.alpha_known && fit->nodes > 0;
}

/* Columns over time: relative errors. */
static void alpha_row(const struct ry_coll_fit *fit, double x[ALPHA_PARAMETERS])
{
    const double times = fit->coll == RY_COLL_ALL_REDUCE ? 2.0 : 1.0;
    const double outside = times * ((double)fit->nodes - 1.0);
    const double steps = times * ((double)fit->ranks - 1.0);

    x[0] = 1.0 / fit->fit.alpha0_s;
    x[1] = (steps - outside) / fit->fit.alpha0_s;
    x[2] = outside / fit->fit.alpha0_s;
}

/* Normal equations of the columns in use; three unknowns at most, so by hand. */
static bool solve(double a[ALPHA_PARAMETERS][ALPHA_PARAMETERS + 1], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (fabs(a[i][i]) < 1e-12)
            return false;
        for (size_t r = 0; r < n; r++) {
            const double times = r == i ? 0.0 : a[r][i] / a[i][i];
            for (size_t c = i; c <= ALPHA_PARAMETERS; c++)
                a[r][c] -= times * a[i][c];
        }
    }
    return true;
}

/* Sum of squared relative errors. */
static double misfit(const struct alphas *alphas, const double value[ALPHA_PARAMETERS])
{
    double sum = 0.0;

    for (size_t i = 0; i < alphas->fits->n; i++) {
        double x[ALPHA_PARAMETERS];
        double error = -1.0;
        if (!has_alpha(alphas, &alphas->fits->at[i]))
            continue;
        alpha_row(&alphas->fits->at[i], x);
        for (size_t c = 0; c < ALPHA_PARAMETERS; c++)
            error += value[c] * x[c];
        sum += error * error;
    }
    return sum;
}

/* Solve with the columns of @p use (bits); negative values make it fail. */
static double least_squares(const struct alphas *alphas, unsigned use,
                            double value[ALPHA_PARAMETERS])
{
    double a[ALPHA_PARAMETERS][ALPHA_PARAMETERS + 1] = {{0}};
    size_t column[ALPHA_PARAMETERS] = {0};
    size_t n = 0;

    for (size_t c = 0; c < ALPHA_PARAMETERS; c++)
        if (use & (1U << c))
            column[n++] = c;
    for (size_t i = 0; i < alphas->fits->n; i++) {
        double x[ALPHA_PARAMETERS];
        if (!has_alpha(alphas, &alphas->fits->at[i]))
            continue;
        alpha_row(&alphas->fits->at[i], x);
        for (size_t r = 0; r < n; r++) {
            for (size_t c = 0; c < n; c++)
                a[r][c] += x[column[r]] * x[column[c]];
            a[r][ALPHA_PARAMETERS] += x[column[r]];
        }
    }
    if (!solve(a, n))
        return HUGE_VAL;
    for (size_t c = 0; c < ALPHA_PARAMETERS; c++)
        value[c] = 0.0;
    for (size_t r = 0; r < n; r++) {
        value[column[r]] = a[r][ALPHA_PARAMETERS] / a[r][r];
        if (value[column[r]] < 0.0)
            return HUGE_VAL;
    }
    return misfit(alphas, value);
}

/* Whether the runs are of several node counts, or of several counts inside nodes. */
static bool differ(const struct alphas *alphas, bool nodes)
{
    const struct ry_coll_fit *first = NULL;

    for (size_t i = 0; i < alphas->fits->n; i++) {
        const struct ry_coll_fit *fit = &alphas->fits->at[i];
        if (!has_alpha(alphas, fit))
            continue;
        first = first ? first : fit;
        if (nodes ? fit->nodes != first->nodes
                  : fit->ranks - fit->nodes != first->ranks - first->nodes)
            return true;
    }
    return false;
}

static struct ry_estimate spread(double value, double sum, size_t points, size_t used)
{
    const double sd = points > used ? sqrt(sum / (double)(points - used)) : HUGE_VAL;
    const double t90 =
        points > used ? gsl_cdf_tdist_Pinv(0.95, (double)(points - used)) : HUGE_VAL;
    const double half = isfinite(sd) ? t90 * sd : HUGE_VAL;

    return (struct ry_estimate){value, value * fmax(0.0, 1.0 - half),
                                value * (1.0 + half)};
}

enum ry_err ry_alpha_steps_fit(const struct ry_coll_fits *fits, enum ry_coll coll,
                               struct ry_alpha_steps *steps, struct ry_diag *diag)
{
    struct alphas alphas = {fits, coll, 0};
    double value[ALPHA_PARAMETERS] = {0};
    double best[ALPHA_PARAMETERS] = {0};
    double least = HUGE_VAL;
    unsigned allowed = 1U;
    size_t used = 0;

    for (size_t i = 0; i < fits->n; i++)
        alphas.n += has_alpha(&alphas, &fits->at[i]);
    if (alphas.n == 0)
        return ry_fail(diag, RY_ERR_DEGENERATE, ry_coll_name(coll),
                       "no run with sizes up to 64 KiB, so no start-up time");
    const bool inside = differ(&alphas, false);
    const bool between = differ(&alphas, true);
    allowed |= inside ? 2U : 0U;
    allowed |= between ? 4U : 0U;
    for (unsigned use = 1; use < 8; use++) {
        if (use & ~allowed)
            continue;
        const double sum = least_squares(&alphas, use, value);
        if (sum < least - 1e-12) {
            least = sum;
            used = (use & 1U) + ((use >> 1) & 1U) + ((use >> 2) & 1U);
            for (size_t c = 0; c < ALPHA_PARAMETERS; c++)
                best[c] = value[c];
        }
    }
    *steps = (struct ry_alpha_steps){
        .base_s = spread(best[0], least, alphas.n, used),
        .intra_step_s = spread(best[1], least, alphas.n, used),
        .inter_step_s = spread(best[2], least, alphas.n, used),
        .intra_known = inside,
        .inter_known = between,
        .runs = alphas.n,
    };
    return RY_OK;
}
