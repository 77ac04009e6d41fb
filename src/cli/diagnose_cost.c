/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/diagnose_cost.h"

#include "base/names.h"
#include "cli/plan_run.h"
#include "io/strategy_file.h"
#include "plan/degrade.h"

enum { STRATEGY_BYTES = 160 };

/* The one case of a design and a workload, planned. */
static enum ry_err plan_case(struct ry_arena *arena, const struct ry_cost_ask *ask,
                             struct ry_case **out, struct ry_diag *diag)
{
    const struct ry_constraints none = ry_no_constraints();
    const struct ry_strings designs = {.n = 1, .at = {ask->design}};
    const struct ry_strings workloads = {.n = 1, .at = {ask->workload}};
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases cases;

    RY_TRY(
        ry_plan_session_open(arena, ask->catalog, &designs, &workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &cases, diag));
    if (cases.n != 1)
        return ry_fail(diag, RY_ERR_RANGE, ask->design,
                       "%zu designs and workloads, a job is one of each", cases.n);
    RY_TRY(ry_plan_cases_run(session, &none, &cases, diag));
    if (!cases.at[0].has_result)
        return ry_fail(diag, RY_ERR_INFEASIBLE, ask->design, "%s", cases.at[0].why);
    *out = cases.at;
    return RY_OK;
}

static double fewer(double a, double b)
{
    return a < b ? a : b;
}

/* Add a finding's loss to @p what; the worst of a kind counts.  NULL: nothing is
 * known. */
static const char *lose(const struct ry_case *c, const struct ry_finding *finding,
                        struct ry_degrade *what)
{
    const double nics = (double)c->design->nics_per_node;
    const bool joined = ry_degrade_has_fabric(c->site);

    switch (finding->loses) {
    case RY_LOSES_UNKNOWN:
        return NULL;
    case RY_LOSES_TO_SOCKETS:
        what->sockets = true;
        if (finding->loses_of > 0.0 && finding->loses_of < nics)
            what->nics_frac = fewer(what->nics_frac, finding->loses_of / nics);
        return joined ? "at least: TCP model, the log's interfaces at the planned rate"
                      : NULL;
    case RY_LOSES_RATE:
        what->rate_frac = fewer(what->rate_frac, finding->loses_of);
        return joined ? "share of each NIC's rate" : NULL;
    case RY_LOSES_NICS:
        what->nics_frac = fewer(what->nics_frac, finding->loses_of);
        return joined ? "NICs of the host with fewest" : NULL;
    case RY_LOSES_PEER_ACCESS:
        what->host_staged = true;
        return c->design->domain_gpus > 1 ? "GPUs of a node through host memory" : NULL;
    case RY_LOSES_NVLS:
        what->no_nvls = true;
        return c->site->built.net.domain.nvls_bytes_per_s > 0.0
                   ? "rings inside the domain"
                   : NULL;
    }
    return NULL;
}

/* The step on the machine as it is; NAN where no model covers it. */
static double step_with(const struct ry_case *c, const struct ry_degrade *what,
                        struct ry_site *site)
{
    struct ry_result result;

    if (ry_degrade_site(c->site, what, site, NULL) != RY_OK ||
        ry_plan(site, c->workload, &c->result.strategy, &result, NULL) != RY_OK)
        return (double)NAN;
    return result.step.step_time_s;
}

static void cost_all(const struct ry_case *c, const struct ry_findings *findings,
                     struct ry_site *site, struct ry_finding_costs *costs)
{
    struct ry_degrade all = ry_degrade_nothing();
    bool any = false;

    for (size_t i = 0; i < findings->n; i++) {
        const struct ry_finding *finding = &findings->at[i];
        struct ry_degrade one = ry_degrade_nothing();
        costs->basis[i] = lose(c, finding, &one);
        costs->with_s[i] = costs->basis[i] ? step_with(c, &one, site) : (double)NAN;
        if (!costs->basis[i])
            continue;
        (void)lose(c, finding, &all);
        any = true;
    }
    if (all.sockets) /* the sockets' model has its copies through the host already */
        all.rate_frac = 1.0;
    costs->least = all.sockets && ry_degrade_has_fabric(c->site);
    costs->all_s = any ? step_with(c, &all, site) : costs->planned_s;
}

enum ry_err ry_finding_costs(struct ry_arena *arena, const struct ry_cost_ask *ask,
                             const struct ry_findings *findings,
                             struct ry_finding_costs *costs, struct ry_diag *diag)
{
    struct ry_case *c = NULL;
    struct ry_site *site = RY_NEW(arena, struct ry_site, 1);
    char text[STRATEGY_BYTES] = "";

    *costs =
        (struct ry_finding_costs){.with_s = RY_NEW(arena, double, findings->n + 1),
                                  .basis = RY_NEW(arena, const char *, findings->n + 1)};
    if (!site || !costs->with_s || !costs->basis)
        return ry_fail(diag, RY_ERR_NOMEM, "diagnose", "no memory");
    RY_TRY(plan_case(arena, ask, &c, diag));
    ry_strategy_text(&c->result.strategy, text, sizeof(text));
    costs->design = ry_case_design_text(arena, c);
    costs->strategy = ry_strdup(arena, text);
    costs->planned_s = c->result.step.step_time_s;
    cost_all(c, findings, site, costs);
    return costs->strategy ? RY_OK : ry_fail(diag, RY_ERR_NOMEM, "diagnose", "no memory");
}
