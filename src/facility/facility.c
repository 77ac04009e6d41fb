/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/facility.h"

#include "base/names.h"
#include "base/units.h"
#include "design/design.h"
#include "facility/facility_work.h"
#include "facility/round.h"
#include "facility/verify.h"

#include <math.h>
#include <string.h>

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

/* What a rack leaves a device from its front rail to its rear door; NAN: not known. */
static double depth_left_m(const struct ry_rack *rack, double reserved_m)
{
    return isnan(rack->depth_m) ? rack->usable_depth_m : rack->depth_m - reserved_m;
}

static struct ry_rack_kind rack_kind(const struct ry_facility_work *work,
                                     const struct ry_rack *rack, double reserved,
                                     double limit_w)
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
    const char *from = ry_design_origin_of(design, "rack_power");

    return from && strstr(from, "/rack_power") != NULL;
}

static double limit_of(double metres)
{
    return metres > 0.0 ? metres : (double)INFINITY;
}

/* Racks do not overlap, whatever the option says. */
static double pitch_m(const struct ry_rack *rack,
                      const struct ry_facility_options *options)
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
    return ry_fail(work->diag, RY_ERR_RANGE, "containment",
                   "'%.40s' is not hot, cold or none", work->options->containment);
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
    const double u =
        out->compute_rack ? out->compute_rack->rack_units : RY_USUAL_RACK_UNITS;
    /* The default limit is that of air: a rack-scale node is held to what the user
     * gave. */
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
        .geometry = {u, out->aisle_rules.rack_pitch_m, options->row_pitch_m,
                     options->tray_m, options->side_m, options->slack_frac},
    };
    out->floor.network.devices_most = options->network_devices;
    return RY_OK;
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
    RY_TRY(ry_facility_power_rules(work));
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
            return ry_fail(diag, RY_ERR_RANGE, counts[i].name, "%g is not a whole number",
                           counts[i].value);
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
    ry_facility_gear(&work);
    RY_TRY(place(&work)); /* once without, to know how many PDUs want a port */
    RY_TRY(ry_facility_management(&work, facility->power.pdus_compute +
                                             facility->power.pdus_network +
                                             facility->power.pdus_whole));
    RY_TRY(place(&work));
    RY_TRY(ry_facility_management_cable(&work));
    RY_TRY(check_site(&work));
    if (strcmp(facility->containment, "none") == 0)
        ry_facility_note(
            &work,
            ry_strfmt(arena,
                      "no aisle is contained: room air takes less than the %.0f kW a "
                      "rack of --air-rack, which holds with containment",
                      in->options->air_rack_w / 1e3));
    RY_TRY(ry_facility_cooling_rules(&work));
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
    return (struct ry_port_limit){
        fmax(part->ports, part->breakout_ports), /* drops a NAN */
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
