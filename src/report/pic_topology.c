/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/pic_topology.h"

#include "base/names.h"
#include "report/say.h"
#include "topology/graph.h"

#include <math.h>
#include <string.h>

enum { LEVELS_MOST = 8, BOXES_MOST = 16, ALL_BOXES = LEVELS_MOST * BOXES_MOST };
enum { LABEL_BYTES = 64, SQUARES_MOST = 32 };

/* Points. */
static const double page_w = 960, column_w = 236, level_h = 128, box_h = 48, top = 32,
                    title_h = 34;

/* Devices of a class, drawn as boxes of one or more. */
struct level {
    size_t of; /* class */
    size_t boxes;
};

/* One fabric. */
struct drawing {
    const struct ry_graph *graph;
    size_t fabric;
    size_t n;
    struct level level[LEVELS_MOST];              /* from the top */
    double links[ALL_BOXES][ALL_BOXES];           /* between boxes, each pair once */
    double pair[LEVELS_MOST][LEVELS_MOST];        /* links between levels */
    double bytes_per_s[LEVELS_MOST][LEVELS_MOST]; /* of one of them */
};

/* As many boxes as show the pattern: all of few, else a divisor, else eight. */
static size_t boxes_for(size_t count, size_t most)
{
    if (count <= most)
        return count;
    for (size_t n = 8; n >= 4; n--)
        if (count % n == 0)
            return n;
    return 8;
}

/* Whether a class or level belongs to the fabric; nodes are of all. */
static bool is_of(const struct drawing *d, const char *fabric)
{
    return fabric[0] == '\0' || d->graph->n_fabrics == 0 ||
           strcmp(fabric, d->graph->fabrics[d->fabric].name) == 0;
}

static bool is_drawn(const struct drawing *d, const struct ry_device_class *class)
{
    return class->count > 0 && class->kind != RY_DEVICE_MANAGER &&
           is_of(d, class->fabric);
}

static void choose_levels(struct drawing *d)
{
    const struct ry_graph *g = d->graph;
    uint16_t highest = 0;

    for (size_t i = 0; i < g->n_classes; i++)
        highest = g->classes[i].tier > highest ? g->classes[i].tier : highest;
    for (unsigned tier = highest + 1u; tier-- > 0;) {
        for (size_t i = 0; i < g->n_classes && d->n < LEVELS_MOST; i++) {
            const struct ry_device_class *class = &g->classes[i];
            if (class->tier != tier || !is_drawn(d, class))
                continue;
            d->level[d->n].of = i;
            d->level[d->n].boxes = boxes_for(class->count, tier == 0 ? BOXES_MOST : 8);
            d->n++;
        }
    }
}

static size_t level_of(const struct drawing *d, size_t class)
{
    size_t level = 0;

    while (level < d->n && d->level[level].of != class)
        level++;
    return level;
}

/* First device of a box, within its class. */
static size_t first_of(const struct drawing *d, size_t level, size_t box)
{
    const size_t count = d->graph->classes[d->level[level].of].count;

    return box * count / d->level[level].boxes;
}

static size_t box_of(const struct drawing *d, size_t level, size_t index)
{
    size_t box = 0;

    while (box + 1 < d->level[level].boxes && first_of(d, level, box + 1) <= index)
        box++;
    return box;
}

static void count_links(struct drawing *d)
{
    const struct ry_graph *g = d->graph;

    for (size_t i = 0; i < g->n_links; i++) {
        size_t level[2];
        size_t box[2];
        if (g->links[i].down || !is_of(d, g->levels[g->links[i].level].fabric))
            continue;
        for (int end = 0; end < 2; end++) {
            const struct ry_device *device = &g->devices[ry_link_device(g, i, end)];
            level[end] = level_of(d, device->of);
            box[end] = level[end] < d->n ? box_of(d, level[end], device->index) : 0;
        }
        if (level[0] >= d->n || level[1] >= d->n)
            continue;
        const int up =
            level[0] < level[1] || (level[0] == level[1] && box[0] <= box[1]) ? 0 : 1;
        d->links[level[up] * BOXES_MOST + box[up]][level[!up] * BOXES_MOST + box[!up]]++;
        d->pair[level[up]][level[!up]]++;
        d->bytes_per_s[level[up]][level[!up]] = g->links[i].bytes_per_s;
    }
}

struct place {
    double x, y, width;
};

static struct place place_of(const struct drawing *d, size_t level, size_t box)
{
    const double each = (page_w - column_w - 8.0) / (double)d->level[level].boxes;
    const double width = fmin(each - (each > 60.0 ? 14.0 : 5.0), 150.0);

    return (struct place){column_w + each * ((double)box + 0.5) - 0.5 * width,
                          top + level_h * (double)level, width};
}

/* The level next above the endpoints: its first box shows the pattern. */
static bool is_marked(const struct drawing *d, size_t level, size_t box)
{
    return d->n > 1 && box == 0 && level + 2 == d->n;
}

static void draw_links(cairo_t *cairo, const struct drawing *d, bool marked)
{
    for (size_t a = 0; a < d->n * BOXES_MOST; a++) {
        for (size_t b = 0; b < d->n * BOXES_MOST; b++) {
            const size_t above = a / BOXES_MOST;
            const size_t below = b / BOXES_MOST;
            const bool mark = is_marked(d, above, a % BOXES_MOST) && below + 1 == d->n;
            if (d->links[a][b] == 0.0 || above == below || mark != marked)
                continue;
            const struct place from = place_of(d, above, a % BOXES_MOST);
            const struct place to = place_of(d, below, b % BOXES_MOST);
            ry_ink(cairo, mark ? RY_INK_ACCENT : RY_INK_RULE_2);
            cairo_set_line_width(cairo, mark ? 1.6 : 1.0);
            cairo_move_to(cairo, from.x + 0.5 * from.width, from.y + box_h);
            cairo_line_to(cairo, to.x + 0.5 * to.width, to.y);
            cairo_stroke(cairo);
        }
    }
    cairo_set_line_width(cairo, 1.0);
}

/* Links within a level: arcs above its boxes. */
static void draw_arcs(cairo_t *cairo, const struct drawing *d, size_t level)
{
    for (size_t i = 0; i < d->level[level].boxes; i++) {
        for (size_t k = i + 1; k < d->level[level].boxes; k++) {
            if (d->links[level * BOXES_MOST + i][level * BOXES_MOST + k] == 0.0)
                continue;
            const struct place from = place_of(d, level, i);
            const struct place to = place_of(d, level, k);
            const double x0 = from.x + 0.5 * from.width;
            const double x1 = to.x + 0.5 * to.width;
            const double rise = fmin(6.0 + 0.05 * (x1 - x0), 30.0);
            ry_ink(cairo, i == 0 ? RY_INK_ACCENT : RY_INK_RULE_2);
            cairo_move_to(cairo, x0, from.y);
            cairo_curve_to(cairo, x0, from.y - rise, x1, from.y - rise, x1, from.y);
            cairo_stroke(cairo);
        }
    }
}

/* Devices of a box as small squares, or how many. */
static void draw_squares(cairo_t *cairo, const struct place *at, size_t count,
                         bool marked)
{
    const size_t most = (size_t)fmax(1.0, floor((at->width - 12.0) / 9.0));
    const size_t rows = (count + most - 1) / most;
    const size_t a_row = (count + rows - 1) / rows;
    const double used = 9.0 * (double)a_row - 2.0;

    if (count < 2 || count > SQUARES_MOST || rows > 2)
        return;
    for (size_t i = 0; i < count; i++)
        ry_box_fill(cairo, marked ? RY_INK_ACCENT : RY_INK_O2,
                    at->x + 0.5 * (at->width - used) + 9.0 * (double)(i % a_row),
                    at->y + 27.0 + 9.0 * (double)(i / a_row), 7.0, 7.0);
}

/* "5-8": a box by the numbers of its devices; their name stands in the column. */
static const char *label_of(const struct drawing *d, size_t level, size_t box,
                            char text[LABEL_BYTES])
{
    const size_t first = first_of(d, level, box);
    const size_t last = box + 1 < d->level[level].boxes
                            ? first_of(d, level, box + 1)
                            : d->graph->classes[d->level[level].of].count;

    if (last - first > 1)
        (void)snprintf(text, LABEL_BYTES, "%zu\xe2\x80\x93%zu", first + 1, last);
    else
        (void)snprintf(text, LABEL_BYTES, "%zu", first + 1);
    return text;
}

/* Choose the largest type in which all labels of a level fit; false: none. */
static bool type_label(cairo_t *cairo, const struct drawing *d, size_t level,
                       double width)
{
    char text[LABEL_BYTES];

    label_of(d, level, d->level[level].boxes - 1, text); /* the longest */
    for (int halves = 24; halves >= 16; halves--) {
        const double size = 0.5 * halves;
        ry_type(cairo, size, size >= 11.0);
        if (ry_type_width(cairo, text) <= width - 6.0)
            return true;
    }
    return false;
}

static void draw_box(cairo_t *cairo, const struct drawing *d, size_t level, size_t box)
{
    const struct place at = place_of(d, level, box);
    const size_t first = first_of(d, level, box);
    const size_t last = box + 1 < d->level[level].boxes
                            ? first_of(d, level, box + 1)
                            : d->graph->classes[d->level[level].of].count;
    const bool marked = is_marked(d, level, box);
    char text[LABEL_BYTES];

    ry_box_fill(cairo, RY_INK_PAPER, at.x, at.y, at.width, box_h);
    ry_box_line(cairo, marked ? RY_INK_ACCENT : RY_INK_INK_3, at.x, at.y, at.width,
                box_h);
    if (type_label(cairo, d, level, at.width)) {
        ry_ink(cairo, marked ? RY_INK_ACCENT : RY_INK_INK);
        ry_type_put(cairo, at.x + 0.5 * at.width, at.y + 18, RY_ALIGN_MIDDLE,
                    label_of(d, level, box, text));
    }
    draw_squares(cairo, &at, last - first, marked);
}

/* "8 leaf" and its ports, in the column at the left. */
static void describe_level(cairo_t *cairo, const struct drawing *d, size_t level)
{
    const struct ry_graph *g = d->graph;
    const struct ry_device_class *class = &g->classes[d->level[level].of];
    const struct ry_device *device = &g->devices[class->first];
    const double y = top + level_h * (double)level;
    const double inside = d->pair[level][level];
    size_t used = 0;
    char text[LABEL_BYTES * 2];
    char count[RY_SAY_BYTES_MOST];

    for (uint32_t p = 0; p < device->ports; p++) {
        const uint32_t cable = g->ports[device->first_port + p].cable;
        used += cable != RY_NONE && is_of(d, g->levels[g->links[cable].level].fabric);
    }
    ry_type(cairo, 13, true);
    ry_ink(cairo, RY_INK_INK);
    (void)snprintf(text, sizeof(text), "%s \xc3\x97 %s",
                   ry_say(RY_SAY_COUNT, class->count, count), class->name);
    ry_type_fit(cairo, 4, y + 18, column_w - 20, text);
    ry_type(cairo, 12, false);
    ry_ink(cairo, RY_INK_INK_2);
    if (class->kind == RY_DEVICE_NODE && class->gpus > 0)
        (void)snprintf(text, sizeof(text), "%s GPUs, %zu %s each",
                       ry_say(RY_SAY_COUNT, (double)class->gpus * class->count, count),
                       used, used == 1 ? "port" : "ports");
    else
        (void)snprintf(text, sizeof(text), "%zu of %zu ports used", used,
                       (size_t)device->ports);
    ry_type_fit(cairo, 4, y + 34, column_w - 20, text);
    if (inside > 0.0) {
        (void)snprintf(text, sizeof(text), "%s links among them",
                       ry_say(RY_SAY_COUNT, inside, count));
        ry_type_fit(cairo, 4, y + 50, column_w - 20, text);
    }
}

/* "256 links of 400 Gb/s" between two neighbouring levels. */
static void describe_links(cairo_t *cairo, const struct drawing *d, size_t level)
{
    const double y = top + level_h * (double)level + box_h + 0.5 * (level_h - box_h);
    double links = d->pair[level][level + 1];
    char text[LABEL_BYTES * 2];
    char count[RY_SAY_BYTES_MOST];
    char rate[RY_SAY_BYTES_MOST];

    if (links == 0.0)
        return;
    ry_type(cairo, 12, false);
    ry_ink(cairo, RY_INK_INK_2);
    (void)snprintf(text, sizeof(text), "%s links of %s",
                   ry_say(RY_SAY_COUNT, links, count),
                   ry_say(RY_SAY_BITS_PER_S, d->bytes_per_s[level][level + 1], rate));
    ry_type_fit(cairo, 4, y + 12, column_w - 20, text);
}

static void draw_fabric(cairo_t *cairo, const struct drawing *d)
{
    draw_links(cairo, d, false);
    draw_links(cairo, d, true);
    for (size_t level = 0; level < d->n; level++) {
        draw_arcs(cairo, d, level);
        for (size_t box = 0; box < d->level[level].boxes; box++)
            draw_box(cairo, d, level, box);
        describe_level(cairo, d, level);
        if (level + 1 < d->n)
            describe_links(cairo, d, level);
    }
}

/* All fabrics, one below the other. */
struct sheet {
    size_t n;
    struct drawing *at[RY_FABRICS_MOST];
};

static double height_of(const struct drawing *d)
{
    return top + level_h * (double)d->n - level_h + box_h + 16.0;
}

static void draw(cairo_t *cairo, const void *of)
{
    const struct sheet *sheet = of;

    cairo_save(cairo);
    for (size_t f = 0; f < sheet->n; f++) {
        if (sheet->n > 1) {
            ry_type(cairo, 14, true);
            ry_ink(cairo, RY_INK_INK);
            ry_type_fit(cairo, 4, 22, page_w - 8, sheet->at[f]->graph->fabrics[f].name);
            cairo_translate(cairo, 0, title_h);
        }
        draw_fabric(cairo, sheet->at[f]);
        cairo_translate(cairo, 0, height_of(sheet->at[f]));
    }
    cairo_restore(cairo);
}

static const char *label_fabric(struct ry_arena *arena, const struct drawing *d,
                                const char *label)
{
    for (size_t i = 0; label && i < d->n; i++) {
        const struct ry_device_class *class = &d->graph->classes[d->level[i].of];
        label = ry_strfmt(arena, "%s%s %zu %s", label, i ? "," : "",
                          (size_t) class->count, class->name);
    }
    return label;
}

struct ry_picture ry_topology_picture(struct ry_arena *arena,
                                      const struct ry_graph *graph)
{
    struct sheet *sheet = RY_NEW(arena, struct sheet, 1);
    struct ry_picture picture = {.width = page_w, .draw = draw, .of = sheet};
    const char *label = "Topology:";

    if (!sheet)
        return (struct ry_picture){0};
    sheet->n = graph->n_fabrics > 0 ? graph->n_fabrics : 1;
    for (size_t f = 0; f < sheet->n; f++) {
        struct drawing *d = sheet->at[f] = RY_NEW(arena, struct drawing, 1);
        if (!d)
            return (struct ry_picture){0};
        d->graph = graph;
        d->fabric = f;
        choose_levels(d);
        count_links(d);
        picture.height += height_of(d) + (sheet->n > 1 ? title_h : 0.0);
        label = label_fabric(arena, d, label);
    }
    picture.label = label ? label : "Topology";
    return picture;
}
