/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/facility_cmd.h"
#include "cli/sections.h"
#include "facility/verify.h"
#include "report/pic_room.h"
#include "report/rack_groups.h"

#include <stdio.h>
#include <string.h>

struct racks_options {
    struct ry_facility_cmd facility;
    bool every;
    const char *plot;
    int format;
};

static const struct ry_column rack_columns[] = {
    {.key = "rack", .title = "rack"},
    {.key = "row", .title = "row", .show = RY_SHOW_COUNT},
    {.key = "column", .title = "place", .show = RY_SHOW_COUNT},
    {.key = "use", .title = "use"},
    {.key = "contents", .title = "contents"},
    {.key = "used_u", .title = "U", .show = RY_SHOW_NUMBER},
    {.key = "load_w", .title = "load", .show = RY_SHOW_WATTS},
    {.key = "weight_kg", .title = "weight", .show = RY_SHOW_KILOGRAMS},
};

static const struct ry_column row_columns[] = {
    {.key = "row", .title = "row", .show = RY_SHOW_COUNT},
    {.key = "racks", .title = "racks", .show = RY_SHOW_COUNT},
    {.key = "load_w", .title = "load", .show = RY_SHOW_WATTS},
    {.key = "front", .title = "front to"},
    {.key = "back", .title = "back to"},
    {.key = "from_m", .title = "from", .show = RY_SHOW_METRES},
    {.key = "to_m", .title = "to", .show = RY_SHOW_METRES},
    {.key = "length_m", .title = "length", .show = RY_SHOW_METRES},
};

static const struct ry_column pack_columns[] = {
    {.key = "part", .title = "part"},
    {.key = "count", .title = "count", .show = RY_SHOW_COUNT},
    {.key = "rack", .title = "rack"},
    {.key = "per_rack", .title = "a rack", .show = RY_SHOW_COUNT},
    {.key = "binding", .title = "bound by"},
    {.key = "by_u", .title = "by U", .show = RY_SHOW_COUNT},
    {.key = "by_power", .title = "by power", .show = RY_SHOW_COUNT},
    {.key = "by_weight", .title = "by weight", .show = RY_SHOW_COUNT},
    {.key = "depth_m", .title = "depth", .show = RY_SHOW_METRES},
    {.key = "depth_left_m", .title = "of", .show = RY_SHOW_METRES},
};

static const struct ry_column cable_columns[] = {
    {.key = "level", .title = "links"},
    {.key = "part", .title = "product"},
    {.key = "what", .title = "what"},
    {.key = "length_m", .title = "length", .show = RY_SHOW_METRES},
    {.key = "count", .title = "count", .show = RY_SHOW_COUNT},
    {.key = "spares", .title = "spares", .show = RY_SHOW_COUNT},
    {.key = "links", .title = "serves", .show = RY_SHOW_COUNT},
    {.key = "longest_m", .title = "longest", .show = RY_SHOW_METRES},
};

enum { CONTENTS_BYTES = 256 };

/* "4 x DGX-H100, 1 x SN2201". */
static const char *contents(struct ry_planned *planned, const struct ry_rack_place *rack)
{
    const struct ry_rack_plan *racks = &planned->layout.facility.racks;
    size_t counts[RY_FACILITY_GEARS_MOST] = {0};
    char text[CONTENTS_BYTES] = "";
    size_t used = 0;

    for (size_t i = 0; i < rack->slots; i++)
        counts[racks->slots[racks->by_rack[rack->first_slot + i]].gear]++;
    for (size_t g = 0; g < planned->layout.facility.gear.n; g++) {
        if (counts[g] == 0 || used >= sizeof(text))
            continue;
        const int n =
            snprintf(text + used, sizeof(text) - used, "%s%zu x %s (%s)",
                     used ? ", " : "", counts[g], planned->layout.facility.gears[g].part,
                     ry_gear_role_name(planned->layout.facility.gears[g].role));
        used += n > 0 ? (size_t)n : 0;
    }
    return ry_kept(planned->arena, "%s", text);
}

/* Racks [from, to] are alike and side by side. */
static void add_rack(struct ry_planned *planned, struct ry_table *table, size_t from,
                     size_t to)
{
    const struct ry_rack_place *rack = &planned->layout.facility.racks.racks[from];
    const char *name = from == to ? ry_kept(planned->arena, "%zu", from + 1)
                                  : ry_kept(planned->arena, "%zu-%zu", from + 1, to + 1);

    ry_table_row(
        table, (struct ry_cell[]){
                   RY_TEXT(name), RY_NUM((double)rack->row + 1.0),
                   RY_NUM((double)rack->column + 1.0),
                   RY_TEXT(ry_rack_use_name(rack->use)), RY_TEXT(contents(planned, rack)),
                   RY_NUM(rack->use == RY_RACK_WHOLE ? (double)NAN : rack->used_units),
                   RY_NUM(rack->load_w), RY_NUM(rack->weight_kg)});
}

static bool alike(struct ry_planned *planned, size_t a, size_t b)
{
    const struct ry_rack_place *x = &planned->layout.facility.racks.racks[a];
    const struct ry_rack_place *y = &planned->layout.facility.racks.racks[b];

    return x->row == y->row && x->use == y->use &&
           strcmp(contents(planned, x), contents(planned, y)) == 0;
}

static struct ry_table *rack_table(struct ry_planned *planned, bool every)
{
    const size_t n = planned->layout.facility.racks.racks_n;
    struct ry_table *table = ry_table_create(
        planned->arena, rack_columns, sizeof(rack_columns) / sizeof(rack_columns[0]));

    for (size_t from = 0, to = 0; from < n; from = to + 1) {
        for (to = from; !every && to + 1 < n && alike(planned, from, to + 1);)
            to++;
        add_rack(planned, table, from, to);
    }
    return table;
}

static const char *binding(struct ry_planned *planned, const struct ry_pack *pack)
{
    const char *text = "";

    for (int i = 0; i < RY_RACK_LIMIT_COUNT; i++) {
        if (pack->binding[i])
            text = ry_kept(planned->arena, "%s%s%s", text, text[0] ? "+" : "",
                           ry_rack_limit_name((enum ry_rack_limit)i));
    }
    return text;
}

static double limited(double value)
{
    return isfinite(value) ? value : (double)NAN;
}

static struct ry_table *pack_table(struct ry_planned *planned)
{
    const struct ry_facility *facility = &planned->layout.facility;
    struct ry_table *table = ry_table_create(
        planned->arena, pack_columns, sizeof(pack_columns) / sizeof(pack_columns[0]));

    for (size_t g = 0; g < facility->gear.n; g++) {
        const struct ry_gear *gear = &facility->gears[g];
        const struct ry_pack *pack = &facility->racks.packs[g];
        const bool node = gear->role == RY_GEAR_NODE;
        const size_t asked = facility->floor.nodes_per_rack;
        const bool bound = node && asked > 0 && (double)asked < pack->per_rack;
        const struct ry_rack_kind *kind =
            node ? &facility->floor.compute : &facility->floor.network;
        if (gear->whole_rack) {
            ry_table_row(table, (struct ry_cell[]){
                                    RY_TEXT(gear->part), RY_NUM((double)gear->count),
                                    RY_TEXT("is one"), RY_NUM(1.0), RY_TEXT("rack-scale"),
                                    RY_NUM(NAN), RY_NUM(NAN), RY_NUM(NAN), RY_NUM(NAN),
                                    RY_NUM(NAN)});
            continue;
        }
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(gear->part), RY_NUM((double)gear->count),
                                RY_TEXT(kind->part),
                                RY_NUM(bound ? (double)asked : limited(pack->per_rack)),
                                RY_TEXT(bound ? "asked for" : binding(planned, pack)),
                                RY_NUM(limited(pack->by_limit[RY_RACK_LIMIT_U])),
                                RY_NUM(limited(pack->by_limit[RY_RACK_LIMIT_POWER])),
                                RY_NUM(limited(pack->by_limit[RY_RACK_LIMIT_WEIGHT])),
                                RY_NUM(gear->depth_m), RY_NUM(kind->depth_m)});
    }
    return table;
}

static struct ry_table *cable_table(struct ry_planned *planned)
{
    const struct ry_cable_plan *cables = &planned->layout.facility.cables;
    struct ry_table *table = ry_table_create(
        planned->arena, cable_columns, sizeof(cable_columns) / sizeof(cable_columns[0]));

    for (size_t i = 0; i < cables->n; i++) {
        const struct ry_cable_line *line = &cables->at[i];
        const char *part =
            line->product ? line->product->part.name : "(none in the catalog)";
        ry_table_row(table, (struct ry_cell[]){
                                RY_TEXT(line->level), RY_TEXT(part), RY_TEXT(line->what),
                                RY_NUM(line->length_m), RY_NUM((double)line->count),
                                RY_NUM((double)line->spares), RY_NUM((double)line->links),
                                RY_NUM(line->longest_m)});
    }
    return table;
}

static void add_floor(struct ry_planned *planned, struct ry_table *t)
{
    const struct ry_aisles *aisles = &planned->layout.facility.aisles;

    ry_figure(
        planned->arena, t, "floor_m2", aisles->length_m * aisles->width_m, RY_SHOW_NUMBER,
        ry_kept(planned->arena,
                "%.1f m along the rows, %.1f m across; cold aisles: %zu of %.2f m, hot: "
                "%zu of %.2f m; contained: %s",
                aisles->length_m, aisles->width_m, aisles->cold_n, aisles->cold_m,
                aisles->hot_n, aisles->hot_m, planned->layout.facility.containment));
}

/* How many racks stand in a row, and what they draw. */
static struct ry_table *row_table(struct ry_planned *planned)
{
    const struct ry_facility *f = &planned->layout.facility;
    struct ry_table *table = ry_table_create(
        planned->arena, row_columns, sizeof(row_columns) / sizeof(row_columns[0]));

    for (size_t row = 0, i = 0; row < f->racks.rows; row++) {
        const struct ry_row_place at = ry_row_place(&f->aisle_rules, &f->aisles, row);
        double racks = 0.0, watts = 0.0;
        for (; i < f->racks.racks_n && f->racks.racks[i].row == row; i++) {
            racks += 1.0;
            watts += f->racks.racks[i].load_w;
        }
        ry_table_row(table,
                     (struct ry_cell[]){
                         RY_NUM((double)row + 1.0), RY_NUM(racks), RY_NUM(watts),
                         RY_TEXT(ry_kept(planned->arena, "cold aisle %zu", at.cold)),
                         RY_TEXT(ry_kept(planned->arena, "hot aisle %zu", at.hot)),
                         RY_NUM(at.from_m), RY_NUM(at.to_m),
                         RY_NUM(racks * f->aisle_rules.rack_pitch_m)});
    }
    return table;
}

static struct ry_table *figure_table(struct ry_planned *planned)
{
    const struct ry_facility *f = &planned->layout.facility;
    struct ry_arena *arena = planned->arena;
    struct ry_table *t = ry_table_create(arena, ry_figure_columns, RY_FIGURE_COLUMNS);

    ry_figure(arena, t, "racks", (double)f->racks.racks_n, RY_SHOW_COUNT,
              ry_kept(arena,
                      "%zu compute, %zu rack-scale, %zu network; rows: %zu of up to %zu",
                      f->racks.compute_racks, f->racks.whole_racks,
                      f->racks.network_racks, f->racks.rows, f->floor.row_racks));
    add_floor(planned, t);
    ry_figure(arena, t, "stranded_u", f->racks.stranded_units, RY_SHOW_NUMBER,
              "free in compute racks beside what is kept");
    ry_figure(arena, t, "stranded_w", f->racks.stranded_w, RY_SHOW_WATTS,
              "of the rack limit, unused in compute racks");
    ry_figure(arena, t, "weight_kg", f->racks.weight_kg, RY_SHOW_KILOGRAMS,
              "all racks with what stands in them");
    ry_figure(arena, t, "heaviest_rack_kg", f->racks.heaviest_kg, RY_SHOW_KILOGRAMS, "");
    ry_figure(arena, t, "most_load_w", f->racks.most_load_w, RY_SHOW_WATTS,
              "fullest rack at nameplate");
    if (f->cables.links == 0)
        return t;
    ry_figure(arena, t, "links", (double)f->cables.links, RY_SHOW_COUNT,
              ry_kept(arena, "mean %.1f m, longest %.1f m", f->cables.mean_m,
                      f->cables.longest_m));
    ry_figure(arena, t, "uncovered_links", (double)f->cables.uncovered, RY_SHOW_COUNT,
              f->cables.uncovered ? "no product of the catalog fits both ends and reaches"
                                  : "");
    ry_figure(arena, t, "optics_w", f->cables.power_w, RY_SHOW_WATTS,
              "modules and active ends, inside the power of nodes and switches");
    return t;
}

/* What the verifier of the racks alone finds, and links without a cable. */
static enum ry_err verify(struct ry_planned *planned, struct ry_problems *problems)
{
    const struct ry_facility *facility = &planned->layout.facility;
    const struct ry_facility_claim claim = {.gear = &facility->gear,
                                            .floor = &facility->floor,
                                            .racks = &facility->racks,
                                            .rules = &facility->power_rules};

    RY_TRY(ry_facility_verify(planned->arena, &claim, problems));
    ry_cables_faults(&facility->cables, problems);
    return RY_OK;
}

/* Parts of which no depth is known: they may stick out. */
static void note_depth(struct ry_planned *planned, struct ry_table *table)
{
    const struct ry_facility *facility = &planned->layout.facility;
    const char *parts = "";

    for (size_t g = 0; g < facility->gear.n; g++) {
        const struct ry_gear *gear = &facility->gears[g];
        if (gear->count > 0 && !gear->whole_rack && isnan(gear->depth_m) &&
            !strstr(parts, gear->part))
            parts = ry_kept(planned->arena, "%s%s%s", parts, parts[0] ? ", " : "",
                            gear->part);
    }
    if (parts[0] != '\0')
        ry_finding(table, false, "depth",
                   ry_kept(planned->arena, "not in the catalog, not checked: %s", parts));
}

static struct ry_table *note_table(struct ry_planned *planned,
                                   const struct ry_problems *problems)
{
    struct ry_table *table =
        ry_table_create(planned->arena, ry_finding_columns, RY_FINDING_COLUMNS);

    for (size_t i = 0; i < problems->count && i < RY_PROBLEMS_KEPT; i++)
        ry_finding(table, true, problems->diags[i].where, problems->diags[i].text);
    for (size_t i = 0; i < planned->layout.facility.notes_n; i++)
        ry_finding(table, false, planned->design.name, planned->layout.facility.notes[i]);
    note_depth(planned, table);
    return table;
}

static enum ry_err plot(struct ry_planned *planned, const char *path,
                        struct ry_diag *diag)
{
    struct ry_rack_groups groups;

    RY_TRY(ry_rack_groups_make(planned->arena, &planned->layout.facility, &groups, diag));
    const struct ry_picture picture =
        ry_room_picture(planned->arena, &planned->layout.facility, &groups);
    return ry_picture_write(&picture, path, diag);
}

static enum ry_err print(struct ry_planned *planned, const void *ctx,
                         struct ry_diag *diag)
{
    const struct racks_options *options = ctx;
    const enum ry_table_format format = (enum ry_table_format)options->format;
    const bool every = options->every || !ry_table_for_people(format);
    struct ry_problems *problems = RY_NEW(planned->arena, struct ry_problems, 1);

    if (!problems || verify(planned, problems) != RY_OK)
        return ry_fail(diag, RY_ERR_NOMEM, "racks", "cannot verify them");
    const struct ry_section sections[] = {
        {"racks", "Racks", rack_table(planned, every)},
        {"rows", "Rows, across the room", row_table(planned)},
        {"packing", "Packing, each device alone", pack_table(planned)},
        {"cables", "Cables", cable_table(planned)},
        {"figures", "Figures", figure_table(planned)},
        {"notes", "Notes", note_table(planned, problems)},
    };

    if (options->plot)
        RY_TRY(plot(planned, options->plot, diag));
    RY_TRY(ry_sections_print(sections, sizeof(sections) / sizeof(sections[0]), format,
                             diag));
    return problems->count > 0 ? RY_ERR_NO : RY_OK;
}

static enum ry_err run(struct ry_arena *arena, const void *options,
                       const struct ry_strings *args, struct ry_diag *diag)
{
    const struct racks_options *given = options;

    return ry_planned_run(arena, &given->facility, args->at[0],
                          &(struct ry_planned_work){print, given}, diag);
}

static const struct racks_options defaults = {
#include "cli/facility_defaults.def"
};

#define OPTIONS struct racks_options
static const struct ry_opt opts[] = {
#include "cli/facility_opts.def"
    {.kind = RY_OPT_FLAG,
     .offset = offsetof(OPTIONS, every),
     .name = "every",
     .help = "a line for every rack, not for runs of alike ones"},
    {.kind = RY_OPT_STRING,
     .offset = offsetof(OPTIONS, plot),
     .name = "plot",
     .value = "FILE",
     .help = "draw racks and floor to a .svg, .pdf or .png file too"},
    RY_OPT_FORMAT(OPTIONS),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_racks = {
    .name = "racks",
    .args = "DESIGN",
    .min_args = 1,
    .max_args = 1,
    .summary =
        "Place every node and switch of a design in racks and rows, with its cables",
    .example = "railyard racks examples/h100-32-ndr-rail.json",
    .opts = opts,
    .options_bytes = sizeof(struct racks_options),
    .defaults = &defaults,
    .run = run,
};
