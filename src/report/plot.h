/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A chart on logarithmic axes: measured points, a line through them, a band around it.
 */
#ifndef RY_REPORT_PLOT_H
#define RY_REPORT_PLOT_H

#include "base/arena.h"
#include "base/err.h"
#include "report/number.h"
#include "report/picture.h"

#include <stddef.h>

struct ry_plot_series {
    const char *name;
    size_t points;
    const double *x, *y; /**< [points] */
    size_t line;         /**< 0: no line */
    const double *line_x, *line_y;
    const double *lo, *hi; /**< [line] the band, or NULL */
};

struct ry_plot {
    const char *title, *x_title, *y_title;
    enum ry_show x_show, y_show; /**< how tick labels read */
    size_t n;
    const struct ry_plot_series *series; /**< [n] at most 12 are told apart by colour */
};

/**
 * All values must be over 0, others are left out.
 * @param plot kept.
 * @return a picture without `draw` when there is nothing to draw or no memory.
 */
struct ry_picture ry_plot_picture(struct ry_arena *arena, const struct ry_plot *plot);

/**
 * Draw it to an SVG, PDF or PNG file.
 * @return RY_OK; RY_ERR_DEGENERATE with nothing to draw; RY_ERR_USAGE for another ending;
 *         RY_ERR_IO; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_plot_write(struct ry_arena *arena, const struct ry_plot *plot,
                                      const char *path, struct ry_diag *diag);

#endif
