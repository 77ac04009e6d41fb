/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Racks, power and cooling of a small hall, and the verifier that is not them. */
#include "base/arena.h"
#include "facility/cooling.h"
#include "facility/power.h"
#include "facility/racks.h"
#include "facility/verify.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static struct ry_arena *arena;

static void setup(void)
{
    arena = ry_arena_create(0);
}

static void teardown(void)
{
    ry_arena_destroy(arena);
}

/* 32 DGX H100, 8 + 4 QM9700 (NVIDIA DGX SuperPOD H100 reference architecture, 1 SU). */
static void one_su(struct ry_gear gear[3], struct ry_gear_list *list)
{
    gear[0] = (struct ry_gear){.role = RY_GEAR_NODE,
                               .part = "DGX-H100",
                               .count = 32,
                               .rack_units = 8,
                               .weight_kg = 130.45,
                               .max_w = 10200,
                               .typical_w = NAN,
                               .step_w = NAN,
                               .airflow_cfm = 1105,
                               .liquid_frac = NAN,
                               .inlet_max_c = 30,
                               .psus = 6,
                               .psu_w = 3300,
                               .psu_scheme = "4+2",
                               .connector = "C20"};
    gear[1] = (struct ry_gear){.role = RY_GEAR_LEAF,
                               .part = "QM9700",
                               .count = 8,
                               .rack_units = 1,
                               .weight_kg = 14.8,
                               .max_w = 1720,
                               .typical_w = 747,
                               .step_w = NAN,
                               .airflow_cfm = NAN,
                               .liquid_frac = NAN,
                               .inlet_max_c = NAN,
                               .psus = 2,
                               .psu_w = NAN,
                               .psu_scheme = "1+1",
                               .connector = "C14",
                               .per_group = 8};
    gear[2] = gear[1];
    gear[2].role = RY_GEAR_SPINE;
    gear[2].count = 4;
    gear[2].per_group = 0;
    *list = (struct ry_gear_list){.n = 3, .at = gear};
}

static struct ry_floor hall(double rack_w)
{
    return (struct ry_floor){.compute = {"48U", 48, 4, 1360, 150, NAN, rack_w, 0},
                             .network = {"network 48U", 48, 6, 1000, 350, NAN, 42000, 28},
                             .floor_kg = INFINITY,
                             .racks_most = SIZE_MAX,
                             .row_racks = 10,
                             .geometry = {48, 0.6, 3.0, 0.5, 0.3, 0.1}};
}

static struct ry_power_rules rules(enum ry_power_scheme scheme, double derate, double pf)
{
    const struct ry_rack_feed feed = {"AP8888", {415, 32, derate, pf, 3}, false, 12, 30};

    return (struct ry_power_rules){.scheme = scheme,
                                   .compute = feed,
                                   .network = feed,
                                   .whole = feed,
                                   .pue = 1.3,
                                   .ups_module_va = 5e5,
                                   .ups_minutes = 5,
                                   .ups_inverter_eff = 0.96,
                                   .ups_depth_frac = 0.8,
                                   .generator_unit_w = 2e6,
                                   .generator_factor = 1.25,
                                   .power_factor = 0.95,
                                   .busbar_volts = 50};
}

static size_t verify(const struct ry_gear_list *gear, const struct ry_floor *floor,
                     const struct ry_rack_plan *racks, const struct ry_power_rules *how,
                     const struct ry_power_plan *power)
{
    struct ry_problems problems = {0};
    const struct ry_facility_claim claim = {.gear = gear,
                                            .floor = floor,
                                            .racks = racks,
                                            .rules = how,
                                            .power = power,
                                            .site_w = INFINITY};

    ck_assert_int_eq(ry_facility_verify(arena, &claim, &problems), RY_OK);
    return problems.count;
}

START_TEST(one_scalable_unit_takes_8_racks_of_4_and_one_for_switches)
{
    struct ry_gear gear[3];
    struct ry_gear_list list;
    struct ry_rack_plan plan;
    const struct ry_floor floor = hall(42000);

    one_su(gear, &list);
    ck_assert_int_eq(ry_racks_plan(arena, &list, &floor, &plan, NULL), RY_OK);
    ck_assert_uint_eq(plan.compute_racks, 8);
    ck_assert_uint_eq(plan.network_racks, 1);
    ck_assert(plan.packs[0].binding[RY_RACK_LIMIT_POWER]);
    ck_assert_rel(plan.stranded_units, 8.0 * 12, 1e-12); /* 44 - 32 U in each */
    ck_assert_rel(plan.stranded_w, 8.0 * 1200, 1e-12);   /* 42 - 40.8 kW in each */
    ck_assert_rel(plan.heaviest_kg, 4 * 130.45 + 150, 1e-12);
    ck_assert_uint_eq(plan.racks[4].use, RY_RACK_NETWORK); /* in the middle */
    ck_assert_uint_eq(plan.rows, 1);
    ck_assert_uint_eq(verify(&list, &floor, &plan, NULL, NULL), 0);
}
END_TEST

/* By hand: 24 switches are 24 of 42 U, 41.28 of 42 kW, 355.2 of 650 kg, 24 of 28
 * devices. */
START_TEST(switches_that_fit_one_rack_stand_in_one)
{
    struct ry_gear gear[3];
    struct ry_gear_list list;
    struct ry_rack_plan plan;
    const struct ry_floor floor = hall(42000);

    one_su(gear, &list);
    gear[1].count = 16;
    gear[2].count = 8;
    ck_assert_int_eq(ry_racks_plan(arena, &list, &floor, &plan, NULL), RY_OK);
    ck_assert_uint_eq(plan.network_racks, 1);
    ck_assert_uint_eq(verify(&list, &floor, &plan, NULL, NULL), 0);
}
END_TEST

START_TEST(a_room_that_is_too_small_is_said_with_its_numbers)
{
    struct ry_gear gear[3];
    struct ry_gear_list list;
    struct ry_rack_plan plan = {0};
    struct ry_diag diag = {0};
    struct ry_floor floor = hall(42000);

    one_su(gear, &list);
    floor.racks_most = 7;
    ck_assert_int_eq(ry_racks_plan(arena, &list, &floor, &plan, &diag),
                     RY_ERR_INFEASIBLE);
    ck_assert_str_eq(diag.text,
                     "9 needed (8 compute, 0 rack-scale, 1 network), 7 in the room");
    floor = hall(9000);
    ck_assert_int_eq(ry_racks_plan(arena, &list, &floor, &plan, &diag),
                     RY_ERR_INFEASIBLE);
    ck_assert_str_eq(diag.text, "10.20 kW are over the 9.00 kW a rack may draw");
    floor = hall(42000);
    floor.floor_kg = 250;
    ck_assert_int_eq(ry_racks_plan(arena, &list, &floor, &plan, &diag),
                     RY_ERR_INFEASIBLE);
    ck_assert_str_eq(diag.text, "130.4 kg are over the 100.0 kg a rack may carry");
    ck_assert_uint_eq(plan.racks_n, 0);
}
END_TEST

START_TEST(every_allocation_of_the_plan_may_fail)
{
    struct ry_gear gear[3];
    struct ry_gear_list list;
    const struct ry_floor floor = hall(42000);

    one_su(gear, &list);
    gear[0].count = 4000; /* over one chunk of the arena */
    for (size_t limit = 1; limit < 600000; limit += 70001) {
        struct ry_arena *small = ry_arena_create(limit);
        struct ry_rack_plan plan;
        const enum ry_err err = ry_racks_plan(small, &list, &floor, &plan, NULL);
        ck_assert(err == RY_OK || err == RY_ERR_NOMEM);
        ry_arena_destroy(small);
    }
}
END_TEST

static enum ry_err power_of(double rack_w, const struct ry_power_rules *how,
                            struct ry_power_plan *power, struct ry_rack_plan *racks)
{
    struct ry_gear *gear = RY_NEW(arena, struct ry_gear, 3);
    struct ry_gear_list *list = RY_NEW(arena, struct ry_gear_list, 1);
    const struct ry_floor floor = hall(rack_w);

    one_su(gear, list);
    ck_assert_int_eq(ry_racks_plan(arena, list, &floor, racks, NULL), RY_OK);
    return ry_power_plan(arena, list, racks, how, power, NULL);
}

static const struct ry_rack_power *compute_rack(const struct ry_power_plan *plan)
{
    for (size_t i = 0; i < plan->kinds_n; i++) {
        if (plan->kinds[i].use == RY_RACK_COMPUTE)
            return &plan->kinds[i];
    }
    return NULL;
}

static bool finds(const struct ry_power_plan *plan, const char *text)
{
    for (size_t i = 0; i < plan->findings_n; i++) {
        if (strstr(plan->findings[i].text, text))
            return true;
    }
    return false;
}

/* NVIDIA: 40.8 kW, three circuits of about 21.8 kW, none above 50 % of the load. */
START_TEST(the_h100_rack_gets_three_circuits_and_lives_after_one_loss)
{
    const struct ry_power_rules how = rules(RY_POWER_N_PLUS_1, 1.0, 0.95);
    struct ry_power_plan plan;
    struct ry_rack_plan racks;

    ck_assert_int_eq(power_of(42000, &how, &plan, &racks), RY_OK);
    const struct ry_rack_power *rack = compute_rack(&plan);
    ck_assert_uint_eq(rack->racks, 8);
    ck_assert_uint_eq(rack->circuits, 3);
    ck_assert_rel(rack->normal_w, 13600.0, 1e-9);
    ck_assert_rel(rack->circuit_lost_w, 20400.0, 1e-9);
    ck_assert(rack->ok_normal && rack->ok_circuit_lost && rack->ok_feed_lost);
    ck_assert_rel(rack->outlets_c19, 8.0, 1e-12);
    /* By hand: 8 supplies on 3 phases are 3, 3, 2; a supply gives 10.2/4 kW after a loss:
     * 3 x 2550 / (415/sqrt(3) x 0.95) = 33.6 A on a 32 A breaker. */
    ck_assert_rel(rack->phase_lost_a, 33.608, 1e-4);
    ck_assert(!rack->ok_phase_lost);
    ck_assert_uint_eq(plan.pdus_compute, 24);
    ck_assert(
        finds(&plan, "3 of 6 supplies give 9.90 kW of 10.20 kW; spread them over 3"));
}
END_TEST

/* One node needs one circuit; N+1 is two, and its 4+2 supplies want three. */
START_TEST(a_rack_gets_the_circuits_that_its_supplies_need)
{
    struct ry_gear gear[3];
    struct ry_gear_list list;
    struct ry_rack_plan racks;
    struct ry_power_plan power;
    const struct ry_floor floor = hall(42000);
    const struct ry_power_rules how = rules(RY_POWER_N_PLUS_1, 1.0, 0.95);

    one_su(gear, &list);
    gear[0].count = 1;
    ck_assert_int_eq(ry_racks_plan(arena, &list, &floor, &racks, NULL), RY_OK);
    ck_assert_int_eq(ry_power_plan(arena, &list, &racks, &how, &power, NULL), RY_OK);
    const struct ry_rack_power *rack = compute_rack(&power);
    ck_assert_ptr_nonnull(rack);
    ck_assert_uint_eq(rack->circuits, 3);
    ck_assert(rack->ok_circuit_lost);
    ck_assert_uint_eq(verify(&list, &floor, &racks, &how, &power), 0);
}
END_TEST

START_TEST(two_feeds_kill_a_4_plus_2_node_and_the_plan_says_so)
{
    const struct ry_power_rules how = rules(RY_POWER_2N, 1.0, 0.95);
    struct ry_power_plan plan;
    struct ry_rack_plan racks;

    ck_assert_int_eq(power_of(42000, &how, &plan, &racks), RY_OK);
    const struct ry_rack_power *rack = compute_rack(&plan);
    ck_assert_uint_eq(rack->circuits, 4);
    ck_assert_uint_eq(rack->feeds, 2);
    ck_assert(rack->ok_circuit_lost);
    ck_assert(!rack->ok_feed_lost);
    ck_assert_uint_eq(rack->devices_down_feed, 4);
    ck_assert(finds(&plan, "one of 2 feeds lost: 4 devices stop"));
}
END_TEST

START_TEST(the_verifier_agrees_and_sees_what_is_broken)
{
    struct ry_gear gear[3];
    struct ry_gear_list list;
    struct ry_rack_plan racks;
    struct ry_power_plan power;
    struct ry_floor floor = hall(42000);
    const struct ry_power_rules three = rules(RY_POWER_N_PLUS_1, 1.0, 0.95);
    const struct ry_power_rules two = rules(RY_POWER_2N, 1.0, 0.95);

    one_su(gear, &list);
    ck_assert_int_eq(ry_racks_plan(arena, &list, &floor, &racks, NULL), RY_OK);
    ck_assert_int_eq(ry_power_plan(arena, &list, &racks, &three, &power, NULL), RY_OK);
    ck_assert_uint_eq(verify(&list, &floor, &racks, &three, &power), 0);
    racks.slots[0].u = 9; /* into the second node */
    ck_assert_uint_ge(verify(&list, &floor, &racks, NULL, NULL), 1);
    racks.slots[0].u = 45; /* through the top */
    ck_assert_uint_eq(verify(&list, &floor, &racks, NULL, NULL), 1);
    racks.slots[0].u = 1;
    racks.slots[0].item = 1;
    ck_assert_uint_eq(verify(&list, &floor, &racks, NULL, NULL), 1);
    racks.slots[0].item = 0;
    racks.racks[1].column = racks.racks[0].column;
    ck_assert_uint_eq(verify(&list, &floor, &racks, NULL, NULL), 1);
    racks.racks[1].column = 1;
    gear[0].max_w = 11000;
    ck_assert_uint_eq(verify(&list, &floor, &racks, NULL, NULL), 8); /* 44 kW each */
    gear[0].max_w = 10200;
    power.ups_modules_n_plus_1 = 1; /* none is left for its 347 kW when that one goes */
    ck_assert_uint_eq(verify(&list, &floor, &racks, &three, &power), 1);
    power.ups_modules_n_plus_1 = 2; /* 475 kW are left */
    power.generators_n_plus_1 = 1;
    ck_assert_uint_eq(verify(&list, &floor, &racks, &three, &power), 1);
    power.generators_n_plus_1 = 2;
    power.pdus_compute--; /* one circuit that no rack has */
    ck_assert_uint_eq(verify(&list, &floor, &racks, &three, &power), 1);
    power.pdus_compute++;
    gear[0].depth_m = 1.1; /* in a rack that leaves 1.05 m: 32 nodes */
    floor.compute.depth_m = 1.05;
    ck_assert_uint_eq(verify(&list, &floor, &racks, NULL, NULL), 32);
    gear[0].depth_m = 0.897;
    ck_assert_uint_eq(verify(&list, &floor, &racks, &three, &power), 0);
    floor.row_racks = 9; /* the tenth place of a row of nine */
    racks.racks[0].column = 9;
    ck_assert_uint_eq(verify(&list, &floor, &racks, NULL, NULL), 1);
    racks.racks[0].column = 0;
    ck_assert_int_eq(ry_power_plan(arena, &list, &racks, &two, &power, NULL), RY_OK);
    ck_assert_uint_eq(verify(&list, &floor, &racks, &two, &power),
                      8); /* 4 nodes x A, B */
}
END_TEST

START_TEST(heat_of_the_unit_leaves_as_air)
{
    struct ry_gear gear[3];
    struct ry_gear_list list;
    struct ry_rack_plan racks;
    struct ry_cooling_plan plan;
    const struct ry_floor floor = hall(42000);
    struct ry_cooling_rules how = {.fluid = ry_fluid_find("water"),
                                   .liquid_rise_k = 10,
                                   .air_rise_f = 25,
                                   .inlet_c = 24,
                                   .liquid_supply_c = 32,
                                   .air_class = "A2",
                                   .liquid_class = "W32",
                                   .air_rack_limit_w = 41000,
                                   .cdu = {"", NAN, NAN, NAN},
                                   .rear_door = {"door", 60000, NAN, NAN},
                                   .room_air = {"CW181", 181e3, NAN, NAN},
                                   .rejection = {"chiller", 1.5e6, NAN, NAN}};

    one_su(gear, &list);
    ck_assert_int_eq(ry_racks_plan(arena, &list, &floor, &racks, NULL), RY_OK);
    ck_assert_int_eq(ry_cooling_plan(arena, &list, &racks, &how, &plan, NULL), RY_OK);
    ck_assert_rel(plan.air_w, 32 * 10200.0 + 12 * 1720.0, 1e-12);
    ck_assert_double_eq(plan.liquid_w, 0.0);
    ck_assert_rel(plan.gears[0].rise_f, 29.03, 1e-3); /* 10.2 kW in 1,105 CFM */
    ck_assert_double_eq(plan.room_units_n_plus_1, 3.0);
    ck_assert_uint_eq(plan.racks_over_air, 0);
    ck_assert_uint_eq(plan.findings_n, 0);
    how.air_rack_limit_w = 30000;
    how.inlet_c = 31;
    ck_assert_int_eq(ry_cooling_plan(arena, &list, &racks, &how, &plan, NULL), RY_OK);
    ck_assert_uint_eq(plan.racks_over_air, 8);
    ck_assert_double_eq(plan.rear_doors, 8.0);
    ck_assert_uint_eq(plan.findings_n, 3); /* doors, the node's 30 C, not recommended */
    how.rear_door.capacity_w = NAN;
    ck_assert_int_eq(ry_cooling_plan(arena, &list, &racks, &how, &plan, NULL), RY_OK);
    ck_assert_double_eq(plan.rear_doors, 0.0);
    ck_assert(plan.findings[0].fails);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("site parts");
    TCase *tcase = tcase_create("plan");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, one_scalable_unit_takes_8_racks_of_4_and_one_for_switches);
    tcase_add_test(tcase, switches_that_fit_one_rack_stand_in_one);
    tcase_add_test(tcase, a_room_that_is_too_small_is_said_with_its_numbers);
    tcase_add_test(tcase, every_allocation_of_the_plan_may_fail);
    tcase_add_test(tcase, the_h100_rack_gets_three_circuits_and_lives_after_one_loss);
    tcase_add_test(tcase, a_rack_gets_the_circuits_that_its_supplies_need);
    tcase_add_test(tcase, two_feeds_kill_a_4_plus_2_node_and_the_plan_says_so);
    tcase_add_test(tcase, the_verifier_agrees_and_sees_what_is_broken);
    tcase_add_test(tcase, heat_of_the_unit_leaves_as_air);
    suite_add_tcase(suite, tcase);
    return suite;
}
