/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/link_line.h"

#include "base/order.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>

double ry_link_line_log_error(const struct ry_link_line *line, double bytes,
                              double time_s)
{
    return log((line->alpha_s + line->slope * bytes) / time_s);
}

static double cost_of(const struct ry_link_sizes *sizes, size_t first, size_t end,
                      const struct ry_link_line *line)
{
    double cost = 0.0;

    for (size_t i = first; i < end; i++) {
        const double error =
            fabs(ry_link_line_log_error(line, sizes->bytes[i], sizes->time_s[i]));
        cost +=
            sizes->weight[i] * (error < RY_LINK_WORST_LOG ? error : RY_LINK_WORST_LOG);
    }
    return cost;
}

/* The best alpha when the slope is at its limit, and the other way round. */
static struct ry_link_line one_parameter(const struct ry_link_sizes *sizes, size_t first,
                                         size_t end, bool flat)
{
    double value[RY_LINK_SIZES_MOST];
    double away[RY_LINK_SIZES_MOST];
    const size_t n = end - first;
    struct ry_link_line line = {0};

    for (size_t i = 0; i < n; i++) {
        const double bytes = sizes->bytes[first + i];
        const double time_s = sizes->time_s[first + i];
        value[i] = flat ? time_s - sizes->slope_least * bytes : time_s / bytes;
    }
    const double best = ry_median(value, n);
    for (size_t i = 0; i < n; i++)
        away[i] = fabs(value[i] - best);
    const double sd = 1.2533 * 1.4826 * ry_median(away, n) / sqrt((double)n);
    if (flat) {
        line = (struct ry_link_line){.alpha_s = best,
                                     .alpha_sd = sd,
                                     .slope_open = true,
                                     .slope = sizes->slope_least};
        line.alpha_s = best > 0.0 ? best : 0.0;
    } else {
        line = (struct ry_link_line){.slope = best, .slope_sd = sd, .alpha_open = true};
    }
    line.cost = cost_of(sizes, first, end, &line);
    return line;
}

/* Relative errors: alpha / t + slope S / t = 1, columns scaled to be near one. */
static bool robust_line(const struct ry_link_sizes *sizes, size_t first, size_t end,
                        struct ry_link_line *line)
{
    const size_t n = end - first;
    const double scale = sizes->time_s[first];
    const double size = sizes->bytes[end - 1] / sizes->time_s[end - 1];
    gsl_matrix *x = gsl_matrix_alloc(n, 2);
    gsl_vector *y = gsl_vector_alloc(n);
    gsl_vector *c = gsl_vector_alloc(2);
    gsl_matrix *cov = gsl_matrix_alloc(2, 2);
    gsl_multifit_robust_workspace *work =
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, n, 2);
    int status = GSL_ENOMEM;

    if (x && y && c && cov && work) {
        for (size_t i = 0; i < n; i++) {
            gsl_matrix_set(x, i, 0, scale / sizes->time_s[first + i]);
            gsl_matrix_set(x, i, 1,
                           sizes->bytes[first + i] / sizes->time_s[first + i] / size);
            gsl_vector_set(y, i, 1.0);
        }
        status = gsl_multifit_robust(x, y, c, cov, work);
        if (status == GSL_EMAXITER) /* the last iterate is a line all the same */
            status = GSL_SUCCESS;
        *line = (struct ry_link_line){
            .alpha_s = gsl_vector_get(c, 0) * scale,
            .slope = gsl_vector_get(c, 1) / size,
            .alpha_sd = sqrt(fabs(gsl_matrix_get(cov, 0, 0))) * scale,
            .slope_sd = sqrt(fabs(gsl_matrix_get(cov, 1, 1))) / size,
        };
    }
    gsl_multifit_robust_free(work);
    gsl_matrix_free(cov);
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(x);
    return status == GSL_SUCCESS && isfinite(line->alpha_s) && isfinite(line->slope) &&
           line->alpha_s >= 0.0 && line->slope >= 0.98 * sizes->slope_least;
}

struct ry_link_line ry_link_line_fit(const struct ry_link_sizes *sizes, size_t first,
                                     size_t end)
{
    struct ry_link_line best = one_parameter(sizes, first, end, true);
    const struct ry_link_line steep = one_parameter(sizes, first, end, false);
    struct ry_link_line both = {0};

    if (steep.cost < best.cost && steep.slope >= 0.98 * sizes->slope_least)
        best = steep;
    if (robust_line(sizes, first, end, &both)) {
        both.cost = cost_of(sizes, first, end, &both);
        if (both.cost < best.cost)
            best = both;
    }
    return best;
}
