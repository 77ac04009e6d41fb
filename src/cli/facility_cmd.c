/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/facility_cmd.h"

#include "base/names.h"
#include "cli/sections.h"
#include "io/design_file.h"
#include "io/json_family.h"
#include "io/problems_print.h"

#include <stdarg.h>
#include <stdio.h>

enum { KEPT_BYTES = 1024 };

const char *const ry_scheme_choices[] = {"n", "n+1", "2n", NULL};
const char *const ry_rule_choices[] = {"catalog", "nec", "iec", NULL};

const char *ry_kept(struct ry_arena *arena, const char *fmt, ...)
{
    char text[KEPT_BYTES];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    const char *kept = ry_strdup(arena, text);
    return kept ? kept : "";
}

/* The design's object: the file, or what it calls "design". */
static enum ry_err read_design(struct ry_planned *planned,
                               const struct ry_facility_cmd *options, const char *path,
                               struct ry_problems *problems)
{
    struct ry_json_family family;
    struct ry_json_member member;
    struct ry_json root;

    RY_TRY(ry_json_open(planned->arena, path, problems, &root));
    const struct ry_json at =
        ry_json_has(root, "design") ? ry_json_get(root, "design") : root;
    RY_TRY(ry_json_family(at, &family));
    if (options->member > family.n) {
        ry_problem(problems, RY_ERR_RANGE, path, "member %zu of %zu designs",
                   options->member, family.n);
        return RY_ERR_RANGE;
    }
    RY_TRY(ry_json_family_at(planned->arena, &family, options->member - 1, &member));
    RY_TRY(ry_design_read(planned->arena, member.root, &planned->catalog, path,
                          &planned->design));
    ry_design_read_check(member.root, &planned->design);
    planned->design.choice = member.choice;
    return ry_problems_err(problems, NULL);
}

static enum ry_err open_design(struct ry_planned *planned,
                               const struct ry_facility_cmd *options, const char *path,
                               struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(planned->arena, struct ry_problems, 1);

    if (!problems)
        return ry_fail(diag, RY_ERR_NOMEM, path, "cannot read it");
    const enum ry_err err = read_design(planned, options, path, problems);
    if (problems->count > 0)
        return ry_problems_print(problems, diag);
    return err == RY_OK ? RY_OK : ry_fail(diag, err, path, "cannot read it");
}

static enum ry_err plan(struct ry_planned *planned, const struct ry_facility_cmd *options,
                        struct ry_diag *diag)
{
    struct ry_facility_options chosen = options->plan;

    chosen.scheme = (enum ry_power_scheme)options->scheme;
    chosen.rule = (enum ry_circuit_rule)options->rule;
    return ry_layout_make(planned->arena, &planned->catalog, &planned->design, &chosen,
                          &planned->layout, diag);
}

enum ry_err ry_planned_faults(struct ry_planned *planned, struct ry_table *table)
{
    struct ry_problems *problems = RY_NEW(planned->arena, struct ry_problems, 1);

    if (!problems ||
        ry_layout_faults(planned->arena, &planned->layout, problems) != RY_OK)
        return RY_ERR_NOMEM;
    for (size_t i = 0; i < problems->count && i < RY_PROBLEMS_KEPT; i++)
        ry_finding(table, true, problems->diags[i].where, problems->diags[i].text);
    return problems->count > 0 ? RY_ERR_NO : RY_OK;
}

enum ry_err ry_planned_run(struct ry_arena *arena, const struct ry_facility_cmd *options,
                           const char *path, const struct ry_planned_work *work,
                           struct ry_diag *diag)
{
    struct ry_planned *planned = RY_NEW(arena, struct ry_planned, 1);

    if (!planned)
        return ry_fail(diag, RY_ERR_NOMEM, path, "cannot start");
    planned->arena = arena;
    RY_TRY(ry_catalog_opened(arena, &options->catalog, &planned->catalog, diag));
    RY_TRY(open_design(planned, options, path, diag));
    RY_TRY(plan(planned, options, diag));
    return work->run(planned, work->options, diag);
}
