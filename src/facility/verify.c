/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/verify.h"

#include "facility/rack_power.h"
#include "facility/round.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HALF_UNITS = 256, WHERE_BYTES = 64 };

static const double slack = 1.0 + RY_ROUND_SLACK;

struct sums {
    double watts, kilograms;
    size_t devices;
    bool filled[HALF_UNITS]; /* a half unit each */
};

struct check {
    const struct ry_facility_claim *claim;
    struct ry_problems *problems;
};

static const struct ry_gear *gear_at(const struct check *check, size_t slot)
{
    return &check->claim->gear->at[check->claim->racks->slots[slot].gear];
}

/* Every item of every gear once. */
static enum ry_err check_items(struct ry_arena *scratch, const struct check *check)
{
    const struct ry_rack_plan *racks = check->claim->racks;
    const struct ry_gear_list *gear = check->claim->gear;
    size_t items = 0;

    for (size_t g = 0; g < gear->n; g++)
        items += gear->at[g].count;
    bool *seen = RY_NEW(scratch, bool, items + 1);
    size_t *first = RY_NEW(scratch, size_t, gear->n + 1);
    if (!seen || !first)
        return RY_ERR_NOMEM;
    for (size_t g = 0; g + 1 < gear->n; g++)
        first[g + 1] = first[g] + gear->at[g].count;
    if (items != racks->slots_n)
        ry_problem(check->problems, RY_ERR_NO, "racks", "%zu devices, %zu places", items,
                   racks->slots_n);
    for (size_t s = 0; s < racks->slots_n; s++) {
        const struct ry_rack_slot *slot = &racks->slots[s];
        if (slot->gear >= gear->n || slot->item >= gear->at[slot->gear].count ||
            slot->rack >= racks->racks_n) {
            ry_problem(check->problems, RY_ERR_NO, "racks", "place %zu is of nothing", s);
            continue;
        }
        bool *place = &seen[first[slot->gear] + slot->item];
        if (*place)
            ry_problem(check->problems, RY_ERR_NO, gear->at[slot->gear].part,
                       "item %zu stands in two places", slot->item);
        *place = true;
    }
    return RY_OK;
}

static void occupy(const struct check *check, const struct ry_rack_slot *slot,
                   const struct ry_gear *gear, struct sums *sums, double units)
{
    const size_t from = (size_t)llround(2.0 * (slot->u - 1.0));
    const size_t to = from + (size_t)llround(2.0 * gear->rack_units);

    if (slot->u < 1.0 || to > HALF_UNITS || (double)to > 2.0 * units * slack) {
        ry_problem(check->problems, RY_ERR_NO, gear->part,
                   "rack %zu: %g U from unit %g are outside its %g U", slot->rack,
                   gear->rack_units, slot->u, units);
        return;
    }
    for (size_t h = from; h < to; h++) {
        if (sums->filled[h])
            ry_problem(check->problems, RY_ERR_NO, gear->part,
                       "rack %zu: two devices in unit %zu", slot->rack, h / 2 + 1);
        sums->filled[h] = true;
    }
}

static void check_rack(const struct check *check, size_t index, const struct sums *sums)
{
    const struct ry_floor *floor = check->claim->floor;
    const struct ry_rack_place *place = &check->claim->racks->racks[index];
    const struct ry_rack_kind *kind =
        place->use == RY_RACK_NETWORK ? &floor->network : &floor->compute;
    const bool whole = place->use == RY_RACK_WHOLE;
    const double empty_kg = whole || isnan(kind->empty_kg) ? 0.0 : kind->empty_kg;
    char where[WHERE_BYTES];

    (void)snprintf(where, sizeof(where), "rack %zu", index);
    if (sums->watts > kind->limit_w * slack)
        ry_problem(check->problems, RY_ERR_NO, where, "%.2f kW over its %.2f kW",
                   sums->watts / 1e3, kind->limit_w / 1e3);
    if (!whole && sums->kilograms > kind->payload_kg * slack)
        ry_problem(check->problems, RY_ERR_NO, where, "%.1f kg over the frame's %.1f kg",
                   sums->kilograms, kind->payload_kg);
    if (sums->kilograms + empty_kg > floor->floor_kg * slack)
        ry_problem(check->problems, RY_ERR_NO, where, "%.1f kg over the floor's %.1f kg",
                   sums->kilograms + empty_kg, floor->floor_kg);
    if (sums->devices == 0)
        ry_problem(check->problems, RY_ERR_NO, where, "it is empty");
}

static int by_place(const void *a, const void *b)
{
    const struct ry_rack_place *const *x = a, *const *y = b;

    if ((*x)->row != (*y)->row)
        return (*x)->row < (*y)->row ? -1 : 1;
    return (*x)->column < (*y)->column ? -1 : (*x)->column > (*y)->column;
}

static enum ry_err check_floor(struct ry_arena *scratch, const struct check *check)
{
    const struct ry_rack_plan *racks = check->claim->racks;
    const struct ry_rack_place **at =
        RY_NEW(scratch, const struct ry_rack_place *, racks->racks_n + 1);

    if (!at)
        return RY_ERR_NOMEM;
    if (racks->racks_n > check->claim->floor->racks_most)
        ry_problem(check->problems, RY_ERR_NO, "floor", "%zu racks, room for %zu",
                   racks->racks_n, check->claim->floor->racks_most);
    for (size_t i = 0; i < racks->racks_n; i++) {
        at[i] = &racks->racks[i];
        if (check->claim->floor->row_racks > 0 &&
            at[i]->column >= check->claim->floor->row_racks)
            ry_problem(check->problems, RY_ERR_NO, "floor",
                       "rack %zu is past its row of %zu", i,
                       check->claim->floor->row_racks);
    }
    qsort(at, racks->racks_n, sizeof(*at), by_place);
    for (size_t i = 1; i < racks->racks_n; i++) {
        if (by_place(&at[i - 1], &at[i]) == 0)
            ry_problem(check->problems, RY_ERR_NO, "floor",
                       "two racks at row %zu, column %zu", at[i]->row, at[i]->column);
    }
    return RY_OK;
}

/* A loss: no circuit, one circuit, or all circuits of one feed. */
struct loss {
    bool any, feed;
    size_t which;
};

enum { CIRCUITS_MOST = 64, LINES = 3 };

/* What hangs on the circuits of one rack while something is lost. */
struct hung {
    double watts[CIRCUITS_MOST];
    double line_w[CIRCUITS_MOST][LINES]; /* on the outlets of each phase */
    double c19[CIRCUITS_MOST], c13[CIRCUITS_MOST];
    size_t outlets[CIRCUITS_MOST];
};

static bool dead(const struct loss *loss, size_t circuit, size_t feeds)
{
    return loss->any && (loss->feed ? circuit % feeds : circuit) == loss->which;
}

static const struct ry_rack_feed *feed_of(const struct check *check, enum ry_rack_use use)
{
    const struct ry_power_rules *rules = check->claim->rules;

    return use == RY_RACK_COMPUTE   ? &rules->compute
           : use == RY_RACK_NETWORK ? &rules->network
                                    : &rules->whole;
}

/* By its breaker: not what the plan says that it may carry. */
static double rated_w(const struct ry_rack_feed *feed)
{
    const struct ry_circuit *circuit = &feed->circuit;

    return (circuit->phases == 3 ? sqrt(3.0) : 1.0) * circuit->volts * circuit->amps *
           circuit->derate_frac * circuit->power_factor;
}

/* Supplies of one device; returns how many are left. */
static size_t hang(const struct ry_rack_power *kind, const struct ry_gear *gear,
                   size_t device, const struct loss *loss, struct hung *hung)
{
    const size_t psus = gear->psus ? gear->psus : kind->circuits;
    const bool large = gear->connector[0] == 'C' && gear->connector[1] == '2';
    size_t left = 0;

    for (size_t s = 0; s < psus; s++)
        left += !dead(loss, ry_power_wire(device, s, kind->circuits), kind->feeds);
    for (size_t s = 0; s < psus && left > 0; s++) {
        const size_t c = ry_power_wire(device, s, kind->circuits);
        if (c >= CIRCUITS_MOST)
            continue;
        const double share_w = gear->max_w / (double)left;
        const size_t phase = hung->outlets[c]++ % LINES;
        *(large ? &hung->c19[c] : &hung->c13[c]) += 1.0;
        if (dead(loss, c, kind->feeds))
            continue;
        hung->watts[c] += share_w;
        for (size_t p = 0; p < LINES; p++) /* a shelf takes all three */
            hung->line_w[c][p] += gear->whole_rack ? share_w / 3.0
                                  : p == phase     ? share_w
                                                   : 0.0;
    }
    return left;
}

/* Amperes of the fullest line: two outlets between lines meet at 60 degrees. */
static double line_a(const struct ry_rack_feed *feed, const double line_w[LINES])
{
    const double volts = feed->circuit.volts * feed->circuit.power_factor;
    double most_w = 0.0;

    if (feed->circuit.phases != 3)
        return (line_w[0] + line_w[1] + line_w[2]) / volts;
    for (size_t p = 0; p < LINES; p++) {
        const double a = line_w[p], b = line_w[(p + 1) % LINES];
        most_w = fmax(most_w, feed->delta ? sqrt(a * a + b * b + a * b) : sqrt(3.0) * a);
    }
    return most_w / volts;
}

static void check_circuit(const struct check *check, const struct ry_rack_feed *feed,
                          const struct hung *hung, size_t c, const char *where, bool well)
{
    const double rating_w = rated_w(feed);
    const double limit_a = feed->circuit.amps * feed->circuit.derate_frac;

    if (hung->watts[c] > rating_w * slack)
        ry_problem(check->problems, RY_ERR_NO, where,
                   "circuit %zu carries %.2f kW of %.2f kW", c, hung->watts[c] / 1e3,
                   rating_w / 1e3);
    if (!well)
        return;
    if (hung->c19[c] > feed->outlets_c19 || hung->c13[c] > feed->outlets_c13)
        ry_problem(check->problems, RY_ERR_NO, where,
                   "circuit %zu: %.0f C19 and %.0f C13 outlets are not on %s", c,
                   hung->c19[c], hung->c13[c], feed->part);
    if (!(hung->watts[c] > rating_w * slack) &&
        line_a(feed, hung->line_w[c]) > limit_a * slack)
        ry_problem(check->problems, RY_ERR_NO, where,
                   "a line of circuit %zu carries %.1f A of %.1f A", c,
                   line_a(feed, hung->line_w[c]), limit_a);
}

static void check_loss(const struct check *check, size_t rack, const struct loss *loss)
{
    const struct ry_power_plan *power = check->claim->power;
    const struct ry_rack_place *place = &check->claim->racks->racks[rack];
    const struct ry_rack_power *kind = &power->kinds[power->kind_of_rack[rack]];
    struct hung hung = {0};
    char where[WHERE_BYTES];

    (void)snprintf(where, sizeof(where), "rack %zu%s%s", rack,
                   loss->any ? loss->feed ? ", feed lost" : ", circuit lost" : "",
                   loss->any ? "" : ", all well");
    for (size_t d = 0; d < place->slots; d++) {
        const size_t slot = check->claim->racks->by_rack[place->first_slot + d];
        const struct ry_gear *gear = gear_at(check, slot);
        const size_t left = hang(kind, gear, d, loss, &hung);
        if (left == 0 || (double)left * gear->psu_w * slack < gear->max_w)
            ry_problem(check->problems, RY_ERR_NO, where,
                       "%s: %zu of %zu supplies do not carry its %.2f kW", gear->part,
                       left, gear->psus ? gear->psus : kind->circuits, gear->max_w / 1e3);
    }
    for (size_t c = 0; c < kind->circuits && c < CIRCUITS_MOST; c++)
        check_circuit(check, feed_of(check, place->use), &hung, c, where, !loss->any);
}

static void check_rack_power(const struct check *check, size_t rack)
{
    const struct ry_power_plan *power = check->claim->power;
    const struct ry_rack_power *kind = &power->kinds[power->kind_of_rack[rack]];

    check_loss(check, rack, &(struct loss){0});
    if (check->claim->rules->scheme == RY_POWER_N)
        return;
    for (size_t c = 0; c < kind->circuits; c++)
        check_loss(check, rack, &(struct loss){.any = true, .which = c});
    for (size_t f = 0; f < kind->feeds && kind->feeds < kind->circuits; f++)
        check_loss(check, rack, &(struct loss){.any = true, .feed = true, .which = f});
}

static void check_power(const struct check *check)
{
    const struct ry_power_plan *power = check->claim->power;
    const struct ry_rack_plan *racks = check->claim->racks;
    size_t circuits = 0;

    for (size_t i = 0; i < racks->racks_n; i++) {
        const struct ry_rack_power *kind = &power->kinds[power->kind_of_rack[i]];
        circuits += kind->circuits;
        if (i == kind->example || !ry_racks_alike(racks, i, kind->example))
            check_rack_power(check, i);
    }
    if (circuits != power->pdus_compute + power->pdus_network + power->pdus_whole)
        ry_problem(check->problems, RY_ERR_NO, "circuits", "%zu of racks, %zu planned",
                   circuits,
                   power->pdus_compute + power->pdus_network + power->pdus_whole);
}

enum ry_err ry_facility_verify(struct ry_arena *scratch,
                               const struct ry_facility_claim *claim,
                               struct ry_problems *problems)
{
    const struct check check = {.claim = claim, .problems = problems};
    const struct ry_rack_plan *racks = claim->racks;
    struct sums *sums = RY_NEW(scratch, struct sums, racks->racks_n + 1);

    if (!sums)
        return RY_ERR_NOMEM;
    RY_TRY(check_items(scratch, &check));
    for (size_t s = 0; s < racks->slots_n; s++) {
        const struct ry_rack_slot *slot = &racks->slots[s];
        if (slot->gear >= claim->gear->n || slot->rack >= racks->racks_n)
            continue;
        const struct ry_gear *gear = gear_at(&check, s);
        struct sums *rack = &sums[slot->rack];
        const struct ry_rack_kind *kind = racks->racks[slot->rack].use == RY_RACK_NETWORK
                                              ? &claim->floor->network
                                              : &claim->floor->compute;
        rack->devices++;
        rack->watts += isnan(gear->max_w) ? 0.0 : gear->max_w;
        rack->kilograms += isnan(gear->weight_kg) ? 0.0 : gear->weight_kg;
        if (!gear->whole_rack && gear->depth_m > kind->depth_m * slack)
            ry_problem(problems, RY_ERR_NO, gear->part, "%.3f m deep in %.3f m",
                       gear->depth_m, kind->depth_m);
        if (!gear->whole_rack)
            occupy(&check, slot, gear, rack, kind->rack_units);
    }
    for (size_t i = 0; i < racks->racks_n; i++)
        check_rack(&check, i, &sums[i]);
    RY_TRY(check_floor(scratch, &check));
    if (claim->power)
        check_power(&check);
    ry_facility_verify_site(claim, problems);
    return RY_OK;
}
