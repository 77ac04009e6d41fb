/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What power and cooling of a site are planned by: the options and the catalog's
 * parts. */
#include "facility/facility_work.h"

#include "design/design.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double l_min_per_m3_s = 60000.0;

static double rated_frac(enum ry_circuit_rule rule, double catalog_frac)
{
    switch (rule) {
    case RY_RULE_CATALOG:
        return isnan(catalog_frac) ? RY_NEC_CONTINUOUS_FRAC : catalog_frac;
    case RY_RULE_NEC:
        return RY_NEC_CONTINUOUS_FRAC;
    case RY_RULE_IEC:
        return 1.0;
    }
    return RY_NEC_CONTINUOUS_FRAC;
}

static struct ry_rack_feed feed_of(const struct ry_facility_work *work,
                                   const struct ry_pdu *pdu, double power_factor)
{
    return (struct ry_rack_feed){
        .part = pdu->part.name,
        .circuit = {.volts = pdu->input_voltage_v,
                    .amps = pdu->breaker_a,
                    .derate_frac = rated_frac(work->options->rule, pdu->derate_frac),
                    .power_factor = power_factor,
                    .phases = pdu->phases == 3.0 ? 3 : 1},
        .delta = strncmp(pdu->wiring, "delta", 5) == 0,
        .outlets_c19 = pdu->outlets_c19,
        .outlets_c13 = pdu->outlets_c13,
    };
}

static const struct ry_pdu *pdu_at(const struct ry_facility_work *work, size_t i)
{
    return (const struct ry_pdu *)(const void *)ry_catalog_at(work->in->catalog,
                                                              RY_KIND_PDU, i);
}

/* Two per cent: 415 is not 400. */
static bool is_candidate(const struct ry_facility_work *work, const struct ry_pdu *pdu)
{
    return strcmp(pdu->kind, "rack_pdu") == 0 && pdu->breaker_a > 0.0 &&
           fabs(pdu->input_voltage_v - work->options->volts) <=
               0.02 * work->options->volts;
}

/* How bad a PDU is for the racks of one use: what fails, then circuits, then amperes. */
struct score {
    size_t failures, circuits;
    double amps;
};

static bool better(const struct score *a, const struct score *b)
{
    if (a->failures != b->failures)
        return a->failures < b->failures;
    if (a->circuits != b->circuits)
        return a->circuits < b->circuits;
    return a->amps < b->amps;
}

static enum ry_err try_feed(const struct ry_facility_work *work, enum ry_rack_use use,
                            const struct ry_rack_feed *feed, struct score *score)
{
    struct ry_power_rules rules = work->out->power_rules;
    struct ry_power_plan plan;

    rules.compute = rules.network = *feed;
    *score = (struct score){.amps = feed->circuit.amps};
    const enum ry_err err = ry_power_plan(work->arena, &work->out->gear,
                                          &work->out->racks, &rules, &plan, NULL);
    if (err == RY_ERR_INFEASIBLE) {
        score->failures = SIZE_MAX;
        return RY_OK;
    }
    RY_TRY(err);
    for (size_t k = 0; k < plan.kinds_n; k++) {
        const struct ry_rack_power *kind = &plan.kinds[k];
        if (kind->use != use)
            continue;
        score->circuits += kind->circuits * kind->racks;
        score->failures += (kind->ok_normal ? 0U : 1U) + (kind->ok_phase ? 0U : 1U) +
                           (kind->ok_circuit_lost ? 0U : 1U) +
                           (kind->ok_feed_lost ? 0U : 1U) + (kind->ok_outlets ? 0U : 1U);
    }
    return RY_OK;
}

/* The catalog's rack PDU that serves racks of this use best. */
static enum ry_err choose_feed(struct ry_facility_work *work, enum ry_rack_use use,
                               struct ry_rack_feed *feed)
{
    const struct ry_pdu *pdu = NULL;
    struct score best = {.failures = SIZE_MAX, .circuits = SIZE_MAX};
    bool found = false;

    if (work->options->pdu[0] != '\0') {
        pdu = ry_find_pdu(work->in->catalog, work->options->pdu);
        if (!pdu)
            return ry_fail(work->diag, RY_ERR_NOTFOUND, work->options->pdu,
                           "no such PDU in the catalog");
        *feed = feed_of(work, pdu, work->options->power_factor);
        return RY_OK;
    }
    for (size_t i = 0; (pdu = pdu_at(work, i)) != NULL; i++) {
        if (!is_candidate(work, pdu))
            continue;
        const struct ry_rack_feed one = feed_of(work, pdu, work->options->power_factor);
        struct score score;
        RY_TRY(try_feed(work, use, &one, &score));
        if (!found || better(&score, &best)) {
            *feed = one;
            best = score;
            found = true;
        }
    }
    return found ? RY_OK
                 : ry_fail(work->diag, RY_ERR_NOTFOUND, "pdu",
                           "no rack PDU of %g V in the catalog; give --pdu or --volts",
                           work->options->volts);
}

enum ry_err ry_facility_power_rules(struct ry_facility_work *work)
{
    const struct ry_facility_options *options = work->options;
    struct ry_power_rules *rules = &work->out->power_rules;
    const struct ry_pdu *shelf = ry_find_pdu(work->in->catalog, options->power_shelf);

    *rules = (struct ry_power_rules){
        .scheme = options->scheme,
        .pue = work->in->design->facility.pue,
        .ups_module_va = options->ups_module_va,
        .ups_minutes = options->ups_minutes,
        .ups_inverter_eff = options->ups_inverter_frac,
        .ups_depth_frac = options->ups_depth_frac,
        .generator_unit_w = options->generator_w,
        .generator_factor = options->generator_factor,
        .power_factor = options->power_factor,
        .busbar_volts = options->busbar_volts,
    };
    if (!shelf)
        return ry_fail(work->diag, RY_ERR_NOTFOUND, options->power_shelf,
                       "no such power shelf in the catalog");
    rules->whole = feed_of(work, shelf, options->shelf_power_factor);
    rules->whole.outlets_c19 = rules->whole.outlets_c13 = (double)NAN; /* a whip each */
    RY_TRY(choose_feed(work, RY_RACK_NETWORK, &rules->network));
    return choose_feed(work, RY_RACK_COMPUTE, &rules->compute);
}

static struct ry_cooling_unit unit_of(const struct ry_cooling *part)
{
    return (struct ry_cooling_unit){part->part.name, part->capacity_w,
                                    part->flow_m3_s * l_min_per_m3_s,
                                    part->power_nameplate_w};
}

/* The unit that an option names, or the design where its part is of that kind. */
static enum ry_err choose_unit(const struct ry_facility_work *work, const char *option,
                               const char *name, const char *kind,
                               struct ry_cooling_unit *unit)
{
    const struct ry_cooling *chosen = work->in->design->facility.cooling;
    const struct ry_cooling *part = ry_find_cooling(work->in->catalog, name);

    if (!part)
        return ry_fail(work->diag, RY_ERR_NOTFOUND, option,
                       "no cooling part '%s'; 'railyard catalog list cooling' lists them",
                       name);
    if (kind[0] != '\0' && strcmp(part->kind, kind) != 0)
        return ry_fail(work->diag, RY_ERR_RANGE, option, "'%s' is of kind %s, not %s",
                       name, part->kind, kind);
    *unit = unit_of(chosen && strcmp(chosen->kind, kind) == 0 ? chosen : part);
    return RY_OK;
}

static enum ry_err check_classes(const struct ry_facility_options *options,
                                 struct ry_diag *diag)
{
    struct ry_ashrae_class found;

    if (!ry_ashrae_find(options->air_class, &found) || found.liquid)
        return ry_fail(diag, RY_ERR_NOTFOUND, "air-class",
                       "no ASHRAE class of air '%s'; A1, A2, A3, A4 or H1",
                       options->air_class);
    if (!ry_ashrae_find(options->liquid_class, &found) || !found.liquid)
        return ry_fail(
            diag, RY_ERR_NOTFOUND, "liquid-class",
            "no ASHRAE class of facility water '%s'; W17, W27, W32, W40, W45 or W+",
            options->liquid_class);
    return RY_OK;
}

enum ry_err ry_facility_cooling_rules(struct ry_facility_work *work)
{
    const struct ry_facility_inputs *facility = &work->in->design->facility;
    const struct ry_facility_options *options = work->options;
    struct ry_cooling_rules *rules = &work->out->cooling_rules;

    *rules = (struct ry_cooling_rules){
        .fluid = ry_fluid_find(options->fluid),
        .liquid_rise_k = options->liquid_rise_k,
        .air_rise_f = options->air_rise_f,
        .altitude_m = isnan(facility->altitude_m) ? 0.0 : facility->altitude_m,
        .inlet_c = facility->inlet_c,
        .liquid_supply_c = options->liquid_supply_c,
        .air_class = options->air_class,
        .liquid_class = options->liquid_class,
        .air_rack_limit_w = options->air_rack_w,
    };
    if (!rules->fluid)
        return ry_fail(work->diag, RY_ERR_NOTFOUND, options->fluid,
                       "no such coolant; water, pg25 or pg55");
    RY_TRY(check_classes(options, work->diag));
    RY_TRY(choose_unit(work, "cdu", options->cdu, "cdu", &rules->cdu));
    RY_TRY(choose_unit(work, "rear-door", options->rear_door, "rdhx", &rules->rear_door));
    RY_TRY(choose_unit(work, "room-air", options->room_air, "crah", &rules->room_air));
    return choose_unit(work, "rejection", options->rejection, "", &rules->rejection);
}
