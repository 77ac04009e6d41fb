/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole plans of designs with the shipped catalog: published bills come out, everything
 * passes the verifier, and 4,096 GPUs take well under a second. */
#include "base/arena.h"
#include "cost/bill.h"
#include "design/design.h"
#include "facility/connector.h"
#include "facility/facility.h"
#include "io/catalog_csv.h"
#include "io/design_file.h"
#include "plan/fabric_graph.h"
#include "topology/family.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct planned {
    struct ry_arena *arena;
    struct ry_catalog catalog;
    struct ry_design design;
    struct ry_facility facility;
};

static const char *data(const char *name)
{
    static char path[1024];
    const char *root = getenv("RAILYARD_DATA");

    (void)snprintf(path, sizeof(path), "%s/%s", root ? root : ".", name);
    return path;
}

static struct planned *plan(const char *file)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct planned *p = RY_NEW(arena, struct planned, 1);
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_topo_specs *specs = RY_NEW(arena, struct ry_topo_specs, 1);
    const struct ry_facility_options options = ry_facility_defaults();
    struct ry_graph *graph = NULL;
    struct ry_diag diag = {0};
    struct ry_json root;

    p->arena = arena;
    ck_assert_int_eq(
        ry_catalog_load(arena, &(struct ry_catalog_sources){0}, problems, &p->catalog),
        RY_OK);
    ck_assert_int_eq(ry_json_open(arena, data(file), problems, &root), RY_OK);
    ck_assert_int_eq(ry_design_read(arena, root, &p->catalog, file, &p->design), RY_OK);
    ck_assert_uint_eq(problems->count, 0);
    ck_assert_int_eq(ry_design_topology(&p->design, specs, NULL), RY_OK);
    if (specs->n > 0)
        ck_assert_int_eq(ry_topo_build(arena, specs, &graph, &diag), RY_OK);
    const struct ry_facility_input in = {&p->design, &p->catalog, graph, &options};
    ck_assert_int_eq(ry_facility_plan(arena, &in, &p->facility, &diag), RY_OK);
    return p;
}

static size_t modules(const struct ry_cable_plan *cables, const char *what)
{
    size_t n = 0;

    for (size_t i = 0; i < cables->n; i++) {
        if (strcmp(cables->at[i].what, what) == 0)
            n += cables->at[i].count;
    }
    return n;
}

static const struct {
    double row_racks, network_devices, tray_m;
    const char *says;
} no_option[] = {
    {0.2, 28.0, 0.5, "0.2 is not a whole number"},
    {20.0, 1.5, 0.5, "1.5 is not a whole number"},
    {20.0, 28.0, 1e10, "1e+10 is not at least 0 and at most 1e+09"},
    {20.0, 28.0, -1.0, "-1 is not at least 0 and at most 1e+09"},
};

START_TEST(an_option_that_cannot_be_is_refused_with_what_can)
{
    const struct planned *p = plan("examples/h100x8.json");
    struct ry_facility_options options = ry_facility_defaults();
    const struct ry_facility_input in = {&p->design, &p->catalog, NULL, &options};
    struct ry_facility facility;
    struct ry_diag diag = {0};

    options.row_racks = no_option[_i].row_racks;
    options.network_devices = no_option[_i].network_devices;
    options.tray_m = no_option[_i].tray_m;
    ck_assert_int_eq(ry_facility_plan(p->arena, &in, &facility, &diag), RY_ERR_RANGE);
    ck_assert_str_eq(diag.text, no_option[_i].says);
    ry_arena_destroy(p->arena);
}
END_TEST

/* NVIDIA DGX SuperPOD H100 reference architecture, 4 SU: 127 nodes, 32 leaves, 16 spines,
 * 2,040 NDR cables, 1,536 + 508 modules, 96 + 12 rack PDUs, 38 racks. */
START_TEST(the_four_su_superpod_comes_out_of_its_inputs)
{
    struct planned *p = plan("tests/facility/superpod-h100-4su.json");
    const struct ry_facility *f = &p->facility;

    ck_assert_uint_eq(f->racks.compute_racks, 32);
    ck_assert_uint_eq(f->racks.network_racks, 6);
    ck_assert_uint_eq(f->power.pdus_compute, 96);
    ck_assert_uint_eq(f->power.pdus_network, 12);
    ck_assert_uint_eq(f->cables.links, 2040);
    ck_assert_uint_eq(modules(&f->cables, "module (switch)"), 1536);
    ck_assert_uint_eq(modules(&f->cables, "module (node)"), 508);
    ck_assert_uint_eq(f->cables.uncovered, 0);
    ry_arena_destroy(p->arena);
}
END_TEST

/* The mean of all devices, each against every out-of-band switch. */
static double mean_way_m(const struct ry_facility *f, size_t switches)
{
    const struct ry_rack_plan *racks = &f->racks;
    double sum_m = 0.0;

    for (size_t s = 0; s < racks->slots_n; s++) {
        const struct ry_rack_slot *slot = &racks->slots[s];
        const struct ry_place from =
            ry_rack_place_of(racks, &f->gear, slot->gear, slot->item);
        double least_m = (double)INFINITY;
        for (size_t m = 0; m < f->gears[switches].count; m++)
            least_m = fmin(
                least_m, ry_cable_run_m(&f->floor.geometry, from,
                                        ry_rack_place_of(racks, &f->gear, switches, m)));
        sum_m += slot->gear == switches ? 0.0 : least_m;
    }
    return sum_m / (double)(racks->slots_n - f->gears[switches].count);
}

static const char *const shipped[] = {
    "examples/a100x8.json",
    "examples/h100x8.json",
    "examples/h100-32-ndr-rail.json",
    "examples/h100-32-roce.json",
    "examples/h100-32-roce-3to1.json",
    "examples/h100-9-ndr.json",
    "examples/h100pcie-32.json",
    "examples/gb200-nvl72x4.json",
    "examples/nvl72-1rack.json",
    "examples/mi300x-32.json",
    "examples/xe9680-h100-32-ndr.json",
    "examples/dl380a-gen12-16-roce.json",
    "tests/facility/superpod-h100-4su.json",
    "tests/facility/h100-4096.json",
};

START_TEST(an_out_of_band_cable_is_of_the_mean_way_to_the_nearest_switch)
{
    const struct planned *p = plan(shipped[_i]);
    const struct ry_facility *f = &p->facility;
    size_t switches = 0;
    size_t i = 0;

    while (switches < f->gear.n && f->gears[switches].role != RY_GEAR_MANAGEMENT)
        switches++;
    while (switches < f->gear.n && ry_cable_stock_at(i) < mean_way_m(f, switches))
        i++;
    ck_assert_double_eq(f->management_cable_m,
                        switches < f->gear.n ? ry_cable_stock_at(i) : 0.0);
    ry_arena_destroy(p->arena);
}
END_TEST

START_TEST(the_verifier_accepts_every_shipped_plan)
{
    struct planned *p = plan(shipped[_i]);
    struct ry_problems *problems = RY_NEW(p->arena, struct ry_problems, 1);
    const struct ry_power_plan *power = &p->facility.power;
    size_t fails = 0;

    for (size_t i = 0; i < power->findings_n; i++)
        fails += power->findings[i].fails;
    ck_assert_int_eq(ry_facility_check(p->arena, &p->facility, problems), RY_OK);
    /* What the plan itself calls failing, the verifier must see, and nothing else. */
    ck_assert_int_eq(fails > 0, problems->count > 0);
    ry_arena_destroy(p->arena);
}
END_TEST

/* CPU time, so that a loaded machine does not matter. */
START_TEST(racks_cables_and_bill_of_4096_gpus_take_under_a_second)
{
    const clock_t start = clock();
    struct planned *p = plan("tests/facility/h100-4096.json");
    struct ry_site_bill bill;

    ck_assert_int_eq(ry_site_bill(p->arena, &p->catalog, &p->facility, &bill, NULL),
                     RY_OK);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_uint_eq(p->facility.cables.links, 12288); /* 3 N */
    ck_assert_uint_ge(bill.bom.n, 20);
    ck_assert_double_lt(seconds, 1.0);
    ry_arena_destroy(p->arena);
}
END_TEST

START_TEST(a_cable_reaches_as_far_as_its_link)
{
    struct planned *p = plan("tests/facility/h100-4096.json");
    const struct ry_cable_plan *cables = &p->facility.cables;
    size_t served = 0;

    for (size_t i = 0; i < cables->n; i++) {
        const struct ry_cable_line *line = &cables->at[i];
        if (isnan(line->length_m))
            continue;
        ck_assert_ptr_nonnull(line->product);
        ck_assert_double_ge(line->length_m, line->longest_m - 1e-9);
        ck_assert_double_ge(line->product->reach_max_m, line->length_m);
        served += line->links;
    }
    ck_assert_uint_eq(served, cables->links); /* no link twice, none without */
    ry_arena_destroy(p->arena);
}
END_TEST

START_TEST(a_plug_fits_its_cage)
{
    ck_assert(ry_connector_fits("OSFP twin-port", "OSFP twin-port"));
    ck_assert(ry_connector_fits("OSFP flat-top", "OSFP flat-top (RHS)"));
    ck_assert(ry_connector_fits("QSFP-DD or OSFP", "OSFP"));
    ck_assert(ry_connector_fits("QSFP112", "QSFP-DD800"));
    ck_assert(!ry_connector_fits("OSFP twin-port", "OSFP flat-top (RHS)"));
    ck_assert(!ry_connector_fits("OSFP flat-top", "OSFP twin-port"));
    ck_assert(!ry_connector_fits("QSFP56", "OSFP"));
}
END_TEST

static size_t problems_of(struct planned *p)
{
    struct ry_problems *problems = RY_NEW(p->arena, struct ry_problems, 1);

    ck_assert_int_eq(ry_facility_check(p->arena, &p->facility, problems), RY_OK);
    return problems->count;
}

/* Each single thing that is broken by hand is seen, and nothing else is. */
START_TEST(the_verifier_sees_plant_heat_ports_and_cables)
{
    struct planned *p = plan("examples/gb200-nvl72x4.json");
    struct ry_facility *f = &p->facility;
    const struct ry_cooling_plan cooling = f->cooling;

    ck_assert_uint_eq(problems_of(p), 0);
    f->cooling.cdus.n_plus_1 = 1; /* heat, and flow, of none left */
    ck_assert_uint_eq(problems_of(p), 2);
    f->cooling = cooling;
    f->cooling.room_units_n_plus_1 = 1;
    ck_assert_uint_eq(problems_of(p), 1);
    f->cooling = cooling;
    f->cooling.rejection_n_plus_1 = 1;
    ck_assert_uint_eq(problems_of(p), 1);
    f->cooling = cooling;
    f->cooling_rules.air_rack_limit_w = 1000; /* four racks and the switches: no doors */
    ck_assert_uint_ge(problems_of(p), 1);
    f->cooling.rear_doors = 5;
    f->cooling_rules.rear_door.capacity_w = NAN; /* of the four racks and the switches' */
    ck_assert_uint_ge(problems_of(p), 5);
    f->cooling.rear_doors = 0;
    f->cooling_rules.air_rack_limit_w = 41000;
    p->design.facility.site_power_w = 0.9 * f->power.facility_w;
    ck_assert_uint_eq(problems_of(p), 1);
    p->design.facility.site_power_w = INFINITY;
    f->power.it_max_w *= 0.5;
    ck_assert_uint_eq(problems_of(p), 1);
    f->power.it_max_w *= 2.0;
    ck_assert_uint_eq(problems_of(p), 0);
    ry_arena_destroy(p->arena);
}
END_TEST

START_TEST(the_verifier_sees_ports_and_reach)
{
    struct planned *p = plan("examples/h100-32-ndr-rail.json");
    struct ry_facility *f = &p->facility;
    struct ry_switch small = *(const struct ry_switch *)f->parts[1];
    size_t line = 0;

    small.ports = small.breakout_ports = 63; /* all 64 are used, of 8 leaves */
    f->parts[1] = &small;
    ck_assert_uint_ge(problems_of(p), 8);
    small.ports = small.breakout_ports = 64;
    ck_assert_uint_eq(problems_of(p), 0);
    while (isnan(f->cables.at[line].length_m))
        line++;
    f->cables.at[line].length_m = 0.5; /* for a way of 0.95 m */
    ck_assert_uint_eq(problems_of(p), 1);
    f->cables.at[line].length_m = 1000.0;
    ck_assert_uint_eq(problems_of(p), 1);
    ry_arena_destroy(p->arena);
}
END_TEST

static const struct {
    const char *file, *says;
} missing[] = {
    {"examples/h100-32-ndr-rail.json",
     "in-band and storage networks and management servers are not in the design"},
    {"tests/fabric/four-fabrics.json", "management servers are not in the design"},
};

START_TEST(the_bill_says_what_is_missing_and_all_that_the_plan_said)
{
    struct planned *p = plan(missing[_i].file);
    struct ry_facility *f = &p->facility;
    struct ry_site_bill bill;
    bool said = false;

    while (f->notes_n < RY_FACILITY_NOTES_MOST)
        f->notes[f->notes_n++] = "another";
    f->notes[f->notes_n - 1] = "the last";
    ck_assert_int_eq(ry_site_bill(p->arena, &p->catalog, f, &bill, NULL), RY_OK);
    for (size_t i = 0; i < bill.notes_n; i++)
        said = said || strcmp(bill.notes[i], missing[_i].says) == 0;
    ck_assert(said);
    ck_assert_str_eq(bill.notes[bill.notes_n - 1], "the last");
    ry_arena_destroy(p->arena);
}
END_TEST

/* 1.5 km to each tray: no cable of 3 km is sold, and none of 0 m is taken for it. */
START_TEST(a_way_longer_than_any_cable_has_none)
{
    struct planned *p = plan("tests/facility/h100-4096.json");
    struct ry_facility_options options = ry_facility_defaults();
    const struct ry_facility_input in = {&p->design, &p->catalog, p->facility.graph,
                                         &options};
    struct ry_facility *facility = RY_NEW(p->arena, struct ry_facility, 1);

    options.tray_m = 1500.0;
    ck_assert_int_eq(ry_facility_plan(p->arena, &in, facility, NULL), RY_OK);
    ck_assert_uint_ge(facility->cables.uncovered, 4096); /* links of nodes */
    ck_assert_uint_eq(facility->cables.over_reach, facility->cables.uncovered);
    ry_arena_destroy(p->arena);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("facility plan");
    TCase *tcase = tcase_create("designs");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_four_su_superpod_comes_out_of_its_inputs);
    tcase_add_loop_test(tcase, the_verifier_accepts_every_shipped_plan, 0,
                        (int)(sizeof(shipped) / sizeof(shipped[0])));
    tcase_add_test(tcase, racks_cables_and_bill_of_4096_gpus_take_under_a_second);
    tcase_add_test(tcase, a_cable_reaches_as_far_as_its_link);
    tcase_add_loop_test(tcase, an_option_that_cannot_be_is_refused_with_what_can, 0,
                        (int)(sizeof(no_option) / sizeof(no_option[0])));
    tcase_add_loop_test(tcase, the_bill_says_what_is_missing_and_all_that_the_plan_said,
                        0, (int)(sizeof(missing) / sizeof(missing[0])));
    tcase_add_loop_test(tcase,
                        an_out_of_band_cable_is_of_the_mean_way_to_the_nearest_switch, 0,
                        sizeof(shipped) / sizeof(shipped[0]));
    tcase_add_test(tcase, a_way_longer_than_any_cable_has_none);
    tcase_add_test(tcase, a_plug_fits_its_cage);
    tcase_add_test(tcase, the_verifier_sees_plant_heat_ports_and_cables);
    tcase_add_test(tcase, the_verifier_sees_ports_and_reach);
    suite_add_tcase(suite, tcase);
    return suite;
}
