/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gather.h"
#include "cli/plan_run.h"
#include "cli/rank_table.h"

#include "base/names.h"
#include "io/strategy_file.h"

#include <stdio.h>
#include <string.h>

struct diff_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    bool quiet;
    bool all;
    int format;
};

/* The two cases, and the table that their differences go to. */
struct pair {
    struct ry_arena *arena;
    const struct ry_case *a, *b;
    struct ry_table *table;
    bool all; /* equal figures too */
};

static const struct ry_column columns[] = {
    {.key = "section", .title = "of"},
    {.key = "figure", .title = "figure"},
    {.key = "a", .title = "A"},
    {.key = "b", .title = "B"},
    {.key = "a_value", .show = RY_SHOW_NUMBER},
    {.key = "b_value", .show = RY_SHOW_NUMBER},
    {.key = "difference", .show = RY_SHOW_NUMBER},
    {.key = "ratio", .title = "B / A", .show = RY_SHOW_NUMBER},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void add_text(const struct pair *p, const char *section, const char *figure,
                     const char *a, const char *b)
{
    if (!p->all && strcmp(a, b) == 0)
        return;
    ry_table_row(p->table,
                 (const struct ry_cell[COLUMNS]){
                     RY_TEXT(section), RY_TEXT(figure), RY_TEXT(a), RY_TEXT(b),
                     RY_NUM(NAN), RY_NUM(NAN), RY_NUM(NAN), RY_NUM_AS(NAN, "")});
}

static const char *shown(const struct pair *p, enum ry_show show, double value)
{
    char text[RY_NUMBER_BYTES];

    return ry_strdup(p->arena, ry_number_show(show, value, text));
}

static void add(const struct pair *p, const char *section, const char *figure,
                enum ry_show show, const double values[2])
{
    const double a = values[0];
    const double b = values[1];

    if (!p->all && (!(a < b || a > b) || (isnan(a) && isnan(b))))
        return;
    if (a == 0.0 && b == 0.0)
        return;
    ry_table_row(p->table,
                 (const struct ry_cell[COLUMNS]){
                     RY_TEXT(section), RY_TEXT(figure), RY_TEXT(shown(p, show, a)),
                     RY_TEXT(shown(p, show, b)), RY_NUM(a), RY_NUM(b), RY_NUM(b - a),
                     a > 0.0 ? RY_NUM(b / a) : RY_NUM_AS(NAN, "")});
}

#define BOTH(of, field) ((const double[2]){(of(p->a))->field, (of(p->b))->field})

static const struct ry_input_origin *find_input(const struct ry_design *design,
                                                const char *what)
{
    for (size_t i = 0; i < design->origins_n; i++)
        if (strcmp(design->origins[i].what, what) == 0)
            return &design->origins[i];
    return NULL;
}

/* Inputs of either design that differ; those of A first, then those B alone has. */
static void add_inputs(const struct pair *p)
{
    const struct ry_design *a = p->a->design;
    const struct ry_design *b = p->b->design;

    add_text(p, "input", "fabric", ry_fabric_technology_text(a->fabric.technology),
             ry_fabric_technology_text(b->fabric.technology));
    add(p, "input", "oversubscription", RY_SHOW_NUMBER,
        (const double[2]){a->fabric.oversubscription, b->fabric.oversubscription});
    for (size_t i = 0; i < a->origins_n; i++) {
        const struct ry_input_origin *other = find_input(b, a->origins[i].what);
        add_text(p, "input", a->origins[i].what, a->origins[i].value,
                 other ? other->value : "-");
    }
    for (size_t i = 0; i < b->origins_n; i++)
        if (!find_input(a, b->origins[i].what))
            add_text(p, "input", b->origins[i].what, "-", b->origins[i].value);
}

static const struct ry_result *result(const struct ry_case *c)
{
    return &c->result;
}

static double part_s(const struct ry_case *c, int part)
{
    const struct ry_step *step = &c->result.step;

    return ry_part_shown_s(step->part_s[part], step->step_time_s);
}

static void add_days(const struct pair *p)
{
    const double a = p->a->result.days;
    const double b = p->b->result.days;

    if ((p->all && (a > 0.0 || b > 0.0)) || a < b || a > b)
        ry_table_row(p->table,
                     (const struct ry_cell[COLUMNS]){
                         RY_TEXT("step"), RY_TEXT("days"),
                         RY_TEXT(ry_days_text(p->arena, a)),
                         RY_TEXT(ry_days_text(p->arena, b)), RY_NUM(a), RY_NUM(b),
                         RY_NUM(b - a), a > 0.0 ? RY_NUM(b / a) : RY_NUM_AS(NAN, "")});
}

static void add_step(const struct pair *p)
{
    char a[160];
    char b[160];

    ry_strategy_text(&p->a->best.strategy, a, sizeof(a));
    ry_strategy_text(&p->b->best.strategy, b, sizeof(b));
    add_text(p, "step", "best strategy", ry_strdup(p->arena, a), ry_strdup(p->arena, b));
    for (int i = 0; i < RY_PARTS; i++)
        add(p, "step", ry_part_text((enum ry_step_part)i), RY_SHOW_SECONDS,
            (const double[2]){part_s(p->a, i), part_s(p->b, i)});
    add(p, "step", "step", RY_SHOW_SECONDS, BOTH(result, step.step_time_s));
    add(p, "step", "tokens/s", RY_SHOW_SCALED, BOTH(result, tokens_per_s));
    add(p, "step", "MFU", RY_SHOW_FRACTION, BOTH(result, mfu_frac));
    add(p, "step", "head-room", RY_SHOW_BYTES, BOTH(result, headroom_bytes));
    add_days(p);
}

static const struct ry_bill *bill(const struct ry_case *c)
{
    return &c->site->bill;
}

/* Counts of every part that either bill has. */
static void add_counts(const struct pair *p)
{
    const struct ry_bill *bills[2] = {bill(p->a), bill(p->b)};

    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < bills[side]->n; i++) {
            const struct ry_bill_line *line = &bills[side]->line[i];
            double counts[2] = {0.0, 0.0};
            bool earlier = false;
            counts[side] = line->count;
            for (size_t j = 0; j < bills[1 - side]->n; j++) {
                const struct ry_bill_line *other = &bills[1 - side]->line[j];
                if (strcmp(other->part, line->part) != 0 ||
                    strcmp(other->use, line->use) != 0)
                    continue;
                counts[1 - side] = other->count;
                earlier = side == 1;
            }
            if (!earlier)
                add(p, "bill", ry_strfmt(p->arena, "%s (%s)", line->part, line->use),
                    RY_SHOW_COUNT, counts);
        }
    }
}

static void add_money(const struct pair *p)
{
    for (size_t g = 0; g < RY_BILL_GROUPS; g++)
        add(p, "cost", ry_bill_group_text((enum ry_bill_group)g), RY_SHOW_USD,
            BOTH(bill, group[g].usd));
    add(p, "cost", "capex", RY_SHOW_USD, BOTH(result, capex.usd));
    add(p, "cost", "parts without a price", RY_SHOW_COUNT,
        (const double[2]){(double)p->a->result.capex.unpriced,
                          (double)p->b->result.capex.unpriced});
    add(p, "cost", "power", RY_SHOW_WATTS, BOTH(result, facility_w));
    add(p, "cost", "TCO", RY_SHOW_USD, BOTH(result, tco.usd));
    add(p, "cost", "$ per 1e12 tokens", RY_SHOW_USD,
        BOTH(result, usd_per_trillion_tokens));
    add(p, "cost", "racks", RY_SHOW_COUNT, BOTH(result, racks));
}

static struct ry_table *diff_pair(struct ry_arena *arena, const struct ry_case *a,
                                  const struct ry_case *b, const struct diff_options *o)
{
    const struct pair p = {.arena = arena,
                           .a = a,
                           .b = b,
                           .table = ry_table_create(arena, columns, COLUMNS),
                           .all = o->all};

    add_inputs(&p);
    add_text(&p, "step", "feasible", a->feasible ? "yes" : a->why,
             b->feasible ? "yes" : b->why);
    if (a->has_result && b->has_result) {
        add_step(&p);
        add_counts(&p);
        add_money(&p);
    }
    return p.table;
}

/* Pairs of one workload each; of several workloads the rows name theirs. */
static enum ry_err print_pairs(struct ry_arena *arena, const struct ry_plan_cases *cases,
                               const struct diff_options *o, struct ry_diag *diag)
{
    struct ry_gather rows = {.arena = arena, .keys = {"workload"}, .n = 1};

    for (size_t i = 0; i + 1 < cases->n; i += 2) {
        const struct ry_case *a = &cases->at[i];
        const struct ry_case *b = &cases->at[i + 1];
        const char *workload = ry_case_workload_text(arena, a);
        struct ry_table *table = diff_pair(arena, a, b, o);
        if (ry_format_for_people(o->format))
            printf("%s\nA: %s\nB: %s\n\n", workload, ry_case_design_text(arena, a),
                   ry_case_design_text(arena, b));
        if (ry_format_for_people(o->format) || cases->n == 2)
            RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)o->format, diag));
        else
            ry_gather_add(&rows, &workload, table);
    }
    return ry_format_for_people(o->format) || cases->n == 2
               ? RY_OK
               : ry_table_print(rows.table, stdout, (enum ry_table_format)o->format,
                                diag);
}

static enum ry_err diff(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct diff_options *o = given;
    const struct ry_constraints none = ry_no_constraints();
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases cases;

    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    if (session->files.designs_n != 2)
        return ry_fail(diag, RY_ERR_USAGE, "diff", "%zu designs, 2 are compared",
                       session->files.designs_n);
    RY_TRY(ry_plan_cases_make(session, &cases, diag));
    cases.quiet = o->quiet;
    if (cases.n % 2 != 0)
        return ry_fail(diag, RY_ERR_USAGE, "diff",
                       "the designs have workloads of their "
                       "own; give one --workload");
    RY_TRY(ry_plan_cases_run(session, &none, &cases, diag));
    for (size_t i = 0; i + 1 < cases.n; i += 2)
        if (!ry_workload_same(cases.at[i].workload, cases.at[i + 1].workload))
            return ry_fail(
                diag, RY_ERR_USAGE, "diff",
                "the designs have workloads of their own; give one --workload");
    return print_pairs(arena, &cases, o, diag);
}

static const struct ry_opt opts[] = {
    RY_OPT_WORKLOADS(struct diff_options),
    {.kind = RY_OPT_FLAG,
     .letter = 'a',
     .offset = offsetof(struct diff_options, all),
     .name = "all",
     .help = "show what is equal too"},
    RY_OPTS_CATALOG(struct diff_options, catalog),
    RY_OPT_QUIET(struct diff_options),
    RY_OPT_FORMAT(struct diff_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_diff = {
    .name = "diff",
    .args = "DESIGN DESIGN",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Say what differs between two designs in step, bill and cost",
    .example = "railyard diff examples/h100-32-ndr-rail.json examples/h100-32-roce.json "
               "--workload examples/workloads/llama3-70b-pretrain.json",
    .opts = opts,
    .options_bytes = sizeof(struct diff_options),
    .run = diff,
};
