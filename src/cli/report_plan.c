/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report_plan.h"

#include "base/names.h"
#include "cli/progress.h"
#include "cost/bill.h"
#include "plan/layout.h"

#include <string.h>

enum { SCALED_MOST = 6 };

static enum ry_err no_memory(struct ry_diag *diag)
{
    return ry_fail(diag, RY_ERR_NOMEM, "report", "too many designs");
}

/* The mean draw of a node in the step, or NAN. */
static double node_step_w(const struct ry_case *c)
{
    return c->has_result
               ? c->result.gpu_w * (double)c->design->gpus_per_node + c->site->node_rest_w
               : (double)NAN;
}

static enum ry_err plan_site(struct ry_plan_session *s, struct ry_page_design *d,
                             struct ry_diag *diag)
{
    struct ry_facility_options options = ry_facility_defaults();
    struct ry_layout *layout = RY_NEW(s->arena, struct ry_layout, 1);
    struct ry_site_bill *bill = RY_NEW(s->arena, struct ry_site_bill, 1);

    if (!layout || !bill)
        return no_memory(diag);
    options.node_step_w = node_step_w(d->c);
    RY_TRY(ry_layout_make(s->arena, &s->catalog, d->c->design, &options, layout, diag));
    RY_TRY(ry_site_bill(s->arena, &s->catalog, &layout->facility, bill, diag));
    d->site = &layout->facility;
    d->graph = layout->graph;
    d->bill = bill;
    return RY_OK;
}

enum ry_err ry_report_sites(struct ry_plan_session *s, struct ry_page *page,
                            struct ry_diag *diag)
{
    for (size_t i = 0; i < page->n && i < RY_PAGE_SITES_MOST; i++) {
        struct ry_diag why = {0};
        const enum ry_err err = plan_site(s, &page->at[i], &why);
        if (err == RY_ERR_NOMEM)
            return no_memory(diag);
        if (err != RY_OK)
            page->at[i].site_why = ry_strdup(s->arena, why.text);
    }
    return RY_OK;
}

/* The case with another number of nodes. */
static enum ry_err case_with(struct ry_plan_session *s, const struct ry_case *c,
                             size_t nodes, struct ry_case *out, struct ry_diag *diag)
{
    struct ry_design *design = RY_NEW(s->arena, struct ry_design, 1);
    struct ry_site *site = RY_NEW(s->arena, struct ry_site, 1);

    if (!design || !site)
        return no_memory(diag);
    *design = *c->design;
    design->nodes = nodes;
    *out = (struct ry_case){
        .design = design,
        .workload = ry_workload_on(s->arena, c->workload, ry_design_gpus(design)),
        .models = c->models,
        .objective = c->objective,
        .site = site};
    return out->workload ? RY_OK : no_memory(diag);
}

static enum ry_err scale_to(struct ry_plan_session *s, struct ry_page_design *d,
                            size_t nodes, struct ry_diag *diag)
{
    const struct ry_constraints none = ry_no_constraints();
    struct ry_page_scale *scale = &d->scales[d->scales_n];
    struct ry_arena *scratch = ry_arena_create(0);
    struct ry_case c;

    if (!scratch)
        return no_memory(diag);
    enum ry_err err = case_with(s, d->c, nodes, &c, diag);
    if (err == RY_OK) {
        ry_case_evaluate(scratch, &s->catalog, &none, &c);
        err = c.err == RY_ERR_NOMEM ? no_memory(diag) : RY_OK;
    }
    ry_arena_destroy(scratch);
    RY_TRY(err);
    const struct ry_result *r = &c.result;
    *scale = (struct ry_page_scale){
        .gpus = ry_design_gpus(c.design),
        .fits = c.has_result,
        .planned = nodes == d->c->design->nodes,
        .why = c.has_result ? "" : ry_strdup(s->arena, c.why),
        .tokens_per_s = r->tokens_per_s,
        .lo = c.has_result ? r->step.tokens / r->step.hi_s : 0.0,
        .hi = c.has_result ? r->step.tokens / r->step.lo_s : 0.0,
        .days = r->days,
    };
    d->scales_n++;
    return RY_OK;
}

static enum ry_err scale_design(struct ry_plan_session *s, struct ry_page_design *d,
                                struct ry_diag *diag)
{
    static const double factors[RY_PAGE_SCALES] = {0.125, 0.25, 0.5, 1, 2, 4, 8};

    for (size_t k = 0; k < RY_PAGE_SCALES; k++) {
        const double scaled = (double)d->c->design->nodes * factors[k];
        if (scaled == floor(scaled) && scaled > (double)d->c->design->spare_nodes)
            RY_TRY(scale_to(s, d, (size_t)scaled, diag));
    }
    return RY_OK;
}

static bool has_sizes(const struct ry_page_design *d)
{
    return d->fits && d->c->design->fabric.technology != RY_FABRIC_NONE;
}

enum ry_err ry_report_scales(struct ry_plan_session *s, struct ry_page *page, bool quiet,
                             struct ry_diag *diag)
{
    struct ry_progress progress = ry_progress_start("designs at other sizes", quiet);
    enum ry_err err = RY_OK;
    size_t all = 0, done = 0;

    for (size_t i = 0; i < page->n && all < SCALED_MOST; i++)
        all += has_sizes(&page->at[i]);
    for (size_t i = 0; err == RY_OK && done < all; i++) {
        if (!has_sizes(&page->at[i]))
            continue;
        err = scale_design(s, &page->at[i], diag);
        ry_progress_show(&progress, ++done, all);
    }
    (void)ry_progress_end(&progress);
    return err;
}

/* What a dollar more for a node adds to the cost per trillion tokens. */
static double slope(const struct ry_case *c, const struct ry_node *node)
{
    struct ry_site *site = c->site;
    const struct ry_bill kept = site->bill;
    struct ry_result result = c->result;
    const double more =
        (double)c->design->nodes - ry_design_owned(c->design, node->part.name);

    if (c->design->node != node || !(more > 0.0))
        return 0.0;
    const double usd = 0.1 * kept.group[RY_BILL_NODES].usd;
    ry_money_add(&site->bill.group[RY_BILL_NODES], ry_money_exact(usd));
    ry_money_add(&site->bill.total, ry_money_exact(usd));
    ry_plan_finish(site, c->workload, &result);
    site->bill = kept;
    return (result.usd_per_trillion_tokens - c->result.usd_per_trillion_tokens) /
           (usd / more);
}

void ry_report_break_even(struct ry_page *page)
{
    for (size_t i = 0; i < page->n; i++)
        page->at[i].node_break_even_usd = (double)NAN;
    if (page->rival >= page->usable)
        return;
    const struct ry_case *a = page->at[0].c;
    const struct ry_case *b = page->at[page->rival].c;
    const struct ry_bill_line *line = &a->site->bill.line[0];
    const double closer = slope(a, a->design->node) - slope(b, a->design->node);
    if (!(closer > 0.0) || !(line->price.usd > 0.0) ||
        strcmp(line->part, a->design->node->part.name) != 0)
        return;
    page->at[0].node_break_even_usd =
        line->price.usd +
        (b->result.usd_per_trillion_tokens - a->result.usd_per_trillion_tokens) / closer;
}
