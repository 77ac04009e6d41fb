/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/pic_room.h"

#include "base/names.h"
#include "design/design.h"
#include "facility/facility.h"
#include "report/pic_rack.h"
#include "report/rack_groups.h"

#include <math.h>
#include <string.h>

enum { LABEL_BYTES = 96 };

static const double floor_w = 960, label_w = 96;
enum { ROWS_MOST = 12 };

struct room {
    const struct ry_facility *f;
    const struct ry_rack_groups *groups; /**< NULL: the floor alone */
};

static size_t row_length(const struct ry_facility *f)
{
    size_t most = 1;

    for (size_t i = 0; i < f->racks.racks_n; i++)
        if (f->racks.racks[i].column + 1 > most)
            most = f->racks.racks[i].column + 1;
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
    for (size_t i = 0; i < f->racks.racks_n; i++)
        if (f->racks.racks[i].row < rows)
            draw_place(cairo, f, i);
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

static double sheet_row_h(const struct ry_facility *f,
                          const struct ry_rack_groups *groups)
{
    double most = 0.0;

    for (size_t g = 0; g < groups->n; g++)
        most = fmax(most, ry_rack_height(f, groups->at[g].example));
    return most + caption_h;
}

static void draw_caption(cairo_t *cairo, const struct ry_rack_group *group, double y)
{
    const char *const names[] = {"Power", "Weight", "Space"};
    const char *const values[] = {group->power, group->weight, group->space};

    ry_type(cairo, 12, true);
    ry_ink(cairo, RY_INK_INK);
    ry_type_fit(cairo, RY_RACK_LEFT, y, 186, group->title);
    const double used = ry_type_width(cairo, group->title) + 8;
    ry_type(cairo, 12, false);
    ry_ink(cairo, RY_INK_INK_3);
    ry_type_fit(cairo, RY_RACK_LEFT + used, y, 204 - used, group->places);
    for (int i = 0; i < 3; i++) {
        ry_type(cairo, 12, false);
        ry_ink(cairo, RY_INK_INK_3);
        ry_type_put(cairo, RY_RACK_LEFT, y + 17.0 * (i + 1), RY_ALIGN_LEFT, names[i]);
        ry_type(cairo, 12, i == group->binding);
        ry_ink(cairo, i == group->binding ? RY_INK_INK : RY_INK_INK_2);
        ry_type_fit(cairo, RY_RACK_LEFT + 56, y + 17.0 * (i + 1), 150, values[i]);
    }
}

static void put_others(cairo_t *cairo, size_t others)
{
    char text[LABEL_BYTES];

    if (others == 0)
        return;
    (void)snprintf(text, sizeof(text), "%zu racks of further kinds are not drawn",
                   others);
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
    ry_type_fit(cairo, 8, 22, room->groups->others > 0 ? 640 : 940,
                room->f->design->name);
    put_others(cairo, room->groups->others);
    for (size_t g = 0; g < room->groups->n; g++) {
        const struct ry_rack_group *group = &room->groups->at[g];
        rows = g / SHEET_COLUMNS;
        cairo_save(cairo);
        cairo_translate(cairo, cell_w * (double)(g % SHEET_COLUMNS),
                        title_h + row * (double)rows);
        ry_rack_draw(cairo, room->f, group->example);
        draw_caption(cairo, group, ry_rack_height(room->f, group->example) + 12);
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
