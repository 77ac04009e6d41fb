/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_cases.h"
#include "cli/rank_table.h"

#include "base/names.h"
#include "io/strategy_file.h"

#include <stdio.h>

struct rank_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    int objective;
    struct ry_constraints limits;
    double deadline_s;
    bool explain;
    int format;
};

/* One line that says what is trained. */
static void print_heading(const struct ry_case *c)
{
    const struct ry_workload *w = c->workload;
    char tokens[RY_NUMBER_BYTES];

    printf("%s%s%s%s: %s, %s, sequence %u, batch %u, %s tokens, %s\n", w->name,
           w->choice[0] ? " [" : "", w->choice, w->choice[0] ? "]" : "", w->model,
           ry_task_choices[w->base.task], w->base.seq, w->base.global_batch,
           ry_number_show(RY_SHOW_SCALED, w->tokens, tokens),
           ry_precision_choices[w->base.precision]);
}

static enum ry_err print_people(struct ry_arena *arena, struct ry_case *const cases[],
                                size_t n, struct ry_diag *diag)
{
    size_t fit = 0;

    while (fit < n && cases[fit]->feasible)
        fit++;
    print_heading(cases[0]);
    if (fit > 0)
        RY_TRY(ry_table_print(ry_rank_table(arena, cases, fit), stdout, RY_TABLE_HUMAN,
                              diag));
    for (size_t i = fit; i < n; i++)
        printf("cannot: %s: %s\n", ry_case_design_text(arena, cases[i]), cases[i]->why);
    printf("\n");
    return RY_OK;
}

/* The cases of each workload in turn. */
static enum ry_err print_groups(struct ry_arena *arena, struct ry_case *const cases[],
                                size_t n, struct ry_diag *diag)
{
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && cases[end]->workload == cases[i]->workload)
            end++;
        RY_TRY(print_people(arena, cases + i, end - i, diag));
        i = end;
    }
    return RY_OK;
}

static struct ry_table *all_rows(struct ry_arena *arena, struct ry_case *const cases[],
                                 size_t n)
{
    return ry_rank_table(arena, cases, n);
}

static enum ry_err print_all(struct ry_arena *arena, struct ry_case *const cases[],
                             size_t n, const struct rank_options *o,
                             struct ry_diag *diag)
{
    struct ry_table *origins = o->explain ? ry_origin_table(arena, cases, n) : NULL;

    if (o->format == RY_FORMAT_JSON) {
        printf("{\n  \"objective\": ");
        ry_json_put_text(stdout, ry_objective_choices[o->objective]);
        printf(",\n  \"ranking\": ");
        ry_table_print_json(all_rows(arena, cases, n), stdout, 2);
        if (origins) {
            printf(",\n  \"origins\": ");
            ry_table_print_json(origins, stdout, 2);
        }
        printf("\n}\n");
        return RY_OK;
    }
    if (o->format == RY_FORMAT_CSV)
        RY_TRY(ry_table_print(all_rows(arena, cases, n), stdout, RY_TABLE_CSV, diag));
    else
        RY_TRY(print_groups(arena, cases, n, diag));
    if (o->format == RY_FORMAT_TABLE)
        printf("~: estimated prices are in it; >=: a part has no price.  Ranges are in "
               "--format json, origins by --explain.\n");
    if (!origins)
        return RY_OK;
    if (o->format == RY_FORMAT_CSV)
        printf("\n");
    return ry_table_print(origins, stdout, (enum ry_table_format)o->format, diag);
}

/* Each workload's cases in order; places count within a workload. */
static enum ry_err sort_all(struct ry_arena *arena, struct ry_plan_cases *all,
                            enum ry_objective objective, struct ry_case ***sorted,
                            struct ry_diag *diag)
{
    struct ry_case **cases = RY_NEW(arena, struct ry_case *, all->n);
    struct ry_case **spare = RY_NEW(arena, struct ry_case *, all->n);

    if (!cases || !spare)
        return ry_fail(diag, RY_ERR_NOMEM, "rank", "%zu cases", all->n);
    for (size_t i = 0; i < all->n; i++)
        cases[i] = &all->at[i];
    for (size_t i = 0; i < all->n;) {
        size_t end = i + 1;
        while (end < all->n && cases[end]->workload == cases[i]->workload)
            end++;
        ry_cases_sort(cases + i, spare, end - i, objective);
        i = end;
    }
    *sorted = cases;
    return RY_OK;
}

static enum ry_err verdict(const struct ry_plan_cases *all, struct ry_diag *diag)
{
    for (size_t i = 0; i < all->n; i++) {
        if (all->at[i].feasible)
            return RY_OK;
    }
    return ry_fail(diag, RY_ERR_INFEASIBLE, "rank", "none of %zu designs and workloads",
                   all->n);
}

static enum ry_err rank(struct ry_arena *arena, const struct rank_options *o,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    struct ry_plan_session *session = NULL;
    struct ry_constraints limits = o->limits;
    struct ry_plan_cases all;
    struct ry_case **sorted = NULL;

    limits.days = o->deadline_s / 86400.0;
    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &all, diag));
    RY_TRY(ry_plan_cases_run(session, &limits, &all, diag));
    RY_TRY(sort_all(arena, &all, (enum ry_objective)o->objective, &sorted, diag));
    RY_TRY(print_all(arena, sorted, all.n, o, diag));
    return verdict(&all, diag);
}

static enum ry_err run(const void *options, const struct ry_strings *args,
                       struct ry_diag *diag)
{
    struct ry_arena *arena = ry_arena_create(0);
    const enum ry_err err = arena ? rank(arena, options, args, diag)
                                  : ry_fail(diag, RY_ERR_NOMEM, "rank", "cannot start");

    ry_arena_destroy(arena);
    return err;
}

static const struct rank_options defaults = {
    .objective = RY_BY_COST_PER_TOKEN,
    .limits = {INFINITY, INFINITY, INFINITY, INFINITY},
    .deadline_s = INFINITY,
};

#define FIELD(name) offsetof(struct rank_options, name)

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_LIST, .letter = 'w', .offset = FIELD(workloads), .name = "workload",
     .value = "FILE", .help = "what is trained; may be given again"},
    {.kind = RY_OPT_CHOICE, .letter = 'o', .offset = FIELD(objective),
     .name = "objective", .value = "NAME", .choices = ry_objective_choices,
     .help = "step_time, tokens_per_s, mfu, cost_per_token (default), days, usd_to_train, "
             "capex, tco, power, joules_per_token, racks"},
    {.kind = RY_OPT_QUANTITY, .dim = RY_DIM_USD, .offset = FIELD(limits.capex_usd),
     .name = "max-capex", .value = "USD", .help = "budget, such as 12MUSD"},
    {.kind = RY_OPT_QUANTITY, .dim = RY_DIM_WATTS, .offset = FIELD(limits.facility_w),
     .name = "max-power", .value = "POWER", .help = "nameplate with PUE, such as 500kW"},
    {.kind = RY_OPT_QUANTITY, .dim = RY_DIM_SECONDS, .offset = FIELD(deadline_s),
     .name = "deadline", .value = "TIME", .help = "to train all tokens, such as 60days"},
    {.kind = RY_OPT_NUMBER, .offset = FIELD(limits.racks), .name = "max-racks",
     .value = "N", .help = "racks, network racks included"},
    {.kind = RY_OPT_FLAG, .offset = FIELD(explain), .name = "explain",
     .help = "say where every figure came from"},
    RY_OPTS_CATALOG(struct rank_options, catalog),
    RY_OPT_FORMAT(struct rank_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_rank = {
    .name = "rank",
    .args = "FILE...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Rank designs for a workload, each with its best strategy",
    .example = "railyard rank examples/h100-32-ndr-rail.json examples/h100-32-roce.json "
               "--workload examples/workloads/llama3-70b-pretrain.json",
    .opts = opts,
    .options_bytes = sizeof(struct rank_options),
    .defaults = &defaults,
    .run = run,
};
