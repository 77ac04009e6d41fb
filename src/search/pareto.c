/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/pareto.h"

#include <math.h>
#include <string.h>

/* Figures that differ by less are equal: rounding of sums in another order. */
static const double equal_rel = 1e-9;

static enum ry_err parse_one(const char *name, size_t length, enum ry_objective *by,
                             struct ry_diag *diag)
{
    for (size_t i = 0; ry_objective_choices[i]; i++) {
        if (strlen(ry_objective_choices[i]) == length &&
            strncmp(ry_objective_choices[i], name, length) == 0) {
            *by = (enum ry_objective)i;
            return RY_OK;
        }
    }
    return ry_fail(diag, RY_ERR_RANGE, "--pareto", "'%.*s' is not an objective",
                   (int)length, name);
}

enum ry_err ry_pareto_parse(const char *text, struct ry_pareto *pareto,
                            struct ry_diag *diag)
{
    *pareto = (struct ry_pareto){0};
    for (const char *at = text; at;) {
        const char *comma = strchr(at, ',');
        const size_t length = comma ? (size_t)(comma - at) : strlen(at);
        enum ry_objective by = RY_BY_STEP_TIME;
        RY_TRY(parse_one(at, length, &by, diag));
        for (size_t i = 0; i < pareto->n; i++) {
            if (pareto->by[i] == by)
                return ry_fail(diag, RY_ERR_RANGE, "--pareto", "'%.*s' is given twice",
                               (int)length, at);
        }
        if (pareto->n == RY_PARETO_MOST)
            return ry_fail(diag, RY_ERR_RANGE, "--pareto",
                           "'%s' has more than three objectives", text);
        pareto->by[pareto->n++] = by;
        at = comma ? comma + 1 : NULL;
    }
    if (pareto->n < 2)
        return ry_fail(diag, RY_ERR_RANGE, "--pareto",
                       "'%s' is one objective; give two or three", text);
    return RY_OK;
}

static bool is_compared(const struct ry_pareto *pareto, const struct ry_case *c)
{
    for (size_t k = 0; k < pareto->n && c->feasible; k++) {
        if (isnan(ry_objective_of(pareto->by[k], &c->result)) ||
            (ry_objective_is_money(pareto->by[k]) && c->result.tco.unpriced > 0))
            return false;
    }
    return c->feasible;
}

/* Better in some objective, worse in some. */
struct versus {
    bool better, worse;
};

static struct versus compare(const struct ry_pareto *pareto, const struct ry_case *a,
                             const struct ry_case *b)
{
    struct versus v = {false, false};

    for (size_t k = 0; k < pareto->n; k++) {
        const double x = ry_objective_of(pareto->by[k], &a->result);
        const double y = ry_objective_of(pareto->by[k], &b->result);
        if (fabs(x - y) <= equal_rel * fmax(fabs(x), fabs(y)))
            continue;
        if ((x < y) == ry_objective_smaller(pareto->by[k]))
            v.better = true;
        else
            v.worse = true;
    }
    return v;
}

static void stand(const struct ry_pareto *pareto, struct ry_case *const cases[], size_t n,
                  size_t i, struct ry_stand out[])
{
    out[i].front = out[i].compared;
    for (size_t j = 0; j < n && out[i].compared; j++) {
        if (j == i || !out[j].compared)
            continue;
        const struct versus v = compare(pareto, cases[j], cases[i]);
        if (v.better && !v.worse && out[i].front) {
            out[i].front = false;
            out[i].beaten_by = j;
        }
        if (!v.better && !v.worse && out[i].equal_to == n)
            out[i].equal_to = j;
    }
}

void ry_pareto_mark(const struct ry_pareto *pareto, struct ry_case *const cases[],
                    size_t n, struct ry_stand out[])
{
    for (size_t i = 0; i < n; i++)
        out[i] = (struct ry_stand){
            .compared = is_compared(pareto, cases[i]), .beaten_by = n, .equal_to = n};
    for (size_t i = 0; i < n; i++)
        stand(pareto, cases, n, i, out);
    /* whoever beats it may itself be beaten: name one that stands on the front */
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n && out[i].beaten_by < n; k++) {
            if (out[out[i].beaten_by].front)
                break;
            out[i].beaten_by = out[out[i].beaten_by].beaten_by;
        }
    }
}
