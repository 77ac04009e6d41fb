/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/aisles.h"
#include "facility/cable_run.h"
#include "facility/circuit.h"
#include "facility/heat.h"
#include "facility/pack.h"
#include "facility/redundancy.h"
#include "facility/reliability.h"
#include "facility/round.h"
#include "facility/storage.h"
#include "io/catalog_csv.h"
#include "reference/site.h"
#include "unit.h"

START_TEST(counts_forgive_the_last_bit)
{
    ck_assert_double_eq(ry_count_up(14.4 / 0.8), 18.0); /* 18.000000000000004 */
    ck_assert_double_eq(ry_count_down(0.3 / 0.1), 3.0); /* 2.9999999999999996 */
    ck_assert_double_eq(ry_count_up(18.001), 19.0);
    ck_assert_double_eq(ry_count_down(-1.0), 0.0);
    ck_assert_double_eq(ry_count_up(NAN), 0.0);
}
END_TEST

/* Vendors print 8,646 VA (208 V 30 A at 80 %), 17.3 and 34.5 kVA; IEC 23.0 kVA. */
static const struct {
    struct ry_circuit circuit;
    double va;
} printed_circuits[] = {
    {{208, 30, 0.8, 1, 3}, 8646.4},  {{208, 60, 0.8, 1, 3}, 17292.8},
    {{415, 60, 0.8, 1, 3}, 34502.5}, {{415, 32, 1.0, 1, 3}, 23001.6},
    {{415, 32, 0.8, 1, 3}, 18401.3}, {{400, 63, 1.0, 1, 3}, 43647.7},
    {{230, 32, 1.0, 1, 1}, 7360.0},  {{208, 30, 0.8, 1, 1}, 4992.0},
};

START_TEST(a_circuit_carries_what_its_label_says)
{
    ck_assert_rel(ry_circuit_va(&printed_circuits[_i].circuit), printed_circuits[_i].va,
                  1e-5);
}
END_TEST

/* NVIDIA DGX H100 rack: 4 nodes of 10.2 kW on three 415 V 32 A circuits of 21.8 kW. */
START_TEST(the_h100_rack_holds_by_the_iec_rating_and_not_by_the_80_percent_rule)
{
    const struct ry_circuit iec = {415, 32, 1.0, 0.95, 3};
    const struct ry_circuit nec = {415, 32, 0.8, 1.0, 3};
    const struct ry_rack_circuits by_iec = ry_rack_circuits(40800, 3, ry_circuit_w(&iec));
    const struct ry_rack_circuits by_nec = ry_rack_circuits(40800, 3, ry_circuit_w(&nec));

    ck_assert_rel(ry_circuit_w(&iec), 21800.0, 3e-3); /* printed as about 21.8 kW */
    ck_assert_rel(by_iec.normal_w, 13600.0, 1e-9);
    ck_assert_rel(by_iec.one_lost_w, 20400.0, 1e-9);
    ck_assert(by_iec.ok_one_lost && !by_iec.ok_two_lost);
    ck_assert(!by_nec.ok_one_lost); /* 20.4 kW over 18.4 */
}
END_TEST

START_TEST(three_unequal_loads_add_as_vectors)
{
    const struct ry_line_currents equal = ry_delta_line_currents(10, 10, 10);
    const struct ry_line_currents mixed = ry_delta_line_currents(12, 8, 4);

    ck_assert_rel(equal.l1_a, 17.320508075688775, 1e-12);
    ck_assert_rel(mixed.l1_a, sqrt(12 * 12 + 4 * 4 + 12 * 4), 1e-12);
    ck_assert_rel(mixed.l2_a, sqrt(304.0), 1e-12);
    ck_assert_rel(ry_line_currents_most(mixed), sqrt(304.0), 1e-12);
    ck_assert_double_eq_tol(ry_wye_neutral_a(equal), 0.0, 1e-6);
    ck_assert_rel(ry_wye_neutral_a((struct ry_line_currents){10, 0, 0}), 10.0, 1e-12);
    ck_assert_double_eq(ry_phase_imbalance_frac(equal), 0.0);
}
END_TEST

START_TEST(a_4_plus_2_node_dies_with_one_of_two_feeds)
{
    ck_assert(!ry_psu_redundancy(6, 3300, 10200).survives_half_lost); /* 9.9 < 10.2 kW */
    ck_assert(!ry_psu_survives_feed(6, 3300, 10200, 2));
    ck_assert(ry_psu_survives_feed(6, 3300, 10200, 3));  /* 13.2 kW left */
    ck_assert(!ry_psu_survives_feed(6, 3300, 14300, 3)); /* DGX B200: 5+1 */
    ck_assert(ry_psu_survives_feed(6, 3300, 14300, 6));
    ck_assert(ry_psu_survives_feed(12, 3200, 14500, 2)); /* DGX B300: N+N */
    ck_assert_double_eq(ry_psu_redundancy(6, 3300, 10200).needed, 4.0);
}
END_TEST

START_TEST(feeds_ups_and_generators_are_counted)
{
    const struct ry_feed_redundancy feed = ry_feed_redundancy(40800, 23001.6, 1);

    ck_assert_double_eq(feed.n, 2.0);
    ck_assert_double_eq(feed.two_n, 4.0);
    ck_assert_rel(feed.util_n1_normal, 40.8 / (3 * 23.0016), 1e-12);
    ck_assert_double_eq(ry_ups_modules(1.3e6, 0.9, 5e5, 1).n, 3.0);
    ck_assert_double_eq(ry_generators(26e6, 0.8, 1.1, 3e6).n_plus_1, 11.0);
    ck_assert_rel(ry_ups_energy_j(1e6, 300, 0.96, 0.8) / 3.6e6, 108.50694444444444,
                  1e-12);
}
END_TEST

START_TEST(air_needs_157_cfm_a_kw_at_20_f_and_more_on_a_mountain)
{
    ck_assert_rel(ry_airflow_cfm(1000, 20), 157.24, 1e-4);
    ck_assert_rel(ry_airflow_rule_cfm(1000, 20), 158.0, 1e-9);
    ck_assert_rel(ry_airflow_implied_rise_f(150), 20.964669738863286, 1e-12);
    ck_assert_rel(ry_air_pressure_atm(4000 * RY_M_PER_FOOT), 0.8637, 1e-3); /* US 1976 */
    ck_assert_rel(ry_air_pressure_atm(10000 * RY_M_PER_FOOT), 0.6877, 1e-3);
    ck_assert_rel(ry_heat_btu_per_h(10200), 34803.8, 1e-5);
    ck_assert_rel(ry_heat_tons(3516.85), 1.0, 1e-12);
}
END_TEST

START_TEST(water_takes_1_44_litres_a_minute_for_a_kw_at_10_k)
{
    const struct ry_fluid *water = ry_fluid_find("Water");
    const struct ry_fluid *pg25 = ry_fluid_find("pg25");
    const struct ry_heat_split split = ry_heat_split(132e3, 0.87, water, 10, 25);

    ck_assert_rel(ry_liquid_l_per_min(1000, water, 10), 1.4397, 1e-4);
    ck_assert_rel(ry_liquid_l_per_min(1000, pg25, 10) /
                      ry_liquid_l_per_min(1000, water, 10),
                  1.05, 0.01);
    ck_assert_rel(split.liquid_w, 114840.0, 1e-9);
    ck_assert_rel(split.air_w, 17160.0, 1e-9);
    ck_assert_double_eq(ry_cdu_count(1840e3, 1350e3).n_plus_1, 3.0);
    ck_assert_ptr_null(ry_fluid_find("mercury"));
}
END_TEST

START_TEST(a_class_gives_its_temperatures)
{
    struct ry_ashrae_class got = {0};

    ck_assert(ry_ashrae_find("W45", &got));
    ck_assert_double_eq(got.allowable_max_c, 45.0);
    ck_assert_double_eq(got.allowable_min_c, 2.0);
    ck_assert(ry_ashrae_find("A2", &got));
    ck_assert_double_eq(got.allowable_max_c, 35.0);
    ck_assert(!got.liquid);
    ck_assert(ry_ashrae_find("w+", &got) && got.liquid);
    ck_assert(got.allowable_max_c > 1000.0); /* 45 C and more */
    ck_assert_double_eq(got.allowable_min_c, 2.0);
    ck_assert(!ry_ashrae_find("W4x", &got));
    ck_assert(!ry_ashrae_find("Z9", &got));
}
END_TEST

/* By hand: 34 U x 0.04445 + 0.6 = 2.1113 m, 10 % slack. */
START_TEST(a_cable_is_as_long_as_its_way)
{
    static const double stock_m[] = {5, 3, 2.5, 1, 70};
    const struct ry_room_geometry room = {48, 0.6, 3, 0.5, 0.3, 0.1};

    ck_assert_rel(
        ry_cable_run_m(&room, (struct ry_place){0, 0, 10}, (struct ry_place){0, 0, 44}),
        2.32243, 1e-9);
    ck_assert_rel(
        ry_cable_run_m(&room, (struct ry_place){0, 0, 5}, (struct ry_place){39, 9, 40}),
        59.033645, 1e-9);
    ck_assert_double_eq(ry_cable_stock_m(2.32, 5, stock_m), 2.5);
    ck_assert_double_eq(ry_cable_stock_m(59.03, 5, stock_m), 70.0);
    ck_assert(isnan(ry_cable_stock_m(71, 5, stock_m)));
}
END_TEST

/* Two rows of 1.2 m racks on the seven-tile pitch of 4.5 m, by hand: a cold aisle of 1.2
 * m leaves 2 x (2.25 - 1.2) - 1.2 = 0.9 m behind; across 1.2 + 1.2 + 0.9 + 1.2 + 1.2. */
START_TEST(rows_face_each_other_over_aisles)
{
    struct ry_aisle_rules rules = {.rack_pitch_m = 0.6,
                                   .rack_depth_m = 1.2,
                                   .row_pitch_m = 2.25,
                                   .cold_aisle_m = 1.2,
                                   .end_aisle_m = 1.2,
                                   .room_length_m = 8.4,
                                   .room_width_m = 5.7,
                                   .row_racks = 20};
    struct ry_diag diag = {0};
    struct ry_aisles aisles;

    ck_assert_int_eq(ry_aisles_plan(&rules, 2, 10, &aisles, NULL), RY_OK);
    ck_assert_rel(aisles.hot_m, 0.9, 1e-12);
    ck_assert_uint_eq(aisles.row_racks, 10); /* (8.4 - 2.4) / 0.6 */
    ck_assert_rel(aisles.width_m, 5.7, 1e-12);
    ck_assert_rel(aisles.length_m, 8.4, 1e-12);
    ck_assert(aisles.cold_n == 2 && aisles.hot_n == 1);
    const struct ry_row_place first = ry_row_place(&rules, &aisles, 0);
    const struct ry_row_place second = ry_row_place(&rules, &aisles, 1);
    ck_assert_rel(first.from_m, 1.2, 1e-12);
    ck_assert_rel(second.from_m, 3.3, 1e-12);
    ck_assert(!first.turned && second.turned);
    ck_assert(first.hot == second.hot && first.cold == 1 && second.cold == 2);
    ck_assert_int_eq(ry_aisles_plan(&rules, 3, 10, &aisles, &diag), RY_ERR_INFEASIBLE);
    ck_assert_str_eq(diag.text,
                     "3 rows with their aisles are 7.8 m across, it is 5.7 m wide");
    rules.room_length_m = 2.9;
    ck_assert_int_eq(ry_aisles_rows(&rules, &aisles, NULL), RY_ERR_INFEASIBLE);
    rules.room_length_m = INFINITY;
    ck_assert_int_eq(ry_aisles_rows(&rules, &aisles, NULL), RY_OK);
    ck_assert_uint_eq(aisles.row_racks, 20);
    rules.row_pitch_m = 2.0; /* leaves 0.4 m behind */
    ck_assert_int_eq(ry_aisles_rows(&rules, &aisles, NULL), RY_ERR_RANGE);
}
END_TEST

START_TEST(the_binding_limit_of_a_rack_is_named)
{
    struct ry_pack_input in = {.devices = 32,
                               .rack_units = 8,
                               .watts = 10200,
                               .kilograms = 130.45,
                               .outlets = 6,
                               .metres = 0.897,
                               .rack_metres = 1.05,
                               .rack_rack_units = 48,
                               .reserved_units = 4,
                               .rack_watts = 42000,
                               .rack_payload_kg = 1360,
                               .rack_outlets = NAN};
    struct ry_pack pack = ry_pack(&in);

    ck_assert_double_eq(pack.per_rack, 4.0);
    ck_assert_double_eq(pack.racks, 8.0);
    ck_assert(pack.binding[RY_RACK_LIMIT_POWER] && !pack.binding[RY_RACK_LIMIT_U]);
    ck_assert_double_eq(pack.stranded_units, 12.0);
    in.rack_outlets = 12;
    pack = ry_pack(&in);
    ck_assert_double_eq(pack.per_rack, 2.0);
    ck_assert(pack.binding[RY_RACK_LIMIT_OUTLETS]);
    in.rack_watts = 9000;
    ck_assert_double_eq(ry_pack(&in).racks, 0.0); /* one node is over the rack's power */
    in.rack_watts = 42000;
    in.rack_metres = 0.85; /* a rack of 1 m with 150 mm kept does not take 897 mm */
    pack = ry_pack(&in);
    ck_assert_double_eq(pack.per_rack, 0.0);
    ck_assert(pack.binding[RY_RACK_LIMIT_DEPTH] && !pack.binding[RY_RACK_LIMIT_OUTLETS]);
    in.metres = NAN; /* unknown never binds */
    ck_assert_double_eq(ry_pack(&in).per_rack, 2.0);
}
END_TEST

/* Llama 3 (arXiv:2407.21783, 3.3.4): 419 unexpected interruptions in 54 days. */
START_TEST(failures_of_llama_3_come_every_3_hours)
{
    const struct ry_failure_rate rate = ry_failure_rate(54 * 86400.0, 16384, 419, 47);

    ck_assert_double_eq(rate.interruptions, 466.0);
    ck_assert_rel(rate.mtbf_s / 3600, 3.0931, 1e-4);
    ck_assert_rel(rate.per_gpu_mtbf_s / 3600, 50677.0, 1e-5);
    ck_assert_rel(ry_cluster_mtbf_s(2048, 50000 * 3600.0) / 3600, 24.414, 1e-4);
    ck_assert_double_eq(ry_spares_mean(1.8432 / 86400, 4 * 86400.0), 8.0);
    ck_assert_double_eq(ry_spares_for(0.0, 86400.0, 0.99), 0.0);
    /* Poisson of mean 2: P(<= 5) = 0.9834, P(<= 4) = 0.9473 (tables). */
    ck_assert_double_eq(ry_spares_for(2.0 / 86400, 86400.0, 0.95), 5.0);
}
END_TEST

START_TEST(the_interval_to_save_at_follows_young)
{
    const struct ry_checkpoint_plan day =
        ry_checkpoint_plan(&(struct ry_checkpoint_times){30, 86400, 300});

    ck_assert_rel(day.young_s, 2276.84, 1e-6);
    ck_assert_rel(day.goodput_at_young_frac, 0.9701754639, 1e-9);
    ck_assert_rel(day.availability_period_s, 2310.9866, 1e-7);
}
END_TEST

static struct ry_storage_guide shipped_guide(struct ry_arena *arena)
{
    const struct ry_catalog_sources shipped = {0};
    struct ry_problems *problems = RY_NEW(arena, struct ry_problems, 1);
    struct ry_catalog catalog;

    ck_assert_int_eq(ry_catalog_load(arena, &shipped, problems, &catalog), RY_OK);
    return ry_storage_guide(&catalog);
}

/* Table 6 of NVIDIA's reference architecture, for 32, 33 and 128 nodes. */
START_TEST(storage_tiers_are_those_of_the_reference_architecture)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_storage_guide guide = shipped_guide(arena);
    const struct ry_storage_guidance one =
        ry_storage_guidance(&guide, RY_STORAGE_GOOD, 32.0);
    const struct ry_storage_guidance two =
        ry_storage_guidance(&guide, RY_STORAGE_BETTER, 33.0);
    const struct ry_storage_guidance four =
        ry_storage_guidance(&guide, RY_STORAGE_BEST, 128.0);

    ck_assert_double_eq(one.system_write_bytes_per_s, 7e9);
    ck_assert_double_eq(one.system_read_bytes_per_s, 15e9);
    ck_assert_double_eq(one.node_write_bytes_per_s, 2e9);
    ck_assert_double_eq(two.system_write_bytes_per_s, 40e9);
    ck_assert_double_eq(two.node_read_bytes_per_s, 8e9);
    ck_assert_double_eq(four.system_write_bytes_per_s, 250e9);
    ck_assert_double_eq(four.system_read_bytes_per_s, 500e9);
    ry_arena_destroy(arena);
}
END_TEST

START_TEST(a_checkpoint_of_405b_fills_the_published_bandwidth)
{
    struct ry_arena *arena = ry_arena_create(0);
    const struct ry_storage_guide guide = shipped_guide(arena);
    const struct ry_storage_need need = {.nodes = 2048,
                                         .gpus_per_node = 8,
                                         .params = 405e9,
                                         .bytes_per_param = 16,
                                         .save_limit_s = 3.24,
                                         .interval_s = 600,
                                         .checkpoints_kept = 3,
                                         .tokens_per_s = 1e6,
                                         .bytes_per_token = 4,
                                         .dataset_bytes = 60e12,
                                         .host_ram_bytes_per_node = 2e12,
                                         .nvme_bytes_per_node = NAN};
    const struct ry_storage_plan plan = ry_storage_plan(&guide, &need);

    ck_assert_rel(plan.checkpoint_bytes, 6.48e12, 1e-12);
    ck_assert_rel(plan.write_bytes_per_s, 2e12, 1e-9); /* Llama 3: 2 TB/s sustained */
    ck_assert_rel(plan.write_background_bytes_per_s, 10.8e9, 1e-9);
    ck_assert_rel(plan.capacity_bytes, 79.44e12 / 0.8, 1e-12); /* a fifth stays free */
    ck_assert_int_eq(plan.tier_meets, 1);
    ck_assert_int_eq(plan.tier, RY_STORAGE_BEST); /* 64 SU: better gives 1.28 TB/s */
    ck_assert_double_eq(plan.stage_fits_ram, 1.0);
    ck_assert(isnan(plan.stage_fits_nvme));
    ry_arena_destroy(arena);
}
END_TEST

Suite *unit_suite(void)
{
    Suite *suite = suite_create("facility");
    TCase *tcase = tcase_create("formulas");

    tcase_add_test(tcase, counts_forgive_the_last_bit);
    tcase_add_loop_test(tcase, a_circuit_carries_what_its_label_says, 0,
                        (int)(sizeof(printed_circuits) / sizeof(printed_circuits[0])));
    tcase_add_test(tcase,
                   the_h100_rack_holds_by_the_iec_rating_and_not_by_the_80_percent_rule);
    tcase_add_test(tcase, three_unequal_loads_add_as_vectors);
    tcase_add_test(tcase, a_4_plus_2_node_dies_with_one_of_two_feeds);
    tcase_add_test(tcase, feeds_ups_and_generators_are_counted);
    tcase_add_test(tcase, air_needs_157_cfm_a_kw_at_20_f_and_more_on_a_mountain);
    tcase_add_test(tcase, water_takes_1_44_litres_a_minute_for_a_kw_at_10_k);
    tcase_add_test(tcase, a_class_gives_its_temperatures);
    tcase_add_test(tcase, a_cable_is_as_long_as_its_way);
    tcase_add_test(tcase, rows_face_each_other_over_aisles);
    tcase_add_test(tcase, the_binding_limit_of_a_rack_is_named);
    tcase_add_test(tcase, failures_of_llama_3_come_every_3_hours);
    tcase_add_test(tcase, the_interval_to_save_at_follows_young);
    tcase_add_test(tcase, storage_tiers_are_those_of_the_reference_architecture);
    tcase_add_test(tcase, a_checkpoint_of_405b_fills_the_published_bandwidth);
    suite_add_tcase(suite, tcase);
    return suite;
}
