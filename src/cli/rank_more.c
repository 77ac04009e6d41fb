/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/rank_more.h"

#include "base/names.h"
#include "cli/plan_cases.h"
#include "par/par_confidence.h"

#include <math.h>
#include <stdio.h>

/* What is said at most for people; the tables have the rest. */
enum { NAMED_MOST = 4, LINES_MOST = 8 };

static size_t feasible(struct ry_case *const cases[], size_t n)
{
    size_t fit = 0;

    while (fit < n && cases[fit]->feasible)
        fit++;
    return fit;
}

enum ry_err ry_cases_draw(struct ry_arena *arena, struct ry_case *const cases[], size_t n,
                          const struct ry_rank_ask *ask, struct ry_drawn *drawn,
                          struct ry_diag *diag)
{
    *drawn = (struct ry_drawn){0};
    if (n == 0)
        return RY_OK;
    drawn->confidence = RY_NEW(arena, struct ry_confidence, n);
    if (!drawn->confidence)
        return ry_fail(diag, RY_ERR_NOMEM, "draws", "%zu designs", n);
    RY_TRY(ry_study_create(arena, cases, n, ask->objective, &drawn->study, diag));
    RY_TRY(ry_draws_create(arena, &drawn->study, ask->draws, ask->seed, &drawn->draws,
                           diag));
    RY_TRY(ry_par_draws_run(&drawn->study, 0, &drawn->draws, diag));
    return ry_draws_summary(arena, &drawn->study, &drawn->draws, drawn->confidence, diag);
}

enum ry_err ry_rank_draw(struct ry_arena *arena, struct ry_case *const cases[], size_t n,
                         const struct ry_rank_ask *ask, struct ry_drawn *drawn,
                         struct ry_diag *diag)
{
    const size_t fit = feasible(cases, n);

    return ry_cases_draw(arena, cases,
                         fit < RY_RANK_DRAWN_MOST ? fit : RY_RANK_DRAWN_MOST, ask, drawn,
                         diag);
}

static const char *text_of_stand(struct ry_arena *arena, struct ry_case *const cases[],
                                 size_t n, const struct ry_stand *stand)
{
    if (!stand->compared)
        return "not compared";
    if (!stand->front)
        return ry_strfmt(arena, "beaten by %s",
                         ry_case_design_text(arena, cases[stand->beaten_by]));
    if (stand->equal_to < n)
        return ry_strfmt(arena, "front, equal to %s",
                         ry_case_design_text(arena, cases[stand->equal_to]));
    return "front";
}

static enum ry_err add_front(struct ry_arena *arena, struct ry_case *const cases[],
                             size_t n, const struct ry_rank_ask *ask,
                             struct ry_rank_more more[], struct ry_diag *diag)
{
    struct ry_stand *stand = RY_NEW(arena, struct ry_stand, n);

    if (!stand)
        return ry_fail(diag, RY_ERR_NOMEM, "front", "%zu designs", n);
    ry_pareto_mark(&ask->pareto, cases, n, stand);
    for (size_t i = 0; i < n; i++) {
        more[i].stand = &stand[i];
        more[i].stand_text = text_of_stand(arena, cases, n, &stand[i]);
    }
    return RY_OK;
}

enum ry_err ry_rank_more_make(struct ry_arena *arena, struct ry_case *const cases[],
                              size_t n, const struct ry_rank_ask *ask,
                              struct ry_rank_more more[], struct ry_diag *diag)
{
    if (ask->pareto.n > 0)
        RY_TRY(add_front(arena, cases, n, ask, more, diag));
    if (ask->draws == 0)
        return RY_OK;
    struct ry_drawn drawn;
    RY_TRY(ry_rank_draw(arena, cases, n, ask, &drawn, diag));
    for (size_t i = 0; i < drawn.study.cases_n; i++)
        more[i].confidence = &drawn.confidence[i];
    return RY_OK;
}

/* "12.1 s to 13.4 s" */
static struct ry_cell range_cell(struct ry_arena *arena, enum ry_show show,
                                 const struct ry_spread *spread)
{
    char low[RY_NUMBER_BYTES];
    char high[RY_NUMBER_BYTES];

    return RY_TEXT(ry_strfmt(arena, "%s to %s", ry_number_show(show, spread->p10, low),
                             ry_number_show(show, spread->p90, high)));
}

static struct ry_cell money_range_cell(struct ry_arena *arena,
                                       const struct ry_currency *in,
                                       const struct ry_spread *spread)
{
    char low[RY_NUMBER_BYTES];
    char high[RY_NUMBER_BYTES];

    return RY_TEXT(ry_strfmt(arena, "%s to %s", ry_number_money(in, spread->p10, low),
                             ry_number_money(in, spread->p90, high)));
}

struct ry_table *ry_confidence_table(struct ry_arena *arena,
                                     struct ry_case *const cases[],
                                     const struct ry_rank_more more[], size_t n)
{
    static const struct ry_column columns[] = {
        {.key = "rank", .title = "#", .show = RY_SHOW_COUNT},
        {.key = "design", .title = "P10 to P90"},
        {.key = "step_time", .title = "step"},
        {.key = "capex", .title = "capex"},
        {.key = "tco", .title = "TCO"},
        {.key = "usd_per_trillion_tokens", .title = "money/T tokens"},
        {.key = "days", .title = "days"},
        {.key = "best_in_frac", .title = "best in", .show = RY_SHOW_FRACTION},
        {.key = "beats_next_frac", .title = "beats next", .show = RY_SHOW_FRACTION},
    };
    struct ry_table *table =
        ry_table_create(arena, columns, sizeof(columns) / sizeof(columns[0]));

    for (size_t i = 0; i < n && more[i].confidence; i++) {
        const struct ry_confidence *c = more[i].confidence;
        const struct ry_currency *in =
            cases[i]->has_result ? cases[i]->site->catalog->shown : NULL;
        ry_table_row(table,
                     (struct ry_cell[]){
                         RY_NUM((double)(i + 1)),
                         RY_TEXT(ry_case_design_text(arena, cases[i])),
                         range_cell(arena, RY_SHOW_SECONDS, &c->of[RY_METRIC_STEP_TIME]),
                         money_range_cell(arena, in, &c->of[RY_METRIC_CAPEX]),
                         money_range_cell(arena, in, &c->of[RY_METRIC_TCO]),
                         money_range_cell(arena, in, &c->of[RY_METRIC_PER_TOKEN]),
                         range_cell(arena, RY_SHOW_NUMBER, &c->of[RY_METRIC_DAYS]),
                         isnan(c->best_in_frac) ? RY_NUM_AS((double)NAN, "no price")
                                                : RY_NUM(c->best_in_frac),
                         isnan(c->beats_next_frac) ? RY_NUM_AS((double)NAN, "")
                                                   : RY_NUM(c->beats_next_frac),
                     });
    }
    return table;
}

/* The design that is best in most draws; n: none is compared. */
static size_t most_often_best(const struct ry_rank_more more[], size_t n)
{
    size_t top = n;

    for (size_t i = 0; i < n && more[i].confidence; i++) {
        const double share = more[i].confidence->best_in_frac;
        if (!isnan(share) && (top == n || share > more[top].confidence->best_in_frac))
            top = i;
    }
    return top;
}

static void print_best(struct ry_arena *arena, struct ry_case *const cases[],
                       const struct ry_rank_more more[], size_t n,
                       const struct ry_rank_ask *ask)
{
    const double worth_naming = (1.0 - RY_TOLD_APART_FRAC) / 2.0;
    const size_t top = most_often_best(more, n);
    size_t named = 0, others = 0;

    if (top == n)
        return;
    const bool clear = more[top].confidence->best_in_frac >= RY_TOLD_APART_FRAC;
    printf("%s by %s, of %zu draws (seed %zu):", clear ? "Best" : "No clear best",
           ry_objective_choices[ask->objective], ask->draws, ask->seed);
    for (size_t i = 0; i < n && more[i].confidence; i++) {
        const double share = more[i].confidence->best_in_frac;
        if (i != top && !(share >= worth_naming))
            continue;
        if (named < NAMED_MOST)
            printf("%s%s in %.0f", named++ ? ", " : " ",
                   ry_case_design_text(arena, cases[i]), (double)ask->draws * share);
        else
            others++;
    }
    if (others > 0)
        printf(", and %zu more", others);
    printf("%s\n", clear ? "" : ": they cannot be told apart");
}

/* Past the last of the designs from @p i on that equal each other in every draw. */
static size_t equal_end(const struct ry_rank_more more[], size_t n, size_t i)
{
    while (i + 1 < n && more[i].confidence &&
           fabs(more[i].confidence->beats_next_frac - 0.5) < 1e-12)
        i++;
    return i;
}

void ry_confidence_print(struct ry_arena *arena, struct ry_case *const cases[],
                         const struct ry_rank_more more[], size_t n,
                         const struct ry_rank_ask *ask)
{
    size_t drawn = 0, said = 0;

    while (drawn < n && more[drawn].confidence)
        drawn++;
    if (drawn < n)
        printf("Drawn: the first %zu of %zu.\n", drawn, n);
    if (drawn > 1)
        print_best(arena, cases, more, n, ask);
    for (size_t i = 0; i + 1 < drawn; i++) {
        const size_t end = equal_end(more, drawn, i);
        if (!ry_confidence_is_open(more[i].confidence) || said++ >= LINES_MOST)
            continue;
        if (end > i)
            printf("Not told apart: #%zu to #%zu are equal, or each is better in half\n",
                   i + 1, end + 1);
        else
            printf("Not told apart: #%zu and #%zu (#%zu is better in %.0f of %zu)\n",
                   i + 1, i + 2, i + 1,
                   (double)ask->draws * more[i].confidence->beats_next_frac, ask->draws);
        i = end > i ? end - 1 : i;
    }
    if (said > LINES_MOST)
        printf("Not told apart: more of them, by the column \"beats next\"\n");
}
