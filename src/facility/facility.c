/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/facility.h"

#include "base/names.h"
#include "base/units.h"
#include "design/design.h"
#include "facility/fabric_classes.h"
#include "facility/facility_work.h"
#include "facility/round.h"
#include "facility/verify.h"
#include "topology/graph.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double cfm_per_m3_s = 1.0 / RY_M3_PER_S_PER_CFM;
static const double l_min_per_m3_s = 60000.0;

struct ry_facility_options ry_facility_defaults(void)
{
    return (struct ry_facility_options){
        .scheme = RY_POWER_N_PLUS_1,
        .rule = RY_RULE_CATALOG,
#define N(field, value, above, kind, dim, option, help) .field = (value),
#define T(field, value, option, help) .field = (value),
#include "facility/options.def"
#undef N
#undef T
        .node_step_w = (double)NAN,
    };
}

static void note(struct ry_facility_work *work, const char *text)
{
    assert(work->out->notes_n < RY_FACILITY_NOTES_MOST);
    work->out->notes[work->out->notes_n++] = text ? text : "out of memory";
}

static size_t count_of(double value)
{
    return value > 0.0 ? (size_t)value : 0;
}

/* "C20 or DC busbar": the first word. */
static const char *inlet(const char *connector)
{
    return strncmp(connector, "C20", 3) == 0   ? "C20"
           : strncmp(connector, "C22", 3) == 0 ? "C22"
                                               : connector;
}

static struct ry_gear *add_gear(struct ry_facility_work *work, const void *part,
                                const struct ry_gear *gear)
{
    struct ry_facility *out = work->out;

    assert(out->gear.n < RY_FACILITY_GEARS_MOST);
    out->gears[out->gear.n] = *gear;
    out->parts[out->gear.n] = part;
    return &out->gears[out->gear.n++];
}

/* What capping its GPUs takes off a node's nameplate. */
static double cap_saves_w(const struct ry_design *design)
{
    const double each_w = design->gpu ? design->gpu->power_max_w - design->gpu_power_cap_w
                                      : 0.0;

    return each_w > 0.0 ? (double)design->gpus_per_node * each_w : 0.0;
}

static void add_nodes(struct ry_facility_work *work)
{
    const struct ry_design *design = work->in->design;
    const struct ry_node *node = design->node;
    const double max_w = node->power_max_w - cap_saves_w(design);

    (void)add_gear(work, node,
                   &(struct ry_gear){
                       .role = RY_GEAR_NODE,
                       .part = node->part.name,
                       .count = design->nodes,
                       .whole_rack = strcmp(node->kind, "rack") == 0,
                       .rack_units = node->rack_units,
                       .weight_kg = node->weight_kg,
                       .depth_m = node->depth_m,
                       .max_w = max_w,
                       .typical_w = node->power_typ_w > max_w ? max_w : node->power_typ_w,
                       .step_w = work->options->node_step_w,
                       .airflow_cfm = node->airflow_m3_s * cfm_per_m3_s,
                       .liquid_frac = node->liquid_frac,
                       .inlet_max_c = node->inlet_max_c,
                       .psus = count_of(node->psu_count),
                       .psu_w = node->psu_w,
                       .psu_scheme = node->psu_redundancy,
                       .connector = inlet(node->power_connector),
                   });
    if (cap_saves_w(design) > 0.0)
        note(work, ry_strfmt(work->arena,
                             "GPUs capped at %g W: %.2f kW less nameplate a node; circuits "
                             "hold only while the cap is set",
                             design->gpu_power_cap_w, cap_saves_w(design) / 1e3));
    if (isnan(node->weight_kg))
        note(work, ry_strfmt(work->arena,
                             "%s: its weight is not in the catalog: racks "
                             "are not checked for weight",
                             node->part.name));
    if (isnan(node->power_max_w))
        note(work, ry_strfmt(work->arena,
                             "%s: its power is not in the catalog: racks, "
                             "circuits and cooling are not sized for it",
                             node->part.name));
}

static struct ry_gear switch_gear(const struct ry_switch *part, enum ry_gear_role role,
                                  size_t count, size_t per_group)
{
    const bool liquid = strcmp(part->cooling, "liquid") == 0;

    return (struct ry_gear){
        .role = role,
        .part = part->part.name,
        .count = count,
        .rack_units = part->rack_units,
        .weight_kg = part->weight_kg,
        .depth_m = part->depth_m,
        .max_w = isnan(part->power_max_w) ? part->power_typ_w : part->power_max_w,
        .typical_w = part->power_typ_w,
        .step_w = (double)NAN,
        .airflow_cfm = part->airflow_m3_s * cfm_per_m3_s,
        .liquid_frac = liquid ? 1.0 : 0.0,
        .inlet_max_c = (double)NAN,
        .psus = count_of(part->psu_count),
        .psu_w = part->psu_w,
        .psu_scheme = part->psu_redundancy,
        .connector = "C14",
        .per_group = per_group,
    };
}

/* The side fabric of that name, or NULL: the compute fabric. */
static const struct ry_side_fabric *side_of(const struct ry_facility_work *work, const char *name)
{
    const struct ry_design *design = work->in->design;

    for (size_t i = 0; i < design->sides_n; i++) {
        if (strcmp(design->sides[i].name, name) == 0)
            return &design->sides[i];
    }
    return NULL;
}

static const struct ry_fabric_inputs *inputs_of(const struct ry_facility_work *work,
                                                const struct ry_fabric_class *class)
{
    const struct ry_side_fabric *side =
        side_of(work, work->in->graph->classes[class->index].fabric);

    return side ? &side->fabric : &work->in->design->fabric;
}

/* Links between its switches. */
static size_t links_up(const struct ry_graph *graph, const char *fabric)
{
    size_t n = 0;

    for (size_t i = 0; graph && i < graph->n_levels; i++) {
        if (graph->levels[i].rank > 0 && strcmp(graph->levels[i].fabric, fabric) == 0)
            n += graph->levels[i].count;
    }
    return n;
}

static void add_switches(struct ry_facility_work *work, const struct ry_fabric_class *class)
{
    const struct ry_fabric_inputs *fabric = inputs_of(work, class);
    const struct ry_switch *part = class->tier >= 2 ? fabric->spine : fabric->leaf;
    const char *of = work->in->graph->classes[class->index].fabric;
    const enum ry_gear_role role = ry_is_out_of_band(fabric, of) && class->tier == 1
                                       ? RY_GEAR_MANAGEMENT
                                   : class->tier >= 3 ? RY_GEAR_CORE
                                   : class->tier == 2 ? RY_GEAR_SPINE
                                                      : RY_GEAR_LEAF;

    if (!part) {
        note(work, ry_strfmt(work->arena, "%zu %s switches: no part is named for them",
                             class->count, class->name));
        return;
    }
    work->out->gear_of_class[class->index] = work->out->gear.n;
    const struct ry_gear gear = switch_gear(part, role, class->count, class->per_unit);
    (void)add_gear(work, part, &gear);
    if (isnan(gear.max_w))
        note(work, ry_strfmt(work->arena,
                             "%s: its power is not in the catalog: sums of "
                             "power are unknown",
                             part->part.name));
    else if (isnan(part->power_max_w))
        note(work, ry_strfmt(work->arena,
                             "%s: no maximum in the catalog, its typical "
                             "%.0f W stand in for it",
                             part->part.name, part->power_typ_w));
}

static void add_fabric(struct ry_facility_work *work)
{
    struct ry_fabric_class classes[RY_FABRIC_CLASSES_MOST];

    for (size_t c = 0; c < RY_CABLE_CLASSES_MOST; c++)
        work->out->gear_of_class[c] = SIZE_MAX;
    if (!work->in->graph)
        return;
    const size_t n = ry_fabric_classes(work->in->graph, classes);
    for (size_t c = 0; c < n; c++) {
        if (classes[c].node)
            work->out->gear_of_class[classes[c].index] = 0;
        else if (classes[c].manager)
            note(work, ry_strfmt(work->arena,
                                 "%zu fabric-manager ports: their servers "
                                 "are not part of the design",
                                 classes[c].count));
        else
            add_switches(work, &classes[c]);
    }
}

/* One out-of-band port of each host, switch, power shelf and PDU; switches for them. */
static enum ry_err add_management(struct ry_facility_work *work, size_t pdus)
{
    const struct ry_design *design = work->in->design;
    const struct ry_switch *part =
        ry_find_switch(work->in->catalog, work->options->management_switch);
    const double hosts = design->gpus_per_host > 0
                             ? (double)(design->gpus_per_node / design->gpus_per_host)
                             : 1.0;
    double ports = (double)design->nodes * fmax(1.0, hosts) + (double)pdus;

    if (!part)
        return ry_fail(work->diag, RY_ERR_NOTFOUND, "management-switch",
                       "no switch '%s'; 'railyard catalog list switches' lists them",
                       work->options->management_switch);
    if (work->out->gears[0].whole_rack) /* NVLink switch trays, two chips each */
        ports += (double)(design->nodes * count_of(design->node->nvswitch_count)) / 2.0;
    for (size_t g = 1; g < work->out->gear.n; g++)
        ports += (double)work->out->gears[g].count;
    work->out->managed_ports = (size_t)ports;
    if (design->nodes < 2)
        return RY_OK; /* one node: its own port goes to the office network */
    if (side_of(work, "oob")) {
        work->out->managed_ports += links_up(work->in->graph, "oob");
        note(work, "the out-of-band fabric is that of the design: ports for the nodes alone, "
                   "cables also for switches and PDUs");
        return RY_OK;
    }
    const struct ry_gear gear = switch_gear(part, RY_GEAR_MANAGEMENT,
                                            (size_t)ry_count_up(ports / part->ports), 0);
    (void)add_gear(work, part, &gear);
    return RY_OK;
}

/* What a rack leaves a device from its front rail to its rear door; NAN: not known. */
static double depth_left_m(const struct ry_rack *rack, double reserved_m)
{
    return isnan(rack->depth_m) ? rack->usable_depth_m : rack->depth_m - reserved_m;
}

static struct ry_rack_kind rack_kind(const struct ry_facility_work *work, const struct ry_rack *rack,
                                     double reserved, double limit_w)
{
    if (!rack)
        return (struct ry_rack_kind){.part = "no rack",
                                     .payload_kg = (double)INFINITY,
                                     .depth_m = (double)NAN,
                                     .limit_w = limit_w};
    return (struct ry_rack_kind){
        .part = rack->part.name,
        .rack_units = rack->rack_units,
        .reserved_units = reserved,
        .payload_kg = rack->max_static_load_kg,
        .empty_kg = rack->empty_weight_kg,
        .depth_m = depth_left_m(rack, work->options->depth_reserved_m),
        .limit_w = limit_w,
    };
}

/* Whether the design file says rack_power itself. */
static bool gave_rack_power(const struct ry_design *design)
{
    for (size_t i = 0; i < design->origins_n; i++) {
        if (strcmp(design->origins[i].what, "rack_power") == 0)
            return strstr(design->origins[i].from, "/rack_power") != NULL;
    }
    return false;
}

static double limit_of(double metres)
{
    return metres > 0.0 ? metres : (double)INFINITY;
}

/* Racks do not overlap, whatever the option says. */
static double pitch_m(const struct ry_rack *rack, const struct ry_facility_options *options)
{
    return rack ? fmax(options->rack_pitch_m, rack->width_m) /* drops a NAN */
                : options->rack_pitch_m;
}

struct ry_aisle_rules ry_facility_aisles(const struct ry_design *design,
                                         const struct ry_facility_options *options)
{
    static const double usual_depth_m = 1.2; /* of a rack whose row does not say it */
    const struct ry_rack *rack = design->facility.rack;

    return (struct ry_aisle_rules){
        .rack_pitch_m = pitch_m(rack, options),
        .rack_depth_m = rack && rack->depth_m > 0.0 ? rack->depth_m : usual_depth_m,
        .row_pitch_m = options->row_pitch_m,
        .cold_aisle_m = options->cold_aisle_m,
        .end_aisle_m = options->end_aisle_m,
        .room_length_m = limit_of(design->facility.room_length_m),
        .room_width_m = limit_of(design->facility.room_width_m),
        .row_racks = (size_t)options->row_racks,
    };
}

static enum ry_err check_containment(const struct ry_facility_work *work)
{
    static const char *const known[] = {"hot", "cold", "none"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (ry_name_eq(work->options->containment, known[i])) {
            work->out->containment = known[i];
            return RY_OK;
        }
    }
    return ry_fail(work->diag, RY_ERR_RANGE, "containment", "'%.40s' is not hot, cold or none",
                   work->options->containment);
}

static enum ry_err make_floor(struct ry_facility_work *work)
{
    const struct ry_facility_inputs *facility = &work->in->design->facility;
    const struct ry_facility_options *options = work->options;
    struct ry_facility *out = work->out;

    out->compute_rack = facility->rack;
    out->network_rack = ry_find_rack(work->in->catalog, options->network_rack);
    if (!out->network_rack)
        return ry_fail(work->diag, RY_ERR_NOTFOUND, options->network_rack,
                       "no such rack in the catalog");
    out->aisle_rules = ry_facility_aisles(work->in->design, options);
    RY_TRY(check_containment(work));
    RY_TRY(ry_aisles_rows(&out->aisle_rules, &out->aisles, work->diag));
    const double u = out->compute_rack ? out->compute_rack->rack_units : RY_USUAL_RACK_UNITS;
    /* The default limit is that of air: a rack-scale node is held to what the user gave.
     */
    const double limit_w = out->gears[0].whole_rack && !gave_rack_power(work->in->design)
                               ? (double)INFINITY
                               : facility->rack_power_w;
    out->floor = (struct ry_floor){
        .compute = rack_kind(work, out->compute_rack, options->reserved_units, limit_w),
        .network = rack_kind(work, out->network_rack, options->network_reserved_units,
                             fmin(facility->rack_power_w, options->network_rack_w)),
        .floor_kg = facility->rack_weight_kg,
        .racks_most = facility->racks_most,
        .nodes_per_rack = facility->nodes_per_rack,
        .row_racks = out->aisles.row_racks,
        .geometry = {u, out->aisle_rules.rack_pitch_m, options->row_pitch_m, options->tray_m,
                     options->side_m, options->slack_frac},
    };
    out->floor.network.devices_most = options->network_devices;
    return RY_OK;
}

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

static struct ry_rack_feed feed_of(const struct ry_facility_work *work, const struct ry_pdu *pdu,
                                   double power_factor)
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

static enum ry_err make_power_rules(struct ry_facility_work *work)
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
        return ry_fail(diag, RY_ERR_NOTFOUND, "liquid-class",
                       "no ASHRAE class of facility water '%s'; W17, W27, W32, W40, W45 or W+",
                       options->liquid_class);
    return RY_OK;
}

static enum ry_err make_cooling_rules(struct ry_facility_work *work)
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

static size_t management_gear(const struct ry_facility *out)
{
    size_t i = 0;

    while (i < out->gear.n && out->gears[i].role != RY_GEAR_MANAGEMENT)
        i++;
    return i;
}

/* Mean way from a device to the nearest out-of-band switch, as a stock length. */
static double management_cable_m(const struct ry_facility *out)
{
    const size_t last = management_gear(out);
    double sum_m = 0.0;

    if (last == out->gear.n)
        return 0.0;
    for (size_t s = 0; s < out->racks.slots_n; s++) {
        const struct ry_rack_slot *slot = &out->racks.slots[s];
        if (slot->gear == last)
            continue;
        const struct ry_place from =
            ry_rack_place_of(&out->racks, &out->gear, slot->gear, slot->item);
        double least_m = (double)INFINITY;
        for (size_t m = 0; m < out->gears[last].count; m++)
            least_m =
                fmin(least_m,
                     ry_cable_run_m(&out->floor.geometry, from,
                                    ry_rack_place_of(&out->racks, &out->gear, last, m)));
        sum_m += least_m;
    }
    const double mean_m =
        sum_m / (double)(out->racks.slots_n - out->gears[last].count);
    size_t i = 0;
    while (ry_cable_stock_at(i) < mean_m)
        i++;
    return ry_cable_stock_at(i);
}

static size_t longest_row(const struct ry_rack_plan *racks, size_t row_racks)
{
    return row_racks > 0 && racks->racks_n > row_racks ? row_racks : racks->racks_n;
}

static enum ry_err place(struct ry_facility_work *work)
{
    struct ry_facility *out = work->out;

    RY_TRY(make_floor(work));
    RY_TRY(ry_racks_plan(work->arena, &out->gear, &out->floor, &out->racks, work->diag));
    RY_TRY(ry_aisles_plan(&out->aisle_rules, out->racks.rows,
                          longest_row(&out->racks, out->floor.row_racks), &out->aisles,
                          work->diag));
    RY_TRY(make_power_rules(work));
    return ry_power_plan(work->arena, &work->out->gear, &work->out->racks,
                         &work->out->power_rules, &work->out->power, work->diag);
}

static enum ry_err check_site(const struct ry_facility_work *work)
{
    const double limit_w = work->in->design->facility.site_power_w;
    const double need_w = work->out->power.facility_w;

    if (need_w > limit_w * (1.0 + RY_ROUND_SLACK))
        return ry_fail(work->diag, RY_ERR_INFEASIBLE, work->in->design->name,
                       "%.1f kW at nameplate and PUE %.2f, the site has %.1f kW",
                       need_w / 1e3, work->in->design->facility.pue, limit_w / 1e3);
    return RY_OK;
}

/* Devices and racks do not come in parts. */
static enum ry_err check_counts(const struct ry_facility_options *options,
                                struct ry_diag *diag)
{
    const struct {
        const char *name;
        double value;
    } counts[] = {{"row-racks", options->row_racks},
                  {"network-rack-devices", options->network_devices}};

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (counts[i].value != floor(counts[i].value))
            return ry_fail(diag, RY_ERR_RANGE, counts[i].name,
                           "%g is not a whole number", counts[i].value);
    }
    return RY_OK;
}

/* Every number is finite and 0 or more, above 0 where it divides, a share at most 1. */
static enum ry_err check_options(const struct ry_facility_options *options,
                                 struct ry_diag *diag)
{
    static const double most = 1e9;
    const struct {
        const char *name;
        double value;
        bool above, share;
    } numbers[] = {
#define N(field, value, above, kind, dim, option, help)                                  \
    {option, options->field, above, (dim) == RY_DIM_FRACTION},
#define T(field, value, option, help)
#include "facility/options.def"
#undef N
#undef T
    };

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        const double value = numbers[i].value;
        if (!(value >= 0.0 && value <= most) || (numbers[i].above && value == 0.0))
            return ry_fail(diag, RY_ERR_RANGE, numbers[i].name,
                           "%g is not %s 0 and at most %g", value,
                           numbers[i].above ? "above" : "at least", most);
        if (numbers[i].share && value > 1.0)
            return ry_fail(diag, RY_ERR_RANGE, numbers[i].name, "%g is over 1", value);
    }
    return check_counts(options, diag);
}

/* Modules are in a switch's nameplate, not in its typical figure. */
static void add_modules(struct ry_facility *out)
{
    double typical_w = 0.0;

    for (size_t g = 1; g < out->gear.n; g++) {
        const struct ry_gear *gear = &out->gears[g];
        out->other_max_w += (double)gear->count * gear->max_w;
        typical_w += (double)gear->count *
                     (isnan(gear->typical_w) ? gear->max_w : gear->typical_w);
    }
    out->other_typical_w = fmin(typical_w + out->cables.power_w, out->other_max_w);
    out->power.it_typical_w += out->other_typical_w - typical_w;
    out->power.it_energy_w += out->other_typical_w - typical_w;
}

enum ry_err ry_facility_plan(struct ry_arena *arena, const struct ry_facility_input *in,
                             struct ry_facility *facility, struct ry_diag *diag)
{
    struct ry_facility_work work = {
        .arena = arena, .in = in, .options = in->options, .out = facility, .diag = diag};

    *facility = (struct ry_facility){.design = in->design, .graph = in->graph};
    facility->gear.at = facility->gears;
    RY_TRY(check_options(in->options, diag));
    add_nodes(&work);
    add_fabric(&work);
    RY_TRY(place(&work)); /* once without, to know how many PDUs want a port */
    RY_TRY(add_management(&work, facility->power.pdus_compute +
                                     facility->power.pdus_network +
                                     facility->power.pdus_whole));
    RY_TRY(place(&work));
    facility->management_cable_m = management_cable_m(facility);
    RY_TRY(check_site(&work));
    if (strcmp(facility->containment, "none") == 0)
        note(&work, ry_strfmt(arena,
                              "no aisle is contained: room air takes less than the %.0f kW a "
                              "rack of --air-rack, which holds with containment",
                              in->options->air_rack_w / 1e3));
    RY_TRY(make_cooling_rules(&work));
    RY_TRY(ry_cooling_plan(arena, &facility->gear, &facility->racks,
                           &facility->cooling_rules, &facility->cooling, diag));
    RY_TRY(ry_facility_cables(&work));
    add_modules(facility);
    return RY_OK;
}

/* Ports of the part, more where they may be split. */
static struct ry_port_limit port_limit(const struct ry_facility *facility, size_t gear)
{
    const struct ry_switch *part = facility->parts[gear];

    if (gear == 0 || !part)
        return (struct ry_port_limit){(double)NAN, (double)NAN};
    return (struct ry_port_limit){fmax(part->ports, part->breakout_ports), /* drops a NAN */
                                  part->ports * part->port_bytes_per_s};
}

enum ry_err ry_facility_check(struct ry_arena *scratch,
                              const struct ry_facility *facility,
                              struct ry_problems *problems)
{
    struct ry_port_limit ports[RY_FACILITY_GEARS_MOST];

    for (size_t g = 0; g < RY_FACILITY_GEARS_MOST; g++)
        ports[g] = port_limit(facility, g);
    const struct ry_facility_claim claim = {
        .gear = &facility->gear,
        .floor = &facility->floor,
        .racks = &facility->racks,
        .rules = &facility->power_rules,
        .power = &facility->power,
        .site_w = facility->design->facility.site_power_w,
        .cooling_rules = &facility->cooling_rules,
        .cooling = &facility->cooling,
        .cables = &facility->cables,
        .graph = facility->graph,
        .ports = ports,
        .gear_of_class = facility->gear_of_class,
    };

    return ry_facility_verify(scratch, &claim, problems);
}
