/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "uncertainty/effect.h"

#include "base/names.h"
#include "base/normal.h"
#include "uncertainty/vary.h"

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <string.h>

enum { EFFECTS_MOST = 512, UNKNOWNS_MOST = 16384 };

/* Of the visible traffic, what a step's interval takes as unknown: sim/interval.c. */
static const double traffic_sigma = 0.25;

struct collector {
    struct ry_arena *arena;
    struct ry_study *study;
    struct ry_study_case *at; /* the case at hand */
    const char **named;       /* [UNKNOWNS_MOST] the unknowns as given */
    bool full;                /* no room for an unknown or an effect */
};

static size_t intern(struct collector *k, const struct ry_unknown *unknown)
{
    struct ry_study *study = k->study;

    for (size_t i = 0; i < study->unknowns_n; i++)
        if (strcmp(study->unknowns[i].key, unknown->key) == 0)
            return i;
    if (study->unknowns_n == UNKNOWNS_MOST) {
        k->full = true;
        return 0;
    }
    struct ry_unknown *added = &study->unknowns[study->unknowns_n];
    *added = *unknown;
    k->named[study->unknowns_n] = unknown->name;
    for (size_t i = 0; i < study->unknowns_n; i++) {
        struct ry_unknown *other = &study->unknowns[i];
        if (strcmp(k->named[i], unknown->name) != 0)
            continue;
        other->name = other->key; /* two of one name: their keys have the values */
        added->name = added->key;
    }
    return study->unknowns_n++;
}

static void touch(struct collector *k, const struct ry_unknown *unknown,
                  enum ry_effect_kind kind, size_t index, double share)
{
    if (!unknown->key || k->at->n == EFFECTS_MOST) {
        k->full = true;
        return;
    }
    if (!ry_unknown_is_wide(unknown) || !(share > 0.0))
        return;
    k->at->effects[k->at->n] = (struct ry_effect){kind, intern(k, unknown), index, share};
    k->at->n++;
}

/* Times by a normal logarithm; where the key is known with another width, the exponent
 * makes this one's. */
static void touch_time(struct collector *k, const char *key, enum ry_effect_kind kind,
                       double sigma)
{
    const struct ry_unknown mine = ry_unknown_normal(key, key, sigma);
    const size_t n = k->at->n;

    touch(k, &mine, kind, 0, 1.0);
    if (k->at->n > n) {
        struct ry_effect *effect = &k->at->effects[n];
        effect->share = sigma / k->study->unknowns[effect->unknown].sigma;
    }
}

static void add_compute(struct collector *k)
{
    const struct ry_case *c = k->at->of;
    const struct ry_models *models = &c->models;
    const char *gpu = c->design->gpu->part.name;
    double rate_sigma = 0.0;

    for (size_t i = 0; models->compute_param_sigma && i < ry_vary_count(); i++) {
        const double value = ry_vary_get(models->compute, i);
        const double sigma = models->compute_param_sigma[i];
        if (!(value > 0.0) || !(sigma > 0.0))
            continue;
        const char *key = ry_strfmt(k->arena, "%s: %s", gpu, ry_vary_name(i));
        const struct ry_unknown unknown = ry_unknown_normal(key, key, sigma);
        touch(k, &unknown, RY_EFFECT_PARAM, i, 1.0);
        if (strcmp(ry_vary_name(i), "gemm.bf16.rate_flop_per_s") == 0)
            rate_sigma = sigma;
    }
    const double scaled = models->compute_sigma_rel;
    if (scaled > rate_sigma)
        touch_time(k, ry_strfmt(k->arena, "%s: rates scaled from another GPU", gpu),
                   RY_EFFECT_COMPUTE, sqrt(scaled * scaled - rate_sigma * rate_sigma));
    /* products are many and average out: half of the scatter, as sim/interval.c */
    touch_time(k, ry_strfmt(k->arena, "%s: scatter of products", gpu), RY_EFFECT_PRODUCTS,
               0.5 * models->compute->gemm[RY_BF16].sigma_rel);
    touch_time(k, ry_strfmt(k->arena, "%s: scatter of attention", gpu),
               RY_EFFECT_ATTENTION, models->compute->attn_sigma_rel);
    touch_time(k, ry_strfmt(k->arena, "%s: scatter of memory-bound kernels", gpu),
               RY_EFFECT_STREAMS, models->compute->stream_sigma_rel);
}

static const char *domain_name(const struct collector *k)
{
    const struct ry_net_domain *domain = &k->at->of->site->built.net.domain;

    return ry_strfmt(k->arena, "%s %.0f GB/s",
                     ry_local_link_text(k->at->of->design->local_link),
                     domain->wire_bytes_per_s * 1e-9);
}

static const char *fabric_name(const struct collector *k)
{
    const struct ry_design *design = k->at->of->design;

    return ry_strfmt(k->arena, "%s %.0f Gb/s",
                     ry_fabric_technology_text(design->fabric.technology),
                     design->nic_bytes_per_s * 8e-9);
}

/* What hashing or adaptive routing leaves of the uplinks, by a row of the catalog. */
static void add_uplinks(struct collector *k)
{
    const struct ry_case *c = k->at->of;
    const struct ry_rate *range =
        ry_find_rate(c->site->catalog, "network:usable share of uplinks");

    if (c->site->built.net.fabric.tiers == 0 || !range || !(range->low > 0.0) ||
        !(range->value > 0.0))
        return;
    const char *key = ry_strfmt(k->arena, "usable share of uplinks, %s",
                                c->design->fabric.adaptive_routing ? "adaptive routing"
                                                                   : "static hash");
    const struct ry_unknown unknown =
        ry_unknown_range(key, key, range->low, range->value, range->high);
    touch(k, &unknown, RY_EFFECT_UPLINKS, 0, 1.0);
}

static void add_net(struct collector *k)
{
    const struct ry_case *c = k->at->of;
    const struct ry_net *net = &c->site->built.net;
    const struct ry_net_fabric *fabric = &net->fabric;
    const double domains = c->result.gpus_used / (double)net->domain.gpus;

    touch_time(k, ry_strfmt(k->arena, "%s: time of traffic", domain_name(k)),
               RY_EFFECT_DOMAIN, net->domain.rel_sigma);
    if (!(fabric->nics_per_domain > 0.0) || !(domains > 1.0))
        return;
    touch_time(k, ry_strfmt(k->arena, "%s: time of bytes", fabric_name(k)),
               RY_EFFECT_BYTES, fabric->rel_sigma);
    touch_time(k, ry_strfmt(k->arena, "%s: start-up", fabric_name(k)), RY_EFFECT_START,
               fabric->alpha_sigma);
    if (domains > 4.0)
        touch_time(k, ry_strfmt(k->arena, "%s: beyond four domains", fabric_name(k)),
                   RY_EFFECT_BYTES, fabric->sigma_per_doubling * log2(domains / 4.0));
    add_uplinks(k);
}

/* A part's own range. */
static void add_price(struct collector *k, const char *part, const struct ry_price *price,
                      size_t line, double share)
{
    const char *key = ry_strfmt(k->arena, "price of %s, %.6g USD (%.6g to %.6g)", part,
                                price->usd, price->low_usd, price->high_usd);
    const char *name = ry_strfmt(k->arena, "price of %s", part);

    if (!(price->usd > 0.0) || !(price->low_usd > 0.0))
        return;
    struct ry_unknown unknown =
        ry_unknown_range(key, name, price->low_usd, price->usd, price->high_usd);
    touch(k, &unknown, RY_EFFECT_PRICE, line, share);
}

/* What a rule alone gives a value: one key for all parts that it prices. */
static void add_rule(struct collector *k, const struct ry_price_rule *rule, size_t line,
                     double share)
{
    if (!(rule->low_factor > 0.0) || !(rule->high_factor > 0.0))
        return;
    const char *key = ry_strfmt(k->arena, "price rule %s", rule->part.name);
    struct ry_unknown unknown =
        ry_unknown_range(key, key, rule->low_factor, 1.0, rule->high_factor);
    touch(k, &unknown, RY_EFFECT_PRICE, line, share);
}

static void add_prices(struct collector *k)
{
    const struct ry_site *site = k->at->of->site;

    for (size_t i = 0; i < site->bill.n; i++) {
        const struct ry_bill_line *line = &site->bill.line[i];
        const struct ry_price *price = &line->price;
        const struct ry_price_rule *rule = price->rule;
        if (!isfinite(price->usd) || !(line->count > line->owned))
            continue;
        if (!price->row && rule && strcmp(rule->rule, "base_system") == 0) {
            const struct ry_price gpu =
                ry_price_of(site->catalog, RY_KIND_GPU, price->from);
            add_price(k, price->from->name, &gpu, i,
                      price->from_usd * price->from_count / price->usd);
            add_rule(k, rule, i, rule->value / price->usd);
        } else if (!price->row && rule && strcmp(rule->rule, "per_tbit_s") == 0)
            add_rule(k, rule, i, 1.0);
        else
            add_price(k, line->part, price, i, 1.0);
    }
}

static void add_inputs(struct collector *k)
{
    const struct ry_design *design = k->at->of->design;

    for (size_t i = 0; i < design->ranges_n; i++) {
        const struct ry_input_range *range = &design->ranges[i];
        double best = 0.0;
        memcpy(&best, (const char *)design + range->offset, sizeof(best));
        if (!(best > 0.0))
            continue;
        const char *key = ry_strfmt(k->arena, "%s %.6g", range->what, best);
        struct ry_unknown unknown =
            ry_unknown_range(key, range->what, range->low, best, range->high);
        touch(k, &unknown, RY_EFFECT_FIELD, range->offset, 1.0);
    }
}

/* Variance of the logarithm of the step's time by what is in the study so far. */
static double variance_so_far(const struct ry_study *study, size_t i, double factor[],
                              struct ry_study_scratch *scratch)
{
    const struct ry_study_case *at = &study->cases[i];
    const double one = gsl_cdf_ugaussian_P(1.0);
    double sum = 0.0;

    for (size_t e = 0; e < at->n; e++) {
        const struct ry_effect *effect = &at->effects[e];
        const struct ry_unknown *unknown = &study->unknowns[effect->unknown];
        if (effect->kind == RY_EFFECT_PRICE || effect->kind == RY_EFFECT_FIELD)
            continue;
        factor[effect->unknown] = ry_unknown_at(unknown, one);
        const double up = ry_study_result(study, i, factor, scratch).step.step_time_s;
        factor[effect->unknown] = ry_unknown_at(unknown, 1.0 - one);
        const double down = ry_study_result(study, i, factor, scratch).step.step_time_s;
        factor[effect->unknown] = 1.0;
        const double half = 0.5 * log(up / down);
        sum += half * half;
    }
    return sum;
}

/* What the preset of the framework leaves unknown: the same for every design. */
static double preset_variance(const struct ry_workload *workload)
{
    const struct ry_traits *traits = &workload->traits;
    const double experts = workload->arch.experts > 0 ? traits->moe_sigma_frac : 0.0;
    const double lora =
        workload->base.task == RY_TASK_LORA ? traits->lora_sigma_frac : 0.0;

    return traits->sigma_frac * traits->sigma_frac + experts * experts + lora * lora;
}

/* Of visible traffic inside a domain (true) or between domains, as a share of the step.
 * Tensor parallelism stays inside; a job of one domain has nothing between. */
static double traffic_variance(const struct ry_case *c, bool inside)
{
    const struct ry_step *step = &c->result.step;
    const double *p = step->part_s;
    const bool one = c->result.gpus_used <= (double)c->site->built.net.domain.gpus;
    const double near = p[RY_PART_TP] + p[RY_PART_SLOWDOWN];
    const double far = p[RY_PART_CP] + p[RY_PART_EP] + p[RY_PART_PP] + p[RY_PART_DP];
    const double visible = inside ? near + (one ? far : 0.0) : (one ? 0.0 : far);
    const double sigma = traffic_sigma * visible / step->step_time_s;

    return sigma * sigma;
}

/* Give @p name at most @p variance of what is left. */
static void give(struct collector *k, const char *name, double variance, double *left)
{
    const double given = fmin(*left, variance);

    *left -= given;
    touch_time(k, name, RY_EFFECT_STEP, sqrt(given));
}

/* The width of the step's interval beyond what was propagated, shared out. */
static void add_rest(struct collector *k, size_t i, double factor[],
                     struct ry_study_scratch *scratch)
{
    const struct ry_case *c = k->at->of;
    const struct ry_step *step = &c->result.step;
    const double half = log(step->hi_s / step->lo_s) / (2.0 * RY_Z90);
    double left = half * half - variance_so_far(k->study, i, factor, scratch);

    if (!(left > 0.0))
        return;
    give(k, ry_strfmt(k->arena, "framework %s", c->workload->traits.name),
         preset_variance(c->workload), &left);
    give(k, ry_strfmt(k->arena, "%s: what hides of traffic", domain_name(k)),
         traffic_variance(c, true), &left);
    give(k, ry_strfmt(k->arena, "%s: what hides of traffic", fabric_name(k)),
         traffic_variance(c, false), &left);
    give(k,
         ry_strfmt(k->arena, "%s: what kernels leave of a step",
                   c->design->gpu->part.name),
         left, &left);
}

static void collect(struct collector *k, size_t i)
{
    k->at = &k->study->cases[i];
    add_compute(k);
    add_net(k);
    add_prices(k);
    add_inputs(k);
}

enum ry_err ry_study_create(struct ry_arena *arena, struct ry_case *const cases[],
                            size_t n, enum ry_objective objective, struct ry_study *study,
                            struct ry_diag *diag)
{
    struct collector k = {.arena = arena,
                          .study = study,
                          .named = RY_NEW(arena, const char *, UNKNOWNS_MOST)};
    struct ry_study_scratch *scratch = ry_study_scratch_create(arena);
    double *factor = RY_NEW(arena, double, UNKNOWNS_MOST);

    *study =
        (struct ry_study){.objective = objective,
                          .cases_n = n,
                          .cases = RY_NEW(arena, struct ry_study_case, n),
                          .unknowns = RY_NEW(arena, struct ry_unknown, UNKNOWNS_MOST)};
    if (!k.named || !scratch || !factor || !study->cases || !study->unknowns)
        return ry_fail(diag, RY_ERR_NOMEM, "study", "%zu designs", n);
    for (size_t i = 0; i < UNKNOWNS_MOST; i++)
        factor[i] = 1.0;
    for (size_t i = 0; i < n; i++) {
        study->cases[i].of = cases[i];
        study->cases[i].effects = RY_NEW(arena, struct ry_effect, EFFECTS_MOST);
        if (!study->cases[i].effects)
            return ry_fail(diag, RY_ERR_NOMEM, "study", "%zu designs", n);
        collect(&k, i);
        add_rest(&k, i, factor, scratch);
    }
    if (k.full)
        return ry_fail(diag, RY_ERR_NOMEM, "study",
                       "more unknowns than %d, or %d of one design", UNKNOWNS_MOST,
                       EFFECTS_MOST);
    return RY_OK;
}
