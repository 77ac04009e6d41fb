/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/rack_power.h"

#include "base/names.h"
#include "facility/redundancy.h"
#include "facility/round.h"

#include <math.h>

enum { CIRCUITS_MOST = 64, NOTHING_LOST = -1 };

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
    for (size_t n = 2; n <= gear->psus; n++)
        if (ry_psu_survives_feed(psus, gear->psu_w, gear->max_w, n))
            return n;
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

enum ry_err ry_rack_power_assess(const struct ry_gear_list *gear,
                                 const struct ry_rack_plan *racks, size_t index,
                                 const struct ry_power_rules *rules,
                                 struct ry_rack_power *out, struct ry_diag *diag)
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
