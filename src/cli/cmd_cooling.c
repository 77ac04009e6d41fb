/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/facility_cmd.h"
#include "cli/sections.h"

#include <stdio.h>

struct cooling_options {
    struct ry_facility_cmd facility;
    int format;
};

static const struct ry_column device_columns[] = {
    {.key = "part", .title = "device"},
    {.key = "count", .title = "count", .show = RY_SHOW_COUNT},
    {.key = "air_w", .title = "to air", .show = RY_SHOW_WATTS},
    {.key = "liquid_w", .title = "to liquid", .show = RY_SHOW_WATTS},
    {.key = "airflow_cfm", .title = "CFM", .show = RY_SHOW_NUMBER},
    {.key = "airflow_basis", .title = "CFM by"},
    {.key = "air_rise_f", .title = "rise, F", .show = RY_SHOW_NUMBER},
    {.key = "flow_l_per_min", .title = "L/min", .show = RY_SHOW_NUMBER},
    {.key = "inlet_max_c", .title = "inlet, C", .show = RY_SHOW_NUMBER},
};

static struct ry_table *device_table(struct ry_planned *planned)
{
    const struct ry_cooling_plan *cooling = &planned->layout.facility.cooling;
    struct ry_table *table =
        ry_table_create(planned->arena, device_columns,
                        sizeof(device_columns) / sizeof(device_columns[0]));

    for (size_t i = 0; i < cooling->gears_n; i++) {
        const struct ry_cooling_gear *one = &cooling->gears[i];
        const struct ry_gear *gear = &planned->layout.facility.gears[one->gear];
        const bool own = one->own_cfm > 0.0;
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(gear->part), RY_NUM((double)gear->count),
                                RY_NUM(one->air_w), RY_NUM(one->liquid_w),
                                RY_NUM(own ? one->own_cfm : one->cfm),
                                RY_TEXT(own ? "its data sheet" : "heat and rise"),
                                RY_NUM(one->air_w > 0.0 ? one->rise_f : (double)NAN),
                                RY_NUM(one->l_per_min), RY_NUM(gear->inlet_max_c)});
    }
    return table;
}

static void add_heat(struct ry_planned *planned, struct ry_table *t)
{
    const struct ry_cooling_plan *c = &planned->layout.facility.cooling;
    const struct ry_cooling_rules *rules = &planned->layout.facility.cooling_rules;
    struct ry_arena *arena = planned->arena;

    ry_figure(arena, t, "air_w", c->air_w, RY_SHOW_WATTS, "of IT, at nameplate");
    ry_figure(arena, t, "liquid_w", c->liquid_w, RY_SHOW_WATTS,
              "by the liquid fraction of each device");
    ry_figure(arena, t, "btu_per_h", c->btu_per_h, RY_SHOW_COUNT,
              ry_kept(arena, "%.1f tons of refrigeration", c->tons));
    ry_figure(arena, t, "airflow_cfm", c->cfm, RY_SHOW_COUNT,
              ry_kept(arena, "%.0f m3/h, at %.0f m of altitude (%.3f atm)", c->m3_per_h,
                      rules->altitude_m, ry_air_pressure_atm(rules->altitude_m)));
    ry_figure(arena, t, "hottest_rack_air_w", c->hottest_air_w, RY_SHOW_WATTS,
              ry_kept(arena, "%zu racks over the %.0f kW that room air takes",
                      c->racks_over_air, rules->air_rack_limit_w / 1e3));
    if (c->liquid_w > 0.0)
        ry_figure(arena, t, "flow_l_per_min", c->l_per_min, RY_SHOW_NUMBER,
                  ry_kept(arena, "%.0f GPM of %s at %.0f K of rise", c->gpm,
                          rules->fluid->name, rules->liquid_rise_k));
}

static void add_units(struct ry_planned *planned, struct ry_table *t)
{
    const struct ry_cooling_plan *c = &planned->layout.facility.cooling;
    const struct ry_cooling_rules *rules = &planned->layout.facility.cooling_rules;
    struct ry_arena *arena = planned->arena;

    if (c->cdus.n > 0.0)
        ry_figure(arena, t, "cdus", c->cdus.n_plus_1, RY_SHOW_COUNT,
                  ry_kept(arena, "N+1 of %s, %.0f %% loaded with one lost",
                          rules->cdu.part, 100.0 * c->cdus.util_n1_one_lost));
    if (c->rear_doors > 0.0)
        ry_figure(arena, t, "rear_doors", c->rear_doors, RY_SHOW_COUNT,
                  ry_kept(arena, "%s, %.0f kW each", rules->rear_door.part,
                          rules->rear_door.capacity_w / 1e3));
    if (c->room_units_n > 0.0)
        ry_figure(arena, t, "room_air_units", c->room_units_n_plus_1, RY_SHOW_COUNT,
                  ry_kept(arena, "N+1 of %s, %.0f kW each", rules->room_air.part,
                          rules->room_air.capacity_w / 1e3));
    if (c->rejection_n > 0.0)
        ry_figure(arena, t, "heat_rejection_units", c->rejection_n_plus_1, RY_SHOW_COUNT,
                  ry_kept(arena, "N+1 of %s, %.0f kW each", rules->rejection.part,
                          rules->rejection.capacity_w / 1e3));
}

static struct ry_table *figure_table(struct ry_planned *planned)
{
    struct ry_table *table =
        ry_table_create(planned->arena, ry_figure_columns, RY_FIGURE_COLUMNS);

    add_heat(planned, table);
    add_units(planned, table);
    return table;
}

static struct ry_table *finding_table(struct ry_planned *planned, bool *fails)
{
    const struct ry_cooling_plan *cooling = &planned->layout.facility.cooling;
    struct ry_table *table =
        ry_table_create(planned->arena, ry_finding_columns, RY_FINDING_COLUMNS);

    for (size_t i = 0; i < cooling->findings_n; i++) {
        const struct ry_cooling_finding *finding = &cooling->findings[i];
        ry_finding(table, finding->fails, finding->what, finding->text);
        *fails = *fails || finding->fails;
    }
    return table;
}

static enum ry_err print(struct ry_planned *planned, const void *ctx,
                         struct ry_diag *diag)
{
    const struct cooling_options *options = ctx;
    bool fails = false;
    const struct ry_section sections[] = {
        {"devices", "Devices", device_table(planned)},
        {"figures", "Site", figure_table(planned)},
        {"findings", "Findings", finding_table(planned, &fails)},
    };

    RY_TRY(ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]),
                             (enum ry_table_format)options->format, diag));
    return fails ? RY_ERR_NO : RY_OK;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    const struct cooling_options *given = options;

    return ry_planned_run(arena, &given->facility, args->at[0],
                          &(struct ry_planned_work){print, given}, diag);
}

static const struct cooling_options defaults = {
#include "cli/facility_defaults.def"
};

#define OPTIONS struct cooling_options
static const struct ry_opt opts[] = {
#include "cli/facility_opts.def"
    RY_OPT_FORMAT(OPTIONS),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_cooling = {
    .name = "cooling",
    .args = "DESIGN",
    .min_args = 1,
    .max_args = 1,
    .summary = "Heat of a design: airflow, coolant flow, CDUs, doors, classes",
    .example = "railyard cooling examples/gb200-nvl72x4.json",
    .opts = opts,
    .options_bytes = sizeof(struct cooling_options),
    .defaults = &defaults,
    .run = run,
};
