/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/power.h"

#include "base/names.h"
#include "facility/rack_power.h"
#include "facility/redundancy.h"

#include <math.h>
#include <string.h>

enum { FINDINGS_MOST = 32 };

static struct ry_rack_power *known_kind(const struct ry_rack_plan *racks,
                                        struct ry_power_plan *plan, size_t index)
{
    for (size_t k = 0; k < plan->kinds_n; k++)
        if (ry_racks_alike(racks, plan->kinds[k].example, index))
            return &plan->kinds[k];
    return NULL;
}

static void count_pdus(struct ry_power_plan *plan, const struct ry_rack_power *kind)
{
    switch (kind->use) {
    case RY_RACK_COMPUTE:
        plan->pdus_compute += kind->circuits;
        break;
    case RY_RACK_NETWORK:
        plan->pdus_network += kind->circuits;
        break;
    case RY_RACK_WHOLE:
        plan->pdus_whole += kind->circuits;
        break;
    }
}

struct notes {
    struct ry_arena *arena;
    struct ry_power_plan *plan;
    bool full; /* out of memory */
};

static void note(struct notes *notes, bool fails, const char *what, const char *text)
{
    struct ry_power_plan *plan = notes->plan;

    for (size_t i = 0; text && i < plan->findings_n; i++) {
        if (strcmp(plan->findings[i].what, what) == 0 &&
            strcmp(plan->findings[i].text, text) == 0)
            return; /* said already, of another role of the same part */
    }
    if (!text)
        notes->full = true;
    else if (plan->findings_n < FINDINGS_MOST)
        plan->findings[plan->findings_n++] =
            (struct ry_power_finding){.fails = fails, .what = what, .text = text};
}

static const char *loss_text(struct ry_arena *arena, const char *lost, size_t down,
                             double fullest_w, double circuit_w)
{
    if (!lost)
        return NULL;
    if (down > 0)
        return ry_strfmt(arena, "%s lost: %zu devices stop, too few supplies are left",
                         lost, down);
    return ry_strfmt(arena, "%s lost: the fullest circuit carries %.2f kW of %.2f kW",
                     lost, fullest_w / 1e3, circuit_w / 1e3);
}

static void note_kind(struct notes *notes, const struct ry_rack_power *kind,
                      const struct ry_power_rules *rules)
{
    const char *what = ry_rack_use_name(kind->use);
    const bool redundant = rules->scheme != RY_POWER_N;

    if (isnan(kind->load_w))
        note(notes, false, what,
             "the draw of a device is not in the catalog: circuits are not sized");
    if (!kind->ok_normal)
        note(notes, true, what,
             ry_strfmt(notes->arena, "a circuit carries %.2f kW of %.2f kW, all well",
                       kind->normal_w / 1e3, kind->circuit_w / 1e3));
    else if (!kind->ok_phase)
        note(notes, true, what,
             ry_strfmt(notes->arena,
                       "a line of a circuit carries %.1f A of %.1f A, all well",
                       kind->phase_a, kind->phase_limit_a));
    if (!kind->ok_circuit_lost)
        note(notes, redundant, what,
             loss_text(notes->arena, "one circuit", kind->devices_down_circuit,
                       kind->circuit_lost_w, kind->circuit_w));
    if (!kind->ok_feed_lost && kind->feeds < kind->circuits)
        note(notes, redundant, what,
             loss_text(notes->arena,
                       ry_strfmt(notes->arena, "one of %zu feeds", kind->feeds),
                       kind->devices_down_feed, kind->feed_lost_w, kind->circuit_w));
    if (kind->ok_circuit_lost && !kind->ok_phase_lost)
        note(notes, false, what,
             ry_strfmt(notes->arena,
                       "after a loss one line carries %.1f A of %.1f A: single-phase "
                       "supplies do not share three phases evenly",
                       kind->phase_lost_a, kind->phase_limit_a));
    if (!kind->ok_outlets)
        note(notes, true, what,
             ry_strfmt(notes->arena, "%.0f C19 and %.0f C13 outlets needed on one PDU",
                       kind->outlets_c19, kind->outlets_c13));
}

/* What a device's own supplies allow, whatever the rack: the 4+2 trap. */
static void note_supplies(struct notes *notes, const struct ry_gear *gear)
{
    const double psus = (double)gear->psus;

    if (gear->count == 0 || gear->whole_rack)
        return;
    if (gear->psus == 0 || isnan(gear->psu_w)) {
        note(
            notes, false, gear->part,
            gear->psus == 0
                ? "its supplies are not in the catalog: one on every circuit is assumed"
                : "the rating of its supplies is not in the catalog: any one is taken to "
                  "carry it");
        return;
    }
    if (isnan(gear->max_w)) {
        note(notes, false, gear->part,
             "its greatest power is not known: whether it outlives a supply neither");
        return;
    }
    const struct ry_psu_redundancy psu =
        ry_psu_redundancy(psus, gear->psu_w, gear->max_w);
    const double half = floor(psus / 2.0);
    if (psu.spare < 0.0)
        note(notes, true, gear->part,
             ry_strfmt(notes->arena, "%zu supplies of %.2f kW are under its %.2f kW",
                       gear->psus, gear->psu_w / 1e3, gear->max_w / 1e3));
    else if (psu.spare < 1.0)
        note(notes, false, gear->part, "it needs all its supplies: any loss stops it");
    else if (!psu.survives_half_lost) {
        size_t feeds = 3;
        while (!ry_psu_survives_feed(psus, gear->psu_w, gear->max_w, feeds))
            feeds++; /* ends: with a feed a supply only one is lost */
        note(notes, false, gear->part,
             ry_strfmt(notes->arena,
                       "on two feeds it does not survive the loss of one: %.0f of %zu "
                       "supplies give %.2f kW of %.2f kW; spread them over %zu feeds",
                       half, gear->psus, half * gear->psu_w / 1e3, gear->max_w / 1e3,
                       feeds));
    }
}

static void size_site(const struct ry_gear_list *gear, const struct ry_power_rules *rules,
                      struct ry_power_plan *plan)
{
    const struct ry_gear_sums sums = ry_gear_sums(gear);
    const struct ry_ups_modules ups =
        ry_ups_modules(sums.max_w, rules->power_factor, rules->ups_module_va, 1.0);
    const struct ry_generators generators =
        ry_generators(sums.max_w * rules->pue, rules->power_factor,
                      rules->generator_factor, rules->generator_unit_w);

    plan->it_max_w = sums.max_w;
    plan->it_typical_w = sums.typical_w;
    plan->it_energy_w = sums.energy_w;
    plan->facility_w = sums.max_w * rules->pue;
    plan->overhead_w = plan->facility_w - sums.max_w;
    const double known = isnan(sums.max_w) ? (double)NAN : 1.0; /* else 0 of them */
    plan->ups_modules_n = known * ups.n;
    plan->ups_modules_n_plus_1 = known * ups.n_plus_1;
    plan->ups_battery_j = ry_ups_energy_j(sums.max_w, rules->ups_minutes * 60.0,
                                          rules->ups_inverter_eff, rules->ups_depth_frac);
    plan->generators_n = known * generators.n;
    plan->generators_n_plus_1 = known * generators.n_plus_1;
    for (size_t i = 0; i < gear->n; i++) {
        if (gear->at[i].whole_rack && rules->busbar_volts > 0.0)
            plan->busbar_a =
                fmax(plan->busbar_a, ry_busbar_a(gear->at[i].max_w, rules->busbar_volts));
    }
}

enum ry_err ry_power_plan(struct ry_arena *arena, const struct ry_gear_list *gear,
                          const struct ry_rack_plan *racks,
                          const struct ry_power_rules *rules, struct ry_power_plan *plan,
                          struct ry_diag *diag)
{
    struct ry_power_plan made = {0};
    struct notes notes = {.arena = arena, .plan = &made};

    made.kinds = RY_NEW(arena, struct ry_rack_power, racks->racks_n + 1);
    made.findings = RY_NEW(arena, struct ry_power_finding, FINDINGS_MOST);
    made.kind_of_rack = RY_NEW(arena, size_t, racks->racks_n + 1);
    if (!made.kinds || !made.findings || !made.kind_of_rack)
        return ry_fail(diag, RY_ERR_NOMEM, "power", "%zu racks", racks->racks_n);
    for (size_t i = 0; i < racks->racks_n; i++) {
        struct ry_rack_power *kind = known_kind(racks, &made, i);
        if (kind) {
            kind->racks++;
        } else {
            kind = &made.kinds[made.kinds_n];
            RY_TRY(ry_rack_power_assess(gear, racks, i, rules, kind, diag));
            made.kinds_n++;
            note_kind(&notes, kind, rules);
        }
        made.kind_of_rack[i] = (size_t)(kind - made.kinds);
        count_pdus(&made, kind);
    }
    for (size_t g = 0; g < gear->n; g++)
        note_supplies(&notes, &gear->at[g]);
    size_site(gear, rules, &made);
    if (notes.full)
        return ry_fail(diag, RY_ERR_NOMEM, "power", "its findings");
    *plan = made;
    return RY_OK;
}
