/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/power.h"

#include "base/names.h"
#include "facility/redundancy.h"
#include "facility/round.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { CIRCUITS_MOST = 64, FINDINGS_MOST = 32, NOTHING_LOST = -1 };

static const double slack = 1.0 + RY_ROUND_SLACK;

/* One rack: its devices, and which circuit each supply hangs on. */
struct rack {
    const struct ry_gear_list *gear;
    const struct ry_rack_plan *racks;
    const struct ry_rack_place *place;
    const struct ry_rack_feed *feed;
    size_t circuits, feeds;
    int lost_circuit, lost_feed; /* or NOTHING_LOST */
};

struct loads {
    double circuit_w[CIRCUITS_MOST];
    struct ry_line_currents lines[CIRCUITS_MOST];
    double outlets_c19[CIRCUITS_MOST], outlets_c13[CIRCUITS_MOST];
    size_t down; /* devices without enough supplies */
};

size_t ry_power_wire(size_t device, size_t supply, size_t circuits)
{
    return (supply + device) % circuits;
}

static size_t power_circuits(double load_w, const struct ry_rack_feed *feed,
                             enum ry_power_scheme scheme)
{
    const double n = fmax(1.0, ry_count_up(load_w / ry_circuit_w(&feed->circuit)));

    switch (scheme) {
    case RY_POWER_N:
        return (size_t)n;
    case RY_POWER_N_PLUS_1:
        return (size_t)n + 1;
    case RY_POWER_2N:
        return 2 * (size_t)n;
    }
    return (size_t)n;
}

static size_t feeds_of(enum ry_power_scheme scheme, size_t circuits)
{
    switch (scheme) {
    case RY_POWER_N:
        return 1;
    case RY_POWER_N_PLUS_1:
        return circuits;
    case RY_POWER_2N:
        return 2;
    }
    return 1;
}

/* A device whose supplies are unknown is taken to have one on every circuit. */
static size_t supplies(const struct rack *rack, const struct ry_gear *gear)
{
    return gear->psus ? gear->psus : rack->circuits;
}

static bool alive(const struct rack *rack, size_t circuit)
{
    return (int)circuit != rack->lost_circuit &&
           (int)(circuit % rack->feeds) != rack->lost_feed;
}

static size_t circuit_of(const struct rack *rack, size_t device, size_t supply)
{
    return ry_power_wire(device, supply, rack->circuits);
}

static void add_phase(struct ry_line_currents *lines, size_t phase, double amps)
{
    if (phase == 0)
        lines->l1_a += amps;
    else if (phase == 1)
        lines->l2_a += amps;
    else
        lines->l3_a += amps;
}

static void add_all_phases(struct ry_line_currents *lines, double amps)
{
    lines->l1_a += amps;
    lines->l2_a += amps;
    lines->l3_a += amps;
}

/* Current of one outlet: line to line in a delta unit, else line to neutral. */
static double outlet_a(const struct ry_rack_feed *feed, double watts)
{
    const bool wye = feed->circuit.phases == 3 && !feed->delta;
    const double volts = wye ? feed->circuit.volts / sqrt(3.0) : feed->circuit.volts;
    return watts / (volts * feed->circuit.power_factor);
}

/* Supplies on one circuit take its phases in turn: `next` counts them. */
static void load_device(const struct rack *rack, const struct ry_gear *gear,
                        size_t device, size_t next[CIRCUITS_MOST], struct loads *loads)
{
    const size_t psus = supplies(rack, gear);
    const bool large =
        ry_name_eq(gear->connector, "C20") || ry_name_eq(gear->connector, "C22");
    size_t left = 0;

    for (size_t s = 0; s < psus; s++)
        left += alive(rack, circuit_of(rack, device, s));
    const bool carries =
        left > 0 && !((double)left * gear->psu_w * slack < gear->max_w); /* NAN: yes */
    loads->down += !carries;
    for (size_t s = 0; s < psus; s++) {
        const size_t c = circuit_of(rack, device, s);
        const double share_w = gear->max_w / (double)(left ? left : 1);
        const size_t phase = next[c]++ % 3;
        if (large)
            loads->outlets_c19[c] += 1.0;
        else
            loads->outlets_c13[c] += 1.0;
        if (!carries || !alive(rack, c))
            continue;
        loads->circuit_w[c] += share_w;
        if (gear->whole_rack) /* a shelf takes all three phases */
            add_all_phases(&loads->lines[c], outlet_a(rack->feed, share_w / 3.0));
        else
            add_phase(&loads->lines[c], phase, outlet_a(rack->feed, share_w));
    }
}

static void load_rack(const struct rack *rack, struct loads *loads)
{
    size_t next[CIRCUITS_MOST] = {0};

    *loads = (struct loads){0};
    for (size_t i = 0; i < rack->place->slots; i++) {
        const size_t slot = rack->racks->by_rack[rack->place->first_slot + i];
        load_device(rack, &rack->gear->at[rack->racks->slots[slot].gear], i, next, loads);
    }
}

static double most_w(const struct rack *rack, const struct loads *loads)
{
    double most = 0.0;

    for (size_t c = 0; c < rack->circuits; c++)
        most = fmax(most, loads->circuit_w[c]);
    return most;
}

/* Line currents of the fullest line of any circuit. */
static double most_a(const struct rack *rack, const struct loads *loads)
{
    double most = 0.0;

    for (size_t c = 0; c < rack->circuits; c++) {
        struct ry_line_currents lines = loads->lines[c];
        if (rack->feed->circuit.phases == 1)
            lines = (struct ry_line_currents){lines.l1_a + lines.l2_a + lines.l3_a, 0, 0};
        else if (rack->feed->delta)
            lines = ry_delta_line_currents(lines.l1_a, lines.l2_a, lines.l3_a);
        most = fmax(most, ry_line_currents_most(lines));
    }
    return most;
}

static void assess_normal(const struct rack *rack, struct ry_rack_power *out)
{
    struct loads loads;

    load_rack(rack, &loads);
    out->normal_w = most_w(rack, &loads);
    out->phase_a = most_a(rack, &loads);
    for (size_t c = 0; c < rack->circuits; c++) {
        out->imbalance_frac =
            fmax(out->imbalance_frac, ry_phase_imbalance_frac(loads.lines[c]));
        out->outlets_c19 = fmax(out->outlets_c19, loads.outlets_c19[c]);
        out->outlets_c13 = fmax(out->outlets_c13, loads.outlets_c13[c]);
    }
    out->ok_normal = loads.down == 0 && !(out->normal_w > out->circuit_w * slack);
    out->ok_phase = !(out->phase_a > out->phase_limit_a * slack);
    out->ok_outlets = !(out->outlets_c19 > rack->feed->outlets_c19) &&
                      !(out->outlets_c13 > rack->feed->outlets_c13);
}

static void assess_losses(struct rack *rack, struct ry_rack_power *out)
{
    struct loads loads;

    for (size_t c = 0; c < rack->circuits; c++) {
        rack->lost_circuit = (int)c;
        load_rack(rack, &loads);
        out->circuit_lost_w = fmax(out->circuit_lost_w, most_w(rack, &loads));
        out->phase_lost_a = fmax(out->phase_lost_a, most_a(rack, &loads));
        if (loads.down > out->devices_down_circuit)
            out->devices_down_circuit = loads.down;
    }
    rack->lost_circuit = NOTHING_LOST;
    for (size_t f = 0; f < rack->feeds; f++) {
        rack->lost_feed = (int)f;
        load_rack(rack, &loads);
        out->feed_lost_w = fmax(out->feed_lost_w, most_w(rack, &loads));
        out->phase_lost_a = fmax(out->phase_lost_a, most_a(rack, &loads));
        if (loads.down > out->devices_down_feed)
            out->devices_down_feed = loads.down;
    }
    rack->lost_feed = NOTHING_LOST;
    out->ok_circuit_lost =
        out->devices_down_circuit == 0 && !(out->circuit_lost_w > out->circuit_w * slack);
    out->ok_feed_lost =
        out->devices_down_feed == 0 && !(out->feed_lost_w > out->circuit_w * slack);
    out->ok_phase_lost = !(out->phase_lost_a > out->phase_limit_a * slack);
}

static const struct ry_rack_feed *feed_of(const struct ry_power_rules *rules,
                                          enum ry_rack_use use)
{
    switch (use) {
    case RY_RACK_COMPUTE:
        return &rules->compute;
    case RY_RACK_NETWORK:
        return &rules->network;
    case RY_RACK_WHOLE:
        return &rules->whole;
    }
    return &rules->compute;
}

/* Circuits that let this device lose one: as few as its supplies allow; 0: none do. */
static size_t circuits_to_survive(const struct ry_gear *gear)
{
    const double psus = (double)gear->psus;

    if (isnan(gear->psu_w) || isnan(gear->max_w))
        return 0;
    for (size_t n = 2; n <= gear->psus; n++) {
        if (ry_psu_survives_feed(psus, gear->psu_w, gear->max_w, n))
            return n;
    }
    return 0;
}

static size_t circuits_of(const struct ry_gear_list *gear,
                          const struct ry_rack_plan *racks,
                          const struct ry_rack_place *place,
                          const struct ry_power_rules *rules)
{
    const size_t slot = racks->by_rack[place->first_slot];
    const struct ry_gear *first = &gear->at[racks->slots[slot].gear];

    if (place->use == RY_RACK_WHOLE && first->psus > 0)
        return first->psus; /* a whip for every shelf */
    size_t circuits =
        power_circuits(place->load_w, feed_of(rules, place->use), rules->scheme);
    for (size_t i = 0; i < place->slots && rules->scheme == RY_POWER_N_PLUS_1; i++) {
        const size_t device = racks->slots[racks->by_rack[place->first_slot + i]].gear;
        const size_t least = circuits_to_survive(&gear->at[device]);
        circuits = least > circuits ? least : circuits;
    }
    return circuits;
}

static enum ry_err assess(const struct ry_gear_list *gear,
                          const struct ry_rack_plan *racks, size_t index,
                          const struct ry_power_rules *rules, struct ry_rack_power *out,
                          struct ry_diag *diag)
{
    const struct ry_rack_place *place = &racks->racks[index];
    struct rack rack = {
        .gear = gear,
        .racks = racks,
        .place = place,
        .feed = feed_of(rules, place->use),
        .circuits = circuits_of(gear, racks, place, rules),
        .lost_circuit = NOTHING_LOST,
        .lost_feed = NOTHING_LOST,
    };
    const enum ry_power_scheme scheme =
        place->use == RY_RACK_WHOLE && rules->scheme == RY_POWER_N_PLUS_1 ? RY_POWER_2N
                                                                          : rules->scheme;

    if (rack.circuits > CIRCUITS_MOST)
        return ry_fail(diag, RY_ERR_INFEASIBLE, rack.feed->part,
                       "%zu circuits of %.1f kW for one rack of %.1f kW; choose larger "
                       "circuits",
                       rack.circuits, ry_circuit_w(&rack.feed->circuit) / 1e3,
                       place->load_w / 1e3);
    rack.feeds = feeds_of(scheme, rack.circuits);
    *out = (struct ry_rack_power){
        .use = place->use,
        .racks = 1,
        .example = index,
        .load_w = place->load_w,
        .circuits = rack.circuits,
        .feeds = rack.feeds,
        .circuit_w = ry_circuit_w(&rack.feed->circuit),
        .phase_limit_a = rack.feed->circuit.amps * rack.feed->circuit.derate_frac,
    };
    assess_normal(&rack, out);
    assess_losses(&rack, out);
    if (isnan(place->load_w)) /* a device of unknown draw: no figure of the rack holds */
        out->normal_w = out->circuit_lost_w = out->feed_lost_w = out->phase_a =
            out->phase_lost_a = (double)NAN;
    return RY_OK;
}

static struct ry_rack_power *known_kind(const struct ry_rack_plan *racks,
                                        struct ry_power_plan *plan, size_t index)
{
    for (size_t k = 0; k < plan->kinds_n; k++) {
        if (ry_racks_alike(racks, plan->kinds[k].example, index))
            return &plan->kinds[k];
    }
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
             ry_strfmt(notes->arena, "a line of a circuit carries %.1f A of %.1f A, all well",
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
            RY_TRY(assess(gear, racks, i, rules, kind, diag));
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
