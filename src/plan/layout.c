/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/layout.h"

#include "plan/fabric_graph.h"
#include "topology/family.h"

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
    RY_TRY(ry_design_topology(design, specs, diag));
    RY_TRY(ry_topo_build(arena, specs, &layout->graph, diag));
    const struct ry_facility_input in = {.design = design,
                                         .catalog = catalog,
                                         .graph = layout->graph,
                                         .options = options};
    return ry_facility_plan(arena, &in, &layout->facility, diag);
}

static enum ry_err refuse(struct ry_diag *diag, const char *what, const char *text)
{
    return ry_fail(diag, RY_ERR_INFEASIBLE, what, "%s: %s", what, text);
}

enum ry_err ry_layout_check(struct ry_arena *scratch, const struct ry_layout *layout,
                            struct ry_diag *diag)
{
    const struct ry_power_plan *power = &layout->facility.power;
    const struct ry_cooling_plan *cooling = &layout->facility.cooling;
    struct ry_problems *problems = RY_NEW(scratch, struct ry_problems, 1);

    for (size_t i = 0; i < power->findings_n; i++) {
        if (power->findings[i].fails)
            return refuse(diag, power->findings[i].what, power->findings[i].text);
    }
    for (size_t i = 0; i < cooling->findings_n; i++) {
        if (cooling->findings[i].fails)
            return refuse(diag, cooling->findings[i].what, cooling->findings[i].text);
    }
    if (!problems || ry_facility_check(scratch, &layout->facility, problems) != RY_OK)
        return ry_fail(diag, RY_ERR_NOMEM, "layout", "cannot verify it");
    return problems->count > 0
               ? refuse(diag, problems->diags[0].where, problems->diags[0].text)
               : RY_OK;
}
