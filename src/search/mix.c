/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/mix.h"

#include <math.h>
#include <stdio.h>

/* Money of several: each part of the sum is a mean over time. */
static void add_money(struct ry_money *to, const struct ry_money *from, double share)
{
    to->usd += share * from->usd;
    to->low_usd += share * from->low_usd;
    to->high_usd += share * from->high_usd;
    to->estimate_usd += share * from->estimate_usd;
    to->unpriced = from->unpriced;
}

static void add_totals(const struct ry_case *c, double runs, struct ry_result *out)
{
    const struct ry_result *r = &c->result;
    const double tokens = runs * c->workload->tokens;

    out->days += runs * r->days;
    out->usd_to_train += runs * r->usd_to_train;
    out->joules_per_token += tokens * r->joules_per_token; /* joules, until divided */
    out->tokens_per_s += tokens / r->tokens_per_s;         /* seconds, until divided */
    out->step.tokens += tokens;                            /* of the whole training */
    out->gpus_used = fmax(out->gpus_used, r->gpus_used);
}

/* A mean over time: @p share of the days are this workload's. */
static void add_means(const struct ry_result *r, double share, struct ry_result *out)
{
    out->gpu_w += share * r->gpu_w;
    out->it_w += share * r->it_w;
    out->facility_w += share * r->facility_w;
    out->usd_per_gpu_hour += share * r->usd_per_gpu_hour;
    out->goodput_frac += share * r->goodput_frac;
    add_money(&out->tco, &r->tco, share);
}

void ry_mix(const struct ry_case *const cases[], const double runs[], size_t n,
            struct ry_case *out)
{
    struct ry_result *r = &out->result;

    *out = *cases[0];
    out->feasible = true;
    for (size_t i = 0; i < n; i++) {
        if (!cases[i]->feasible) {
            out->feasible = out->has_result = false;
            (void)snprintf(out->why, sizeof(out->why), "%s: %.200s",
                           cases[i]->workload->name, cases[i]->why);
            return;
        }
    }
    *r = (struct ry_result){.gpus = cases[0]->result.gpus,
                            .capex = cases[0]->result.capex,
                            .max_w = cases[0]->result.max_w,
                            .racks = cases[0]->result.racks,
                            .mfu_frac = (double)NAN};
    r->step.step_time_s = (double)NAN;
    for (size_t i = 0; i < n; i++)
        add_totals(cases[i], runs[i], r);
    for (size_t i = 0; i < n; i++)
        add_means(&cases[i]->result, runs[i] * cases[i]->result.days / r->days, r);
    const double tokens = r->step.tokens;
    r->joules_per_token /= tokens;
    r->tokens_per_s = tokens / r->tokens_per_s;
    r->usd_per_trillion_tokens = r->usd_to_train / (tokens / 1e12);
}
