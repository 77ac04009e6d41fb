/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/pic_rack.h"

#include "base/names.h"
#include "design/design.h"
#include "facility/facility.h"
#include "report/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points: the mock's elevation. */
static const double unit = 8.4, left = RY_RACK_LEFT, inner = 176, top = 8, rack_w = 214;
enum { LABEL_BYTES = 96 };

/* How devices of a role are drawn. */
static const struct {
    enum ry_ink fill, text;
    const char *many;
} looks[RY_GEAR_ROLES] = {
    [RY_GEAR_NODE] = {RY_INK_C1, RY_INK_PAPER, "nodes"},
    [RY_GEAR_LEAF] = {RY_INK_N2, RY_INK_INK, "leaf switches"},
    [RY_GEAR_SPINE] = {RY_INK_N3, RY_INK_INK, "spine switches"},
    [RY_GEAR_CORE] = {RY_INK_N1, RY_INK_PAPER, "core switches"},
    [RY_GEAR_MANAGEMENT] = {RY_INK_RULE_2, RY_INK_INK, "management switches"},
    [RY_GEAR_SERVER] = {RY_INK_O2, RY_INK_INK, "servers"},
};

/* Height of a rack in U; a rack-scale one is drawn at 48. */
static double units_of(const struct ry_facility *f, size_t rack)
{
    const double units = f->racks.racks[rack].use == RY_RACK_NETWORK
                             ? f->floor.network.rack_units
                             : f->floor.compute.rack_units;

    return f->racks.racks[rack].use == RY_RACK_WHOLE || !(units > 0.0) ? 48.0 : units;
}

double ry_rack_height(const struct ry_facility *f, size_t rack)
{
    return units_of(f, rack) * unit + 16.0;
}

static void draw_frame(cairo_t *cairo, double units)
{
    char number[8];

    ry_box_fill(cairo, RY_INK_WASH, left, top, inner, units * unit);
    cairo_set_line_width(cairo, 1.5);
    ry_box_line(cairo, RY_INK_INK_3, left - 4, top - 4, inner + 8, units * unit + 8);
    cairo_set_line_width(cairo, 1.0);
    ry_type(cairo, 9.5, false);
    ry_ink(cairo, RY_INK_INK_3);
    for (unsigned u = 1; u <= units; u = u == 1 ? 12 : u + 12) {
        (void)snprintf(number, sizeof(number), "%u", u);
        ry_type_put(cairo, left - 8, top + (units - u + 1) * unit - 1, RY_ALIGN_RIGHT,
                    number);
    }
}

/* Devices of one type on top of each other. */
struct run {
    const struct ry_gear *gear;
    double u, height; /**< lowest unit, U together */
    size_t count;
};

static void draw_devices(cairo_t *cairo, const struct run *run, double units)
{
    const double each = run->height / (double)run->count;

    for (size_t i = 0; i < run->count; i++) {
        const double y = top + (units - (run->u - 1.0) - each * (double)(i + 1)) * unit;
        ry_box_fill(cairo, looks[run->gear->role].fill, left + 1, y + 0.6, inner - 2,
                    each * unit - 1.2);
    }
}

/* What a run of low devices is, on a plate of paper in its middle. */
static void draw_plate(cairo_t *cairo, const struct run *run, double units)
{
    char text[LABEL_BYTES];
    const double middle = top + (units - (run->u - 1.0) - 0.5 * run->height) * unit;
    const bool fits = strlen(run->gear->part) <= 40;

    ry_type(cairo, 10.5, false);
    (void)snprintf(text, sizeof(text), "%zu %.30s %.40s", run->count,
                   looks[run->gear->role].many, fits ? run->gear->part : "");
    double width = ry_type_width(cairo, text);
    if (!fits || width > inner - 20) {
        (void)snprintf(text, sizeof(text), "%zu %.30s", run->count,
                       looks[run->gear->role].many);
        width = ry_type_width(cairo, text);
    }
    ry_box_fill(cairo, RY_INK_PAPER, left + 0.5 * (inner - width) - 8, middle - 7,
                width + 16, 14);
    ry_ink(cairo, RY_INK_INK);
    ry_type_put(cairo, left + 0.5 * inner, middle + 3.7, RY_ALIGN_MIDDLE, text);
}

/* A label in each device that has room for one: the part, and its power. */
static void draw_labels(cairo_t *cairo, const struct run *run, double units)
{
    const double each = run->height / (double)run->count;
    char power[RY_SAY_BYTES_MOST];

    ry_type(cairo, fmin(10.5, each * unit - 0.4), false);
    ry_say(RY_SAY_WATTS, run->gear->max_w, power);
    ry_ink(cairo, looks[run->gear->role].text);
    for (size_t i = 0; i < run->count; i++) {
        const double y =
            top + (units - (run->u - 1.0) - each * ((double)i + 0.5)) * unit + 3.5;
        const double room = inner - 24 - ry_type_width(cairo, power);
        ry_type_fit(cairo, left + 7, y, room, run->gear->part);
        ry_type_put(cairo, left + inner - 7, y, RY_ALIGN_RIGHT, power);
    }
}

static void draw_run(cairo_t *cairo, const struct run *run, double units)
{
    draw_devices(cairo, run, units);
    if (run->count > 1 && run->height / (double)run->count < 1.5)
        draw_plate(cairo, run, units);
    else
        draw_labels(cairo, run, units);
}

/* A rack that comes whole: its trays are not in the catalog. */
static void draw_whole(cairo_t *cairo, const struct ry_facility *f)
{
    const struct ry_gear *node = &f->gears[0];
    char text[LABEL_BYTES];
    char power[RY_SAY_BYTES_MOST];
    const double middle = top + 24 * unit;

    ry_box_fill(cairo, RY_INK_C1, left + 1, top + 1, inner - 2, 48 * unit - 2);
    ry_ink(cairo, RY_INK_PAPER);
    ry_type(cairo, 12.5, true);
    ry_type_fit(cairo, left + 10, middle - 10, inner - 20, node->part);
    ry_type(cairo, 11, false);
    (void)snprintf(text, sizeof(text), "%zu GPUs, %s", f->design->gpus_per_node,
                   ry_say(RY_SAY_WATTS, node->max_w, power));
    ry_type_fit(cairo, left + 10, middle + 8, inner - 20, text);
    ry_type_fit(cairo, left + 10, middle + 24, inner - 20, "delivered as a rack");
}

static int by_height(const void *a, const void *b)
{
    const struct ry_rack_slot *x = *(const struct ry_rack_slot *const *)a;
    const struct ry_rack_slot *y = *(const struct ry_rack_slot *const *)b;

    return (x->u > y->u) - (x->u < y->u);
}

enum { SLOTS_MOST = 64 };

void ry_rack_draw(cairo_t *cairo, const struct ry_facility *f, size_t rack)
{
    const struct ry_rack_plan *plan = &f->racks;
    const struct ry_rack_place *place = &plan->racks[rack];
    const double units = units_of(f, rack);
    const struct ry_rack_slot *slots[SLOTS_MOST];
    struct run run = {0};
    size_t n = 0;

    draw_frame(cairo, units);
    if (place->use == RY_RACK_WHOLE) {
        draw_whole(cairo, f);
        return;
    }
    for (; n < place->slots && n < SLOTS_MOST; n++)
        slots[n] = &plan->slots[plan->by_rack[place->first_slot + n]];
    qsort(slots, n, sizeof(slots[0]), by_height);
    for (size_t i = 0; i < n; i++) {
        const struct ry_gear *gear = &f->gears[slots[i]->gear];
        if (run.count > 0 && run.gear == gear && slots[i]->u == run.u + run.height) {
            run.count++;
            run.height += gear->rack_units;
            continue;
        }
        if (run.count > 0)
            draw_run(cairo, &run, units);
        run = (struct run){gear, slots[i]->u, gear->rack_units, 1};
    }
    if (run.count > 0)
        draw_run(cairo, &run, units);
}

struct elevation {
    const struct ry_facility *f;
    size_t rack;
};

static void draw_elevation(cairo_t *cairo, const void *of)
{
    const struct elevation *e = of;

    ry_rack_draw(cairo, e->f, e->rack);
}

struct ry_picture ry_rack_picture(struct ry_arena *arena, const struct ry_facility *f,
                                  size_t rack)
{
    struct elevation *e = RY_NEW(arena, struct elevation, 1);

    if (!e)
        return (struct ry_picture){0};
    *e = (struct elevation){f, rack};
    return (struct ry_picture){
        .width = rack_w - 6,
        .height = ry_rack_height(f, rack),
        .label = ry_strfmt(arena, "Rack %zu, %s: %zu devices from the front", rack + 1,
                           ry_rack_use_name(f->racks.racks[rack].use),
                           f->racks.racks[rack].slots),
        .draw = draw_elevation,
        .of = e,
    };
}
