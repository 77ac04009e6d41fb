/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/trained.h"

#include "cli/plan_run.h"

enum ry_err ry_trained(struct ry_arena *arena, const struct ry_trained_input *in,
                       const struct ry_case **found, struct ry_diag *diag)
{
    const struct ry_strings designs = {.n = 1, .at = {in->design}};
    const struct ry_strings workloads = {.n = in->workload ? 1 : 0, .at = {in->workload}};
    const struct ry_constraints limits = ry_no_constraints();
    struct ry_plan_session *session = NULL;
    struct ry_plan_cases all;

    RY_TRY(
        ry_plan_session_open(arena, in->catalog, &designs, &workloads, &session, diag));
    RY_TRY(ry_plan_cases_make(session, &all, diag));
    if (session->files.workloads_n > 1)
        return ry_fail(diag, RY_ERR_RANGE, in->workload ? in->workload : in->design,
                       "%zu workloads; give one", session->files.workloads_n);
    if (in->member > all.n)
        return ry_fail(diag, RY_ERR_RANGE, in->design, "member %zu of %zu designs",
                       in->member, all.n);
    all.at += in->member - 1;
    all.n = 1;
    RY_TRY(ry_plan_cases_run(session, &limits, &all, diag));
    if (all.at->err != RY_OK || !all.at->has_result)
        return ry_fail(diag, RY_ERR_INFEASIBLE, all.at->design->name, "%s", all.at->why);
    *found = all.at;
    return RY_OK;
}
