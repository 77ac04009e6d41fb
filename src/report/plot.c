/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot.h"

#include "io/outfile.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Points of the page; the legend stands on the right. */
static const double page_w = 860, page_h = 520;
static const double left = 86, right = 230, top = 44, bottom = 62;

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
    cairo_t *cairo;
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
    return page_h - bottom - (page_h - top - bottom) * along(&chart->y, value);
}

enum align { ALIGN_LEFT, ALIGN_MIDDLE, ALIGN_RIGHT };

static void text_at(cairo_t *cairo, double x, double y, enum align align,
                    const char *text)
{
    cairo_text_extents_t size;

    cairo_text_extents(cairo, text, &size);
    cairo_move_to(cairo, x - size.x_advance * 0.5 * (double)align, y);
    cairo_show_text(cairo, text);
}

static void tick_x(const struct chart *chart, enum ry_show show, double value)
{
    char label[RY_NUMBER_BYTES];
    const double x = x_at(chart, value);

    cairo_set_source_rgb(chart->cairo, 0.87, 0.87, 0.87);
    cairo_move_to(chart->cairo, x, top);
    cairo_line_to(chart->cairo, x, page_h - bottom);
    cairo_stroke(chart->cairo);
    cairo_set_source_rgb(chart->cairo, 0.2, 0.2, 0.2);
    text_at(chart->cairo, x, page_h - bottom + 16, ALIGN_MIDDLE,
            ry_number_show(show, value, label));
}

static void tick_y(const struct chart *chart, enum ry_show show, double value)
{
    char label[RY_NUMBER_BYTES];
    const double y = y_at(chart, value);

    cairo_set_source_rgb(chart->cairo, 0.87, 0.87, 0.87);
    cairo_move_to(chart->cairo, left, y);
    cairo_line_to(chart->cairo, page_w - right, y);
    cairo_stroke(chart->cairo);
    cairo_set_source_rgb(chart->cairo, 0.2, 0.2, 0.2);
    text_at(chart->cairo, left - 6, y + 4, ALIGN_RIGHT,
            ry_number_show(show, value, label));
}

static void draw_axes(const struct chart *chart, const struct ry_plot *plot)
{
    cairo_t *cairo = chart->cairo;

    cairo_set_line_width(cairo, 1.0);
    for (double at = ceil(chart->x.lo); at <= chart->x.hi; at += 1.0)
        tick_x(chart, plot->x_show, pow(10.0, at));
    for (double at = ceil(chart->y.lo); at <= chart->y.hi; at += 1.0)
        tick_y(chart, plot->y_show, pow(10.0, at));
    cairo_rectangle(cairo, left, top, page_w - left - right, page_h - top - bottom);
    cairo_set_source_rgb(cairo, 0.4, 0.4, 0.4);
    cairo_stroke(cairo);
    cairo_set_source_rgb(cairo, 0.1, 0.1, 0.1);
    text_at(cairo, 0.5 * (left + page_w - right), page_h - 18, ALIGN_MIDDLE,
            plot->x_title);
    cairo_save(cairo);
    cairo_translate(cairo, 18, 0.5 * (top + page_h - bottom));
    cairo_rotate(cairo, -acos(0.0));
    text_at(cairo, 0, 0, ALIGN_MIDDLE, plot->y_title);
    cairo_restore(cairo);
    cairo_set_font_size(cairo, 15);
    text_at(cairo, left, 26, ALIGN_LEFT, plot->title);
    cairo_set_font_size(cairo, 12);
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

static void draw_series(const struct chart *chart, const struct ry_plot *plot, size_t i)
{
    const struct ry_plot_series *series = &plot->series[i];
    cairo_t *cairo = chart->cairo;
    const double y = top + 12 + 20 * (double)i;

    colour(cairo, i, 0.15);
    draw_band(chart, series);
    colour(cairo, i, 1.0);
    cairo_set_line_width(cairo, 1.4);
    cairo_new_path(cairo);
    for (size_t k = 0; k < series->line; k++)
        cairo_line_to(cairo, x_at(chart, series->line_x[k]),
                      y_at(chart, series->line_y[k]));
    cairo_stroke(cairo);
    for (size_t k = 0; k < series->points; k++) {
        if (!(series->x[k] > 0.0) || !(series->y[k] > 0.0))
            continue;
        cairo_new_path(cairo);
        cairo_arc(cairo, x_at(chart, series->x[k]), y_at(chart, series->y[k]), 2.4, 0,
                  4.0 * acos(0.0));
        cairo_fill(cairo);
    }
    cairo_rectangle(cairo, page_w - right + 14, y - 8, 12, 8);
    cairo_fill(cairo);
    cairo_set_source_rgb(cairo, 0.1, 0.1, 0.1);
    text_at(cairo, page_w - right + 32, y, ALIGN_LEFT, series->name);
}

static cairo_status_t write_svg(void *closure, const unsigned char *data,
                                unsigned int bytes)
{
    return fwrite(data, 1, bytes, (FILE *)closure) == bytes ? CAIRO_STATUS_SUCCESS
                                                            : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t draw(struct chart *chart, const struct ry_plot *plot, FILE *file)
{
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(write_svg, file, page_w, page_h);
    cairo_t *cairo = cairo_create(surface);

    chart->cairo = cairo;
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, 12);
    draw_axes(chart, plot);
    for (size_t i = 0; i < plot->n; i++)
        draw_series(chart, plot, i);
    const cairo_status_t drawn = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    const cairo_status_t written = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return drawn == CAIRO_STATUS_SUCCESS ? written : drawn;
}

enum ry_err ry_plot_svg(const struct ry_plot *plot, const char *path,
                        struct ry_diag *diag)
{
    struct ry_outfile out;
    struct chart chart;

    if (!ranges(plot, &chart))
        return ry_fail(diag, RY_ERR_DEGENERATE, path, "nothing to draw");
    RY_TRY(ry_outfile_open(&out, path, diag));
    const cairo_status_t status = draw(&chart, plot, out.file);
    if (status != CAIRO_STATUS_SUCCESS) {
        ry_outfile_abort(&out);
        return ry_fail(diag,
                       status == CAIRO_STATUS_NO_MEMORY ? RY_ERR_NOMEM : RY_ERR_IO, path,
                       "drawing failed: %s", cairo_status_to_string(status));
    }
    return ry_outfile_commit(&out, diag);
}
