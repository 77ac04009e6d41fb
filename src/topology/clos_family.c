/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/clos_family.h"

#include "topology/clos_shape.h"

extern const struct ry_family ry_family_rail_only;
extern const struct ry_family ry_family_rail_optimized;

static size_t first_of(size_t a, size_t b, size_t otherwise)
{
    return a ? a : b ? b : otherwise;
}

static enum ry_err shape_of(const struct ry_topo_spec *spec, struct ry_topo_plan *plan,
                            struct ry_clos_shape *shape, struct ry_diag *diag)
{
    struct ry_topo_spec with = *spec;
    enum ry_attach attach = RY_ATTACH_FILL;

    if (spec->family == &ry_family_rail_optimized) {
        attach = RY_ATTACH_RAILS;
        with.gpus_per_node = first_of(spec->gpus_per_node, spec->rails, 8);
    } else if (spec->family == &ry_family_rail_only) {
        attach = RY_ATTACH_RAIL_ONLY;
        with.gpus_per_node =
            first_of(spec->gpus_per_node, spec->nics, first_of(spec->rails, 8, 8));
    }
    RY_TRY(ry_plan_nodes(&with, plan, diag));
    return ry_clos_shape(&with, attach, plan, shape, diag);
}

enum ry_err ry_clos_family_plan(const struct ry_topo_spec *spec, struct ry_topo_plan *plan,
                                struct ry_diag *diag)
{
    struct ry_clos_shape shape;

    RY_TRY(shape_of(spec, plan, &shape, diag));
    ry_clos_plan(spec, &shape, &ry_clos_switches, plan);
    return RY_OK;
}

enum ry_err ry_clos_family_build(struct ry_graph *graph, const struct ry_build *build,
                                 struct ry_diag *diag)
{
    struct ry_topo_plan counts = {0};
    struct ry_clos_shape shape;

    RY_TRY(shape_of(build->spec, &counts, &shape, diag));
    return ry_clos_build(graph, build, &shape, &ry_clos_switches, diag);
}
