/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "uncertainty/tornado.h"

#include <gsl/gsl_statistics_double.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A change below this share of the objective is none. */
static const double matters_rel = 1e-7;

struct maker {
    const struct ry_study *study;
    struct ry_duel duel;
    double *factor; /* [unknowns_n], all 1 between uses */
    struct ry_study_scratch *scratch;
};

static double objective_of(const struct maker *m, size_t i)
{
    const struct ry_result r = ry_study_result(m->study, i, m->factor, m->scratch);

    return ry_objective_of(m->study->objective, &r);
}

static bool has_rival(const struct maker *m)
{
    return m->duel.rival < m->study->cases_n;
}

/* How much better a is than b. */
static double lead_of(const struct maker *m, double a, double b)
{
    return ry_objective_smaller(m->study->objective) ? b / a - 1.0 : a / b - 1.0;
}

/* Objective and lead with unknown @p i at @p factor. */
static void look(const struct maker *m, size_t i, double factor, double *at, double *lead)
{
    m->factor[i] = factor;
    *at = objective_of(m, m->duel.mine);
    *lead = has_rival(m) ? lead_of(m, *at, objective_of(m, m->duel.rival)) : (double)NAN;
    m->factor[i] = 1.0;
}

static double length(const struct ry_bar *bar)
{
    return isnan(bar->lead_p10) ? fabs(bar->at_p90 / bar->at_p10 - 1.0)
                                : fabs(bar->lead_p90 - bar->lead_p10);
}

static int longer_first(const void *a, const void *b)
{
    const struct ry_bar *x = a, *y = b;

    if (length(x) < length(y) || length(x) > length(y))
        return length(x) > length(y) ? -1 : 1;
    return strcmp(x->unknown->key, y->unknown->key);
}

static struct ry_bar bar_of(const struct maker *m, size_t i)
{
    const struct ry_unknown *unknown = &m->study->unknowns[i];
    struct ry_bar bar = {.unknown = unknown,
                         .factor_p10 = ry_unknown_at(unknown, 0.1),
                         .factor_p90 = ry_unknown_at(unknown, 0.9),
                         .rank_correlation = (double)NAN};

    look(m, i, bar.factor_p10, &bar.at_p10, &bar.lead_p10);
    look(m, i, bar.factor_p90, &bar.at_p90, &bar.lead_p90);
    bar.decides = (bar.lead_p10 < 0.0) != (bar.lead_p90 < 0.0);
    return bar;
}

/* The lead (or the objective) of every draw. */
static void outcome(const struct maker *m, const struct ry_draws *draws, double out[])
{
    const double *at = draws->at[RY_METRIC_OBJECTIVE];

    for (size_t d = 0; d < draws->n; d++) {
        const double mine = at[m->duel.mine * draws->n + d];
        out[d] = has_rival(m) ? lead_of(m, mine, at[m->duel.rival * draws->n + d]) : mine;
    }
}

static enum ry_err correlate(struct ry_arena *arena, const struct maker *m,
                             const struct ry_draws *draws, struct ry_tornado *tornado,
                             struct ry_diag *diag)
{
    double *out = RY_NEW(arena, double, draws->n);
    double *work = RY_NEW(arena, double, 2 * draws->n);

    if (!out || !work)
        return ry_fail(diag, RY_ERR_NOMEM, "tornado", "%zu draws", draws->n);
    outcome(m, draws, out);
    for (size_t b = 0; b < tornado->n; b++) {
        const size_t i = (size_t)(tornado->bars[b].unknown - m->study->unknowns);
        tornado->bars[b].rank_correlation =
            gsl_stats_spearman(draws->u + i * draws->n, 1, out, 1, draws->n, work);
    }
    return RY_OK;
}

enum ry_err ry_tornado_make(struct ry_arena *arena, const struct ry_study *study,
                            struct ry_duel duel, const struct ry_draws *draws,
                            struct ry_tornado *tornado, struct ry_diag *diag)
{
    const struct maker m = {.study = study,
                            .duel = duel,
                            .factor = RY_NEW(arena, double, study->unknowns_n + 1),
                            .scratch = ry_study_scratch_create(arena)};

    *tornado =
        (struct ry_tornado){.bars = RY_NEW(arena, struct ry_bar, study->unknowns_n + 1)};
    if (!m.factor || !m.scratch || !tornado->bars)
        return ry_fail(diag, RY_ERR_NOMEM, "tornado", "%zu unknowns", study->unknowns_n);
    for (size_t i = 0; i < study->unknowns_n; i++)
        m.factor[i] = 1.0;
    tornado->objective = objective_of(&m, duel.mine);
    tornado->lead = has_rival(&m)
                        ? lead_of(&m, tornado->objective, objective_of(&m, duel.rival))
                        : (double)NAN;
    for (size_t i = 0; i < study->unknowns_n; i++) {
        const struct ry_bar bar = bar_of(&m, i);
        const double swing = fabs(bar.at_p90 - bar.at_p10) / fabs(tornado->objective);
        if (swing > matters_rel || (has_rival(&m) && length(&bar) > matters_rel))
            tornado->bars[tornado->n++] = bar;
    }
    if (tornado->n > 1)
        qsort(tornado->bars, tornado->n, sizeof(tornado->bars[0]), longer_first);
    return draws && draws->n > 1 ? correlate(arena, &m, draws, tornado, diag) : RY_OK;
}
