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
static const double unit = 8.4, left = 24, inner = 176, top = 8, rack_w = 214;
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

static const struct ry_rack_kind *kind_of(const struct ry_facility *f, size_t rack)
{
    return f->racks.racks[rack].use == RY_RACK_NETWORK ? &f->floor.network
                                                       : &f->floor.compute;
}

/* Height of a rack in U; a rack-scale one is drawn at 48. */
static double units_of(const struct ry_facility *f, size_t rack)
{
    const double units = kind_of(f, rack)->rack_units;

    return f->racks.racks[rack].use == RY_RACK_WHOLE || !(units > 0.0) ? 48.0 : units;
}

struct elevation {
    const struct ry_facility *f;
    size_t rack;
};

static double rack_height(const struct ry_facility *f, size_t rack)
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
        const double y =
            top + (units - (run->u - 1.0) - each * (double)(i + 1)) * unit;
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

static void draw_elevation(cairo_t *cairo, const void *of)
{
    const struct elevation *e = of;
    const struct ry_rack_plan *plan = &e->f->racks;
    const struct ry_rack_place *rack = &plan->racks[e->rack];
    const double units = units_of(e->f, e->rack);
    const struct ry_rack_slot *slots[SLOTS_MOST];
    struct run run = {0};
    size_t n = 0;

    draw_frame(cairo, units);
    if (rack->use == RY_RACK_WHOLE) {
        draw_whole(cairo, e->f);
        return;
    }
    for (; n < rack->slots && n < SLOTS_MOST; n++)
        slots[n] = &plan->slots[plan->by_rack[rack->first_slot + n]];
    qsort(slots, n, sizeof(slots[0]), by_height);
    for (size_t i = 0; i < n; i++) {
        const struct ry_gear *gear = &e->f->gears[slots[i]->gear];
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

struct ry_picture ry_rack_picture(struct ry_arena *arena, const struct ry_facility *f,
                                  size_t rack)
{
    struct elevation *e = RY_NEW(arena, struct elevation, 1);

    if (!e)
        return (struct ry_picture){0};
    *e = (struct elevation){f, rack};
    return (struct ry_picture){
        .width = rack_w - 6,
        .height = rack_height(f, rack),
        .label = ry_strfmt(arena, "Rack %zu, %s: %zu devices from the front", rack + 1,
                           ry_rack_use_name(f->racks.racks[rack].use),
                           f->racks.racks[rack].slots),
        .draw = draw_elevation,
        .of = e,
    };
}

/* Whether two racks hold the same devices. */
static bool alike(const struct ry_facility *f, size_t a, size_t b)
{
    const struct ry_rack_plan *plan = &f->racks;
    size_t counts[RY_FACILITY_GEARS_MOST] = {0};

    if (plan->racks[a].use != plan->racks[b].use ||
        plan->racks[a].slots != plan->racks[b].slots)
        return false;
    for (size_t i = 0; i < plan->racks[a].slots; i++) {
        counts[plan->slots[plan->by_rack[plan->racks[a].first_slot + i]].gear]++;
        counts[plan->slots[plan->by_rack[plan->racks[b].first_slot + i]].gear]--;
    }
    for (size_t g = 0; g < RY_FACILITY_GEARS_MOST; g++) {
        if (counts[g] != 0)
            return false;
    }
    return true;
}

/* "R1–R4, R6": the racks like the example, the first few runs of them. */
static const char *places_of(struct ry_arena *arena, const struct ry_facility *f,
                             const struct ry_rack_group *group)
{
    const char *text = "";
    size_t runs = 0;

    for (size_t i = group->example; text && i < f->racks.racks_n; i++) {
        size_t last = i;
        if (!alike(f, group->example, i))
            continue;
        while (last + 1 < f->racks.racks_n && alike(f, group->example, last + 1))
            last++;
        if (runs == 3)
            return ry_strfmt(arena, "%s, ...", text);
        text = last > i ? ry_strfmt(arena, "%s%sR%zu\xe2\x80\x93R%zu", text, runs ? ", " : "",
                                    i + 1, last + 1)
                        : ry_strfmt(arena, "%s%sR%zu", text, runs ? ", " : "", i + 1);
        runs++;
        i = last;
    }
    return text;
}

/* "40.8 of 41.0 kW", or "40.8 kW" without a limit. */
static const char *of_limit(struct ry_arena *arena, enum ry_say say, double value,
                            double limit)
{
    char low[RY_SAY_BYTES_MOST];
    char high[RY_SAY_BYTES_MOST];

    ry_say(say, value, low);
    if (!isfinite(limit))
        return ry_strdup(arena, low);
    ry_say(say, limit, high);
    char *unit_at = strstr(low, "\xc2\xa0");
    const char *unit_high = strstr(high, "\xc2\xa0");
    if (unit_at && unit_high && strcmp(unit_at, unit_high) == 0)
        *unit_at = '\0';
    return ry_strfmt(arena, "%s of %s", low, high);
}

static double weight_limit(const struct ry_facility *f, size_t rack)
{
    const struct ry_rack_kind *kind = kind_of(f, rack);
    const double empty = isfinite(kind->empty_kg) ? kind->empty_kg : 0.0;
    const double frame = f->racks.racks[rack].use != RY_RACK_WHOLE &&
                                 isfinite(kind->payload_kg)
                             ? kind->payload_kg + empty
                             : (double)INFINITY;

    return fmin(frame, f->floor.floor_kg);
}

static void describe(struct ry_arena *arena, const struct ry_facility *f,
                     struct ry_rack_group *group)
{
    static const char *const titles[] = {"Node rack", "Network rack", "Whole rack"};
    const struct ry_rack_place *rack = &f->racks.racks[group->example];
    const struct ry_rack_kind *kind = kind_of(f, group->example);
    const bool whole = rack->use == RY_RACK_WHOLE;
    const double power = whole ? (double)INFINITY : kind->limit_w;
    const double weight = weight_limit(f, group->example);
    const double share[] = {rack->load_w / power, rack->weight_kg / weight,
                            whole ? 0.0 : rack->used_units / kind->rack_units};

    group->title = group->count > 1 ? ry_strfmt(arena, "%s \xc3\x97 %zu", titles[rack->use],
                                                group->count)
                                    : titles[rack->use];
    group->places = places_of(arena, f, group);
    group->power = of_limit(arena, RY_SAY_WATTS, rack->load_w, power);
    group->weight = of_limit(arena, RY_SAY_KILOGRAMS, rack->weight_kg, weight);
    group->space = whole ? "the whole rack"
                         : ry_strfmt(arena, "%g of %g U", rack->used_units, kind->rack_units);
    group->binding = -1;
    for (int i = 0; i < 3; i++) {
        if (share[i] > 0.0 && (group->binding < 0 || share[i] > share[group->binding]))
            group->binding = i;
    }
}

enum { GROUPS_MOST = 16 };

enum ry_err ry_rack_groups_make(struct ry_arena *arena, const struct ry_facility *f,
                                struct ry_rack_groups *groups, struct ry_diag *diag)
{
    *groups = (struct ry_rack_groups){.at = RY_NEW(arena, struct ry_rack_group, GROUPS_MOST)};
    if (!groups->at)
        return ry_fail(diag, RY_ERR_NOMEM, "racks", "too many kinds of racks");
    for (size_t i = 0; i < f->racks.racks_n; i++) {
        size_t g = 0;
        while (g < groups->n && !alike(f, groups->at[g].example, i))
            g++;
        if (g == GROUPS_MOST) {
            groups->others++;
            continue;
        }
        if (g == groups->n)
            groups->at[groups->n++].example = i;
        groups->at[g].count++;
    }
    for (size_t g = 0; g < groups->n; g++)
        describe(arena, f, &groups->at[g]);
    return RY_OK;
}

/* The floor. */

static const double floor_w = 960, label_w = 96;
enum { ROWS_MOST = 12 };

struct room {
    const struct ry_facility *f;
    const struct ry_rack_groups *groups; /**< NULL: the floor alone */
};

static size_t row_length(const struct ry_facility *f)
{
    size_t most = 1;

    for (size_t i = 0; i < f->racks.racks_n; i++) {
        if (f->racks.racks[i].column + 1 > most)
            most = f->racks.racks[i].column + 1;
    }
    return most;
}

static size_t rows_drawn(const struct ry_facility *f)
{
    return f->racks.rows < ROWS_MOST ? f->racks.rows : ROWS_MOST;
}

static double box_of(const struct ry_facility *f)
{
    return fmin(46.0, (floor_w - label_w - 8.0) / (double)row_length(f));
}

static const double row_h = 74;

static double floor_height(const struct ry_facility *f)
{
    return row_h * (double)rows_drawn(f) + (f->racks.rows > ROWS_MOST ? 40.0 : 24.0);
}

/* Closed off: a second line along the aisle. */
static bool is_contained(const struct ry_facility *f, bool hot)
{
    return f->containment && strcmp(f->containment, hot ? "hot" : "cold") == 0;
}

static void draw_aisle(cairo_t *cairo, const struct ry_facility *f, double y, bool hot)
{
    const double width = box_of(f) * (double)row_length(f);
    char text[32];

    cairo_set_line_width(cairo, 3.0);
    ry_ink(cairo, hot ? RY_INK_N2 : RY_INK_ACCENT_2);
    cairo_move_to(cairo, label_w, y);
    cairo_line_to(cairo, label_w + width, y);
    cairo_stroke(cairo);
    cairo_set_line_width(cairo, 1.0);
    if (is_contained(f, hot)) {
        cairo_move_to(cairo, label_w, y + 4);
        cairo_line_to(cairo, label_w + width, y + 4);
        cairo_stroke(cairo);
    }
    (void)snprintf(text, sizeof(text), "%s aisle %.1f m", hot ? "Hot" : "Cold",
                   hot ? f->aisles.hot_m : f->aisles.cold_m);
    ry_type(cairo, 11, false);
    ry_ink(cairo, RY_INK_INK_3);
    ry_type_fit(cairo, 0, y + 4, label_w - 2, text);
}

/* Rows face each other: fronts to the cold aisle, above odd rows and below even ones. */
static void draw_row(cairo_t *cairo, const struct ry_facility *f, size_t row)
{
    const double y = 12 + row_h * (double)row;
    const double box = box_of(f);
    char text[24];

    draw_aisle(cairo, f, y, row % 2 != 0);
    (void)snprintf(text, sizeof(text), "Row %zu", row + 1);
    ry_type(cairo, 12, true);
    ry_ink(cairo, RY_INK_INK);
    ry_type_put(cairo, 0, y + 41, RY_ALIGN_LEFT, text);
    cairo_set_dash(cairo, (const double[]){6, 3}, 2, 0);
    ry_ink(cairo, RY_INK_O1);
    cairo_move_to(cairo, label_w, y + 15.5);
    cairo_line_to(cairo, label_w + box * (double)row_length(f), y + 15.5);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
}

static void draw_place(cairo_t *cairo, const struct ry_facility *f, size_t i)
{
    const struct ry_rack_place *rack = &f->racks.racks[i];
    const double box = box_of(f);
    const double x = label_w + box * (double)rack->column;
    const double y = 12 + row_h * (double)rack->row + 20;
    char text[24];

    ry_box_fill(cairo, rack->use == RY_RACK_NETWORK ? RY_INK_N3 : RY_INK_C3, x + 1, y,
                box > 4 ? box - 2 : box - 0.5, 34);
    /* its front, on the side of the cold aisle */
    ry_box_fill(cairo, RY_INK_ACCENT_2, x + 1, rack->row % 2 ? y + 31 : y,
                box > 4 ? box - 2 : box - 0.5, 3);
    (void)snprintf(text, sizeof(text), "R%zu", i + 1);
    ry_type(cairo, 11, false);
    ry_ink(cairo, RY_INK_INK);
    if (ry_type_width(cairo, text) <= box - 4)
        ry_type_put(cairo, x + 0.5 * box, y + 21, RY_ALIGN_MIDDLE, text);
}

static void draw_floor(cairo_t *cairo, const void *of)
{
    const struct ry_facility *f = ((const struct room *)of)->f;
    const size_t rows = rows_drawn(f);
    char text[LABEL_BYTES];

    for (size_t row = 0; row < rows; row++)
        draw_row(cairo, f, row);
    for (size_t i = 0; i < f->racks.racks_n; i++) {
        if (f->racks.racks[i].row < rows)
            draw_place(cairo, f, i);
    }
    draw_aisle(cairo, f, 12 + row_h * (double)rows, rows % 2 != 0);
    if (f->racks.rows > rows) {
        (void)snprintf(text, sizeof(text), "and %zu more rows like these",
                       f->racks.rows - rows);
        ry_type(cairo, 12, false);
        ry_ink(cairo, RY_INK_INK_2);
        ry_type_put(cairo, label_w, 12 + row_h * (double)rows + 22, RY_ALIGN_LEFT, text);
    }
}

static struct room *new_room(struct ry_arena *arena, const struct ry_facility *f,
                             const struct ry_rack_groups *groups)
{
    struct room *room = RY_NEW(arena, struct room, 1);

    if (room)
        *room = (struct room){f, groups};
    return room;
}

struct ry_picture ry_floor_picture(struct ry_arena *arena, const struct ry_facility *f)
{
    const struct room *room = new_room(arena, f, NULL);
    const double width = label_w + box_of(f) * (double)row_length(f) + 4;

    if (!room)
        return (struct ry_picture){0};
    return (struct ry_picture){
        .width = width > 420 ? width : 420,
        .height = floor_height(f),
        .label = ry_strfmt(arena, "Floor plan: %zu racks in %zu rows", f->racks.racks_n,
                           f->racks.rows),
        .draw = draw_floor,
        .of = room,
    };
}

/* All of it on one sheet. */

enum { SHEET_COLUMNS = 4 };
static const double cell_w = 240, caption_h = 84, title_h = 30;

static double sheet_row_h(const struct ry_facility *f, const struct ry_rack_groups *groups)
{
    double most = 0.0;

    for (size_t g = 0; g < groups->n; g++)
        most = fmax(most, rack_height(f, groups->at[g].example));
    return most + caption_h;
}

static void draw_caption(cairo_t *cairo, const struct ry_rack_group *group, double y)
{
    const char *const names[] = {"Power", "Weight", "Space"};
    const char *const values[] = {group->power, group->weight, group->space};

    ry_type(cairo, 12, true);
    ry_ink(cairo, RY_INK_INK);
    ry_type_fit(cairo, left, y, 186, group->title);
    const double used = ry_type_width(cairo, group->title) + 8;
    ry_type(cairo, 12, false);
    ry_ink(cairo, RY_INK_INK_3);
    ry_type_fit(cairo, left + used, y, 204 - used, group->places);
    for (int i = 0; i < 3; i++) {
        ry_type(cairo, 12, false);
        ry_ink(cairo, RY_INK_INK_3);
        ry_type_put(cairo, left, y + 17.0 * (i + 1), RY_ALIGN_LEFT, names[i]);
        ry_type(cairo, 12, i == group->binding);
        ry_ink(cairo, i == group->binding ? RY_INK_INK : RY_INK_INK_2);
        ry_type_fit(cairo, left + 56, y + 17.0 * (i + 1), 150, values[i]);
    }
}

static void put_others(cairo_t *cairo, size_t others)
{
    char text[LABEL_BYTES];

    if (others == 0)
        return;
    (void)snprintf(text, sizeof(text), "%zu racks of further kinds are not drawn", others);
    ry_type(cairo, 12, false);
    ry_type_fit(cairo, 660, 22, 290, text);
}

static void draw_room(cairo_t *cairo, const void *of)
{
    const struct room *room = of;
    const double row = sheet_row_h(room->f, room->groups);
    size_t rows = 0;

    ry_type(cairo, 15, true);
    ry_ink(cairo, RY_INK_INK);
    ry_type_fit(cairo, 8, 22, room->groups->others > 0 ? 640 : 940, room->f->design->name);
    put_others(cairo, room->groups->others);
    for (size_t g = 0; g < room->groups->n; g++) {
        const struct ry_rack_group *group = &room->groups->at[g];
        const struct elevation e = {room->f, group->example};
        rows = g / SHEET_COLUMNS;
        cairo_save(cairo);
        cairo_translate(cairo, cell_w * (double)(g % SHEET_COLUMNS),
                        title_h + row * (double)rows);
        draw_elevation(cairo, &e);
        draw_caption(cairo, group, rack_height(room->f, group->example) + 12);
        cairo_restore(cairo);
    }
    cairo_save(cairo);
    cairo_translate(cairo, 8, title_h + row * (double)(rows + 1));
    draw_floor(cairo, room);
    cairo_restore(cairo);
}

struct ry_picture ry_room_picture(struct ry_arena *arena, const struct ry_facility *f,
                                  const struct ry_rack_groups *groups)
{
    const struct room *room = new_room(arena, f, groups);
    const double rows = (double)((groups->n + SHEET_COLUMNS - 1) / SHEET_COLUMNS);

    if (!room)
        return (struct ry_picture){0};
    return (struct ry_picture){
        .width = floor_w + 16,
        .height = title_h + rows * sheet_row_h(f, groups) + floor_height(f) + 12,
        .label = f->design->name,
        .draw = draw_room,
        .of = room,
    };
}
