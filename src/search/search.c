/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/search.h"

#include "search/costs.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static bool better(struct ry_search_found a, struct ry_search_found b)
{
    return a.step_time_s < b.step_time_s ||
           (a.step_time_s <= b.step_time_s && a.index < b.index);
}

static void keep(struct ry_search_tally *tally, struct ry_search_found found)
{
    size_t i = tally->best_n;

    if (i == RY_SEARCH_KEPT) {
        if (!better(found, tally->best[i - 1]))
            return;
        i--;
    } else {
        tally->best_n++;
    }
    for (; i > 0 && better(found, tally->best[i - 1]); i--)
        tally->best[i] = tally->best[i - 1];
    tally->best[i] = found;
}

static void nearest_missing(struct ry_search_tally *tally, double missing_bytes,
                            uint64_t index)
{
    const bool less = tally->too_large == 0 ||
                      missing_bytes < tally->least_missing_bytes ||
                      (missing_bytes <= tally->least_missing_bytes &&
                       index < tally->least_missing_index);

    if (less) {
        tally->least_missing_bytes = missing_bytes;
        tally->least_missing_index = index;
    }
}

void ry_tally_too_large(struct ry_search_tally *tally, double missing_bytes,
                        uint64_t index)
{
    nearest_missing(tally, missing_bytes, index);
    tally->too_large++;
}

void ry_tally_indivisible(struct ry_search_tally *tally, uint64_t index)
{
    if (tally->indivisible++ == 0 || index < tally->first_indivisible_index)
        tally->first_indivisible_index = index;
}

static void evaluate_shape(struct ry_search_cache *cache, size_t s,
                           struct ry_search_tally *tally)
{
    const struct ry_space *space = ry_costs_problem(cache)->space;
    const struct ry_space_shape *shape = &space->shapes[s];
    struct ry_look look;

    if (ry_costs_cut(cache, s))
        ry_costs_load(cache, s);
    for (size_t o = 0; o < space->classes[shape->class].n; o++) {
        const uint64_t index = shape->first + o;
        switch (ry_costs_look(cache, s, o, &look)) {
        case RY_LOOK_UNCUT:
            ry_tally_indivisible(tally, index);
            break;
        case RY_LOOK_TOO_LARGE:
            ry_tally_too_large(tally, look.missing_bytes, index);
            break;
        case RY_LOOK_FITS:
            tally->evaluated++;
            keep(tally,
                 (struct ry_search_found){.index = index,
                                          .step_time_s = ry_costs_time_s(cache, &look)});
        }
    }
}

void ry_search_evaluate(struct ry_search_cache *cache, size_t first, size_t last,
                        struct ry_search_tally *tally)
{
    assert(first <= last && last <= ry_costs_problem(cache)->space->shapes_n);
    for (size_t s = first; s < last; s++)
        evaluate_shape(cache, s, tally);
}

void ry_search_merge(struct ry_search_tally *tally, const struct ry_search_tally *other)
{
    if (other->too_large > 0)
        nearest_missing(tally, other->least_missing_bytes, other->least_missing_index);
    if (other->indivisible > 0 &&
        (tally->indivisible == 0 ||
         other->first_indivisible_index < tally->first_indivisible_index))
        tally->first_indivisible_index = other->first_indivisible_index;
    tally->evaluated += other->evaluated;
    tally->indivisible += other->indivisible;
    tally->too_large += other->too_large;
    for (size_t i = 0; i < other->best_n; i++)
        keep(tally, other->best[i]);
}

enum ry_err ry_search_step(const struct ry_search_problem *problem, uint64_t index,
                           struct ry_strategy *strategy, struct ry_step *step,
                           struct ry_diag *diag)
{
    *strategy = ry_space_at(problem->space, index);
    return ry_step_predict(problem->machine, problem->arch, problem->traits, strategy,
                           step, diag);
}

/* ry_step_time_s() and the step differ by rounding alone. */
static const double same_time_frac = 1e-9;

static bool in_space(const struct ry_search_problem *problem,
                     const struct ry_search_tally *tally)
{
    const uint64_t n = problem->space->n;
    bool in = tally->best_n <= RY_SEARCH_KEPT && tally->evaluated <= n &&
              tally->too_large <= n && tally->indivisible <= n &&
              tally->best_n <= tally->evaluated;

    for (size_t i = 0; in && i < tally->best_n; i++)
        in = tally->best[i].index < n;
    return in && (tally->too_large == 0 || tally->least_missing_index < n) &&
           (tally->indivisible == 0 || tally->first_indivisible_index < n);
}

enum ry_err ry_search_recognise(const struct ry_search_problem *problem,
                                const struct ry_search_tally *tally, struct ry_diag *diag)
{
    struct ry_strategy strategy;
    struct ry_step step;

    if (!in_space(problem, tally))
        return ry_fail(diag, RY_ERR_SYNTAX, "kept result",
                       "is not of this space of %llu strategies",
                       (unsigned long long)problem->space->n);
    for (size_t i = 0; i < tally->best_n; i++) {
        const struct ry_search_found *found = &tally->best[i];
        const enum ry_err err =
            ry_search_step(problem, found->index, &strategy, &step, NULL);
        if (err != RY_OK || !step.fits ||
            !(fabs(step.step_time_s - found->step_time_s) <=
              same_time_frac * step.step_time_s))
            return ry_fail(
                diag, RY_ERR_SYNTAX, "kept result",
                "strategy %llu does not take %.9g s here: made by other models "
                "or another program",
                (unsigned long long)found->index, found->step_time_s);
    }
    return RY_OK;
}

static void why_too_large(const struct ry_search_problem *problem, uint64_t index,
                          char *text, unsigned size)
{
    const struct ry_strategy strategy = ry_space_at(problem->space, index);
    struct ry_shape_cost shape;
    struct ry_layout_cost layout;
    struct ry_step step;
    const struct ry_step_inputs in = {.machine = problem->machine,
                                      .arch = problem->arch,
                                      .traits = problem->traits,
                                      .strategy = &strategy,
                                      .shape = &shape,
                                      .layout = &layout};

    ry_shape_cost(in.machine, in.arch, in.traits, &strategy, &shape);
    ry_layout_sizes(in.arch, in.traits, &strategy, &shape, &layout);
    ry_step_memory(&in, &step);
    ry_step_why_not(&in, &step, text, size);
}

void ry_search_why_not(const struct ry_search_problem *problem,
                       const struct ry_search_tally *tally, char *text, unsigned size)
{
    text[0] = '\0';
    if (tally->evaluated > 0)
        return;
    if (tally->too_large > 0) {
        why_too_large(problem, tally->least_missing_index, text, size);
    } else if (tally->indivisible > 0) {
        const struct ry_strategy strategy =
            ry_space_at(problem->space, tally->first_indivisible_index);
        struct ry_diag diag = {0};
        if (ry_strategy_check(&strategy, problem->arch, &diag) != RY_OK)
            (void)snprintf(text, size, "%s", diag.text);
    }
}
