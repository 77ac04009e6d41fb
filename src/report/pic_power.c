/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/pic_power.h"

#include "base/names.h"
#include "facility/facility.h"
#include "report/say.h"

#include <math.h>

/* Points. */
static const double page_w = 960, kind_x = 520, kind_w = 432, kind_h = 74, gap = 14;
static const double feed_x = 270, feed_w = 130, feed_h = 40, utility_w = 170, top = 26;
enum { FEEDS_MOST = 4, KINDS_MOST = 8, LABEL_BYTES = 160 };

/* Feeds by colour and dash: A, B, C, D. */
static const struct {
    enum ry_ink ink;
    double dash; /* 0: solid */
} feeds[FEEDS_MOST] = {
    {RY_INK_ACCENT, 0}, {RY_INK_N1, 5}, {RY_INK_C1, 2}, {RY_INK_O1, 8}};

static size_t kinds_of(const struct ry_facility *f)
{
    return f->power.kinds_n < KINDS_MOST ? f->power.kinds_n : KINDS_MOST;
}

static size_t feeds_of(const struct ry_facility *f)
{
    size_t most = 1;

    for (size_t i = 0; i < f->power.kinds_n; i++)
        most = f->power.kinds[i].feeds > most ? f->power.kinds[i].feeds : most;
    return most < FEEDS_MOST ? most : FEEDS_MOST;
}

static double height_of(const struct ry_facility *f)
{
    const double kinds = (kind_h + gap) * (double)kinds_of(f);
    const double all = (feed_h + gap) * (double)feeds_of(f);

    return top + fmax(kinds, all) + 4.0;
}

static double kind_y(size_t i)
{
    return top + (kind_h + gap) * (double)i;
}

static double feed_y(const struct ry_facility *f, size_t i)
{
    const double middle = 0.5 * (top + height_of(f));
    const double first = middle - 0.5 * ((feed_h + gap) * (double)feeds_of(f) - gap);

    return first + (feed_h + gap) * (double)i;
}

static void draw_head(cairo_t *cairo, double x, const char *text)
{
    ry_type(cairo, 12, false);
    ry_ink(cairo, RY_INK_INK_3);
    ry_type_put(cairo, x, 14, RY_ALIGN_LEFT, text);
}

/* From the right of one box to the left of another, bending at @p bend. */
/* From one point to the other, with the vertical part at x = @p bend. */
static void draw_wire(cairo_t *cairo, size_t feed, const double from[2],
                      const double to[2], double bend)
{
    ry_ink(cairo, feeds[feed].ink);
    if (feeds[feed].dash > 0.0)
        cairo_set_dash(cairo, (const double[]){feeds[feed].dash, 3}, 2, 0);
    cairo_set_line_width(cairo, 1.5);
    cairo_move_to(cairo, from[0], from[1]);
    cairo_line_to(cairo, bend, from[1]);
    cairo_line_to(cairo, bend, to[1]);
    cairo_line_to(cairo, to[0], to[1]);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
    cairo_set_line_width(cairo, 1.0);
}

static void draw_utility(cairo_t *cairo, const struct ry_facility *f)
{
    const double y = 0.5 * (top + height_of(f)) - 24.0;
    char text[LABEL_BYTES];
    char watts[RY_SAY_BYTES_MOST];

    ry_box_line(cairo, RY_INK_INK_3, 1, y, utility_w, 48);
    ry_type(cairo, 13, true);
    ry_ink(cairo, RY_INK_INK);
    ry_type_put(cairo, 11, y + 20, RY_ALIGN_LEFT, "Utility");
    ry_type(cairo, 12, false);
    ry_ink(cairo, RY_INK_INK_2);
    (void)snprintf(text, sizeof(text), "%s with cooling",
                   ry_say(RY_SAY_WATTS, f->power.facility_w, watts));
    ry_type_fit(cairo, 11, y + 37, utility_w - 20, text);
}

static void draw_feed(cairo_t *cairo, const struct ry_facility *f, size_t i)
{
    const double y = feed_y(f, i);
    const double from =
        0.5 * (top + height_of(f)) + 8.0 * ((double)i - 0.5 * (double)(feeds_of(f) - 1));
    const char name[] = {'F', 'e', 'e', 'd', ' ', (char)('A' + i), '\0'};

    draw_wire(cairo, i, (const double[]){utility_w + 1, from},
              (const double[]){feed_x, y + 0.5 * feed_h},
              utility_w + 30.0 + 10.0 * (double)i);
    ry_box_line(cairo, feeds[i].ink, feed_x, y, feed_w, feed_h);
    ry_type(cairo, 13, true);
    ry_ink(cairo, RY_INK_INK);
    ry_type_put(cairo, feed_x + 12, y + 25, RY_ALIGN_LEFT, name);
}

/* Bar: load now; mark: after the loss of a feed; end: limit. */
static void draw_load(cairo_t *cairo, const struct ry_rack_power *kind, double y)
{
    const double room = kind_w - 24.0;
    const double whole = fmax(kind->circuit_w, kind->feed_lost_w);
    const double mark = kind_x + 12.0 + room * kind->feed_lost_w / whole;

    ry_box_fill(cairo, RY_INK_RULE, kind_x + 12, y, room * kind->circuit_w / whole, 8);
    ry_box_fill(cairo, RY_INK_ACCENT, kind_x + 12, y, room * kind->normal_w / whole, 8);
    ry_ink(cairo, RY_INK_INK);
    cairo_set_line_width(cairo, 2.0);
    cairo_move_to(cairo, mark, y - 3);
    cairo_line_to(cairo, mark, y + 11);
    cairo_stroke(cairo);
    cairo_set_line_width(cairo, 1.0);
}

static void draw_kind(cairo_t *cairo, const struct ry_facility *f, size_t i)
{
    const struct ry_rack_power *kind = &f->power.kinds[i];
    const double y = kind_y(i);
    char text[LABEL_BYTES];
    char now[RY_SAY_BYTES_MOST];
    char lost[RY_SAY_BYTES_MOST];
    char limit[RY_SAY_BYTES_MOST];

    ry_box_line(cairo, kind->ok_feed_lost ? RY_INK_RULE_2 : RY_INK_N1, kind_x, y, kind_w,
                kind_h);
    ry_type(cairo, 13, true);
    ry_ink(cairo, RY_INK_INK);
    (void)snprintf(text, sizeof(text), "%zu %s %s, %s each", kind->racks,
                   ry_rack_use_name(kind->use), kind->racks == 1 ? "rack" : "racks",
                   ry_say(RY_SAY_WATTS, kind->load_w, now));
    ry_type_fit(cairo, kind_x + 12, y + 20, kind_w - 24, text);
    draw_load(cairo, kind, y + 32);
    ry_type(cairo, 12, false);
    ry_ink(cairo, RY_INK_INK_2);
    (void)snprintf(text, sizeof(text),
                   "%zu circuits: fullest %s, %s if a feed fails, limit %s",
                   kind->circuits, ry_say(RY_SAY_WATTS, kind->normal_w, now),
                   ry_say(RY_SAY_WATTS, kind->feed_lost_w, lost),
                   ry_say(RY_SAY_WATTS, kind->circuit_w, limit));
    ry_type_fit(cairo, kind_x + 12, y + 61, kind_w - 24, text);
}

static void draw(cairo_t *cairo, const void *of)
{
    const struct ry_facility *f = of;

    draw_head(cairo, 1, "Site");
    draw_head(cairo, feed_x, "Feeds");
    draw_head(cairo, kind_x, "Racks, the fullest circuit of each kind");
    for (size_t i = 0; i < feeds_of(f); i++)
        draw_feed(cairo, f, i);
    for (size_t k = 0; k < kinds_of(f); k++) {
        for (size_t i = 0; i < feeds_of(f) && i < f->power.kinds[k].feeds; i++)
            draw_wire(cairo, i,
                      (const double[]){feed_x + feed_w, feed_y(f, i) + 0.5 * feed_h},
                      (const double[]){kind_x, kind_y(k) + 16.0 + 14.0 * (double)i},
                      feed_x + feed_w + 40.0 + 16.0 * (double)i);
        draw_kind(cairo, f, k);
    }
    draw_utility(cairo, f);
}

struct ry_picture ry_power_picture(struct ry_arena *arena, const struct ry_facility *f)
{
    return (struct ry_picture){
        .width = page_w,
        .height = height_of(f),
        .label = ry_strfmt(arena, "Power tree: %zu feeds, %zu kinds of racks",
                           feeds_of(f), f->power.kinds_n),
        .draw = draw,
        .of = f,
    };
}
