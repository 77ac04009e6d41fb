/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/rank_prove.h"

#include "cli/progress.h"
#include "report/number.h"
#include "search/case.h"

#include <math.h>
#include <stdio.h>

static void count(struct ry_case *const cases[], size_t n, struct ry_rank_proof *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct ry_case *c = cases[i];
        out->cases += c->strategies > 0 && !c->unseen;
        out->strategies += c->unseen ? 0.0 : (double)c->strategies;
        out->evaluated += (double)c->best.evaluated;
        out->pruned += (double)c->best.pruned;
        out->too_large += (double)c->best.infeasible;
        out->uncut += (double)c->best.uncut;
    }
}

static enum ry_err check(const struct ry_constraints *limits, const struct ry_case *c,
                         struct ry_rank_proof *out, struct ry_diag *diag)
{
    struct ry_arena *arena = ry_arena_create(0);
    struct ry_proof one = {0};
    const enum ry_err err = arena
                                ? ry_case_prove(arena, limits, c, &one, diag)
                                : ry_fail(diag, RY_ERR_NOMEM, "--prove", "cannot start");

    ry_arena_destroy(arena);
    RY_TRY(err);
    out->checked++;
    out->timed += (double)one.evaluated;
    out->wrong += !one.same || one.below_bound > 0;
    out->tightest_frac = fmax(out->tightest_frac, one.tightest_frac);
    return RY_OK;
}

enum ry_err ry_rank_prove(const struct ry_constraints *limits,
                          struct ry_case *const cases[], size_t n,
                          struct ry_rank_proof *out, struct ry_diag *diag)
{
    *out = (struct ry_rank_proof){0};
    count(cases, n, out);
    const double step = fmax(out->strategies / RY_PROVE_MOST, 1.0);
    for (double at = 0.0; at < (double)n && !ry_interrupted(); at += step) {
        const struct ry_case *c = cases[(size_t)at];
        if (c->strategies > 0 && !c->unseen)
            RY_TRY(check(limits, c, out, diag));
    }
    return RY_OK;
}

/* "0.97 s", or a figure of the objective. */
static const char *figure_text(const struct ry_case *c, double figure,
                               char text[RY_NUMBER_BYTES])
{
    return ry_number_show(c->chosen ? RY_SHOW_NUMBER : RY_SHOW_SECONDS, figure, text);
}

static void print_bound(struct ry_arena *arena, const struct ry_case *c)
{
    char best[RY_NUMBER_BYTES];
    char bound[RY_NUMBER_BYTES];

    printf(
        "%s: %.0f strategies: %.0f timed, %.0f too large for memory, %.0f cannot be cut",
        ry_case_design_text(arena, c), (double)c->strategies, (double)c->best.evaluated,
        (double)c->best.infeasible, (double)c->best.uncut);
    if (c->best.pruned > 0 && c->best.found)
        printf(", %.0f excluded: their %s is %s or more, the best has %s",
               (double)c->best.pruned,
               ry_objective_choices[c->chosen ? c->objective : RY_BY_STEP_TIME],
               figure_text(c, c->best.pruned_least, bound),
               figure_text(c, c->best.figure, best));
    printf("\n");
}

void ry_rank_prove_print(struct ry_arena *arena, struct ry_case *const cases[],
                         size_t rows, const struct ry_rank_proof *p)
{
    for (size_t i = 0; i < rows; i++)
        if (cases[i]->strategies > 0 && !cases[i]->unseen)
            print_bound(arena, cases[i]);
    printf(
        "%.0f strategies of %zu designs: %.0f timed, %.0f excluded by a bound, %.0f too "
        "large for memory, %.0f cannot be cut\n",
        p->strategies, p->cases, p->evaluated, p->pruned, p->too_large, p->uncut);
    printf("checked: all strategies of %zu designs timed one by one (%.0f that fit): %s; "
           "the tightest bound is %.3g of its step\n",
           p->checked, p->timed,
           p->wrong ? "NOT the same best, or a step below its bound"
                    : "the same best, no step below its bound",
           p->tightest_frac);
}

void ry_rank_prove_json(const struct ry_rank_proof *p)
{
    printf(
        ",\n  \"proof\": {\"strategies\": %.0f, \"evaluated\": %.0f, \"pruned\": %.0f, "
        "\"infeasible\": %.0f, \"uncut\": %.0f,\n    \"designs\": %zu, "
        "\"designs_checked\": %zu, \"strategies_checked\": %.0f, \"wrong\": %zu, "
        "\"tightest_bound_frac\": %.6g}",
        p->strategies, p->evaluated, p->pruned, p->too_large, p->uncut, p->cases,
        p->checked, p->timed, p->wrong, p->tightest_frac);
}

enum ry_err ry_rank_prove_verdict(const struct ry_rank_proof *p, struct ry_diag *diag)
{
    return p->wrong == 0
               ? RY_OK
               : ry_fail(diag, RY_ERR_INFEASIBLE, "--prove",
                         "%zu of %zu designs have another best strategy, or a step "
                         "below its bound: a mistake of the program",
                         p->wrong, p->checked);
}
