/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/fit_plot.h"

#include "base/names.h"
#include "base/normal.h"
#include "report/plot.h"

#include <math.h>
#include <string.h>

enum { LINE_POINTS = 160, SERIES_MOST = 22 };

/* A line with its band, LINE_POINTS of each. */
struct curve {
    double *x, *y, *lo, *hi;
};

static bool make_curve(struct ry_arena *arena, double least, double most,
                       struct curve *curve)
{
    *curve = (struct curve){
        .x = RY_NEW(arena, double, LINE_POINTS),
        .y = RY_NEW(arena, double, LINE_POINTS),
        .lo = RY_NEW(arena, double, LINE_POINTS),
        .hi = RY_NEW(arena, double, LINE_POINTS),
    };
    if (!curve->x || !curve->y || !curve->lo || !curve->hi)
        return false;
    for (size_t i = 0; i < LINE_POINTS; i++)
        curve->x[i] = least * pow(most / least, (double)i / (double)(LINE_POINTS - 1));
    return true;
}

/* Memory of one series: measured points, then the curve, to be filled. */
static bool make_series(struct ry_arena *arena, const struct ry_coll_run *run,
                        struct ry_plot_series *series, struct curve *curve)
{
    double *x = RY_NEW(arena, double, run->n + 1);
    double *y = RY_NEW(arena, double, run->n + 1);
    double least = INFINITY, most = 0.0;

    if (!x || !y)
        return false;
    for (size_t i = 0; i < run->n; i++) {
        x[i] = run->points[i].bytes;
        y[i] = run->points[i].time_s;
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    if (!make_curve(arena, least, most, curve))
        return false;
    *series = (struct ry_plot_series){
        .name = ry_strfmt(arena, "%s, %zu ranks", ry_coll_name(run->coll), run->ranks),
        .points = run->n,
        .x = x,
        .y = y,
        .line = LINE_POINTS,
        .line_x = curve->x,
        .line_y = curve->y,
        .lo = curve->lo,
        .hi = curve->hi,
    };
    return series->name != NULL;
}

static enum ry_err put_plot(struct ry_arena *arena, const char *path, const char *title,
                            const struct ry_plot_series series[], size_t n,
                            struct ry_diag *diag)
{
    const struct ry_plot plot = {
        .title = title,
        .x_title = "size",
        .y_title = "time",
        .x_show = RY_SHOW_BYTES,
        .y_show = RY_SHOW_SECONDS,
        .n = n,
        .series = series,
    };
    return ry_plot_write(arena, &plot, path, diag);
}

static const struct ry_coll_run *run_of(const struct ry_collective_input *input,
                                        const struct ry_coll_fit *fit)
{
    for (size_t i = 0; i < input->runs; i++)
        if (input->run[i].coll == fit->coll && input->run[i].ranks == fit->ranks &&
            input->run[i].nodes == fit->nodes)
            return &input->run[i];
    return NULL;
}

enum ry_err ry_fit_plot_curves(struct ry_arena *arena, const char *path,
                               const struct ry_collective_input *input,
                               const struct ry_coll_fits *fits, struct ry_diag *diag)
{
    struct ry_plot_series series[SERIES_MOST];
    size_t n = 0;

    for (size_t i = 0; i < fits->n && n < SERIES_MOST; i++) {
        const struct ry_coll_fit *fit = &fits->at[i];
        const struct ry_coll_run *run = run_of(input, fit);
        struct curve curve;
        if (!run)
            continue;
        if (!make_series(arena, run, &series[n], &curve))
            return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
        const double half = exp(RY_Z90 * 1.4826 * fmax(fit->fit.median_error, 0.005));
        for (size_t k = 0; k < LINE_POINTS; k++) {
            curve.y[k] = ry_link_fit_s(&fit->fit, curve.x[k]);
            curve.lo[k] = curve.y[k] / half;
            curve.hi[k] = curve.y[k] * half;
        }
        n++;
    }
    return put_plot(arena, path, "Measured, fitted, and the 90 % band of single sizes",
                    series, n, diag);
}

enum ry_err ry_fit_plot_fabric(struct ry_arena *arena, const char *path,
                               const struct ry_fabric_case cases[], size_t n,
                               const struct ry_net_fabric *fabric, struct ry_diag *diag)
{
    struct ry_plot_series series[SERIES_MOST];
    size_t drawn = 0;

    for (size_t i = 0; i < n && drawn < SERIES_MOST; i++) {
        struct ry_net *net = RY_NEW(arena, struct ry_net, 1);
        struct curve curve;
        if (!net || !make_series(arena, cases[i].run, &series[drawn], &curve))
            return ry_fail(diag, RY_ERR_NOMEM, path, "no memory");
        *net = *cases[i].net;
        net->fabric = *fabric;
        /* The hardware is each run's own; what was fitted is shared. */
        net->fabric.nics_per_domain = cases[i].net->fabric.nics_per_domain;
        net->fabric.nic_bytes_per_s = cases[i].net->fabric.nic_bytes_per_s;
        net->fabric.nic_line_bytes_per_s = cases[i].net->fabric.nic_line_bytes_per_s;
        net->fabric.pcie_bytes_per_s = cases[i].net->fabric.pcie_bytes_per_s;
        for (size_t k = 0; k < LINE_POINTS; k++) {
            const struct ry_coll_time time =
                ry_collective(net, cases[i].run->coll, &cases[i].group, curve.x[k]);
            curve.y[k] = time.s;
            curve.lo[k] = time.s * exp(-RY_Z90 * time.rel_sigma);
            curve.hi[k] = time.s * exp(RY_Z90 * time.rel_sigma);
        }
        drawn++;
    }
    return put_plot(arena, path,
                    "Measured, predicted by the fitted fabric, and its 90 % interval",
                    series, drawn, diag);
}
