/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_run.h"

#include "base/names.h"
#include "io/strategy_file.h"
#include "report/table.h"
#include "search/breakeven.h"

#include <math.h>
#include <stdio.h>

struct breakeven_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    bool quiet;
    int lever;
    const char *from, *to;
    int objective;
    int format;
};

static const struct ry_column columns[] = {
    {.key = "at", .title = "where"},
    {.key = "value", .title = "value", .show = RY_SHOW_NUMBER},
    {.key = "feasible", .show = RY_SHOW_BOOL},
    {.key = "figure", .title = "figure", .show = RY_SHOW_NUMBER},
    {.key = "lead_frac", .title = "better by", .show = RY_SHOW_FRACTION},
    {.key = "strategy", .title = "best strategy", .wrap = true},
    {.key = "reason"},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static enum ry_show show_of(enum ry_lever lever)
{
    switch (ry_lever_dim(lever)) {
    case RY_DIM_BYTES_PER_S:
        return RY_SHOW_BITS_PER_S;
    case RY_DIM_WATTS:
        return RY_SHOW_WATTS;
    case RY_DIM_USD:
    case RY_DIM_USD_PER_KWH:
        return RY_SHOW_USD;
    case RY_DIM_SECONDS:
        return RY_SHOW_SECONDS;
    case RY_DIM_FRACTION:
        return RY_SHOW_FRACTION;
    case RY_DIM_BYTES:
    case RY_DIM_METRES:
    case RY_DIM_KILOGRAMS:
    case RY_DIM_CELSIUS:
    case RY_DIM_VOLTS:
    case RY_DIM_AMPERES:
    case RY_DIM_FLOP_PER_S:
    case RY_DIM_COUNT:
        break;
    }
    return RY_SHOW_NUMBER;
}

/* A value of the lever with five digits of a number, or as its unit is read. */
static const char *value_text(struct ry_arena *arena, enum ry_lever lever, double value)
{
    const enum ry_show show = show_of(lever);
    char text[RY_NUMBER_BYTES];

    if (show == RY_SHOW_NUMBER)
        return ry_strfmt(arena, "%.6g", value);
    if (show == RY_SHOW_USD)
        return ry_strfmt(arena, fabs(value) < 1000.0 ? "$%.6g" : "$%.0f", value);
    return ry_strdup(arena, ry_number_show(show, value, text));
}

static double lead(const struct ry_breakeven_ask *ask, double figure)
{
    if (!isfinite(ask->rival) || !isfinite(figure))
        return (double)NAN;
    return ry_objective_smaller(ask->objective) ? 1.0 - figure / ask->rival
                                                : figure / ask->rival - 1.0;
}

static void add_row(struct ry_arena *arena, struct ry_table *table,
                    const struct ry_breakeven_ask *ask, const char *where,
                    const struct ry_breakeven_point *point)
{
    char text[160];

    ry_strategy_text(&point->strategy, text, sizeof(text));
    ry_table_row(table,
                 (struct ry_cell[COLUMNS]){
                     RY_TEXT(where),
                     RY_NUM_AS(point->at, value_text(arena, ask->lever, point->at)),
                     RY_NUM(point->feasible),
                     RY_NUM(point->figure),
                     RY_NUM(lead(ask, point->figure)),
                     RY_TEXT(point->feasible ? ry_strdup(arena, text) : "cannot"),
                     RY_TEXT(point->feasible ? NULL : point->why),
                 });
}

static struct ry_table *table_of(struct ry_arena *arena,
                                 const struct ry_breakeven_ask *ask,
                                 const struct ry_breakeven *out)
{
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);

    add_row(arena, table, ask, "from", &out->first);
    for (size_t i = 0; i < out->changes_n; i++) {
        const struct ry_breakeven_change *change = &out->change[i];
        add_row(arena, table, ask, change->better_below ? "last better" : "last worse",
                &change->below);
        add_row(arena, table, ask, change->better_below ? "first worse" : "first better",
                &change->above);
    }
    if (out->best.feasible)
        add_row(arena, table, ask, "best", &out->best);
    add_row(arena, table, ask, "to", &out->last);
    return table;
}

static void conclude(struct ry_arena *arena, const struct ry_breakeven_ask *ask,
                     const struct ry_breakeven *out, const struct ry_case *rival)
{
    const char *name = ry_lever_choices[ask->lever];
    const char *mine =
        ry_case_design_text(arena, &(struct ry_case){.design = ask->design});

    for (size_t i = 0; i < out->changes_n; i++) {
        const struct ry_breakeven_change *c = &out->change[i];
        printf("%s is %s than %s by %s up to %s %s\n", mine,
               c->better_below ? "better" : "worse", ry_case_design_text(arena, rival),
               ry_objective_choices[ask->objective], name,
               value_text(arena, ask->lever, c->below.at));
    }
    if (rival && out->changes_n == 0)
        printf("%s is %s than %s by %s at every value looked at\n", mine,
               out->first.feasible && lead(ask, out->first.figure) > 0.0 ? "better"
                                                                         : "not better",
               ry_case_design_text(arena, rival), ry_objective_choices[ask->objective]);
    if (!rival && out->best.feasible)
        printf("the best %s by %s is %s\n", name, ry_objective_choices[ask->objective],
               value_text(arena, ask->lever, out->best.at));
    printf("%zu values planned; now it is %s\n", out->looked_at,
           value_text(arena, ask->lever,
                      ry_lever_value(ask->catalog, ask->design, ask->lever)));
}

/* A quarter of what it is to four times that, within what can be. */
static void default_range(struct ry_breakeven_ask *ask)
{
    const double now = ry_lever_value(ask->catalog, ask->design, ask->lever);

    ask->from = now / 4.0;
    ask->to = now * 4.0;
    if (ask->lever == RY_LEVER_OVERSUBSCRIPTION || ask->lever == RY_LEVER_PUE) {
        ask->from = 1.0;
        ask->to = ask->lever == RY_LEVER_PUE ? 2.0 : 8.0;
    }
    if (ask->lever == RY_LEVER_GPU_POWER_CAP) {
        ask->from = 0.4 * ask->design->gpu->power_max_w;
        ask->to = ask->design->gpu->power_max_w;
    }
    if (ask->lever == RY_LEVER_UTILISATION)
        ask->to = 1.0;
}

static enum ry_err read_range(const struct breakeven_options *o,
                              struct ry_breakeven_ask *ask, struct ry_diag *diag)
{
    const enum ry_dim dim = ry_lever_dim(ask->lever);

    default_range(ask);
    if (o->from)
        RY_TRY(ry_quantity_parse("--from", o->from, dim, &ask->from, diag));
    if (o->to)
        RY_TRY(ry_quantity_parse("--to", o->to, dim, &ask->to, diag));
    return RY_OK;
}

static enum ry_err check_cases(const struct ry_plan_cases *all,
                               const struct ry_case *rival, struct ry_diag *diag)
{
    if (all->n > 2 || (rival && !ry_workload_same(rival->workload, all->at[0].workload)))
        return ry_fail(diag, RY_ERR_USAGE, "breakeven",
                       "%zu designs and workloads; give one design, perhaps a rival, and "
                       "one workload",
                       all->n);
    if (rival && !rival->feasible)
        return ry_fail(diag, RY_ERR_INFEASIBLE, rival->design->name, "%s", rival->why);
    return RY_OK;
}

static enum ry_err breakeven(struct ry_arena *arena, const void *given,
                             const struct ry_strings *args, struct ry_diag *diag)
{
    const struct breakeven_options *o = given;
    const struct ry_constraints none = ry_no_constraints();
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases all;
    struct ry_breakeven out;

    if (o->lever < 0)
        return ry_fail(diag, RY_ERR_USAGE, "--input", "is needed: what to move");
    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &all, diag));
    all.quiet = o->quiet;
    for (size_t i = 0; i < all.n; i++)
        all.at[i].objective = (enum ry_objective)o->objective;
    if (all.n <= 2)
        RY_TRY(ry_plan_cases_run(session, &none, &all, diag));
    const struct ry_case *rival = all.n > 1 ? &all.at[1] : NULL;
    RY_TRY(check_cases(&all, rival, diag));
    struct ry_breakeven_ask ask = {
        .catalog = &session->catalog,
        .design = all.at[0].design,
        .workload = all.at[0].workload,
        .models = all.at[0].models,
        .objective = (enum ry_objective)o->objective,
        .lever = (enum ry_lever)o->lever,
        .rival = rival ? ry_objective_of((enum ry_objective)o->objective, &rival->result)
                       : (double)NAN,
    };
    RY_TRY(read_range(o, &ask, diag));
    RY_TRY(ry_breakeven_find(&ask, &out, diag));
    RY_TRY(ry_table_print(table_of(arena, &ask, &out), stdout,
                          (enum ry_table_format)o->format, diag));
    if (ry_format_for_people(o->format))
        conclude(arena, &ask, &out, rival);
    return out.best.feasible
               ? RY_OK
               : ry_fail(diag, RY_ERR_INFEASIBLE, ask.design->name, "%s", out.first.why);
}

static const struct breakeven_options defaults = {.lever = -1,
                                                  .objective = RY_BY_COST_PER_TOKEN};

#define FIELD(name) offsetof(struct breakeven_options, name)

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_LIST,
     .letter = 'w',
     .offset = FIELD(workloads),
     .name = "workload",
     .value = "FILE",
     .help = "what is trained"},
    {.kind = RY_OPT_CHOICE,
     .letter = 'i',
     .offset = FIELD(lever),
     .name = "input",
     .value = "NAME",
     .choices = ry_lever_choices,
     .help = "what is moved"},
    {.kind = RY_OPT_STRING,
     .offset = FIELD(from),
     .name = "from",
     .value = "VALUE",
     .help =
         "with its unit (default: a quarter of what it is, or the least that can be)"},
    {.kind = RY_OPT_STRING,
     .offset = FIELD(to),
     .name = "to",
     .value = "VALUE",
     .help = "with its unit (default: four times what it is, or the most that can be)"},
    {.kind = RY_OPT_CHOICE,
     .letter = 'o',
     .offset = FIELD(objective),
     .name = "objective",
     .value = "NAME",
     .choices = ry_objective_choices,
     .help = "what is compared"},
    RY_OPTS_CATALOG(struct breakeven_options, catalog),
    RY_OPT_QUIET(struct breakeven_options),
    RY_OPT_FORMAT(struct breakeven_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_breakeven = {
    .name = "breakeven",
    .args = "DESIGN [RIVAL]",
    .min_args = 1,
    .max_args = 2,
    .summary =
        "Move one input of a design: where it stops beating a rival, or is at its best",
    .example =
        "railyard breakeven examples/h100-32-roce.json examples/h100-32-ndr-rail.json "
        "-w examples/workloads/llama3-70b-pretrain.json --input node_price",
    .opts = opts,
    .options_bytes = sizeof(struct breakeven_options),
    .defaults = &defaults,
    .run = breakeven,
};
