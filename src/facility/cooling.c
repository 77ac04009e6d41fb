/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/cooling.h"

#include "base/names.h"
#include "facility/round.h"

#include <math.h>

enum { FINDINGS_MOST = 32 };

struct notes {
    struct ry_arena *arena;
    struct ry_cooling_plan *plan;
    bool full; /* out of memory */
};

static void note(struct notes *notes, bool fails, const char *what, const char *text)
{
    struct ry_cooling_plan *plan = notes->plan;

    if (!text)
        notes->full = true;
    else if (plan->findings_n < FINDINGS_MOST)
        plan->findings[plan->findings_n++] =
            (struct ry_cooling_finding){.fails = fails, .what = what, .text = text};
}

static double liquid_frac(const struct ry_gear *gear)
{
    return isnan(gear->liquid_frac) ? 0.0 : gear->liquid_frac;
}

static struct ry_cooling_gear of_gear(const struct ry_gear *gear, size_t index,
                                      const struct ry_cooling_rules *rules)
{
    const struct ry_heat_split split =
        ry_heat_split(gear->max_w, liquid_frac(gear), rules->fluid, rules->liquid_rise_k,
                      rules->air_rise_f);
    const double atm = ry_air_pressure_atm(rules->altitude_m);
    const bool own = gear->airflow_cfm > 0.0;

    return (struct ry_cooling_gear){
        .gear = index,
        .liquid_w = split.liquid_w,
        .air_w = split.air_w,
        .cfm = split.air_cfm / atm,
        .own_cfm = gear->airflow_cfm,
        .rise_f =
            own ? ry_airflow_implied_rise_f(gear->airflow_cfm / (split.air_w / 1000.0)) /
                      atm
                : rules->air_rise_f,
        .l_per_min = split.liquid_l_per_min,
    };
}

static void add_gears(const struct ry_gear_list *gear,
                      const struct ry_cooling_rules *rules, struct ry_cooling_plan *plan)
{
    for (size_t i = 0; i < gear->n; i++) {
        const double count = (double)gear->at[i].count;
        plan->gears[i] = of_gear(&gear->at[i], i, rules);
        const struct ry_cooling_gear *one = &plan->gears[i];
        plan->liquid_w += count * one->liquid_w;
        plan->air_w += count * one->air_w;
        plan->cfm += count * (one->own_cfm > 0.0 ? one->own_cfm : one->cfm);
        plan->l_per_min += count * one->l_per_min;
    }
    plan->m3_per_h = plan->cfm * RY_M3_PER_H_PER_CFM;
    plan->gpm = plan->l_per_min / RY_L_PER_GALLON;
    plan->btu_per_h = ry_heat_btu_per_h(plan->liquid_w + plan->air_w);
    plan->tons = ry_heat_tons(plan->liquid_w + plan->air_w);
}

static double rack_air_w(const struct ry_gear_list *gear,
                         const struct ry_rack_plan *racks,
                         const struct ry_rack_place *place)
{
    double air_w = 0.0;

    for (size_t i = 0; i < place->slots; i++) {
        const size_t slot = racks->by_rack[place->first_slot + i];
        const struct ry_gear *device = &gear->at[racks->slots[slot].gear];
        air_w += device->max_w * (1.0 - liquid_frac(device));
    }
    return air_w;
}

static void check_racks(const struct ry_gear_list *gear, const struct ry_rack_plan *racks,
                        const struct ry_cooling_rules *rules, struct notes *notes,
                        double *door_w)
{
    struct ry_cooling_plan *plan = notes->plan;

    for (size_t i = 0; i < racks->racks_n; i++) {
        const double air_w = rack_air_w(gear, racks, &racks->racks[i]);
        plan->hottest_air_w = fmax(plan->hottest_air_w, air_w);
        if (!(air_w > rules->air_rack_limit_w * (1.0 + RY_ROUND_SLACK)))
            continue;
        plan->racks_over_air++;
        if (air_w <= rules->rear_door.capacity_w) {
            *door_w += air_w;
            plan->rear_doors += 1.0;
        }
    }
    if (plan->racks_over_air == 0)
        return;
    const bool doors = plan->rear_doors >= (double)plan->racks_over_air;
    note(notes, !doors, "racks",
         ry_strfmt(notes->arena,
                   "%zu racks give up to %.1f kW to the air, over the %.1f kW that room "
                   "air takes from a rack: %s",
                   plan->racks_over_air, plan->hottest_air_w / 1e3,
                   rules->air_rack_limit_w / 1e3,
                   doors ? "rear-door heat exchangers take it"
                         : "fewer devices a rack, rear doors or liquid cooling"));
}

static void check_classes(const struct ry_gear_list *gear,
                          const struct ry_cooling_rules *rules, struct notes *notes)
{
    struct ry_ashrae_class air = {0};
    struct ry_ashrae_class liquid = {0};

    if (isnan(rules->inlet_c))
        note(notes, false, rules->air_class,
             "the inlet temperature is not given (facility/inlet): classes and limits of "
             "devices are not checked");
    for (size_t i = 0; i < gear->n; i++) {
        if (gear->at[i].count > 0 && rules->inlet_c > gear->at[i].inlet_max_c)
            note(notes, true, gear->at[i].part,
                 ry_strfmt(notes->arena, "inlet air of %.1f C is over its %.1f C",
                           rules->inlet_c, gear->at[i].inlet_max_c));
    }
    if (ry_ashrae_find(rules->air_class, &air)) {
        if (rules->inlet_c > air.allowable_max_c || rules->inlet_c < air.allowable_min_c)
            note(notes, true, air.name,
                 ry_strfmt(notes->arena, "inlet air of %.1f C is outside %.0f to %.0f C",
                           rules->inlet_c, air.allowable_min_c, air.allowable_max_c));
        else if (rules->inlet_c > air.recommended_max_c ||
                 rules->inlet_c < air.recommended_min_c)
            note(notes, false, air.name,
                 ry_strfmt(notes->arena,
                           "inlet air of %.1f C is allowed, %.0f to %.0f C recommended",
                           rules->inlet_c, air.recommended_min_c, air.recommended_max_c));
    }
    if (!(notes->plan->liquid_w > 0.0) || !ry_ashrae_find(rules->liquid_class, &liquid))
        return;
    const bool cold = rules->liquid_supply_c < liquid.allowable_min_c;
    if (cold || rules->liquid_supply_c > liquid.allowable_max_c)
        note(notes, true, liquid.name,
             ry_strfmt(notes->arena, "liquid supply of %.1f C is %s %.0f C",
                       rules->liquid_supply_c, cold ? "below" : "over",
                       cold ? liquid.allowable_min_c : liquid.allowable_max_c));
}

static void check_airflow(const struct ry_gear_list *gear,
                          const struct ry_cooling_plan *plan,
                          const struct ry_cooling_rules *rules, struct notes *notes)
{
    static const double rise_most_f =
        54.0; /* 30 K: exhaust then leaves at 57 C or more */

    for (size_t i = 0; i < gear->n; i++) {
        const struct ry_cooling_gear *one = &plan->gears[i];
        if (gear->at[i].count > 0 && one->own_cfm > 0.0 && one->rise_f > rise_most_f)
            note(notes, false, gear->at[i].part,
                 ry_strfmt(notes->arena,
                           "its %.0f CFM give a rise of %.0f F at %.0f m of altitude",
                           one->own_cfm, one->rise_f, rules->altitude_m));
    }
}

static void count_units(const struct ry_cooling_rules *rules, double door_w,
                        struct notes *notes)
{
    struct ry_cooling_plan *plan = notes->plan;

    if (plan->liquid_w > 0.0 && rules->cdu.capacity_w > 0.0) {
        plan->cdus = ry_cdu_count(plan->liquid_w, rules->cdu.capacity_w);
        const double each = plan->l_per_min / plan->cdus.n;
        if (each > rules->cdu.max_flow_l_per_min) {
            const double n = ry_count_up(plan->l_per_min / rules->cdu.max_flow_l_per_min);
            note(notes, false, rules->cdu.part,
                 ry_strfmt(notes->arena,
                           "flow and not heat sets their number: %.0f L/min for %.0f",
                           plan->l_per_min, n));
            plan->cdus.n = n;
            plan->cdus.n_plus_1 = n + 1.0;
            plan->cdus.util_n1_one_lost = plan->liquid_w / (n * rules->cdu.capacity_w);
        }
    } else if (plan->liquid_w > 0.0) {
        note(notes, true, "cdu", "liquid-cooled devices, and no CDU with a capacity");
    }
    if (rules->room_air.capacity_w > 0.0 && plan->air_w > door_w) {
        plan->room_units_n =
            ry_count_up((plan->air_w - door_w) / rules->room_air.capacity_w);
        plan->room_units_n_plus_1 = plan->room_units_n + 1.0;
    }
    if (rules->rejection.capacity_w > 0.0) {
        plan->rejection_n =
            ry_count_up((plan->air_w + plan->liquid_w) / rules->rejection.capacity_w);
        plan->rejection_n_plus_1 = plan->rejection_n + 1.0;
    }
}

enum ry_err ry_cooling_plan(struct ry_arena *arena, const struct ry_gear_list *gear,
                            const struct ry_rack_plan *racks,
                            const struct ry_cooling_rules *rules,
                            struct ry_cooling_plan *plan, struct ry_diag *diag)
{
    struct ry_cooling_plan made = {.gears_n = gear->n};
    struct notes notes = {.arena = arena, .plan = &made};
    double door_w = 0.0;

    made.gears = RY_NEW(arena, struct ry_cooling_gear, gear->n + 1);
    made.findings = RY_NEW(arena, struct ry_cooling_finding, FINDINGS_MOST);
    if (!made.gears || !made.findings)
        return ry_fail(diag, RY_ERR_NOMEM, "cooling", "%zu kinds", gear->n);
    add_gears(gear, rules, &made);
    check_racks(gear, racks, rules, &notes, &door_w);
    check_classes(gear, rules, &notes);
    check_airflow(gear, &made, rules, &notes);
    count_units(rules, door_w, &notes);
    if (notes.full)
        return ry_fail(diag, RY_ERR_NOMEM, "cooling", "its findings");
    *plan = made;
    return RY_OK;
}
