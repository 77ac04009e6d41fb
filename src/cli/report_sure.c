/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report_plan.h"

#include <math.h>

/* What is ranked by is money, and a part without a price is in one of the two. */
static bool lacks_prices(const struct ry_page *page)
{
    const bool money = ry_objective_is_money(page->objective);
    const bool rival = page->rival < page->usable;

    return money && (page->at[0].c->result.tco.unpriced > 0 ||
                     (rival && page->at[page->rival].c->result.tco.unpriced > 0));
}

/* The first that does not equal the first of all in what is ranked by, in every draw. */
static size_t first_that_differs(const struct ry_study *study,
                                 const struct ry_draws *draws)
{
    const double *first = draws->at[RY_METRIC_OBJECTIVE];
    size_t i = 1;

    for (; i < study->cases_n; i++) {
        const double *own = first + i * draws->n;
        for (size_t d = 0; d < draws->n; d++)
            if (fabs(own[d] / first[d] - 1.0) > 1e-9)
                return i;
    }
    return i;
}

/* The draws of those that meet every limit, and what decides between the first two. */
static enum ry_err draw_usable(struct ry_case *const order[],
                               const struct ry_rank_ask *ask, struct ry_page *page,
                               struct ry_diag *diag)
{
    struct ry_drawn *drawn = RY_NEW(page->arena, struct ry_drawn, 1);

    if (!drawn)
        return ry_fail(diag, RY_ERR_NOMEM, "report", "%zu designs", page->n);
    RY_TRY(ry_rank_draw(page->arena, order, page->n, ask, drawn, diag));
    for (size_t i = 0; i < drawn->study.cases_n; i++)
        page->at[i].sure = &drawn->confidence[i];
    page->rival = first_that_differs(&drawn->study, &drawn->draws);
    page->rival = page->rival < page->usable ? page->rival : page->usable;
    if (drawn->study.cases_n == 0 || lacks_prices(page))
        return RY_OK;
    return ry_tornado_make(page->arena, &drawn->study, (struct ry_duel){0, page->rival},
                           &drawn->draws, &page->tornado, diag);
}

/* The draws of those that train but miss a limit: they have ranges, and no place. */
static enum ry_err draw_others(struct ry_case *const order[],
                               const struct ry_rank_ask *ask, struct ry_page *page,
                               struct ry_diag *diag)
{
    struct ry_case *others[RY_RANK_DRAWN_MOST] = {NULL};
    size_t at[RY_RANK_DRAWN_MOST];
    size_t n = 0;
    struct ry_drawn drawn;

    for (size_t i = page->usable; i < page->n && n < RY_RANK_DRAWN_MOST; i++) {
        if (page->at[i].fits) {
            at[n] = i;
            others[n++] = order[i];
        }
    }
    RY_TRY(ry_cases_draw(page->arena, others, n, ask, &drawn, diag));
    for (size_t i = 0; i < n; i++)
        page->at[at[i]].sure = &drawn.confidence[i];
    return RY_OK;
}

enum ry_err ry_report_sure(struct ry_case *const order[], struct ry_page *page,
                           struct ry_diag *diag)
{
    const struct ry_rank_ask ask = {
        .objective = page->objective, .draws = page->draws, .seed = page->seed};

    RY_TRY(draw_usable(order, &ask, page, diag));
    return draw_others(order, &ask, page, diag);
}
