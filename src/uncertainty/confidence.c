/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "uncertainty/effect.h"

#include "uncertainty/vary.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include <assert.h>
#include <math.h>
#include <string.h>

/* Doubles that draws may keep: 2 GiB. */
static const size_t values_most = (size_t)1 << 28;

/* Results that differ by less are equal: rounding of sums in another order. */
static const double equal_rel = 1e-9;

/* A design's site of which everything unknown is a copy. */
struct ry_study_scratch {
    struct ry_site site;
    struct ry_design design;
    struct ry_compute_model compute;
};

struct ry_study_scratch *ry_study_scratch_create(struct ry_arena *arena)
{
    return RY_NEW(arena, struct ry_study_scratch, 1);
}

static void products(struct ry_compute_model *model, double f)
{
    for (size_t p = 0; p < RY_PRECISIONS; p++)
        model->gemm[p].rate_flop_per_s /= f;
}

static void attention(struct ry_compute_model *model, double f)
{
    model->attn_flop_per_s[0] /= f;
    model->attn_flop_per_s[1] /= f;
}

static void streams(struct ry_compute_model *model, double f)
{
    for (size_t s = 0; s < RY_STREAMS; s++)
        model->stream_frac[s] /= f;
}

static void domain_time(struct ry_net_domain *domain, double f)
{
    domain->ring_bytes_per_s /= f;
    domain->nvls_bytes_per_s /= f;
    domain->host_bytes_per_s /= f;
    domain->step_s *= f;
    for (size_t c = 0; c < RY_COLLS; c++) {
        for (size_t i = 0; i < domain->coll[c].n; i++) {
            struct ry_coll_curve *curve = &domain->coll[c].at[i];
            for (size_t p = 0; p < curve->pieces; p++) {
                curve->piece[p].alpha_s *= f;
                curve->piece[p].busbw_bytes_per_s /= f;
            }
        }
    }
}

static void bytes_time(struct ry_net_fabric *fabric, double f)
{
    fabric->nic_bytes_per_s /= f;
    fabric->gpu_bytes_per_s /= f;
    fabric->pcie_bytes_per_s /= f;
}

static void lines_start(struct ry_net_lines *lines, double f)
{
    for (size_t p = 0; p < RY_PROTOS; p++) {
        lines->base_s[p] *= f;
        lines->intra_step_s[p] *= f;
        lines->inter_step_s[p] *= f;
    }
}

static void start_time(struct ry_net_fabric *fabric, double f)
{
    for (size_t a = 0; a < RY_COLL_ALGOS; a++)
        lines_start(&fabric->lines[a], f);
    fabric->message_s *= f;
    fabric->send_s *= f;
}

static void uplinks(struct ry_net_fabric *fabric, double f)
{
    for (size_t i = 0; i < fabric->tiers; i++) {
        struct ry_net_tier *tier = &fabric->tier[i];
        tier->spread_frac = fmin(1.0, tier->spread_frac * f);
        for (size_t load = 0; load < RY_NET_SENDS; load++)
            tier->send_frac[load] = fmin(1.0, tier->send_frac[load] * f);
        for (size_t load = 0; load < RY_NET_LOADS; load++)
            tier->hashed_frac[load] = fmin(1.0, tier->hashed_frac[load] * f);
    }
}

static void price(struct ry_bill *bill, const struct ry_effect *effect, double f)
{
    const struct ry_bill_line *line = &bill->line[effect->index];
    const double more_usd =
        line->price.usd * (line->count - line->owned) * effect->share * (f - 1.0);

    bill->group[line->group].usd += more_usd;
    bill->total.usd += more_usd;
}

static void field(struct ry_study_scratch *s, size_t offset, double f)
{
    const double install_usd = s->design.finance.install_usd_per_node;
    double value = 0.0;

    memcpy(&value, (const char *)&s->design + offset, sizeof(value));
    value *= f;
    memcpy((char *)&s->design + offset, &value, sizeof(value));
    const double more_usd =
        (s->design.finance.install_usd_per_node - install_usd) * (double)s->design.nodes;
    s->site.bill.group[RY_BILL_INSTALL].usd += more_usd; /* it is in the bill already */
    s->site.bill.total.usd += more_usd;
}

/* All but the step's own factor, which is multiplied into *step. */
static void apply(struct ry_study_scratch *s, const struct ry_effect *effect, double f,
                  double *step)
{
    const double time = effect->share == 1.0 ? f : pow(f, effect->share);

    switch (effect->kind) {
    case RY_EFFECT_PARAM:
        ry_vary(&s->compute, effect->index, f);
        break;
    case RY_EFFECT_COMPUTE:
        products(&s->compute, time);
        attention(&s->compute, time);
        streams(&s->compute, time);
        break;
    case RY_EFFECT_PRODUCTS:
        products(&s->compute, time);
        break;
    case RY_EFFECT_ATTENTION:
        attention(&s->compute, time);
        break;
    case RY_EFFECT_STREAMS:
        streams(&s->compute, time);
        break;
    case RY_EFFECT_DOMAIN:
        domain_time(&s->site.built.net.domain, time);
        break;
    case RY_EFFECT_BYTES:
        bytes_time(&s->site.built.net.fabric, time);
        break;
    case RY_EFFECT_START:
        start_time(&s->site.built.net.fabric, time);
        break;
    case RY_EFFECT_UPLINKS:
        uplinks(&s->site.built.net.fabric, f);
        break;
    case RY_EFFECT_STEP:
        *step *= time;
        break;
    case RY_EFFECT_PRICE:
        price(&s->site.bill, effect, f);
        break;
    case RY_EFFECT_FIELD:
        field(s, effect->index, f);
        break;
    }
}

static void prepare(struct ry_study_scratch *s, const struct ry_case *c)
{
    s->site = *c->site;
    s->design = *c->design;
    s->compute = *c->models.compute;
    s->site.design = &s->design;
    s->site.models.compute = &s->compute;
    s->site.built.machine.compute = &s->compute;
    s->site.built.machine.net = &s->site.built.net;
}

struct ry_result ry_study_result(const struct ry_study *study, size_t i,
                                 const double factor[], struct ry_study_scratch *scratch)
{
    const struct ry_study_case *at = &study->cases[i];
    const struct ry_workload *workload = at->of->workload;
    struct ry_result result = {.strategy = at->of->result.strategy};
    double step = 1.0;

    prepare(scratch, at->of);
    for (size_t e = 0; e < at->n; e++) {
        const double f = factor[at->effects[e].unknown];
        if (f != 1.0)
            apply(scratch, &at->effects[e], f, &step);
    }
    const enum ry_err err =
        ry_step_predict(&scratch->site.built.machine, &workload->arch, &workload->traits,
                        &result.strategy, &result.step, NULL);
    assert(err == RY_OK); /* the strategy was cut and timed before */
    (void)err;
    result.step.step_time_s *= step;
    for (size_t p = 0; p < RY_PARTS; p++)
        result.step.part_s[p] *= step;
    ry_plan_finish(&scratch->site, workload, &result);
    return result;
}

static double study_metric(const struct ry_study *study, enum ry_metric metric,
                           const struct ry_result *result)
{
    switch (metric) {
    case RY_METRIC_STEP_TIME:
        return result->step.step_time_s;
    case RY_METRIC_CAPEX:
        return result->capex.usd;
    case RY_METRIC_TCO:
        return result->tco.usd;
    case RY_METRIC_PER_TOKEN:
        return result->usd_per_trillion_tokens;
    case RY_METRIC_DAYS:
        return result->days;
    case RY_METRIC_OBJECTIVE:
    case RY_METRICS:
        break;
    }
    return ry_objective_of(study->objective, result);
}

enum ry_err ry_draws_create(struct ry_arena *arena, const struct ry_study *study,
                            size_t n, uint64_t seed, struct ry_draws *draws,
                            struct ry_diag *diag)
{
    const size_t values = study->unknowns_n + RY_METRICS * study->cases_n;
    bool room = true;

    if (values > 0 && n > values_most / values)
        return ry_fail(diag, RY_ERR_RANGE, "draws",
                       "%zu draws of %zu unknowns and %zu designs are too many to keep; "
                       "%zu at most",
                       n, study->unknowns_n, study->cases_n, values_most / values);
    *draws = (struct ry_draws){.n = n, .seed = seed};
    draws->u = RY_NEW(arena, double, study->unknowns_n *n + 1);
    for (size_t m = 0; m < RY_METRICS; m++) {
        draws->at[m] = RY_NEW(arena, double, study->cases_n *n + 1);
        room = room && draws->at[m];
    }
    if (!draws->u || !room)
        return ry_fail(diag, RY_ERR_NOMEM, "draws", "%zu draws of %zu unknowns", n,
                       study->unknowns_n);
    for (size_t i = 0; i < study->unknowns_n; i++)
        RY_TRY(ry_unknown_draws(study->unknowns[i].key, seed, n, draws->u + i * n, diag));
    return RY_OK;
}

void ry_draws_evaluate(const struct ry_study *study, struct ry_draws *draws, size_t first,
                       size_t last, double factor[], struct ry_study_scratch *scratch)
{
    for (size_t d = first; d < last; d++) {
        for (size_t i = 0; i < study->unknowns_n; i++)
            factor[i] = ry_unknown_at(&study->unknowns[i], draws->u[i * draws->n + d]);
        for (size_t i = 0; i < study->cases_n; i++) {
            const struct ry_result r = ry_study_result(study, i, factor, scratch);
            for (int m = 0; m < RY_METRICS; m++)
                draws->at[m][i * draws->n + d] =
                    study_metric(study, (enum ry_metric)m, &r);
        }
    }
}

static struct ry_spread spread_of(const double values[], size_t n, double sorted[])
{
    memcpy(sorted, values, n * sizeof(values[0]));
    gsl_sort(sorted, 1, n);
    return (struct ry_spread){
        .p10 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.1),
        .p50 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.5),
        .p90 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.9),
    };
}

/* 1: a is better than b, 0: worse, a half: equal. */
static double better(double a, double b, bool smaller)
{
    if (fabs(a - b) <= equal_rel * fmax(fabs(a), fabs(b)))
        return 0.5;
    return (a < b) == smaller ? 1.0 : 0.0;
}

/* A lower bound on money is not compared with a price. */
static bool compared(const struct ry_study *study, size_t i)
{
    return !ry_objective_is_money(study->objective) ||
           study->cases[i].of->result.tco.unpriced == 0;
}

/* Share one draw among those that are best in it. */
static void share_out(const struct ry_study *study, const struct ry_draws *draws,
                      size_t d, struct ry_confidence out[])
{
    const bool smaller = ry_objective_smaller(study->objective);
    const double *at = draws->at[RY_METRIC_OBJECTIVE];
    size_t best = study->cases_n;
    size_t equal = 0;

    for (size_t i = 0; i < study->cases_n; i++) {
        if (compared(study, i) &&
            (best == study->cases_n ||
             better(at[i * draws->n + d], at[best * draws->n + d], smaller) == 1.0))
            best = i;
    }
    for (int pass = 0; pass < 2 && best < study->cases_n; pass++) {
        for (size_t i = 0; i < study->cases_n; i++) {
            if (!compared(study, i) ||
                better(at[i * draws->n + d], at[best * draws->n + d], smaller) == 0.0)
                continue;
            if (pass == 0)
                equal++;
            else
                out[i].best_in_frac += 1.0 / (double)equal / (double)draws->n;
        }
    }
}

static double beats_next(const struct ry_study *study, const struct ry_draws *draws,
                         size_t i)
{
    const bool smaller = ry_objective_smaller(study->objective);
    const double *at = draws->at[RY_METRIC_OBJECTIVE];
    double wins = 0.0;

    if (i + 1 >= study->cases_n || !compared(study, i) || !compared(study, i + 1))
        return (double)NAN;
    for (size_t d = 0; d < draws->n; d++)
        wins += better(at[i * draws->n + d], at[(i + 1) * draws->n + d], smaller);
    return wins / (double)draws->n;
}

enum ry_err ry_draws_summary(struct ry_arena *arena, const struct ry_study *study,
                             const struct ry_draws *draws, struct ry_confidence out[],
                             struct ry_diag *diag)
{
    double *sorted = RY_NEW(arena, double, draws->n + 1);

    if (!sorted)
        return ry_fail(diag, RY_ERR_NOMEM, "draws", "%zu draws", draws->n);
    for (size_t i = 0; i < study->cases_n; i++) {
        out[i] = (struct ry_confidence){
            .best_in_frac = compared(study, i) ? 0.0 : (double)NAN,
            .beats_next_frac = beats_next(study, draws, i),
        };
        for (size_t m = 0; m < RY_METRICS; m++)
            out[i].of[m] = spread_of(draws->at[m] + i * draws->n, draws->n, sorted);
    }
    for (size_t d = 0; d < draws->n; d++)
        share_out(study, draws, d, out);
    return RY_OK;
}

bool ry_confidence_is_open(const struct ry_confidence *confidence)
{
    return confidence->beats_next_frac < RY_TOLD_APART_FRAC;
}
