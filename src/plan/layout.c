/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/layout.h"

#include "catalog/parts.h"
#include "plan/fabric_graph.h"
#include "topology/family.h"

enum ry_err ry_layout_limit(const struct ry_catalog *catalog,
                            const struct ry_design *design, struct ry_diag *diag)
{
    static const char name[] = "planning:most GPUs laid out";
    const struct ry_rate *most = ry_find_rate(catalog, name);
    const double gpus = (double)design->nodes * (double)design->gpus_per_node;

    if (!most || gpus <= most->value)
        return RY_OK;
    return ry_fail(diag, RY_ERR_RANGE, design->name,
                   "%.0f GPUs, at most %.0f are laid out (rate '%s')", gpus, most->value,
                   name);
}

enum ry_err ry_layout_make(struct ry_arena *arena, const struct ry_catalog *catalog,
                           const struct ry_design *design,
                           const struct ry_facility_options *options,
                           struct ry_layout *layout, struct ry_diag *diag)
{
    struct ry_topo_specs *specs = RY_NEW(arena, struct ry_topo_specs, 1);

    if (!specs)
        return ry_fail(diag, RY_ERR_NOMEM, design->name, "cannot lay it out");
    layout->graph = NULL;
    RY_TRY(ry_design_check(design, diag));
    RY_TRY(ry_layout_limit(catalog, design, diag));
    RY_TRY(ry_design_topology(design, specs, diag));
    RY_TRY(ry_topo_build(arena, specs, &layout->graph, diag));
    const struct ry_facility_input in = {
        .design = design, .catalog = catalog, .graph = layout->graph, .options = options};
    return ry_facility_plan(arena, &in, &layout->facility, diag);
}

enum ry_err ry_layout_faults(struct ry_arena *scratch, const struct ry_layout *layout,
                             struct ry_problems *problems)
{
    const struct ry_power_plan *power = &layout->facility.power;
    const struct ry_cooling_plan *cooling = &layout->facility.cooling;
    const size_t before = problems->count;

    for (size_t i = 0; i < power->findings_n; i++) {
        if (power->findings[i].fails)
            ry_problem(problems, RY_ERR_NO, power->findings[i].what, "%s",
                       power->findings[i].text);
    }
    if (problems->count == before)
        RY_TRY(ry_facility_check(scratch, &layout->facility, problems));
    for (size_t i = 0; i < cooling->findings_n; i++) {
        if (cooling->findings[i].fails)
            ry_problem(problems, RY_ERR_NO, cooling->findings[i].what, "%s",
                       cooling->findings[i].text);
    }
    ry_cables_faults(&layout->facility.cables, problems);
    return RY_OK;
}

enum ry_err ry_layout_check(struct ry_arena *scratch, const struct ry_layout *layout,
                            struct ry_diag *diag)
{
    struct ry_problems *problems = RY_NEW(scratch, struct ry_problems, 1);

    if (!problems || ry_layout_faults(scratch, layout, problems) != RY_OK)
        return ry_fail(diag, RY_ERR_NOMEM, "layout", "cannot verify it");
    if (problems->count == 0)
        return RY_OK;
    const struct ry_diag *first = &problems->diags[0];
    return ry_fail(diag, RY_ERR_INFEASIBLE, first->where, "%s: %s", first->where,
                   first->text);
}
