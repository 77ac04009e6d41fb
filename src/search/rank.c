/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/rank.h"

#include <string.h>

const char *const ry_objective_choices[] = {
#define X(code, name, ...) name,
#include "search/objectives.def"
#undef X
    NULL,
};

enum { NO_TRAIT = 0, SMALLER = 1, MONEY = 2, CHOOSES = 4, IDLES = 8, MIXES = 16 };

static const unsigned traits[RY_OBJECTIVES + 1] = {
#define X(code, name, figure, traits, ...) [code] = traits,
#include "search/objectives.def"
#undef X
    [RY_OBJECTIVES] = SMALLER | MIXES, /* the score */
};

struct ry_constraints ry_no_constraints(void)
{
    return (struct ry_constraints){INFINITY, INFINITY, INFINITY, INFINITY};
}

double ry_objective_of(enum ry_objective objective, const struct ry_result *r)
{
    switch (objective) {
#define X(code, name, figure, ...)                                                       \
    case code:                                                                           \
        return figure;
#include "search/objectives.def"
#undef X
    case RY_OBJECTIVES:
        break;
    }
    return NAN;
}

bool ry_objective_smaller(enum ry_objective objective)
{
    return traits[objective] & SMALLER;
}

bool ry_objective_is_money(enum ry_objective objective)
{
    return traits[objective] & MONEY;
}

bool ry_objective_chooses(enum ry_objective objective)
{
    return traits[objective] & CHOOSES;
}

bool ry_objective_idles(enum ry_objective objective)
{
    return traits[objective] & IDLES;
}

bool ry_objective_mixes(enum ry_objective objective)
{
    return traits[objective] & MIXES;
}

static double figure_of(enum ry_objective objective, const struct ry_case *c)
{
    return objective == RY_OBJECTIVES ? c->score : ry_objective_of(objective, &c->result);
}

/* Order of two cases of one workload. */
static int compare(const struct ry_case *a, const struct ry_case *b,
                   enum ry_objective objective)
{
    if (a->feasible != b->feasible)
        return a->feasible ? -1 : 1;
    if (a->feasible && ry_objective_is_money(objective)) {
        const bool unpriced = a->result.tco.unpriced > 0;
        if (unpriced != (b->result.tco.unpriced > 0))
            return unpriced ? 1 : -1; /* a lower bound does not win */
    }
    if (a->feasible) {
        const double x = figure_of(objective, a);
        const double y = figure_of(objective, b);
        if (x < y || x > y || isnan(x) != isnan(y)) {
            if (isnan(x) || isnan(y))
                return isnan(y) ? -1 : 1;
            return (x < y) == ry_objective_smaller(objective) ? -1 : 1;
        }
    }
    const int name = strcmp(a->design->name, b->design->name);
    return name ? name : strcmp(a->design->choice, b->design->choice);
}

/* Merge sort, as qsort() has no context. */
static void merge(struct ry_case *const from[], struct ry_case *to[],
                  const size_t bounds[3], enum ry_objective objective)
{
    size_t a = bounds[0];
    size_t b = bounds[1];

    for (size_t i = bounds[0]; i < bounds[2]; i++) {
        const bool left = a < bounds[1] &&
                          (b >= bounds[2] || compare(from[a], from[b], objective) <= 0);
        to[i] = left ? from[a++] : from[b++];
    }
}

void ry_cases_sort(struct ry_case *cases[], struct ry_case *spare[], size_t n,
                   enum ry_objective objective)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            const size_t middle = i + width < n ? i + width : n;
            const size_t end = i + 2 * width < n ? i + 2 * width : n;
            merge(cases, spare, (const size_t[3]){i, middle, end}, objective);
        }
        memcpy(cases, spare, n * sizeof(cases[0]));
    }
}
