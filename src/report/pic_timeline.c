/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/pic_timeline.h"

#include "report/say.h"
#include "sim/event.h"

#include <math.h>
#include <stdio.h>

enum { ROWS_MOST = 16, TASKS_MOST = 20000, TICKS = 5 };

/* Points. */
static const double row_h = 26, compute_h = 13, send_h = 5, label_w = 70, head_h = 44,
                    foot_h = 30;

/* The key in the order of enum ry_task_kind. */
static const struct {
    const char *name;
    enum ry_ink ink;
} kinds[] = {
    [RY_TASK_FORWARD] = {"forward", RY_INK_C2},
    [RY_TASK_BACKWARD] = {"backward", RY_INK_C1},
    [RY_TASK_WEIGHT] = {"weight gradients", RY_INK_C3},
    [RY_TASK_GATHER] = {"gather", RY_INK_N2},
    [RY_TASK_REDUCE] = {"reduce", RY_INK_N1},
    [RY_TASK_OPTIMIZER] = {"optimizer", RY_INK_O1},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

struct frame {
    const struct ry_timeline *t;
    double x, y, width;
    double end_s; /* of what is shown */
};

static unsigned rows_of(const struct ry_timeline *t)
{
    return t->devices < ROWS_MOST ? t->devices : ROWS_MOST;
}

double ry_timeline_height(const struct ry_timeline *t)
{
    return head_h + row_h * rows_of(t) + foot_h;
}

/* The row of a device; -1: it is one of those left out in the middle. */
static int row_of(const struct ry_timeline *t, unsigned device)
{
    const unsigned half = ROWS_MOST / 2;

    if (t->devices <= ROWS_MOST || device < half)
        return (int)device;
    return device >= t->devices - half ? (int)(device + ROWS_MOST - t->devices) : -1;
}

static void draw_task(cairo_t *cairo, const struct frame *f,
                      const struct ry_event_task *task)
{
    const int row = row_of(f->t, task->device);
    const double per_s = (f->width - label_w) / f->end_s;
    const bool sends = task->lane == RY_LANE_GATHER || task->lane == RY_LANE_REDUCE;

    if (row < 0 || !(task->end_s > task->start_s) || task->start_s >= f->end_s)
        return;
    const double from = f->x + label_w + task->start_s * per_s;
    const double wide = (fmin(task->end_s, f->end_s) - task->start_s) * per_s;
    ry_box_fill(cairo, kinds[task->kind].ink, from,
                f->y + head_h + row_h * row + (sends ? compute_h + 2 : 1),
                fmax(wide > 1.5 ? wide - 0.35 : wide, 0.2), sends ? send_h : compute_h);
}

static void draw_key(cairo_t *cairo, const struct frame *f)
{
    bool used[KINDS] = {false};
    double x = f->x;

    for (size_t i = 0; i < f->t->n; i++)
        used[f->t->task[i].kind] = true;
    ry_type(cairo, 11, false);
    for (int k = 0; k < KINDS; k++) {
        if (!used[k])
            continue;
        ry_box_fill(cairo, kinds[k].ink, x, f->y + 24, 9, 9);
        ry_ink(cairo, RY_INK_INK_2);
        ry_type_put(cairo, x + 14, f->y + 33, RY_ALIGN_LEFT, kinds[k].name);
        x += 14 + ry_type_width(cairo, kinds[k].name) + 18;
    }
}

static void draw_rows(cairo_t *cairo, const struct frame *f)
{
    char text[32];

    ry_type(cairo, 11, false);
    for (unsigned d = 0; d < f->t->devices; d++) {
        const int row = row_of(f->t, d);
        if (row < 0)
            continue;
        ry_ink(cairo, RY_INK_INK);
        (void)snprintf(text, sizeof(text), "stage %u", d + 1);
        const double y = f->y + head_h + row_h * row;
        ry_type_fit(cairo, f->x, y + 12, label_w - 8, text);
        ry_box_fill(cairo, RY_INK_WASH, f->x + label_w, y + 1, f->width - label_w,
                    compute_h);
    }
}

static void draw_axis(cairo_t *cairo, const struct frame *f)
{
    const double y = f->y + head_h + row_h * rows_of(f->t) + 14;
    char text[RY_SAY_BYTES_MOST];

    ry_type(cairo, 11, false);
    ry_ink(cairo, RY_INK_INK_3);
    for (int i = 0; i <= TICKS; i++) {
        const double share = (double)i / TICKS;
        ry_type_put(cairo, f->x + label_w + (f->width - label_w) * share, y,
                    i == 0       ? RY_ALIGN_LEFT
                    : i == TICKS ? RY_ALIGN_RIGHT
                                 : RY_ALIGN_MIDDLE,
                    i == 0 ? "0" : ry_say(RY_SAY_SECONDS, f->end_s * share, text));
    }
}

static void draw_title(cairo_t *cairo, const struct frame *f)
{
    char text[4 * RY_SAY_BYTES_MOST];
    char whole[RY_SAY_BYTES_MOST];
    char shown[RY_SAY_BYTES_MOST];
    int used =
        snprintf(text, sizeof(text), "Over time, event by event, without stragglers: %s",
                 ry_say(RY_SAY_SECONDS, f->t->end_s, whole));

    if (f->end_s < f->t->end_s)
        used += snprintf(text + used, sizeof(text) - (size_t)used, "; the first %s",
                         ry_say(RY_SAY_SECONDS, f->end_s, shown));
    if (f->t->devices > ROWS_MOST)
        (void)snprintf(text + used, sizeof(text) - (size_t)used,
                       "; the first and last of %u stages", f->t->devices);
    ry_type(cairo, 12, true);
    ry_ink(cairo, RY_INK_INK);
    ry_type_fit(cairo, f->x, f->y + 12, f->width, text);
}

void ry_timeline_draw(cairo_t *cairo, const struct ry_timeline *timeline, double x,
                      double y, double width)
{
    struct frame f = {timeline, x, y, width, timeline->end_s};

    if (timeline->n > TASKS_MOST)
        f.end_s *= (double)TASKS_MOST / (double)timeline->n;
    draw_title(cairo, &f);
    draw_key(cairo, &f);
    draw_rows(cairo, &f);
    for (size_t i = 0; i < timeline->n; i++)
        draw_task(cairo, &f, &timeline->task[i]);
    draw_axis(cairo, &f);
}
