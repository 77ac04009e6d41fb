/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/weigh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 32 };

static enum ry_err find(const char *name, struct ry_weights *weights,
                        struct ry_diag *diag)
{
    size_t o = 0;

    while (ry_objective_choices[o] && strcmp(ry_objective_choices[o], name) != 0)
        o++;
    if (!ry_objective_choices[o])
        return ry_fail(diag, RY_ERR_RANGE, "--weights", "'%s' is not an objective", name);
    for (size_t i = 0; i < weights->n; i++)
        if ((size_t)weights->by[i] == o)
            return ry_fail(diag, RY_ERR_RANGE, "--weights", "%s is given twice", name);
    weights->by[weights->n] = (enum ry_objective)o;
    return RY_OK;
}

/* "name=number" of @p n characters. */
static enum ry_err parse_one(const char *text, size_t n, struct ry_weights *weights,
                             struct ry_diag *diag)
{
    char name[NAME_BYTES] = {0};
    char number[NAME_BYTES] = {0};
    char *end = NULL;
    const char *equals = memchr(text, '=', n);
    const size_t name_n = equals ? (size_t)(equals - text) : n;
    const size_t number_n = equals ? n - name_n - 1 : 0;

    if (name_n >= NAME_BYTES || number_n == 0 || number_n >= NAME_BYTES)
        return ry_fail(diag, RY_ERR_RANGE, "--weights", "'%.*s' is not NAME=WEIGHT",
                       (int)(n < NAME_BYTES ? n : NAME_BYTES), text);
    memcpy(name, text, name_n);
    memcpy(number, equals + 1, number_n);
    RY_TRY(find(name, weights, diag));
    const double weight = strtod(number, &end);
    if (*end != '\0' || !isfinite(weight) || !(weight > 0.0))
        return ry_fail(diag, RY_ERR_RANGE, "--weights",
                       "'%s' of %s is not a weight above 0", number, name);
    weights->weight[weights->n++] = weight;
    return RY_OK;
}

enum ry_err ry_weights_parse(const char *text, struct ry_weights *weights,
                             struct ry_diag *diag)
{
    *weights = (struct ry_weights){0};
    for (;;) {
        const size_t n = strcspn(text, ",");
        RY_TRY(parse_one(text, n, weights, diag));
        if (text[n] == '\0')
            return RY_OK;
        text += n + 1;
    }
}

/* The figure of a case, NAN where it is none or only a bound. */
static double figure_of(enum ry_objective by, const struct ry_case *c)
{
    const bool bound = ry_objective_is_money(by) && c->result.tco.unpriced > 0;

    return c->feasible && !bound ? ry_objective_of(by, &c->result) : (double)NAN;
}

double ry_weigh_best(enum ry_objective by, struct ry_case *const cases[], size_t n)
{
    const bool smaller = ry_objective_smaller(by);
    double best = (double)NAN;

    for (size_t i = 0; i < n; i++) {
        const double figure = figure_of(by, cases[i]);
        best = smaller ? fmin(best, figure) : fmax(best, figure); /* of the ones known */
    }
    return best;
}

double ry_weigh_ratio(enum ry_objective by, const struct ry_case *c, double best)
{
    const double figure = figure_of(by, c);

    return ry_objective_smaller(by) ? figure / best : best / figure;
}

void ry_weigh(const struct ry_weights *weights, struct ry_case *const cases[], size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < weights->n; i++)
        sum += weights->weight[i];
    for (size_t c = 0; c < n; c++)
        cases[c]->score = 0.0;
    for (size_t i = 0; i < weights->n; i++) {
        const double best = ry_weigh_best(weights->by[i], cases, n);
        for (size_t c = 0; c < n; c++)
            cases[c]->score +=
                weights->weight[i] / sum * ry_weigh_ratio(weights->by[i], cases[c], best);
    }
}
