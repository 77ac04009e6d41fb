/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/plant.h"

#include "base/names.h"
#include "facility/facility.h"
#include "facility/round.h"

#include <math.h>
#include <string.h>

static const double same_size = 0.01; /* ratings are rounded */

struct work {
    struct ry_arena *arena;
    const struct ry_catalog *catalog;
    const struct ry_facility *facility;
    struct ry_plant_list *list;
    bool full; /* out of memory */
};

static void add(struct work *work, struct ry_plant_line line)
{
    if (!line.size || !line.why)
        work->full = true;
    else if (work->list->n < RY_PLANT_LINES_MOST && line.quantity != 0.0)
        work->list->at[work->list->n++] = line;
}

static double rating_of(const struct ry_plant *plant)
{
    return strcmp(plant->kind, "generator") == 0 ? plant->capacity_w : plant->capacity_va;
}

/* The row of that kind: of that rating (NAN: any), the first with a price before
 * others. */
static const struct ry_plant *plant_of(const struct work *work, const char *kind,
                                       double rating)
{
    const struct ry_plant *found = NULL;
    const struct ry_part *part = NULL;

    for (size_t i = 0; (part = ry_catalog_at(work->catalog, RY_KIND_PLANT, i)); i++) {
        const struct ry_plant *plant = (const struct ry_plant *)(const void *)part;
        if (strcmp(plant->kind, kind) != 0 ||
            fabs(rating_of(plant) - rating) > same_size * rating)
            continue;
        if (!found || (isnan(found->part.price_usd) && !isnan(part->price_usd)))
            found = plant;
    }
    return found;
}

static void add_plant(struct work *work, const struct ry_plant *plant, const char *size,
                      double quantity, const char *why)
{
    add(work, (struct ry_plant_line){.kind = RY_KIND_PLANT,
                                     .part = plant ? &plant->part : NULL,
                                     .size = size,
                                     .why = why,
                                     .quantity = quantity});
}

static double sides_of(const struct ry_facility *facility)
{
    return facility->power_rules.scheme == RY_POWER_N ? 1.0 : 2.0;
}

static void add_backup(struct work *work)
{
    const struct ry_power_plan *power = &work->facility->power;
    const struct ry_power_rules *rules = &work->facility->power_rules;

    add_plant(work, plant_of(work, "ups", rules->ups_module_va),
              ry_strfmt(work->arena, "UPS module, %g kVA", rules->ups_module_va / 1e3),
              power->ups_modules_n_plus_1, "N+1, see 'railyard power'");
    add_plant(work, plant_of(work, "generator", rules->generator_unit_w),
              ry_strfmt(work->arena, "generator, %g MW", rules->generator_unit_w / 1e6),
              power->generators_n_plus_1, "N+1, see 'railyard power'");
}

static void add_incoming(struct work *work)
{
    const struct ry_facility *facility = work->facility;
    const double va = facility->power.facility_w / facility->power_rules.power_factor;
    const double known = isnan(va) ? (double)NAN : 1.0; /* else 0 of them */
    const double sides = sides_of(facility);
    const struct ry_plant *board = plant_of(work, "switchgear", (double)NAN);
    const struct ry_plant *transformer = plant_of(work, "transformer", (double)NAN);

    if (board)
        add_plant(work, board,
                  ry_strfmt(work->arena, "switchboard, %g kVA", board->capacity_va / 1e3),
                  known * sides * ry_count_up(va / board->capacity_va),
                  ry_strfmt(work->arena, "%.0f kVA of the facility, %.0f side%s",
                            va / 1e3, sides, sides > 1.0 ? "s" : ""));
    if (transformer)
        add_plant(
            work, transformer,
            ry_strfmt(work->arena, "transformer, %g kVA", transformer->capacity_va / 1e3),
            known * (ry_count_up(va / transformer->capacity_va) + sides - 1.0),
            ry_strfmt(work->arena, "%.0f kVA of the facility%s", va / 1e3,
                      sides > 1.0 ? ", one more" : ""));
}

/* Whether @p a is to be taken before @p b: it carries @p watts alone, it has a price, it
 * is the smaller one; of those that do not carry it, the larger one. */
static bool is_better(const struct ry_pdu *a, const struct ry_pdu *b, double watts)
{
    const bool enough[] = {a->usable_w >= watts, b->usable_w >= watts};
    const bool priced[] = {a->part.price_usd > 0.0, b->part.price_usd > 0.0};

    if (enough[0] != enough[1])
        return enough[0];
    if (priced[0] != priced[1])
        return priced[0];
    return enough[0] ? a->usable_w < b->usable_w : a->usable_w > b->usable_w;
}

static const struct ry_pdu *busway_of(const struct work *work, double watts)
{
    const double volts = work->facility->power_rules.compute.circuit.volts;
    const struct ry_part *part = NULL;
    const struct ry_pdu *best = NULL;

    for (size_t i = 0; (part = ry_catalog_at(work->catalog, RY_KIND_PDU, i)); i++) {
        const struct ry_pdu *pdu = (const struct ry_pdu *)(const void *)part;
        if (strcmp(pdu->kind, "busway") != 0 || !(pdu->usable_w > 0.0) ||
            fabs(pdu->input_voltage_v - volts) > 0.02 * volts)
            continue;
        if (!best || is_better(pdu, best, watts))
            best = pdu;
    }
    return best;
}

/* Watts of each row; NULL: out of memory. */
static double *rows_w(struct work *work)
{
    const struct ry_rack_plan *racks = &work->facility->racks;
    double *watts = RY_NEW(work->arena, double, racks->rows + 1);

    for (size_t i = 0; watts && i < racks->racks_n; i++)
        watts[racks->racks[i].row] += racks->racks[i].load_w;
    work->full = work->full || !watts;
    return watts;
}

static void add_rows(struct work *work)
{
    const struct ry_facility *facility = work->facility;
    const struct ry_power_plan *power = &facility->power;
    const double circuits =
        (double)(power->pdus_compute + power->pdus_network + power->pdus_whole);
    const double *watts = rows_w(work);
    double most_w = 0.0, runs = 0.0;

    if (!watts)
        return;
    for (size_t row = 0; row < facility->racks.rows; row++)
        most_w = fmax(most_w, watts[row]);
    const struct ry_pdu *busway = busway_of(work, most_w);
    for (size_t row = 0; busway && row < facility->racks.rows; row++)
        runs +=
            isnan(watts[row]) ? (double)NAN : ry_count_up(watts[row] / busway->usable_w);
    add(work, (struct ry_plant_line){
                  .kind = RY_KIND_PDU,
                  .part = busway ? &busway->part : NULL,
                  .size = ry_strfmt(work->arena, "busway over a row, %g V",
                                    facility->power_rules.compute.circuit.volts),
                  .why = ry_strfmt(work->arena, "%zu rows of up to %.0f kW, %.0f side%s",
                                   facility->racks.rows, most_w / 1e3, sides_of(facility),
                                   sides_of(facility) > 1.0 ? "s" : ""),
                  .quantity = (busway ? runs : (double)facility->racks.rows) *
                              sides_of(facility)});
    add_plant(work, plant_of(work, "tap_off", (double)NAN),
              "circuit: tap-off box with breaker", circuits,
              "one a circuit, see 'railyard power'");
}

static void add_cooling(struct work *work, const struct ry_cooling_unit *unit,
                        const char *what, double quantity)
{
    add(work,
        (struct ry_plant_line){
            .kind = RY_KIND_COOLING,
            .part = ry_catalog_find(work->catalog, RY_KIND_COOLING, unit->part),
            .size = ry_strfmt(work->arena, "%s, %.0f kW", what, unit->capacity_w / 1e3),
            .why = "N+1, see 'railyard cooling'",
            .quantity = quantity});
}

enum ry_err ry_plant_list(struct ry_arena *arena, const struct ry_catalog *catalog,
                          const struct ry_facility *facility, struct ry_plant_list *list)
{
    struct work work = {
        .arena = arena, .catalog = catalog, .facility = facility, .list = list};

    *list = (struct ry_plant_list){0};
    add_incoming(&work);
    add_backup(&work);
    add_rows(&work);
    add_cooling(&work, &facility->cooling_rules.room_air, "room air unit",
                facility->cooling.room_units_n > 0.0
                    ? facility->cooling.room_units_n_plus_1
                    : 0.0);
    add_cooling(&work, &facility->cooling_rules.rejection, "heat rejection",
                facility->cooling.rejection_n_plus_1);
    return work.full ? RY_ERR_NOMEM : RY_OK;
}

const char *ry_plant_text(struct ry_arena *arena, const struct ry_plant_list *list)
{
    const char *text = "";

    for (size_t i = 0; text && i < list->n; i++) {
        const struct ry_plant_line *line = &list->at[i];
        text = isnan(line->quantity)
                   ? ry_strfmt(arena, "%s%s? x %s", text, i ? ", " : "", line->size)
                   : ry_strfmt(arena, "%s%s%.0f x %s", text, i ? ", " : "",
                               line->quantity, line->size);
    }
    return text;
}
