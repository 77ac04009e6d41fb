/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_cases.h"
#include "cli/rank_table.h"

#include "base/names.h"
#include "search/size.h"

#include <math.h>
#include <stdio.h>

struct size_options {
    struct ry_catalog_sources catalog;
    struct ry_strings workloads;
    int objective;
    struct ry_constraints limits;
    double deadline_s;
    int format;
};

static enum ry_err find_all(struct ry_arena *arena, const struct ry_catalog *catalog,
                            const struct ry_constraints *limits,
                            const struct ry_plan_cases *all, struct ry_size *sizes,
                            struct ry_diag *diag)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct ry_size_ask ask = {.catalog = catalog,
                                        .design = all->at[i].design,
                                        .workload = all->at[i].workload,
                                        .models = all->at[i].models,
                                        .limits = *limits};
        RY_TRY(ry_size_find(arena, &ask, &sizes[i], diag));
    }
    return RY_OK;
}

/* What stops at the answer, in a line. */
static void explain(struct ry_arena *arena, const struct ry_size *size, bool deadline)
{
    const struct ry_case *c = &size->answer;

    if (!size->found) {
        printf("cannot: %s: %s", ry_case_design_text(arena, c), c->why);
        if (deadline && c->has_result && size->nodes_least > c->design->nodes)
            printf("; the deadline takes %zu nodes at the data sheet's peak",
                   size->nodes_least);
        printf("\n");
        return;
    }
    printf("%s: %zu node%s", c->design->name, c->design->nodes,
           c->design->nodes == 1 ? "" : "s");
    if (size->has_other && size->other.design->nodes > c->design->nodes + 1)
        printf("; up to %zu fit and are no faster", size->other.design->nodes - 1);
    if (size->has_other && !size->other.feasible)
        printf("; %zu nodes: %s", size->other.design->nodes, size->other.why);
    else if (size->has_other)
        printf("; %zu nodes also fit", size->other.design->nodes);
    else
        printf("; fewer cannot meet it at the data sheet's peak");
    if (c->design->nodes > size->scanned_from && size->scanned_from > 0)
        printf("; every count from %zu was looked at", size->scanned_from);
    printf("\n");
}

static enum ry_err print_all(struct ry_arena *arena, const struct size_options *o,
                             struct ry_size sizes[], size_t n, struct ry_diag *diag)
{
    struct ry_case **cases = RY_NEW(arena, struct ry_case *, n);
    struct ry_case **spare = RY_NEW(arena, struct ry_case *, n);
    size_t found = 0;

    if (!cases || !spare)
        return ry_fail(diag, RY_ERR_NOMEM, "size", "%zu designs", n);
    for (size_t i = 0; i < n; i++) {
        cases[i] = &sizes[i].answer;
        cases[i]->feasible = cases[i]->feasible && sizes[i].found;
        found += sizes[i].found;
    }
    ry_cases_sort(cases, spare, n, (enum ry_objective)o->objective);
    const bool people = ry_format_for_people(o->format);
    if (!people || found > 0)
        RY_TRY(ry_table_print(ry_rank_table(arena, cases, people ? found : n), stdout,
                              (enum ry_table_format)o->format, diag));
    for (size_t i = 0; i < n && people; i++)
        explain(arena, &sizes[i], isfinite(o->deadline_s));
    return found > 0 ? RY_OK
                     : ry_fail(diag, RY_ERR_INFEASIBLE, "size",
                               "no number of nodes of %zu designs", n);
}

/* The table has one workload's designs: sizes of several are not compared. */
static enum ry_err one_workload(const struct ry_plan_cases *all, struct ry_diag *diag)
{
    for (size_t i = 1; i < all->n; i++)
        if (!ry_workload_same(all->at[i].workload, all->at[0].workload))
            return ry_fail(diag, RY_ERR_USAGE, "size", "more than one workload");
    if (!(all->at[0].workload->tokens > 0.0))
        return ry_fail(diag, RY_ERR_USAGE, "size", "the workload has no tokens");
    return RY_OK;
}

static enum ry_err size(struct ry_arena *arena, const void *given,
                        const struct ry_strings *args, struct ry_diag *diag)
{
    const struct size_options *o = given;
    struct ry_constraints limits = o->limits;
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases all;

    limits.days = o->deadline_s / 86400.0;
    RY_TRY(ry_plan_session_open(arena, &o->catalog, args, &o->workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &all, diag));
    RY_TRY(one_workload(&all, diag));
    struct ry_size *sizes = RY_NEW(arena, struct ry_size, all.n);
    if (!sizes)
        return ry_fail(diag, RY_ERR_NOMEM, "size", "%zu designs", all.n);
    RY_TRY(find_all(arena, &session->catalog, &limits, &all, sizes, diag));
    return print_all(arena, o, sizes, all.n, diag);
}

static const struct size_options defaults = {
    .objective = RY_BY_COST_PER_TOKEN,
    .limits = {INFINITY, INFINITY, INFINITY, INFINITY},
    .deadline_s = INFINITY,
};

#define FIELD(name) offsetof(struct size_options, name)

static const struct ry_opt opts[] = {
    {.kind = RY_OPT_LIST,
     .letter = 'w',
     .offset = FIELD(workloads),
     .name = "workload",
     .value = "FILE",
     .help = "what is trained"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_SECONDS,
     .above_0 = true,
     .offset = FIELD(deadline_s),
     .name = "deadline",
     .value = "TIME",
     .help = "the fewest nodes that train all tokens in this time, such as 90days"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_USD,
     .above_0 = true,
     .offset = FIELD(limits.capex_usd),
     .name = "max-capex",
     .value = "USD",
     .help =
         "budget, such as 12MUSD; without a deadline: the fastest within it; where the "
         "cheaper fabric stops paying: rank \"oversubscription\": {\"any\": [1, 2, 3]}"},
    {.kind = RY_OPT_QUANTITY,
     .dim = RY_DIM_WATTS,
     .above_0 = true,
     .offset = FIELD(limits.facility_w),
     .name = "max-power",
     .value = "POWER",
     .help =
         "nameplate with PUE, such as 500kW; which GPU cap is cheapest a token: rank a "
         "design with \"gpu_power_cap\": {\"any\": [500, 600, 700]}"},
    {.kind = RY_OPT_NUMBER,
     .least = 1,
     .offset = FIELD(limits.racks),
     .name = "max-racks",
     .value = "N",
     .help = "racks, network racks included"},
    {.kind = RY_OPT_CHOICE,
     .letter = 'o',
     .offset = FIELD(objective),
     .name = "objective",
     .value = "NAME",
     .choices = ry_objective_choices,
     .help = "order of several designs"},
    RY_OPTS_CATALOG(struct size_options, catalog),
    RY_OPT_FORMAT(struct size_options),
    {.kind = RY_OPT_END},
};

const struct ry_cmd cmd_size = {
    .name = "size",
    .args = "DESIGN...",
    .min_args = 1,
    .max_args = RY_LIST_MOST,
    .summary = "Find how many nodes meet a deadline, a budget or a power cap",
    .example = "railyard size examples/h100-32-ndr-rail.json "
               "-w examples/workloads/llama3-70b-pretrain.json --deadline 120days",
    .opts = opts,
    .options_bytes = sizeof(struct size_options),
    .defaults = &defaults,
    .run = size,
};
