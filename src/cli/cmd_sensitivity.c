/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_run.h"
#include "cli/rank_more.h"

#include "base/names.h"
#include "uncertainty/tornado.h"

#include <math.h>
#include <stdio.h>

struct sensitivity_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    bool quiet;
    int objective;
    size_t draws, seed, top;
    int format;
};

/* A tornado of the best design of one workload, against the next. */
struct duel {
    const struct ry_case *mine, *rival; /* rival NULL: alone */
    struct ry_tornado tornado;
    struct ry_confidence confidence;
};

static const struct ry_column columns[] = {
    {.key = "workload"},
    {.key = "design"},
    {.key = "rival"},
    {.key = "input", .title = "input"},
    {.key = "factor_p10", .title = "P10", .show = RY_SHOW_NUMBER},
    {.key = "factor_p90", .title = "P90", .show = RY_SHOW_NUMBER},
    {.key = "objective_at_p10",
     .title = "objective at P10",
     .show = RY_SHOW_NUMBER,
     .less = 3},
    {.key = "objective_at_p90", .title = "at P90", .show = RY_SHOW_NUMBER, .less = 3},
    {.key = "lead_at_p10_frac", .title = "lead at P10", .show = RY_SHOW_FRACTION},
    {.key = "lead_at_p90_frac", .title = "at P90", .show = RY_SHOW_FRACTION},
    {.key = "decides", .title = "decides", .show = RY_SHOW_BOOL},
    {.key = "rank_correlation", .title = "rank corr.", .show = RY_SHOW_NUMBER, .less = 2},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static struct ry_cell lead_cell(double lead)
{
    return isnan(lead) ? RY_NUM_AS((double)NAN, "") : RY_NUM(lead);
}

static void add_rows(struct ry_arena *arena, struct ry_table *table, const struct duel *d,
                     size_t top)
{
    for (size_t i = 0; i < d->tornado.n && i < top; i++) {
        const struct ry_bar *bar = &d->tornado.bars[i];
        ry_table_row(
            table, (struct ry_cell[COLUMNS]){
                       RY_TEXT(ry_case_workload_text(arena, d->mine)),
                       RY_TEXT(ry_case_design_text(arena, d->mine)),
                       RY_TEXT(d->rival ? ry_case_design_text(arena, d->rival) : NULL),
                       RY_TEXT(bar->unknown->name), RY_NUM(bar->factor_p10),
                       RY_NUM(bar->factor_p90), RY_NUM(bar->at_p10), RY_NUM(bar->at_p90),
                       lead_cell(bar->lead_p10), lead_cell(bar->lead_p90),
                       d->rival ? RY_NUM(bar->decides) : RY_NUM_AS((double)NAN, ""),
                       RY_NUM(bar->rank_correlation)});
    }
}

static void print_heading(struct ry_arena *arena, const struct duel *d,
                          const struct sensitivity_options *o)
{
    char at[RY_NUMBER_BYTES];
    const char *objective = ry_objective_choices[o->objective];

    printf("%s, %s: %s %s", ry_case_workload_text(arena, d->mine),
           ry_case_design_text(arena, d->mine), objective,
           ry_number_show(RY_SHOW_NUMBER, d->tornado.objective, at));
    if (d->rival)
        printf("; %s is %.3g %% %s, better in %.0f of %zu draws%s",
               ry_case_design_text(arena, d->mine), 100.0 * fabs(d->tornado.lead),
               d->tornado.lead < 0.0 ? "behind the next" : "ahead of the next",
               (double)o->draws * d->confidence.beats_next_frac, o->draws,
               ry_confidence_is_open(&d->confidence) ? " (not told apart)" : "");
    printf("\n");
    if (d->rival)
        printf("next: %s\n", ry_case_design_text(arena, d->rival));
}

static enum ry_err print_people(struct ry_arena *arena, const struct duel *d,
                                const struct sensitivity_options *o, struct ry_diag *diag)
{
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);

    print_heading(arena, d, o);
    add_rows(arena, table, d, o->top);
    RY_TRY(ry_table_print(table, stdout, (enum ry_table_format)o->format, diag));
    printf("%zu of %zu inputs that matter; one at a time, P10 and P90 as factors on the "
           "best estimate\n\n",
           d->tornado.n < o->top ? d->tornado.n : o->top, d->tornado.n);
    return RY_OK;
}

static enum ry_err make_duel(struct ry_arena *arena, struct ry_case *const cases[],
                             size_t n, const struct sensitivity_options *o,
                             struct duel *out, struct ry_diag *diag)
{
    const struct ry_rank_ask ask = {
        .objective = (enum ry_objective)o->objective, .draws = o->draws, .seed = o->seed};
    struct ry_drawn drawn;
    const struct ry_duel duel = {0, 1};

    RY_TRY(ry_rank_draw(arena, cases, n < 2 ? n : 2, &ask, &drawn, diag));
    out->mine = cases[0];
    out->rival = drawn.study.cases_n > 1 ? cases[1] : NULL;
    out->confidence = drawn.confidence[0];
    return ry_tornado_make(arena, &drawn.study, duel, &drawn.draws, &out->tornado, diag);
}

/* Sort the cases of each workload, and print or collect its tornado. */
static enum ry_err each_workload(struct ry_arena *arena, struct ry_plan_cases *all,
                                 const struct sensitivity_options *o,
                                 struct ry_table *table, struct ry_diag *diag)
{
    struct ry_case **cases = RY_NEW(arena, struct ry_case *, all->n);
    struct ry_case **spare = RY_NEW(arena, struct ry_case *, all->n);
    size_t found = 0;

    if (!cases || !spare)
        return ry_fail(diag, RY_ERR_NOMEM, "sensitivity", "%zu cases", all->n);
    for (size_t first = 0, end = 0; first < all->n; first = end) {
        struct duel d = {0};
        for (end = first; end < all->n && ry_workload_same(all->at[end].workload,
                                                           all->at[first].workload);
             end++)
            cases[end - first] = &all->at[end];
        ry_cases_sort(cases, spare, end - first, (enum ry_objective)o->objective);
        for (size_t i = 0; i < end - first && ry_format_for_people(o->format); i++) {
            if (!cases[i]->feasible)
                printf("cannot: %s: %s\n", ry_case_design_text(arena, cases[i]),
                       cases[i]->why);
        }
        if (!cases[0]->feasible)
            continue;
        found++;
        RY_TRY(make_duel(arena, cases, end - first, o, &d, diag));
        if (ry_format_for_people(o->format))
            RY_TRY(print_people(arena, &d, o, diag));
        else
            add_rows(arena, table, &d, o->top);
    }
    return found ? RY_OK
                 : ry_fail(diag, RY_ERR_INFEASIBLE, "sensitivity", "no design fits");
}

static enum ry_err sensitivity(struct ry_arena *arena, const void *given,
                               const struct ry_strings *args, struct ry_diag *diag)
{
    const struct sensitivity_options *o = given;
    const struct ry_constraints none = ry_no_constraints();
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases all;
    struct ry_table *table = ry_table_create(arena, columns, COLUMNS);

    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &all, diag));
    for (size_t i = 0; i < all.n; i++)
        all.at[i].objective = (enum ry_objective)o->objective;
    all.quiet = o->quiet;
    RY_TRY(ry_plan_cases_run(session, &none, &all, diag));
    RY_TRY(each_workload(arena, &all, o, table, diag));
    if (ry_format_for_people(o->format))
        return RY_OK;
    return ry_table_print(table, stdout, (enum ry_table_format)o->format, diag);
}

static const struct sensitivity_options defaults = {
    .objective = RY_BY_COST_PER_TOKEN, .draws = 1000, .seed = 1, .top = 15};

#define FIELD(name) offsetof(struct sensitivity_options, name)

static const struct ry_opt opts[] = {
    RY_OPT_WORKLOADS(struct sensitivity_options),
    {.kind = RY_OPT_CHOICE,
     .letter = 'o',
     .offset = FIELD(objective),
     .name = "objective",
     .value = "NAME",
     .choices = ry_objective_choices,
     .help = "what is ranked by"},
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(top),
     .name = "top",
     .value = "N",
     .help = "inputs to show (default 15)"},
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(draws),
     .name = "draws",
     .value = "N",
     .help = "for the rank correlation (default 1000)"},
    {.kind = RY_OPT_COUNT,
     .offset = FIELD(seed),
     .name = "seed",
     .value = "N",
     .help = "of the draws (default 1)"},
    RY_OPTS_CATALOG(struct sensitivity_options, catalog),
    RY_OPT_QUIET(struct sensitivity_options),
    RY_OPT_FORMAT(struct sensitivity_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_sensitivity = {
    .name = "sensitivity",
    .args = "DESIGN...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Show which input decides: the best design against the next",
    .example =
        "railyard sensitivity examples/h100-32-ndr-rail.json "
        "examples/h100-32-roce.json -w examples/workloads/llama3-70b-pretrain.json",
    .opts = opts,
    .options_bytes = sizeof(struct sensitivity_options),
    .defaults = &defaults,
    .run = sensitivity,
};
