/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verifier says of the site as a whole: plant after the loss of a unit, heat of
 * racks, ports of switches, reach of cables.  Sums are made from the slots again. */
#include "facility/verify.h"

#include "facility/round.h"
#include "topology/graph.h"

#include <math.h>
#include <stdio.h>

static const double slack = 1.0 + RY_ROUND_SLACK;

struct load {
    double watts, liquid_w, air_w;
};

static const struct ry_gear *gear_of(const struct ry_facility_claim *claim, size_t slot)
{
    const size_t gear = claim->racks->slots[slot].gear;

    return gear < claim->gear->n ? &claim->gear->at[gear] : NULL;
}

static void add_slot(const struct ry_facility_claim *claim, size_t slot, struct load *sum)
{
    const struct ry_gear *gear = gear_of(claim, slot);
    const double liquid = gear && !isnan(gear->liquid_frac) ? gear->liquid_frac : 0.0;

    if (!gear)
        return;
    sum->watts += gear->max_w;
    sum->liquid_w += gear->max_w * liquid;
    sum->air_w += gear->max_w * (1.0 - liquid);
}

/* So many units, less one, must carry the load. */
static void check_units(struct ry_problems *problems, const char *what, double units,
                        double each_w, double load_w)
{
    if (load_w > 0.0 && (units - 1.0) * each_w * slack < load_w)
        ry_problem(problems, RY_ERR_NO, what,
                   "%.0f of %.0f left after the loss of one carry %.1f kW of %.1f kW",
                   units - 1.0, units, (units - 1.0) * each_w / 1e3, load_w / 1e3);
}

static void check_plant(const struct ry_facility_claim *claim, const struct load *site,
                        struct ry_problems *problems)
{
    const struct ry_power_rules *rules = claim->rules;
    const struct ry_power_plan *power = claim->power;
    const double facility_w = site->watts * rules->pue;

    check_units(problems, "UPS modules", power->ups_modules_n_plus_1,
                rules->ups_module_va * rules->power_factor, site->watts);
    check_units(problems, "generators", power->generators_n_plus_1,
                rules->generator_unit_w, facility_w);
    if (facility_w > claim->site_w * slack)
        ry_problem(problems, RY_ERR_NO, "site", "%.1f kW of %.1f kW", facility_w / 1e3,
                   claim->site_w / 1e3);
    if (fabs(power->it_max_w - site->watts) > 1e-6 * site->watts)
        ry_problem(problems, RY_ERR_NO, "site",
                   "the plan says %.3f kW, its devices %.3f kW", power->it_max_w / 1e3,
                   site->watts / 1e3);
}

/* The heat that room air is left with: racks over its limit need a door each. */
static double check_doors(const struct ry_facility_claim *claim,
                          struct ry_problems *problems)
{
    const struct ry_cooling_rules *rules = claim->cooling_rules;
    double room_w = 0.0, doors = 0.0;

    for (size_t i = 0; i < claim->racks->racks_n; i++) {
        const struct ry_rack_place *rack = &claim->racks->racks[i];
        struct load sum = {0};
        char where[64];
        for (size_t d = 0; d < rack->slots; d++)
            add_slot(claim, claim->racks->by_rack[rack->first_slot + d], &sum);
        if (!(sum.air_w > rules->air_rack_limit_w * slack)) {
            room_w += sum.air_w;
            continue;
        }
        doors += 1.0;
        (void)snprintf(where, sizeof(where), "rack %zu", i);
        if (isnan(rules->rear_door.capacity_w))
            ry_problem(problems, RY_ERR_NO, where,
                       "%.1f kW to the air, and no rear door of a known capacity",
                       sum.air_w / 1e3);
        else if (sum.air_w > rules->rear_door.capacity_w * slack)
            ry_problem(problems, RY_ERR_NO, where,
                       "%.1f kW to the air are over the %.1f kW of a rear door",
                       sum.air_w / 1e3, rules->rear_door.capacity_w / 1e3);
    }
    if (doors > claim->cooling->rear_doors)
        ry_problem(problems, RY_ERR_NO, "rear doors", "%.0f needed, %.0f planned", doors,
                   claim->cooling->rear_doors);
    return room_w;
}

static void check_cooling(const struct ry_facility_claim *claim, const struct load *site,
                          struct ry_problems *problems)
{
    const struct ry_cooling_rules *rules = claim->cooling_rules;
    const struct ry_cooling_plan *cooling = claim->cooling;
    const double room_w = check_doors(claim, problems);

    if (rules->cdu.capacity_w > 0.0)
        check_units(problems, "CDUs", cooling->cdus.n_plus_1, rules->cdu.capacity_w,
                    site->liquid_w);
    if (rules->cdu.max_flow_l_per_min > 0.0 && site->liquid_w > 0.0 &&
        (cooling->cdus.n_plus_1 - 1.0) * rules->cdu.max_flow_l_per_min * slack <
            cooling->l_per_min)
        ry_problem(problems, RY_ERR_NO, "CDUs", "%.0f L/min are over those of %.0f",
                   cooling->l_per_min, cooling->cdus.n_plus_1 - 1.0);
    if (rules->room_air.capacity_w > 0.0)
        check_units(problems, "room air units", cooling->room_units_n_plus_1,
                    rules->room_air.capacity_w, room_w);
    if (rules->rejection.capacity_w > 0.0)
        check_units(problems, "heat rejection", cooling->rejection_n_plus_1,
                    rules->rejection.capacity_w, site->watts);
}

/* Ports in use of one device, and what they carry together. */
static void check_device(const struct ry_facility_claim *claim, size_t device,
                         const struct ry_port_limit *limit, struct ry_problems *problems)
{
    const struct ry_graph *graph = claim->graph;
    const struct ry_device *at = &graph->devices[device];
    double used = 0.0, bytes_per_s = 0.0;
    char where[64];

    for (uint32_t p = at->first_port; p < at->first_port + at->ports; p++) {
        if (graph->ports[p].cable == RY_NONE)
            continue;
        used += 1.0;
        bytes_per_s += graph->ports[p].bytes_per_s;
    }
    (void)snprintf(where, sizeof(where), "%s%u", graph->classes[at->of].name, at->index);
    if (used > limit->ports)
        ry_problem(problems, RY_ERR_NO, where, "%.0f ports in use, it has %.0f", used,
                   limit->ports);
    if (bytes_per_s > limit->bytes_per_s * slack)
        ry_problem(problems, RY_ERR_NO, where, "%.0f Gb/s on its ports, it has %.0f",
                   bytes_per_s * 8e-9, limit->bytes_per_s * 8e-9);
}

static void check_ports(const struct ry_facility_claim *claim,
                        struct ry_problems *problems)
{
    const struct ry_graph *graph = claim->graph;

    for (size_t c = 0; c < graph->n_classes; c++) {
        const struct ry_device_class *class = &graph->classes[c];
        const size_t gear = claim->gear_of_class[c];
        if (gear >= claim->gear->n || class->kind != RY_DEVICE_SWITCH)
            continue;
        for (size_t d = class->first; d < (size_t) class->first + class->count; d++)
            check_device(claim, d, &claim->ports[gear], problems);
    }
}

static void check_cables(const struct ry_cable_plan *cables, struct ry_problems *problems)
{
    for (size_t i = 0; i < cables->n; i++) {
        const struct ry_cable_line *line = &cables->at[i];
        if (!line->product || isnan(line->length_m))
            continue;
        if (line->length_m > line->product->reach_max_m * slack)
            ry_problem(problems, RY_ERR_NO, line->product->part.name,
                       "%g m, it reaches %g m", line->length_m,
                       line->product->reach_max_m);
        if (line->length_m * slack < line->longest_m)
            ry_problem(problems, RY_ERR_NO, line->product->part.name,
                       "%g m for a way of %.2f m", line->length_m, line->longest_m);
    }
}

void ry_facility_verify_site(const struct ry_facility_claim *claim,
                             struct ry_problems *problems)
{
    struct load site = {0};

    for (size_t s = 0; s < claim->racks->slots_n; s++)
        add_slot(claim, s, &site);
    if (claim->power && !isnan(site.watts))
        check_plant(claim, &site, problems);
    if (claim->cooling && !isnan(site.watts))
        check_cooling(claim, &site, problems);
    if (claim->graph && claim->ports)
        check_ports(claim, problems);
    if (claim->cables)
        check_cables(claim->cables, problems);
}
