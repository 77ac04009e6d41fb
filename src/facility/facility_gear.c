/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The devices of a site: nodes, the switches of its fabrics and out-of-band ones. */
#include "facility/facility_work.h"

#include "base/names.h"
#include "base/units.h"
#include "design/design.h"
#include "facility/fabric_classes.h"
#include "facility/round.h"
#include "topology/graph.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double cfm_per_m3_s = 1.0 / RY_M3_PER_S_PER_CFM;

void ry_facility_note(struct ry_facility_work *work, const char *text)
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
    const double each_w =
        design->gpu ? design->gpu->power_max_w - design->gpu_power_cap_w : 0.0;

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
        ry_facility_note(
            work,
            ry_strfmt(work->arena,
                      "GPUs capped at %g W: %.2f kW less nameplate a node; circuits "
                      "hold only while the cap is set",
                      design->gpu_power_cap_w, cap_saves_w(design) / 1e3));
    if (isnan(node->weight_kg))
        ry_facility_note(work, ry_strfmt(work->arena,
                                         "%s: its weight is not in the catalog: racks "
                                         "are not checked for weight",
                                         node->part.name));
    if (isnan(node->power_max_w))
        ry_facility_note(work, ry_strfmt(work->arena,
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

static const struct ry_fabric_inputs *inputs_of(const struct ry_facility_work *work,
                                                const struct ry_fabric_class *class)
{
    const struct ry_side_fabric *side = ry_design_find_side(
        work->in->design, work->in->graph->classes[class->index].fabric);

    return side ? &side->fabric : &work->in->design->fabric;
}

/* Links between its switches. */
static size_t links_up(const struct ry_graph *graph, const char *fabric)
{
    size_t n = 0;

    for (size_t i = 0; graph && i < graph->n_levels; i++)
        if (graph->levels[i].rank > 0 && strcmp(graph->levels[i].fabric, fabric) == 0)
            n += graph->levels[i].count;
    return n;
}

static void add_switches(struct ry_facility_work *work,
                         const struct ry_fabric_class *class)
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
        ry_facility_note(work, ry_strfmt(work->arena,
                                         "%zu %s switches: no part is named for them",
                                         class->count, class->name));
        return;
    }
    work->out->gear_of_class[class->index] = work->out->gear.n;
    const struct ry_gear gear = switch_gear(part, role, class->count, class->per_unit);
    (void)add_gear(work, part, &gear);
    if (isnan(gear.max_w))
        ry_facility_note(work, ry_strfmt(work->arena,
                                         "%s: its power is not in the catalog: sums of "
                                         "power are unknown",
                                         part->part.name));
    else if (isnan(part->power_max_w))
        ry_facility_note(work, ry_strfmt(work->arena,
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
            ry_facility_note(work, ry_strfmt(work->arena,
                                             "%zu fabric-manager ports: their servers "
                                             "are not part of the design",
                                             classes[c].count));
        else
            add_switches(work, &classes[c]);
    }
}

void ry_facility_gear(struct ry_facility_work *work)
{
    add_nodes(work);
    add_fabric(work);
}

enum ry_err ry_facility_management(struct ry_facility_work *work, size_t pdus)
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
    if (ry_design_find_side(design, "oob")) {
        work->out->managed_ports += links_up(work->in->graph, "oob");
        ry_facility_note(
            work,
            "the out-of-band fabric is that of the design: ports for the nodes alone, "
            "cables also for switches and PDUs");
        return RY_OK;
    }
    const struct ry_gear gear = switch_gear(part, RY_GEAR_MANAGEMENT,
                                            (size_t)ry_count_up(ports / part->ports), 0);
    (void)add_gear(work, part, &gear);
    return RY_OK;
}
