/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/facility_cmd.h"
#include "cli/sections.h"
#include "cli/trained.h"
#include "report/pic_power.h"

#include <stdio.h>

struct power_options {
    struct ry_facility_cmd facility;
    const char *workload;
    const char *plot;
    int format;
};

static const struct ry_column rack_columns[] = {
    {.key = "use", .title = "racks of"},
    {.key = "racks", .title = "racks", .show = RY_SHOW_COUNT},
    {.key = "pdu", .title = "PDU"},
    {.key = "circuit", .title = "circuit"},
    {.key = "circuits", .title = "a rack", .show = RY_SHOW_COUNT},
    {.key = "feeds", .title = "feeds", .show = RY_SHOW_COUNT},
    {.key = "load_w", .title = "load", .show = RY_SHOW_WATTS},
    {.key = "normal_w", .title = "fullest", .show = RY_SHOW_WATTS},
    {.key = "circuit_lost_w", .title = "1 circuit lost", .show = RY_SHOW_WATTS},
    {.key = "feed_lost_w", .title = "1 feed lost", .show = RY_SHOW_WATTS},
    {.key = "iec_w", .title = "IEC", .show = RY_SHOW_WATTS},
    {.key = "nec_w", .title = "80 %", .show = RY_SHOW_WATTS},
    {.key = "holds", .title = "holds by"},
    {.key = "circuit_w", .show = RY_SHOW_WATTS},
    {.key = "devices_down_circuit", .show = RY_SHOW_COUNT},
    {.key = "devices_down_feed", .show = RY_SHOW_COUNT},
    {.key = "phase_a", .show = RY_SHOW_NUMBER},
    {.key = "phase_lost_a", .show = RY_SHOW_NUMBER},
    {.key = "phase_limit_a", .show = RY_SHOW_NUMBER},
    {.key = "imbalance_frac", .show = RY_SHOW_FRACTION},
    {.key = "outlets_c19", .show = RY_SHOW_COUNT},
    {.key = "outlets_c13", .show = RY_SHOW_COUNT},
    {.key = "ok", .show = RY_SHOW_BOOL},
};

static const struct ry_column device_columns[] = {
    {.key = "part", .title = "device"},
    {.key = "count", .title = "count", .show = RY_SHOW_COUNT},
    {.key = "max_w", .title = "nameplate", .show = RY_SHOW_WATTS},
    {.key = "typical_w", .title = "typical", .show = RY_SHOW_WATTS},
    {.key = "step_w", .title = "in the step", .show = RY_SHOW_WATTS},
    {.key = "psus", .title = "supplies", .show = RY_SHOW_COUNT},
    {.key = "psu_w", .title = "each", .show = RY_SHOW_WATTS},
    {.key = "psu_scheme", .title = "scheme"},
    {.key = "connector", .title = "inlet"},
    {.key = "total_max_w", .title = "all", .show = RY_SHOW_WATTS},
};

static const struct ry_rack_feed *feed_of(const struct ry_facility *facility,
                                          enum ry_rack_use use)
{
    const struct ry_power_rules *rules = &facility->power_rules;

    return use == RY_RACK_COMPUTE   ? &rules->compute
           : use == RY_RACK_NETWORK ? &rules->network
                                    : &rules->whole;
}

/* The rules by which the worst single loss is inside the rating. */
static const char *holds(const struct ry_rack_power *kind, double iec_w, double nec_w,
                         bool redundant)
{
    const double lost_w = redundant ? fmax(kind->circuit_lost_w, kind->feed_lost_w) : 0.0;
    const double worst_w = fmax(kind->normal_w, lost_w);
    const size_t down = kind->devices_down_circuit + kind->devices_down_feed;

    if (isnan(kind->load_w))
        return "unknown";
    if (redundant && down > 0)
        return "neither: devices stop";
    if (worst_w <= nec_w)
        return "IEC and 80 %";
    return worst_w <= iec_w ? "IEC only" : "neither";
}

static bool is_ok(const struct ry_rack_power *kind, bool redundant)
{
    return kind->ok_normal && kind->ok_phase && kind->ok_outlets &&
           (!redundant || (kind->ok_circuit_lost && kind->ok_feed_lost));
}

static const char *circuit_text(struct ry_arena *arena, const struct ry_circuit *circuit)
{
    return ry_kept(arena, "%.0f V %.0f A %s, %.0f %%", circuit->volts, circuit->amps,
                   circuit->phases == 3 ? "3-phase" : "1-phase",
                   100.0 * circuit->derate_frac);
}

static void add_kind(struct ry_planned *planned, struct ry_table *table,
                     const struct ry_rack_power *kind)
{
    const struct ry_rack_feed *feed = feed_of(&planned->layout.facility, kind->use);
    const bool redundant = planned->layout.facility.power_rules.scheme != RY_POWER_N;
    struct ry_circuit iec = feed->circuit, nec = feed->circuit;

    iec.derate_frac = 1.0;
    nec.derate_frac = RY_NEC_CONTINUOUS_FRAC;
    const double iec_w = ry_circuit_w(&iec), nec_w = ry_circuit_w(&nec);
    ry_table_row(table,
                 (struct ry_cell[]){RY_TEXT(ry_rack_use_name(kind->use)),
                                    RY_NUM((double)kind->racks),
                                    RY_TEXT(feed->part),
                                    RY_TEXT(circuit_text(planned->arena, &feed->circuit)),
                                    RY_NUM((double)kind->circuits),
                                    RY_NUM((double)kind->feeds),
                                    RY_NUM(kind->load_w),
                                    RY_NUM(kind->normal_w),
                                    RY_NUM(kind->circuit_lost_w),
                                    RY_NUM(kind->feed_lost_w),
                                    RY_NUM(iec_w),
                                    RY_NUM(nec_w),
                                    RY_TEXT(holds(kind, iec_w, nec_w, redundant)),
                                    RY_NUM(kind->circuit_w),
                                    RY_NUM((double)kind->devices_down_circuit),
                                    RY_NUM((double)kind->devices_down_feed),
                                    RY_NUM(kind->phase_a),
                                    RY_NUM(kind->phase_lost_a),
                                    RY_NUM(kind->phase_limit_a),
                                    RY_NUM(kind->imbalance_frac),
                                    RY_NUM(kind->outlets_c19),
                                    RY_NUM(kind->outlets_c13),
                                    RY_NUM(is_ok(kind, redundant) ? 1.0 : 0.0)});
}

static struct ry_table *rack_table(struct ry_planned *planned)
{
    struct ry_table *table = ry_table_create(
        planned->arena, rack_columns, sizeof(rack_columns) / sizeof(rack_columns[0]));

    for (size_t k = 0; k < planned->layout.facility.power.kinds_n; k++)
        add_kind(planned, table, &planned->layout.facility.power.kinds[k]);
    return table;
}

static struct ry_table *device_table(struct ry_planned *planned)
{
    struct ry_table *table =
        ry_table_create(planned->arena, device_columns,
                        sizeof(device_columns) / sizeof(device_columns[0]));

    for (size_t g = 0; g < planned->layout.facility.gear.n; g++) {
        const struct ry_gear *gear = &planned->layout.facility.gears[g];
        const double psus = gear->psus ? (double)gear->psus : (double)NAN;
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(gear->part), RY_NUM((double)gear->count),
                                RY_NUM(gear->max_w), RY_NUM(gear->typical_w),
                                RY_NUM(gear->step_w), RY_NUM(psus), RY_NUM(gear->psu_w),
                                RY_TEXT(gear->psu_scheme), RY_TEXT(gear->connector),
                                RY_NUM((double)gear->count * gear->max_w)});
    }
    return table;
}

static void add_site(struct ry_planned *planned, struct ry_table *t)
{
    const struct ry_power_plan *power = &planned->layout.facility.power;
    const struct ry_power_rules *rules = &planned->layout.facility.power_rules;
    struct ry_arena *arena = planned->arena;

    ry_figure(arena, t, "it_max_w", power->it_max_w, RY_SHOW_WATTS, "IT at nameplate");
    ry_figure(arena, t, "it_typical_w", power->it_typical_w, RY_SHOW_WATTS,
              "IT typical; '-': a device has no typical figure");
    ry_figure(arena, t, "it_energy_w", power->it_energy_w, RY_SHOW_WATTS,
              "simulated, else typical, else nameplate, device by device");
    ry_figure(arena, t, "facility_w", power->facility_w, RY_SHOW_WATTS,
              ry_kept(arena, "nameplate x PUE %.2f", rules->pue));
    ry_figure(arena, t, "overhead_w", power->overhead_w, RY_SHOW_WATTS,
              "cooling and losses");
    ry_figure(arena, t, "rack_pdus",
              (double)(power->pdus_compute + power->pdus_network + power->pdus_whole),
              RY_SHOW_COUNT,
              ry_kept(arena, "%zu compute, %zu network, %zu whips to power shelves",
                      power->pdus_compute, power->pdus_network, power->pdus_whole));
    ry_figure(
        arena, t, "ups_modules", power->ups_modules_n_plus_1, RY_SHOW_COUNT,
        ry_kept(arena, "N+1 of %.0f kVA, at nameplate", rules->ups_module_va / 1e3));
    ry_figure(arena, t, "ups_battery_j", power->ups_battery_j, RY_SHOW_JOULES,
              ry_kept(arena, "for %.0f minutes", rules->ups_minutes));
    ry_figure(arena, t, "generators", power->generators_n_plus_1, RY_SHOW_COUNT,
              ry_kept(arena, "N+1 of %.1f MW, margin %.2f", rules->generator_unit_w / 1e6,
                      rules->generator_factor));
    if (power->busbar_a > 0.0)
        ry_figure(arena, t, "busbar_a", power->busbar_a, RY_SHOW_NUMBER,
                  ry_kept(arena,
                          "A at %.0f V DC in a rack; %.0f A where shelves above and "
                          "below share it",
                          rules->busbar_volts, power->busbar_a / 2.0));
}

static struct ry_table *figure_table(struct ry_planned *planned)
{
    struct ry_table *table =
        ry_table_create(planned->arena, ry_figure_columns, RY_FIGURE_COLUMNS);

    add_site(planned, table);
    return table;
}

static struct ry_table *finding_table(struct ry_planned *planned,
                                      const struct ry_problems *problems, bool *fails)
{
    const struct ry_power_plan *power = &planned->layout.facility.power;
    struct ry_table *table =
        ry_table_create(planned->arena, ry_finding_columns, RY_FINDING_COLUMNS);

    for (size_t i = 0; i < power->findings_n; i++) {
        const struct ry_power_finding *finding = &power->findings[i];
        ry_finding(table, finding->fails, finding->what, finding->text);
        *fails = *fails || finding->fails;
    }
    if (problems->count > 0 && !*fails) { /* said above otherwise, in other words */
        for (size_t i = 0; i < problems->count && i < RY_PROBLEMS_KEPT; i++)
            ry_finding(table, true, problems->diags[i].where, problems->diags[i].text);
        *fails = true;
    }
    for (size_t i = 0; i < planned->layout.facility.notes_n; i++)
        ry_finding(table, false, planned->design.name, planned->layout.facility.notes[i]);
    return table;
}

static enum ry_err print(struct ry_planned *planned, const void *ctx,
                         struct ry_diag *diag)
{
    const struct power_options *options = ctx;
    struct ry_problems *problems = RY_NEW(planned->arena, struct ry_problems, 1);
    bool fails = false;

    if (!problems ||
        ry_facility_check(planned->arena, &planned->layout.facility, problems) != RY_OK)
        return ry_fail(diag, RY_ERR_NOMEM, "power", "cannot verify it");
    const struct ry_section sections[] = {
        {"racks", "Circuits", rack_table(planned)},
        {"devices", "Devices", device_table(planned)},
        {"figures", "Site", figure_table(planned)},
        {"findings", "Findings", finding_table(planned, problems, &fails)},
    };

    if (options->plot) {
        const struct ry_picture picture =
            ry_power_picture(planned->arena, &planned->layout.facility);
        RY_TRY(ry_picture_write(&picture, options->plot, diag));
    }
    RY_TRY(ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]),
                             (enum ry_table_format)options->format, diag));
    return fails ? RY_ERR_NO : RY_OK;
}

/* Mean draw of a node while the workload's best strategy runs. */
static enum ry_err simulate(struct ry_arena *arena, const struct power_options *options,
                            const char *design, double *node_w, struct ry_diag *diag)
{
    const struct ry_case *found = NULL;
    const struct ry_trained_input in = {&options->facility.catalog, design,
                                        options->workload, options->facility.member};

    RY_TRY(ry_trained(arena, &in, &found, diag));
    *node_w = (double)found->design->gpus_per_node * found->result.gpu_w +
              found->site->node_rest_w;
    return RY_OK;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    struct power_options given = *(const struct power_options *)options;

    if (given.workload)
        RY_TRY(
            simulate(arena, &given, args->at[0], &given.facility.plan.node_step_w, diag));
    return ry_planned_run(arena, &given.facility, args->at[0],
                          &(struct ry_planned_work){print, &given}, diag);
}

static const struct power_options defaults = {
#include "cli/facility_defaults.def"
};

#define OPTIONS struct power_options
static const struct ry_opt opts[] = {
#include "cli/facility_opts.def"
    {.kind = RY_OPT_STRING,
     .letter = 'w',
     .offset = offsetof(OPTIONS, workload),
     .name = "workload",
     .value = "FILE",
     .help = "what is trained: nodes draw what its step implies"},
    {.kind = RY_OPT_STRING,
     .offset = offsetof(OPTIONS, plot),
     .name = "plot",
     .value = "FILE",
     .help = "draw the power tree to a .svg, .pdf or .png file too"},
    RY_OPT_FORMAT(OPTIONS),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_power = {
    .name = "power",
    .args = "DESIGN",
    .min_args = 1,
    .max_args = 1,
    .summary = "Size the circuits of every rack and say what each single failure does",
    .example = "railyard power examples/h100-32-ndr-rail.json",
    .opts = opts,
    .options_bytes = sizeof(struct power_options),
    .defaults = &defaults,
    .run = run,
};
