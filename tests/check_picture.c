/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of shipped designs and of families from small to large: from the drawing's own
 * record of its texts, none lies on another and none leaves the page. */
#include "facility/facility.h"
#include "plan/layout.h"
#include "plan_fixture.h"
#include "report/pic_power.h"
#include "report/pic_rack.h"
#include "report/pic_room.h"
#include "report/pic_step.h"
#include "report/pic_topology.h"
#include "report/plot.h"
#include "report/rack_groups.h"
#include "sim/event.h"
#include "topology/family.h"

#include <math.h>
#include <stdlib.h>

enum { TEXTS_MOST = 4000 };

/* Ink may come as near as this, points: descenders of one line, ascenders of the next. */
static const double touch = 0.25;

static bool overlap(const struct ry_text_box *a, const struct ry_text_box *b)
{
    return fmin(a->x + a->width, b->x + b->width) - fmax(a->x, b->x) > touch &&
           fmin(a->y + a->height, b->y + b->height) - fmax(a->y, b->y) > touch;
}

static void check_texts(const char *what, const struct ry_picture *picture, size_t least)
{
    static struct ry_text_box box[TEXTS_MOST];

    ck_assert_msg(picture->draw != NULL, "%s: no picture", what);
    const size_t n = ry_picture_texts(picture, box, TEXTS_MOST);
    ck_assert_msg(n >= least && n <= TEXTS_MOST, "%s: %zu texts", what, n);
    for (size_t i = 0; i < n; i++) {
        const struct ry_text_box *a = &box[i];
        ck_assert_msg(a->x > -1.0 && a->y > -1.0 &&
                          a->x + a->width < picture->width + 1.0 &&
                          a->y + a->height < picture->height + 1.0,
                      "%s: '%s' leaves the page", what, a->text);
        for (size_t k = 0; k < i; k++)
            ck_assert_msg(!overlap(a, &box[k]), "%s: '%s' lies on '%s'", what, a->text,
                          box[k].text);
    }
}

static const char *const shipped[] = {
    "examples/h100-32-ndr-rail.json",  "examples/h100-32-roce-3to1.json",
    "examples/gb200-nvl72x4.json",     "examples/nvl72-1rack.json",
    "examples/mi300x-32.json",         "examples/a100x8.json",
    "examples/h100pcie-32.json",       "examples/dl380a-gen12-16-roce.json",
    "examples/xe9680-h100-32-ndr.json"};

static struct ry_design *read_design(const char *name)
{
    const char *root = getenv("RAILYARD_DATA");
    char path[1024];
    struct ry_json json;
    struct ry_design *design = RY_NEW(arena, struct ry_design, 1);

    (void)snprintf(path, sizeof(path), "%s/%s", root ? root : ".", name);
    ck_assert_int_eq(ry_json_open(arena, path, &problems, &json), RY_OK);
    ck_assert_int_eq(ry_design_read(arena, json, &catalog, name, design), RY_OK);
    show_problems();
    return design;
}

START_TEST(texts_of_a_room_do_not_touch)
{
    const struct ry_facility_options options = ry_facility_defaults();
    struct ry_layout layout;
    struct ry_rack_groups groups;

    open_library();
    const struct ry_design *design = read_design(shipped[_i]);
    ck_assert_int_eq(ry_layout_make(arena, &catalog, design, &options, &layout, NULL),
                     RY_OK);
    ck_assert_int_eq(ry_rack_groups_make(arena, &layout.facility, &groups, NULL), RY_OK);
    const struct ry_picture room = ry_room_picture(arena, &layout.facility, &groups);
    const struct ry_picture floor = ry_floor_picture(arena, &layout.facility);
    const struct ry_picture power = ry_power_picture(arena, &layout.facility);
    check_texts(shipped[_i], &room, 8);
    check_texts(shipped[_i], &floor, 3);
    check_texts(shipped[_i], &power, 5);
    for (size_t i = 0; i < groups.n; i++) {
        const struct ry_picture rack =
            ry_rack_picture(arena, &layout.facility, groups.at[i].example);
        check_texts(groups.at[i].title, &rack, 2);
    }
    if (layout.graph) {
        const struct ry_picture topology = ry_topology_picture(arena, layout.graph);
        check_texts(shipped[_i], &topology, 4);
    }
    close_library();
}
END_TEST

static struct ry_facility room_of(const char *name)
{
    const struct ry_facility_options options = ry_facility_defaults();
    struct ry_layout layout;

    open_library();
    const struct ry_design *design = read_design(name);
    ck_assert_int_eq(ry_layout_make(arena, &catalog, design, &options, &layout, NULL),
                     RY_OK);
    return layout.facility;
}

/* Byte 40 is within a character: a text that is cut there is none, and cairo stops. */
START_TEST(a_long_name_of_a_part_is_not_cut_within_a_character)
{
    struct ry_facility f = room_of(shipped[0]);
    const char *path = "check_picture.svg";

    for (size_t i = 0; i < RY_FACILITY_GEARS_MOST; i++)
        f.gears[i].part = "a switch, its name of 39 bytes and then\xc3\xa9";
    ck_assert_uint_eq(strlen(f.gears[0].part), 41);
    for (size_t i = 0; i < f.racks.racks_n; i++) {
        const struct ry_picture rack = ry_rack_picture(arena, &f, i);
        ck_assert_int_eq(ry_picture_write(&rack, path, NULL), RY_OK);
    }
    (void)remove(path);
    close_library();
}
END_TEST

START_TEST(racks_of_more_kinds_than_are_drawn_are_counted)
{
    enum { KINDS = 20 };
    static struct ry_text_box box[TEXTS_MOST];
    struct ry_facility f = room_of(shipped[0]);
    struct ry_rack_place *places = RY_NEW(arena, struct ry_rack_place, KINDS);
    struct ry_rack_groups groups;

    ck_assert_ptr_nonnull(places);
    for (size_t i = 0; i < KINDS; i++) {
        places[i] = f.racks.racks[0];
        places[i].first_slot = 0;
        places[i].slots = i;
    }
    f.racks.racks = places;
    f.racks.racks_n = KINDS;
    ck_assert_int_eq(ry_rack_groups_make(arena, &f, &groups, NULL), RY_OK);
    ck_assert_uint_eq(groups.n, 16);
    ck_assert_uint_eq(groups.others, 4);
    const struct ry_picture room = ry_room_picture(arena, &f, &groups);
    const size_t n = ry_picture_texts(&room, box, TEXTS_MOST);
    bool said = false;
    for (size_t i = 0; i < n && i < TEXTS_MOST; i++)
        said = said || strstr(box[i].text, "4 racks of further kinds");
    ck_assert(said);
    close_library();
}
END_TEST

static const char *const families[] = {
    "fat_tree:radix=32,tiers=2,gpus=16",
    "fat_tree:radix=64,tiers=3,gpus=4096",
    "fat_tree:radix=64,tiers=3,gpus=65536",
    "rail_optimized:radix=64,tiers=2,gpus=128,rails=8",
    "rail_only:radix=64,gpus=256,rails=8",
    "torus:dims=4x4x4",
    "torus:dims=16x16x16",
    "dragonfly:p=4,a=8,h=4",
    "slim_fly:q=5",
    "hyperx:dimensions=2,size=4,p=4",
    "nvlink:gpus=4",
    "mesh:gpus=8",
};

static void check_topology_texts(const char *text)
{
    struct ry_topo_specs specs;
    struct ry_graph *graph = NULL;
    struct ry_diag diag = {0};

    ck_assert_msg(ry_topo_parse(text, &specs, &diag) == RY_OK, "%s: %s", text, diag.text);
    ck_assert_msg(ry_topo_build(arena, &specs, &graph, &diag) == RY_OK, "%s: %s", text,
                  diag.text);
    const struct ry_picture picture = ry_topology_picture(arena, graph);
    check_texts(text, &picture, 2);
}

START_TEST(texts_of_a_topology_do_not_touch)
{
    open_library();
    check_topology_texts(families[_i]);
    close_library();
}
END_TEST

START_TEST(nor_do_those_of_an_example_of_every_family)
{
    open_library();
    for (size_t i = 0; ry_family_at(i) != NULL; i++)
        check_topology_texts(ry_family_at(i)->example);
    close_library();
}
END_TEST

/* Strategies that fill the picture: few stages, many, one with layers, tiny shares. */
static const char *const strategies[] = {
    "{}", "{\"tp\": 4, \"pp\": 16}", "{\"tp\": 8, \"pp\": 1, \"fsdp\": true}",
    "{\"tp\": 4, \"pp\": 20, \"vpp\": 2}",
    "{\"tp\": 8, \"pp\": 4, \"recompute\": \"full\"}"};

START_TEST(texts_of_a_step_do_not_touch)
{
    const struct ry_constraints none = ry_no_constraints();
    char text[400];

    open_library();
    (void)snprintf(text, sizeof(text),
                   "{\"name\": \"w\", \"model\": \"llama3-70b\", \"seq\": 8192, "
                   "\"global_batch\": 1152, \"tokens\": 1e12, \"strategy\": %s}",
                   strategies[_i]);
    struct ry_workload *workload = workload_of(text);
    struct ry_case c = case_of(read_design(shipped[0]), workload);
    ry_case_evaluate(arena, &catalog, &none, &c);
    ck_assert_msg(c.has_result, "%s", c.why);
    const struct ry_step_inputs in = {.machine = &c.site->built.machine,
                                      .arch = &workload->arch,
                                      .traits = &workload->traits,
                                      .strategy = &c.result.strategy};
    struct ry_timeline *timeline = NULL;
    if (ry_step_timeline_of(arena, &in, &timeline, NULL) != RY_OK)
        timeline = NULL;
    const struct ry_picture picture = ry_step_picture(
        arena,
        "a title that is much longer than the picture is wide, so that it must be cut "
        "somewhere before its end, with an ellipsis that says so",
        &c.result.step, timeline);
    check_texts(strategies[_i], &picture, 40);
    close_library();
}
END_TEST

/* Values over up to 18 powers of ten; names too long for the legend. */
START_TEST(texts_of_a_plot_do_not_touch)
{
    static const double powers[] = {0.1, 2.0, 6.0, 11.0, 18.0};
    static const size_t counts[] = {1, 6, 12, 25, 40};
    struct ry_plot_series series[40];
    double x[2] = {1e-9, 1e-9 * pow(10.0, powers[_i])};

    open_library();
    for (size_t i = 0; i < counts[_i]; i++)
        series[i] =
            (struct ry_plot_series){.name = "a-series-with-a-long-name-of-a-file.json",
                                    .points = 2,
                                    .x = x,
                                    .y = x};
    const struct ry_plot plot = {.title = "Title",
                                 .x_title = "size",
                                 .y_title = "time",
                                 .x_show = RY_SHOW_BYTES,
                                 .y_show = RY_SHOW_SECONDS,
                                 .n = counts[_i],
                                 .series = series};
    const struct ry_picture picture = ry_plot_picture(arena, &plot);
    check_texts("plot", &picture, counts[_i] + 5);
    close_library();
}
END_TEST

/* What the checks above rest on: texts are noted where they are drawn, turned ones
 * too. */
static void draw_three(cairo_t *cairo, const void *of)
{
    (void)of;
    ry_type_put(cairo, 10, 20, RY_ALIGN_LEFT, "HHHH");
    ry_type_put(cairo, 14, 22, RY_ALIGN_LEFT, "HHHH");
    cairo_translate(cairo, 80, 80);
    cairo_rotate(cairo, -acos(0.0));
    ry_type_put(cairo, 0, 0, RY_ALIGN_MIDDLE, "HHHHHHHH");
}

START_TEST(the_record_sees_what_touches)
{
    const struct ry_picture picture = {.width = 100, .height = 100, .draw = draw_three};
    struct ry_text_box box[3];

    ck_assert_uint_eq(ry_picture_texts(&picture, box, 3), 3);
    ck_assert(overlap(&box[0], &box[1]));
    ck_assert(!overlap(&box[0], &box[2]));
    ck_assert(box[2].height > 3.0 * box[2].width);
    ck_assert(box[2].y < 80.0 && box[2].y + box[2].height > 80.0);
    ck_assert_uint_eq(ry_picture_texts(&picture, box, 1), 3);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("picture");
    TCase *tc = tcase_create("picture");

    tcase_add_loop_test(tc, texts_of_a_room_do_not_touch, 0,
                        sizeof(shipped) / sizeof(shipped[0]));
    tcase_add_test(tc, a_long_name_of_a_part_is_not_cut_within_a_character);
    tcase_add_test(tc, racks_of_more_kinds_than_are_drawn_are_counted);
    tcase_add_loop_test(tc, texts_of_a_topology_do_not_touch, 0,
                        sizeof(families) / sizeof(families[0]));
    tcase_add_test(tc, nor_do_those_of_an_example_of_every_family);
    tcase_add_loop_test(tc, texts_of_a_step_do_not_touch, 0,
                        sizeof(strategies) / sizeof(strategies[0]));
    tcase_add_loop_test(tc, texts_of_a_plot_do_not_touch, 0, 5);
    tcase_add_test(tc, the_record_sees_what_touches);
    suite_add_tcase(suite, tc);
    return suite;
}
