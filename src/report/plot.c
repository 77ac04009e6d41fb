/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot.h"

#include <math.h>
#include <stdbool.h>

/* Points; the legend stands on the right, and a long one makes the page higher. */
static const double page_w = 860, least_h = 520, legend_h = 20;
static const double left = 100, right = 250, top = 44, bottom = 62;
/* Labels of an axis are this far apart at least. */
static const double x_apart = 62, y_apart = 18;

/* Told apart with normal and with most impaired colour vision (Okabe and Ito 2008), then
 * darker ones. */
static const double colours[][3] = {
    {0.00, 0.45, 0.70}, {0.90, 0.62, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.40, 0.00},
    {0.80, 0.47, 0.65}, {0.34, 0.71, 0.91}, {0.40, 0.40, 0.40}, {0.75, 0.70, 0.10},
    {0.00, 0.25, 0.40}, {0.50, 0.30, 0.00}, {0.00, 0.35, 0.25}, {0.50, 0.10, 0.30},
};
enum { COLOURS = sizeof(colours) / sizeof(colours[0]) };

struct range {
    double lo, hi; /* logs to base 10 */
};

struct chart {
    const struct ry_plot *plot;
    cairo_t *cairo;
    double height;
    struct range x, y;
};

static void widen(struct range *range, double value)
{
    if (!(value > 0.0) || isinf(value))
        return;
    const double at = log10(value);
    range->lo = at < range->lo ? at : range->lo;
    range->hi = at > range->hi ? at : range->hi;
}

static void widen_all(struct range *range, const double value[], size_t n)
{
    for (size_t i = 0; value && i < n; i++)
        widen(range, value[i]);
}

static bool ranges(const struct ry_plot *plot, struct chart *chart)
{
    chart->x = chart->y = (struct range){INFINITY, -INFINITY};
    for (size_t i = 0; i < plot->n; i++) {
        const struct ry_plot_series *series = &plot->series[i];
        widen_all(&chart->x, series->x, series->points);
        widen_all(&chart->y, series->y, series->points);
        widen_all(&chart->x, series->line_x, series->line);
        widen_all(&chart->y, series->line_y, series->line);
    }
    if (!(chart->x.hi >= chart->x.lo) || !(chart->y.hi >= chart->y.lo))
        return false;
    chart->x.lo = floor(chart->x.lo * 2.0) / 2.0 - 0.05;
    chart->x.hi = ceil(chart->x.hi * 2.0) / 2.0 + 0.05;
    chart->y.lo = floor(chart->y.lo * 2.0) / 2.0 - 0.05;
    chart->y.hi = ceil(chart->y.hi * 2.0) / 2.0 + 0.05;
    return true;
}

static double along(const struct range *range, double value)
{
    const double part = (log10(value) - range->lo) / (range->hi - range->lo);

    return part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
}

static double x_at(const struct chart *chart, double value)
{
    return left + (page_w - left - right) * along(&chart->x, value);
}

static double y_at(const struct chart *chart, double value)
{
    return chart->height - bottom -
           (chart->height - top - bottom) * along(&chart->y, value);
}

static void tick_x(const struct chart *chart, double value)
{
    char label[RY_NUMBER_BYTES];
    const double x = x_at(chart, value);

    ry_ink(chart->cairo, RY_INK_RULE);
    cairo_move_to(chart->cairo, x, top);
    cairo_line_to(chart->cairo, x, chart->height - bottom);
    cairo_stroke(chart->cairo);
    ry_ink(chart->cairo, RY_INK_INK_2);
    ry_type_put(chart->cairo, x, chart->height - bottom + 16, RY_ALIGN_MIDDLE,
                ry_number_show(chart->plot->x_show, value, label));
}

static void tick_y(const struct chart *chart, double value)
{
    char label[RY_NUMBER_BYTES];
    const double y = y_at(chart, value);

    ry_ink(chart->cairo, RY_INK_RULE);
    cairo_move_to(chart->cairo, left, y);
    cairo_line_to(chart->cairo, page_w - right, y);
    cairo_stroke(chart->cairo);
    ry_ink(chart->cairo, RY_INK_INK_2);
    ry_type_put(chart->cairo, left - 6, y + 4, RY_ALIGN_RIGHT,
                ry_number_show(chart->plot->y_show, value, label));
}

/* Powers of ten from tick to tick, so far apart that labels do not touch. */
static double tick_step(const struct range *range, double points, double apart)
{
    return fmax(1.0, ceil(apart * (range->hi - range->lo) / points));
}

static void draw_titles(const struct chart *chart)
{
    cairo_t *cairo = chart->cairo;

    ry_ink(cairo, RY_INK_INK);
    ry_type_put(cairo, 0.5 * (left + page_w - right), chart->height - 18, RY_ALIGN_MIDDLE,
                chart->plot->x_title);
    cairo_save(cairo);
    cairo_translate(cairo, 18, 0.5 * (top + chart->height - bottom));
    cairo_rotate(cairo, -acos(0.0));
    ry_type_put(cairo, 0, 0, RY_ALIGN_MIDDLE, chart->plot->y_title);
    cairo_restore(cairo);
    ry_type(cairo, 15, true);
    ry_type_fit(cairo, left, 26, page_w - left - 16, chart->plot->title);
    ry_type(cairo, 12, false);
}

static void draw_axes(const struct chart *chart)
{
    const double x_step = tick_step(&chart->x, page_w - left - right, x_apart);
    const double y_step = tick_step(&chart->y, chart->height - top - bottom, y_apart);

    for (double at = ceil(chart->x.lo); at <= chart->x.hi; at += x_step)
        tick_x(chart, pow(10.0, at));
    for (double at = ceil(chart->y.lo); at <= chart->y.hi; at += y_step)
        tick_y(chart, pow(10.0, at));
    ry_box_line(chart->cairo, RY_INK_INK_3, left, top, page_w - left - right,
                chart->height - top - bottom);
    draw_titles(chart);
}

static void colour(cairo_t *cairo, size_t i, double opacity)
{
    const double *c = colours[i % COLOURS];

    cairo_set_source_rgba(cairo, c[0], c[1], c[2], opacity);
}

static void draw_band(const struct chart *chart, const struct ry_plot_series *series)
{
    if (!series->lo || !series->hi || series->line < 2)
        return;
    cairo_new_path(chart->cairo); /* the last text left a point */
    for (size_t i = 0; i < series->line; i++)
        cairo_line_to(chart->cairo, x_at(chart, series->line_x[i]),
                      y_at(chart, series->hi[i]));
    for (size_t i = series->line; i-- > 0;)
        cairo_line_to(chart->cairo, x_at(chart, series->line_x[i]),
                      y_at(chart, series->lo[i]));
    cairo_close_path(chart->cairo);
    cairo_fill(chart->cairo);
}

static void draw_line(const struct chart *chart, const struct ry_plot_series *series)
{
    cairo_set_line_width(chart->cairo, 1.4);
    cairo_new_path(chart->cairo);
    for (size_t k = 0; k < series->line; k++)
        cairo_line_to(chart->cairo, x_at(chart, series->line_x[k]),
                      y_at(chart, series->line_y[k]));
    cairo_stroke(chart->cairo);
    cairo_set_line_width(chart->cairo, 1.0);
}

static void draw_points(const struct chart *chart, const struct ry_plot_series *series)
{
    for (size_t k = 0; k < series->points; k++) {
        if (!(series->x[k] > 0.0) || !(series->y[k] > 0.0))
            continue;
        cairo_new_path(chart->cairo);
        cairo_arc(chart->cairo, x_at(chart, series->x[k]), y_at(chart, series->y[k]), 2.4,
                  0, 4.0 * acos(0.0));
        cairo_fill(chart->cairo);
    }
}

static void draw_series(const struct chart *chart, size_t i)
{
    const struct ry_plot_series *series = &chart->plot->series[i];
    cairo_t *cairo = chart->cairo;
    const double y = top + 12 + legend_h * (double)i;

    colour(cairo, i, 0.15);
    draw_band(chart, series);
    colour(cairo, i, 1.0);
    draw_line(chart, series);
    draw_points(chart, series);
    ry_box(cairo, page_w - right + 14, y - 8, 12, 8);
    cairo_fill(cairo);
    ry_ink(cairo, RY_INK_INK);
    ry_type_fit(cairo, page_w - right + 32, y, right - 44, series->name);
}

static void draw(cairo_t *cairo, const void *of)
{
    struct chart chart = *(const struct chart *)of;

    chart.cairo = cairo;
    draw_axes(&chart);
    for (size_t i = 0; i < chart.plot->n; i++)
        draw_series(&chart, i);
}

struct ry_picture ry_plot_picture(struct ry_arena *arena, const struct ry_plot *plot)
{
    struct chart *chart = RY_NEW(arena, struct chart, 1);

    if (!chart || !ranges(plot, chart))
        return (struct ry_picture){0};
    chart->plot = plot;
    chart->height = fmax(least_h, top + legend_h * (double)plot->n + bottom);
    return (struct ry_picture){.width = page_w,
                               .height = chart->height,
                               .label = plot->title,
                               .draw = draw,
                               .of = chart};
}

enum ry_err ry_plot_write(struct ry_arena *arena, const struct ry_plot *plot,
                          const char *path, struct ry_diag *diag)
{
    const struct ry_picture picture = ry_plot_picture(arena, plot);

    return picture.draw ? ry_picture_write(&picture, path, diag)
                        : ry_fail(diag, RY_ERR_DEGENERATE, path, "nothing to draw");
}
