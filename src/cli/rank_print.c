/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/rank_print.h"

#include "base/names.h"
#include "cli/origin_table.h"
#include "io/strategy_file.h"
#include "search/remarks.h"

#include <stdio.h>

static struct ry_table *table_of(const struct ry_ranking *r, size_t first, size_t n)
{
    const bool asked[2] = {r->ask.draws > 0, r->ask.pareto.n > 0};

    return ry_rank_table_more(r->arena, r->cases + first, r->more + first, n, asked);
}

struct ry_table *ry_ranking_table(const struct ry_ranking *r)
{
    return table_of(r, 0, r->n);
}

/* One line that says what is trained. */
static void print_heading(const struct ry_case *c)
{
    const struct ry_workload *w = c->workload;
    const struct ry_workload *read = w->of ? w->of : w;
    char tokens[RY_NUMBER_BYTES];
    char grows[64] = "";

    if (w->batch_at_gpus > 0)
        (void)snprintf(grows, sizeof(grows), " at %zu GPUs, growing with them",
                       w->batch_at_gpus);
    printf("%s%s%s%s: %s, %s, sequence %u, batch %u%s, %s tokens, %s\n", w->name,
           w->choice[0] ? " [" : "", w->choice, w->choice[0] ? "]" : "", w->model,
           ry_task_choices[w->base.task], w->base.seq, read->base.global_batch, grows,
           ry_number_show(RY_SHOW_SCALED, w->tokens, tokens),
           ry_precision_choices[w->base.precision]);
}

static enum ry_err print_confidence(const struct ry_ranking *r, size_t first, size_t n,
                                    enum ry_table_format format, struct ry_diag *diag)
{
    struct ry_case *const *cases = r->cases + first;
    const struct ry_rank_more *more = r->more + first;

    printf("\n");
    RY_TRY(ry_table_print(ry_confidence_table(r->arena, cases, more, n), stdout, format,
                          diag));
    ry_confidence_print(r->arena, cases, more, n, &r->ask);
    return RY_OK;
}

static void print_remarks(const struct ry_ranking *r, struct ry_case *const cases[],
                          size_t n)
{
    char text[RY_REMARKS_BYTES];

    for (size_t i = 0; i < n; i++) {
        ry_case_remarks(cases[i], text);
        if (text[0] != '\0')
            printf("note: %s: %s\n", ry_case_design_text(r->arena, cases[i]), text);
    }
}

/* The cases of one workload. */
static enum ry_err print_workload(const struct ry_ranking *r, size_t first, size_t n,
                                  enum ry_table_format format, struct ry_diag *diag)
{
    struct ry_case *const *cases = r->cases + first;
    size_t fit = 0;

    while (fit < n && cases[fit]->feasible)
        fit++;
    print_heading(cases[0]);
    const size_t shown = r->top < fit ? r->top : fit;
    if (shown > 0)
        RY_TRY(ry_table_print(table_of(r, first, shown), stdout, format, diag));
    if (shown < fit)
        printf("%zu more designs fit\n", fit - shown);
    print_remarks(r, cases, shown);
    for (size_t i = fit; i < n && i < fit + r->top; i++)
        if (!cases[i]->unseen)
            printf("cannot: %s: %s\n", ry_case_design_text(r->arena, cases[i]),
                   cases[i]->why);
    if (n - fit > r->top)
        printf("%zu more designs cannot\n", n - fit - r->top);
    if (fit > 0 && r->ask.draws > 0)
        RY_TRY(print_confidence(r, first, fit, format, diag));
    if (fit > 0 && r->weights.n > 0) {
        printf("\n");
        RY_TRY(ry_table_print(ry_weights_table(r->arena, &r->weights, cases, shown, fit),
                              stdout, format, diag));
    }
    if (r->prove)
        ry_rank_prove_print(r->arena, cases, r->top < n ? r->top : n, &r->proof);
    printf("\n");
    return RY_OK;
}

static void print_json(const struct ry_ranking *r, const struct ry_table *origins)
{

    printf("{\n  \"objective\": ");
    ry_json_put_text(stdout, r->weights_text ? r->weights_text
                                             : ry_objective_choices[r->ask.objective]);
    if (r->ask.draws > 0)
        printf(",\n  \"draws\": %zu,\n  \"seed\": %zu", r->ask.draws, r->ask.seed);
    if (r->unseen > 0)
        printf(",\n  \"complete\": false,\n  \"not_looked_at\": %zu", r->unseen);
    if (r->prove)
        ry_rank_prove_json(&r->proof);
    if (r->weights.n > 0) {
        printf(",\n  \"weights\": ");
        ry_table_print_json(ry_weights_table(r->arena, &r->weights, r->cases, r->n, r->n),
                            stdout, 2);
    }
    if (r->mixed.n > 0) {
        printf(",\n  \"mix\": ");
        ry_table_print_json(ry_mix_table(r->arena, r->mixed.at, r->mixed.n), stdout, 2);
    }
    printf(",\n  \"ranking\": ");
    ry_table_print_json(ry_ranking_table(r), stdout, 2);
    if (origins) {
        printf(",\n  \"origins\": ");
        ry_table_print_json(origins, stdout, 2);
    }
    ry_work_print_shard(r->work, &(struct ry_shard_part){.n = r->all->n,
                                                         .whole = r->unseen == 0,
                                                         .rank = r->all->at});
    printf("\n}\n");
}

static void print_notes(const struct ry_ranking *r)
{
    const struct ry_currency *in = ry_cases_currency(r->cases, r->n);
    char rate[RY_CURRENCY_WHY_BYTES];

    if (in)
        printf("Money at %s.\n", ry_currency_rate(in, rate));
    printf("~: estimated prices are in it; >=: a part has no price.  Ranges are in "
           "--format json, origins by --explain.\n"
           "TCO: without software, sales tax and resale where a design gives none.\n");
    if (r->weights_text)
        printf("By weights: each figure over the best of all designs, of the fastest "
               "strategy.\n");
    else if (ry_objective_idles(r->ask.objective))
        printf("The strategy is the fastest: by %s, GPUs that do nothing would be the "
               "best.\n",
               ry_objective_choices[r->ask.objective]);
    if (r->ask.draws > 0)
        printf("Drawn: calibrated models, prices with a range, assumed inputs; what the "
               "files state is exact, and each design keeps its best strategy.\n");
}

/* The cases of each workload in turn, then what is said of all. */
static enum ry_err print_people(const struct ry_ranking *r, enum ry_table_format format,
                                struct ry_diag *diag)
{
    for (size_t i = 0; i < r->n;) {
        const size_t end = ry_workload_end(r->cases, r->n, i);
        RY_TRY(print_workload(r, i, end - i, format, diag));
        i = end;
    }
    if (r->mixed.n > 0) {
        ry_mix_heading(r->all, &r->mix);
        RY_TRY(ry_table_print(ry_mix_table(r->arena, r->mixed.at, r->mixed.n), stdout,
                              format, diag));
        printf("\n");
    }
    print_notes(r);
    return RY_OK;
}

/* One table after the other, an empty line between them. */
static enum ry_err print_rows(const struct ry_ranking *r, enum ry_table_format format,
                              struct ry_diag *diag)
{
    RY_TRY(ry_table_print(ry_ranking_table(r), stdout, format, diag));
    if (r->weights.n > 0) {
        printf("\n");
        RY_TRY(
            ry_table_print(ry_weights_table(r->arena, &r->weights, r->cases, r->n, r->n),
                           stdout, format, diag));
    }
    if (r->mixed.n == 0)
        return RY_OK;
    printf("\n");
    return ry_table_print(ry_mix_table(r->arena, r->mixed.at, r->mixed.n), stdout, format,
                          diag);
}

enum ry_err ry_ranking_print(const struct ry_ranking *r, enum ry_table_format format,
                             struct ry_diag *diag)
{
    struct ry_table *origins =
        r->explain ? ry_origin_table(r->arena, r->cases, r->n) : NULL;

    if (format == RY_TABLE_JSON) {
        print_json(r, origins);
        return RY_OK;
    }
    const bool people = ry_table_for_people(format);
    RY_TRY(people ? print_people(r, format, diag) : print_rows(r, format, diag));
    if (!origins)
        return RY_OK;
    if (!people)
        printf("\n");
    return ry_table_print(origins, stdout, format, diag);
}
