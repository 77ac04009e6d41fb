/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Pictures by Cairo: drawn once, written as SVG, PDF or PNG, or put into a page.
 *
 * A picture draws in points, in the colours of inks.def and one type, and measures every
 * text before it places it: what has no room is cut with an ellipsis or left out.
 */
#ifndef RY_REPORT_PICTURE_H
#define RY_REPORT_PICTURE_H

#include "base/err.h"

#include <cairo.h>
#include <stdbool.h>
#include <stdio.h>

enum ry_ink {
#define X(code, name, value) code,
#include "report/inks.def"
#undef X
    RY_INKS
};

struct ry_picture {
    double width, height; /**< points */
    const char *label;    /**< what it shows, for who cannot see it */
    void (*draw)(cairo_t *cairo, const void *of);
    const void *of;
};

/** Write to FILE.svg, FILE.pdf or FILE.png (twice the points); by the name's end. */
RY_MUST_USE enum ry_err ry_picture_write(const struct ry_picture *picture,
                                         const char *path, struct ry_diag *diag);

/**
 * Put it into a page as an <svg> whose colours are the page's tokens.
 * @param prefix  of its ids: another one for each picture of a page.
 * @param class   of the element.
 * @return false: out of memory, nothing was written.
 */
bool ry_picture_html(const struct ry_picture *picture, const char *prefix,
                     const char *class, FILE *out);

/** Where a text stands, in points of the picture: its ink. */
struct ry_text_box {
    double x, y, width, height;
    char text[48]; /**< its beginning */
};

/**
 * Every text that a picture draws, for who checks that none is on another.
 * @param box  [most] filled as far as it goes.
 * @return how many texts there are, more than @p most perhaps; 0 when it cannot be drawn.
 */
size_t ry_picture_texts(const struct ry_picture *picture, struct ry_text_box box[],
                        size_t most);

/* For pictures. */

void ry_ink(cairo_t *cairo, enum ry_ink ink);
void ry_type(cairo_t *cairo, double size, bool bold);

enum ry_align { RY_ALIGN_LEFT, RY_ALIGN_MIDDLE, RY_ALIGN_RIGHT };

double ry_type_width(cairo_t *cairo, const char *text);

/** Text on the base line @p y. */
void ry_type_put(cairo_t *cairo, double x, double y, enum ry_align align,
                 const char *text);

/** The same in at most @p width points: cut with an ellipsis; nothing if not even
 * that. */
void ry_type_fit(cairo_t *cairo, double x, double y, double width, const char *text);

void ry_box(cairo_t *cairo, double x, double y, double width, double height);

/** Fill a box. */
void ry_box_fill(cairo_t *cairo, enum ry_ink ink, double x, double y, double width,
                 double height);

/** Draw a box's line. */
void ry_box_line(cairo_t *cairo, enum ry_ink ink, double x, double y, double width,
                 double height);

#endif
