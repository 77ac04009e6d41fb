/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/picture.h"

#include "io/outfile.h"
#include "report/html.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned value;
} inks[RY_INKS] = {
#define X(code, name, value) {name, value},
#include "report/inks.def"
#undef X
};

static unsigned channel(enum ry_ink ink, int shift)
{
    return inks[ink].value >> shift & 255u;
}

void ry_ink(cairo_t *cairo, enum ry_ink ink)
{
    cairo_set_source_rgb(cairo, channel(ink, 16) / 255.0, channel(ink, 8) / 255.0,
                         channel(ink, 0) / 255.0);
}

void ry_type(cairo_t *cairo, double size, bool bold)
{
    cairo_select_font_face(cairo, "Inter", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

double ry_type_width(cairo_t *cairo, const char *text)
{
    cairo_text_extents_t size;

    cairo_text_extents(cairo, text, &size);
    return size.x_advance;
}

/* A drawing whose texts are noted carries this. */
struct notes {
    struct ry_text_box *box;
    size_t n, most;
};

static const cairo_user_data_key_t notes_key;

/* Note the box of a text whose base line starts at (x, y), turned or not. */
static void note(cairo_t *cairo, struct notes *notes, double x, double y,
                 const char *text)
{
    cairo_text_extents_t ink;

    cairo_text_extents(cairo, text, &ink);
    if (!(ink.width > 0.0) || notes->n++ >= notes->most)
        return;
    double ax = x + ink.x_bearing;
    double ay = y + ink.y_bearing;
    double bx = ax + ink.width;
    double by = ay + ink.height;
    cairo_user_to_device(cairo, &ax, &ay);
    cairo_user_to_device(cairo, &bx, &by);
    struct ry_text_box *box = &notes->box[notes->n - 1];
    *box = (struct ry_text_box){fmin(ax, bx), fmin(ay, by), fabs(bx - ax), fabs(by - ay),
                                ""};
    (void)snprintf(box->text, sizeof(box->text), "%s", text);
}

void ry_type_put(cairo_t *cairo, double x, double y, enum ry_align align,
                 const char *text)
{
    struct notes *notes = cairo_get_user_data(cairo, &notes_key);
    const double from = x - ry_type_width(cairo, text) * 0.5 * (double)align;

    if (notes)
        note(cairo, notes, from, y, text);
    cairo_move_to(cairo, from, y);
    cairo_show_text(cairo, text);
    cairo_new_path(cairo);
}

enum { FIT_BYTES = 128 };

void ry_type_fit(cairo_t *cairo, double x, double y, double width, const char *text)
{
    char part[FIT_BYTES + 4];
    size_t n = strlen(text);

    if (n < FIT_BYTES && ry_type_width(cairo, text) <= width) {
        ry_type_put(cairo, x, y, RY_ALIGN_LEFT, text);
        return;
    }
    for (n = n < FIT_BYTES ? n : FIT_BYTES; n > 0; n--) {
        if (((unsigned char)text[n] & 0xc0) == 0x80)
            continue; /* within a character */
        memcpy(part, text, n);
        memcpy(part + n, "\xe2\x80\xa6", 4);
        if (ry_type_width(cairo, part) <= width) {
            ry_type_put(cairo, x, y, RY_ALIGN_LEFT, part);
            return;
        }
    }
}

void ry_box(cairo_t *cairo, double x, double y, double width, double height)
{
    cairo_new_path(cairo);
    cairo_rectangle(cairo, x, y, width, height);
}

void ry_box_fill(cairo_t *cairo, enum ry_ink ink, double x, double y, double width,
                 double height)
{
    ry_ink(cairo, ink);
    ry_box(cairo, x, y, width, height);
    cairo_fill(cairo);
}

void ry_box_line(cairo_t *cairo, enum ry_ink ink, double x, double y, double width,
                 double height)
{
    ry_ink(cairo, ink);
    ry_box(cairo, x, y, width, height);
    cairo_stroke(cairo);
}

static cairo_status_t put(void *closure, const unsigned char *data, unsigned int bytes)
{
    return fwrite(data, 1, bytes, (FILE *)closure) == bytes ? CAIRO_STATUS_SUCCESS
                                                            : CAIRO_STATUS_WRITE_ERROR;
}

enum format { FORMAT_SVG, FORMAT_PDF, FORMAT_PNG, FORMAT_NONE };

static enum format format_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    if (dot && strcmp(dot, ".svg") == 0)
        return FORMAT_SVG;
    if (dot && strcmp(dot, ".pdf") == 0)
        return FORMAT_PDF;
    return dot && strcmp(dot, ".png") == 0 ? FORMAT_PNG : FORMAT_NONE;
}

static const double png_scale = 2.0;

static cairo_surface_t *surface_of(const struct ry_picture *p, enum format format,
                                   FILE *out)
{
    if (format == FORMAT_SVG)
        return cairo_svg_surface_create_for_stream(put, out, p->width, p->height);
    if (format == FORMAT_PDF)
        return cairo_pdf_surface_create_for_stream(put, out, p->width, p->height);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(p->width * png_scale),
                                      (int)ceil(p->height * png_scale));
}

static void draw(const struct ry_picture *p, cairo_t *cairo)
{
    cairo_set_line_width(cairo, 1.0);
    ry_type(cairo, 12.0, false);
    p->draw(cairo, p->of);
}

size_t ry_picture_texts(const struct ry_picture *p, struct ry_text_box box[], size_t most)
{
    struct notes notes = {box, 0, most};
    const cairo_rectangle_t page = {0.0, 0.0, p->width, p->height};
    cairo_surface_t *surface =
        cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &page);
    cairo_t *cairo = cairo_create(surface);
    const bool ready =
        cairo_set_user_data(cairo, &notes_key, &notes, NULL) == CAIRO_STATUS_SUCCESS;

    if (ready)
        draw(p, cairo);
    const bool drawn = cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return ready && drawn ? notes.n : 0;
}

static cairo_status_t render(const struct ry_picture *p, enum format format, bool ground,
                             FILE *out)
{
    cairo_surface_t *surface = surface_of(p, format, out);
    cairo_t *cairo = cairo_create(surface);

    if (format == FORMAT_PNG)
        cairo_scale(cairo, png_scale, png_scale);
    if (ground) {
        ry_ink(cairo, RY_INK_PAPER);
        cairo_paint(cairo);
    }
    draw(p, cairo);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    if (status == CAIRO_STATUS_SUCCESS && format == FORMAT_PNG)
        status = cairo_surface_write_to_png_stream(surface, put, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

enum ry_err ry_picture_write(const struct ry_picture *picture, const char *path,
                             struct ry_diag *diag)
{
    const enum format format = format_of(path);
    struct ry_outfile out;

    if (format == FORMAT_NONE)
        return ry_fail(diag, RY_ERR_USAGE, "--plot",
                       "'%s' ends with neither .svg, .pdf nor .png", path);
    RY_TRY(ry_outfile_open(&out, path, diag));
    const cairo_status_t status = render(picture, format, true, out.file);
    if (status != CAIRO_STATUS_SUCCESS) {
        ry_outfile_abort(&out);
        return ry_fail(diag, status == CAIRO_STATUS_NO_MEMORY ? RY_ERR_NOMEM : RY_ERR_IO,
                       path, "drawing failed: %s", cairo_status_to_string(status));
    }
    return ry_outfile_commit(&out, diag);
}

/* The token of "rgb(8.2%,32.1%,76.8%)" at @p at; *end is set behind it.  NULL: none. */
static const char *token_at(const char *at, const char **end)
{
    double part[3];
    char *next = NULL;

    at += strlen("rgb(");
    for (int i = 0; i < 3; i++) {
        part[i] = strtod(at, &next);
        if (next == at)
            return NULL;
        at = next + strspn(next, "%, ");
    }
    if (*at != ')')
        return NULL;
    *end = at + 1;
    for (int i = 0; i < RY_INKS; i++) {
        const enum ry_ink ink = (enum ry_ink)i;
        if (fabs(part[0] * 2.55 - channel(ink, 16)) < 0.6 &&
            fabs(part[1] * 2.55 - channel(ink, 8)) < 0.6 &&
            fabs(part[2] * 2.55 - channel(ink, 0)) < 0.6)
            return inks[i].name;
    }
    return NULL;
}

/* A number's decimals from its point on: two are enough for a page. */
static const char *put_decimals(const char *at, FILE *out)
{
    const size_t digits = strspn(at + 1, "0123456789");

    (void)fwrite(at, 1, 1 + (digits < 2 ? digits : 2), out);
    return at + 1 + digits;
}

/* Cairo's SVG from behind its <svg ...> on: ids made the page's own, colours its
 * tokens. */
static void put_body(const char *at, const char *prefix, FILE *out)
{
    static const char *const marks[] = {" id=\"", "xlink:href=\"#", "url(#"};
    static const char *const said[] = {" id=\"", "href=\"#", "url(#"};

    while (*at != '\0') {
        const char *end = NULL;
        const char *token = strncmp(at, "rgb(", 4) == 0 ? token_at(at, &end) : NULL;
        size_t k = 0;
        while (k < 3 && strncmp(at, marks[k], strlen(marks[k])) != 0)
            k++;
        if (token) {
            (void)fprintf(out, "var(--%s)", token);
            at = end;
        } else if (k < 3) {
            (void)fprintf(out, "%s%s-", said[k], prefix);
            at += strlen(marks[k]);
        } else if (*at == '.') {
            at = put_decimals(at, out);
        } else {
            (void)fputc(*at++, out);
        }
    }
}

bool ry_picture_html(const struct ry_picture *p, const char *prefix, const char *class,
                     FILE *out)
{
    char *svg = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&svg, &bytes);

    if (!memory)
        return false;
    const cairo_status_t status = render(p, FORMAT_SVG, false, memory);
    const bool whole = fclose(memory) == 0 && status == CAIRO_STATUS_SUCCESS;
    const char *body = whole ? strstr(svg, "<svg") : NULL;
    body = body ? strchr(body, '>') : NULL;
    if (body) {
        ry_html(out, "<svg class=\"%s\" role=\"img\" aria-label=\"%s\"", class, p->label);
        (void)fprintf(out, " viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\">", p->width,
                      p->height, p->width, p->height);
        put_body(body + 1, prefix, out);
    }
    free(svg);
    return body != NULL;
}
