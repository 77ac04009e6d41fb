/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_cases.h"

#include "base/names.h"
#include "io/problems_print.h"

enum { CASES_MOST = 4000000 };

static enum ry_err read_files(struct ry_plan_session *s, const struct ry_strings *paths)
{
    for (size_t i = 0; paths && i < paths->n; i++)
        RY_TRY(ry_plan_file_read(&s->library, paths->at[i], &s->problems, &s->files));
    return RY_OK;
}

enum ry_err ry_plan_session_open(struct ry_arena *arena,
                                 const struct ry_catalog_sources *sources,
                                 const struct ry_strings *args,
                                 const struct ry_strings *workloads,
                                 struct ry_plan_session **session, struct ry_diag *diag)
{
    struct ry_plan_session *s = RY_NEW(arena, struct ry_plan_session, 1);

    if (!s)
        return ry_fail(diag, RY_ERR_NOMEM, "plan", "cannot start");
    s->arena = arena;
    RY_TRY(ry_catalog_opened(arena, sources, &s->catalog, diag));
    const enum ry_err err =
        ry_library_open(arena, &s->catalog, &s->problems, &s->library);
    if (err == RY_ERR_NOMEM)
        return ry_fail(diag, err, "models", "cannot read them");
    if (err != RY_OK)
        return ry_problems_print(&s->problems, diag);
    if (read_files(s, args) != RY_OK || read_files(s, workloads) != RY_OK)
        return ry_fail(diag, RY_ERR_NOMEM, "plan", "too many designs");
    if (s->problems.count > 0)
        return ry_problems_print(&s->problems, diag);
    *session = s;
    return RY_OK;
}

/* Whether the command's design d is meant for workload w. */
static bool meant(const struct ry_plan_files *f, size_t d, size_t w)
{
    const struct ry_plan_design *design = &f->designs[d];

    if (design->own_n > 0)
        return w >= design->own_first && w < design->own_first + design->own_n;
    return !f->own[w];
}

static size_t count_cases(const struct ry_plan_files *f)
{
    size_t n = 0;

    for (size_t w = 0; w < f->workloads_n; w++) {
        for (size_t d = 0; d < f->designs_n; d++)
            n += meant(f, d, w);
    }
    return n;
}

static enum ry_err no_cases(const struct ry_plan_files *f, struct ry_diag *diag)
{
    if (f->designs_n == 0)
        return ry_fail(diag, RY_ERR_USAGE, "DESIGN", "no file with a design was given");
    return ry_fail(diag, RY_ERR_USAGE, "--workload",
                   "no workload; give --workload FILE, or one with the designs");
}

static enum ry_err fill(struct ry_plan_session *s, struct ry_case *out,
                        const struct ry_premises premises[], size_t d, size_t w)
{
    const struct ry_design *design = s->files.designs[d].design;
    const struct ry_found_model *found =
        ry_library_compute(&s->library, design->gpu, &s->problems);

    *out = (struct ry_case){.design = design,
                            .objective = RY_BY_COST_PER_TOKEN,
                            .workload = s->files.workloads[w],
                            .premises = &premises[d]};
    out->site = RY_NEW(s->arena, struct ry_site, 1);
    out->workload = ry_workload_on(s->arena, out->workload, ry_design_gpus(design));
    if (!out->site || !out->workload)
        return RY_ERR_NOMEM;
    out->models.comm = s->library.comm;
    if (found) {
        out->models.compute = found->model;
        out->models.compute_from = found->from;
        out->models.compute_sigma_rel = found->sigma_rel;
        out->models.compute_param_sigma = found->param_sigma;
    }
    return RY_OK;
}

enum ry_err ry_plan_cases_make(struct ry_plan_session *s, struct ry_plan_cases *cases,
                               struct ry_diag *diag)
{
    const struct ry_plan_files *f = &s->files;
    const size_t n = count_cases(f);

    *cases = (struct ry_plan_cases){0};
    if (n == 0)
        return no_cases(f, diag);
    cases->at = n <= CASES_MOST ? RY_NEW(s->arena, struct ry_case, n) : NULL;
    cases->designs_n = f->designs_n;
    cases->premises =
        cases->at ? RY_NEW(s->arena, struct ry_premises, f->designs_n) : NULL;
    for (size_t w = 0; cases->premises && w < f->workloads_n; w++) {
        for (size_t d = 0; d < f->designs_n; d++) {
            if (meant(f, d, w) &&
                fill(s, &cases->at[cases->n++], cases->premises, d, w) != RY_OK)
                return ry_fail(diag, RY_ERR_NOMEM, "plan", "%zu cases", n);
            RY_TRY(ry_problems_print(&s->problems, diag)); /* of its compute model */
        }
    }
    if (!cases->premises)
        return ry_fail(diag, RY_ERR_NOMEM, "plan", "%zu cases", n);
    return RY_OK;
}

static const char *with_choice(struct ry_arena *arena, const char *name,
                               const char *choice)
{
    if (choice[0] == '\0')
        return name;
    const char *text = ry_strfmt(arena, "%s [%s]", name, choice);
    return text ? text : name;
}

const char *ry_case_design_text(struct ry_arena *arena, const struct ry_case *c)
{
    return with_choice(arena, c->design->name, c->design->choice);
}

const char *ry_case_workload_text(struct ry_arena *arena, const struct ry_case *c)
{
    return with_choice(arena, c->workload->name, c->workload->choice);
}
