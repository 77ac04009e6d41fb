/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/pic_step.h"

#include "base/names.h"
#include "report/pic_timeline.h"
#include "report/say.h"
#include "sim/step.h"

#include <math.h>

/* Points. */
static const double page_w = 860, label_w = 260, number_w = 150, row_h = 24;

struct drawing {
    const char *title;
    const struct ry_step *step;
    const struct ry_timeline *timeline; /* or NULL */
    double timeline_y;
};

static const enum ry_ink part_ink[RY_PARTS] = {
    [RY_PART_GEMM] = RY_INK_C1,      [RY_PART_HEAD] = RY_INK_C1,
    [RY_PART_ATTENTION] = RY_INK_C2, [RY_PART_MEMORY] = RY_INK_C3,
    [RY_PART_RECOMPUTE] = RY_INK_C3, [RY_PART_TP] = RY_INK_N1,
    [RY_PART_CP] = RY_INK_N1,        [RY_PART_EP] = RY_INK_N1,
    [RY_PART_PP] = RY_INK_N2,        [RY_PART_BUBBLE] = RY_INK_N2,
    [RY_PART_DP] = RY_INK_N3,        [RY_PART_OPTIMIZER] = RY_INK_O1,
    [RY_PART_OFFLOAD] = RY_INK_O1,   [RY_PART_HOST] = RY_INK_O2,
    [RY_PART_SLOWDOWN] = RY_INK_O2,  [RY_PART_FIXED] = RY_INK_O2,
    [RY_PART_JITTER] = RY_INK_O2,
};

/* A bar that starts where the one above ends, so that all add up. */
struct bar {
    const char *label;
    enum ry_ink ink;
    enum ry_say say;
    double before, value, whole;
};

static void draw_bar(cairo_t *cairo, const struct bar *bar, double y)
{
    const double room = page_w - label_w - number_w;
    char text[RY_SAY_BYTES_MOST];

    ry_type(cairo, 12, false);
    ry_ink(cairo, RY_INK_INK);
    ry_type_fit(cairo, 16, y + 16, label_w - 26, bar->label);
    ry_box_fill(cairo, RY_INK_WASH, label_w, y + 3, room, row_h - 6);
    if (bar->value > 0.0)
        ry_box_fill(cairo, bar->ink, label_w + room * bar->before / bar->whole, y + 3,
                    fmax(room * bar->value / bar->whole, 0.75), row_h - 6);
    ry_ink(cairo, RY_INK_INK_2);
    ry_type_put(cairo, page_w - 76, y + 16, RY_ALIGN_RIGHT,
                bar->value > 0.0 ? ry_say(bar->say, bar->value, text) : "0");
    const double share = bar->value / bar->whole;
    ry_type_put(cairo, page_w - 16, y + 16, RY_ALIGN_RIGHT,
                share > 0.0 && share < 1e-4 ? "< 0.01\xc2\xa0%"
                                            : ry_say(RY_SAY_FRACTION, share, text));
}

static void draw_title(cairo_t *cairo, const char *text, double size, double y)
{
    ry_type(cairo, size, true);
    ry_ink(cairo, RY_INK_INK);
    ry_type_fit(cairo, 16, y, page_w - 32, text);
}

static bool is_shown(const struct ry_step *step, int part)
{
    return step->part_s[part] > 1e-6 * step->step_time_s;
}

static double draw_times(cairo_t *cairo, const struct ry_step *step, double y)
{
    double before = 0.0;

    for (int i = 0; i < RY_PARTS; i++) {
        if (!is_shown(step, i))
            continue;
        draw_bar(cairo,
                 &(struct bar){ry_part_text((enum ry_step_part)i), part_ink[i],
                               RY_SAY_SECONDS, before, step->part_s[i],
                               step->step_time_s},
                 y);
        before += step->part_s[i];
        y += row_h;
    }
    return y;
}

static void draw_memory(cairo_t *cairo, const struct ry_step *step, double y)
{
    static const enum ry_ink ink[RY_MEMORY_PARTS] = {
        RY_INK_C1, RY_INK_C2, RY_INK_C3, RY_INK_N2, RY_INK_N3, RY_INK_O1, RY_INK_O2};
    const double whole = fmax(step->peak_bytes, step->usable_bytes);
    const double x = label_w + (page_w - label_w - number_w) * step->usable_bytes / whole;
    const double from = y;
    double before = 0.0;

    for (int i = 0; i < RY_MEMORY_PARTS; i++, y += row_h) {
        draw_bar(cairo,
                 &(struct bar){ry_memory_part_text((enum ry_memory_part)i), ink[i],
                               RY_SAY_BYTES, before, step->memory_bytes[i], whole},
                 y);
        before += step->memory_bytes[i];
    }
    ry_ink(cairo, RY_INK_INK);
    cairo_set_line_width(cairo, 2.0);
    cairo_move_to(cairo, x, from);
    cairo_line_to(cairo, x, y);
    cairo_stroke(cairo);
}

static void draw(cairo_t *cairo, const void *of)
{
    const struct drawing *d = of;
    const struct ry_step *step = d->step;
    char text[4 * RY_SAY_BYTES_MOST];
    char whole[RY_SAY_BYTES_MOST];
    char range[RY_SAY_BYTES_MOST];

    draw_title(cairo, d->title, 15, 30);
    (void)snprintf(text, sizeof(text),
                   "Step %s (90 %% interval %s); time that is not hidden",
                   ry_say(RY_SAY_SECONDS, step->step_time_s, whole),
                   ry_say_range(RY_SAY_SECONDS, step->lo_s, step->hi_s, range));
    draw_title(cairo, text, 12, 56);
    const double y = draw_times(cairo, step, 66);
    (void)snprintf(text, sizeof(text), "Memory of one GPU: %s of %s, the mark",
                   ry_say(RY_SAY_BYTES, step->peak_bytes, whole),
                   ry_say(RY_SAY_BYTES, step->usable_bytes, range));
    draw_title(cairo, text, 12, y + 32);
    draw_memory(cairo, step, y + 42);
    if (d->timeline)
        ry_timeline_draw(cairo, d->timeline, 16, d->timeline_y, page_w - 32);
}

struct ry_picture ry_step_picture(struct ry_arena *arena, const char *title,
                                  const struct ry_step *step,
                                  const struct ry_timeline *timeline)
{
    struct drawing *d = RY_NEW(arena, struct drawing, 1);
    size_t rows = RY_MEMORY_PARTS;

    if (!d)
        return (struct ry_picture){0};
    *d = (struct drawing){title, step, timeline, 0.0};
    for (int i = 0; i < RY_PARTS; i++)
        rows += is_shown(step, i);
    d->timeline_y = 124 + row_h * (double)rows;
    return (struct ry_picture){
        .width = page_w,
        .height = d->timeline_y + (timeline ? ry_timeline_height(timeline) + 8 : 0.0),
        .label = title,
        .draw = draw,
        .of = d};
}
