/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/rank_mix.h"

#include "base/names.h"
#include "cli/rank_table.h"
#include "search/mix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ry_err ry_mix_parse(const char *text, struct ry_mix_ask *ask, struct ry_diag *diag)
{
    *ask = (struct ry_mix_ask){0};
    for (const char *at = text;;) {
        char *end = NULL;
        const double runs = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0') || !isfinite(runs) ||
            !(runs > 0.0))
            return ry_fail(diag, RY_ERR_RANGE, "--mix",
                           "'%s' is not a list of numbers above 0, one a workload", text);
        if (ask->n == RY_MIX_MOST)
            return ry_fail(diag, RY_ERR_RANGE, "--mix", "more than %d workloads",
                           RY_MIX_MOST);
        ask->runs[ask->n++] = runs;
        if (*end == '\0')
            return RY_OK;
        at = end + 1;
    }
}

/* Every design has every workload: the n-th design's case of a workload is n on. */
static enum ry_err check(const struct ry_plan_cases *all, const struct ry_mix_ask *ask,
                         enum ry_objective objective, struct ry_diag *diag)
{
    size_t workloads = 0;

    for (size_t i = 0; i < all->n; i++)
        workloads +=
            i == 0 || !ry_workload_same(all->at[i].workload, all->at[i - 1].workload);
    if (workloads != ask->n)
        return ry_fail(diag, RY_ERR_USAGE, "--mix", "%zu numbers, but %zu workload%s",
                       ask->n, workloads, workloads == 1 ? "" : "s");
    if (all->n != workloads * all->designs_n)
        return ry_fail(diag, RY_ERR_USAGE, "--mix",
                       "designs with workloads of their own: give all with --workload");
    if (!ry_objective_mixes(objective))
        return ry_fail(diag, RY_ERR_USAGE, "--objective",
                       "%s is not one figure of several workloads; days is",
                       ry_objective_choices[objective]);
    return RY_OK;
}

enum ry_err ry_mix_make(struct ry_arena *arena, const struct ry_plan_cases *all,
                        const struct ry_mix_ask *ask, enum ry_objective objective,
                        struct ry_mixed *out, struct ry_diag *diag)
{
    RY_TRY(check(all, ask, objective, diag));
    struct ry_case *mixed = RY_NEW(arena, struct ry_case, all->designs_n);
    struct ry_case **order = RY_NEW(arena, struct ry_case *, all->designs_n);
    struct ry_case **spare = RY_NEW(arena, struct ry_case *, all->designs_n);

    if (!mixed || !order || !spare)
        return ry_fail(diag, RY_ERR_NOMEM, "--mix", "%zu designs", all->designs_n);
    for (size_t d = 0; d < all->designs_n; d++) {
        const struct ry_case *cases[RY_MIX_MOST];
        for (size_t w = 0; w < ask->n; w++)
            cases[w] = &all->at[w * all->designs_n + d];
        ry_mix(cases, ask->runs, ask->n, &mixed[d]);
        order[d] = &mixed[d];
    }
    ry_cases_sort(order, spare, all->designs_n, objective);
    *out = (struct ry_mixed){all->designs_n, order};
    return RY_OK;
}

static const struct ry_column mix_columns[] = {
    {.key = "rank", .title = "#", .show = RY_SHOW_COUNT},
    {.key = "design", .title = "design"},
    {.key = "days", .title = "days", .show = RY_SHOW_NUMBER},
    {.key = "usd_to_train", .title = "to train", .show = RY_SHOW_USD},
    {.key = "usd_per_trillion_tokens", .title = "$/T tokens", .show = RY_SHOW_USD},
    {.key = "tokens_per_s", .title = "tokens/s", .show = RY_SHOW_SCALED},
    {.key = "joules_per_token", .title = "J/token", .show = RY_SHOW_NUMBER},
    {.key = "power_w", .title = "power", .show = RY_SHOW_WATTS},
    {.key = "capex_usd", .title = "capex", .show = RY_SHOW_USD},
    {.key = "tco_usd", .title = "TCO", .show = RY_SHOW_USD},
    {.key = "feasible", .show = RY_SHOW_BOOL},
    {.key = "reason"},
};
enum { MIX_COLUMNS = sizeof(mix_columns) / sizeof(mix_columns[0]) };

struct ry_table *ry_mix_table(struct ry_arena *arena, struct ry_case *const cases[],
                              size_t n)
{
    const struct ry_currency *in = ry_cases_currency(cases, n);
    struct ry_table *table =
        ry_table_in(ry_table_create(arena, mix_columns, MIX_COLUMNS), in);

    for (size_t i = 0; i < n; i++) {
        const struct ry_case *c = cases[i];
        const struct ry_result *r = &c->result;
        const bool fits = c->feasible;
        ry_table_row(
            table, (struct ry_cell[MIX_COLUMNS]){
                       RY_NUM((double)i + 1),
                       RY_TEXT(ry_case_design_text(arena, c)),
                       RY_NUM(fits ? r->days : (double)NAN),
                       RY_NUM(fits ? r->usd_to_train : (double)NAN),
                       RY_NUM(fits ? r->usd_per_trillion_tokens : (double)NAN),
                       RY_NUM(fits ? r->tokens_per_s : (double)NAN),
                       RY_NUM(fits ? r->joules_per_token : (double)NAN),
                       RY_NUM(fits ? r->facility_w : (double)NAN),
                       fits ? RY_NUM_AS(r->capex.usd, ry_money_text(arena, &r->capex, in))
                            : RY_NUM((double)NAN),
                       fits ? RY_NUM_AS(r->tco.usd, ry_money_text(arena, &r->tco, in))
                            : RY_NUM((double)NAN),
                       RY_NUM(fits),
                       RY_TEXT(fits ? NULL : c->why),
                   });
    }
    return table;
}

void ry_mix_heading(const struct ry_plan_cases *all, const struct ry_mix_ask *ask)
{
    for (size_t w = 0; w < ask->n; w++)
        printf("%s%g x %s", w ? ", " : "", ask->runs[w],
               all->at[w * all->designs_n].workload->name);
    printf(": on one cluster, one after the other\n");
}

static const struct ry_column *weight_columns(struct ry_arena *arena,
                                              const struct ry_weights *weights)
{
    struct ry_column *columns = RY_NEW(arena, struct ry_column, weights->n + 3);

    if (!columns)
        return NULL;
    columns[0] = (struct ry_column){.key = "workload"};
    columns[1] = (struct ry_column){.key = "design", .title = "design"};
    columns[2] =
        (struct ry_column){.key = "score", .title = "score", .show = RY_SHOW_NUMBER};
    for (size_t k = 0; k < weights->n; k++) {
        const char *name = ry_objective_choices[weights->by[k]];
        columns[k + 3] = (struct ry_column){
            .key = name,
            .title = ry_strfmt(arena, "%s x %g", name, weights->weight[k]),
            .show = RY_SHOW_NUMBER};
    }
    return columns;
}

size_t ry_workload_end(struct ry_case *const cases[], size_t n, size_t i)
{
    size_t end = i + 1;

    while (end < n && ry_workload_same(cases[end]->workload, cases[i]->workload))
        end++;
    return end;
}

struct ry_table *ry_weights_table(struct ry_arena *arena,
                                  const struct ry_weights *weights,
                                  struct ry_case *const cases[], size_t rows, size_t n)
{
    const struct ry_column *columns = weight_columns(arena, weights);
    struct ry_table *table =
        columns ? ry_table_create(arena, columns, weights->n + 3) : NULL;
    double best[RY_OBJECTIVES];

    for (size_t i = 0, end = 0; table && i < rows; i++) {
        if (i == end) {
            end = ry_workload_end(cases, n, i);
            for (size_t k = 0; k < weights->n; k++)
                best[k] = ry_weigh_best(weights->by[k], cases + i, end - i);
        }
        struct ry_cell cells[RY_OBJECTIVES + 3] = {
            RY_TEXT(ry_case_workload_text(arena, cases[i])),
            RY_TEXT(ry_case_design_text(arena, cases[i])), RY_NUM(cases[i]->score)};
        for (size_t k = 0; k < weights->n; k++)
            cells[k + 3] = RY_NUM(ry_weigh_ratio(weights->by[k], cases[i], best[k]));
        ry_table_row(table, cells);
    }
    return table;
}
