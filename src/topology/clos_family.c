/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "topology/clos_family.h"

#include "topology/clos_build.h"
#include "topology/clos_plan.h"

static const struct ry_clos_style switches = {
    .tier = {"leaf", "spine", "core"},
    .level = {"node-leaf", "leaf-spine", "spine-core"},
    .kind = RY_DEVICE_SWITCH,
    .trunk_media = RY_MEDIA_FIBRE,
};

/* The GPUs of a node where the spec does not say: one a rail. */
static size_t gpus_per_node(const struct ry_topo_spec *spec, enum ry_attach attach)
{
    if (spec->gpus_per_node > 0 || attach == RY_ATTACH_FILL)
        return spec->gpus_per_node;
    if (attach == RY_ATTACH_RAIL_ONLY && spec->nics > 0)
        return spec->nics;
    return spec->rails ? spec->rails : 8;
}

static enum ry_err shape_of(const struct ry_topo_spec *spec, enum ry_attach attach,
                            struct ry_topo_plan *plan, struct ry_clos_shape *shape,
                            struct ry_diag *diag)
{
    struct ry_topo_spec with = *spec;

    with.gpus_per_node = gpus_per_node(spec, attach);
    RY_TRY(ry_plan_nodes(&with, plan, diag));
    return ry_clos_shape(&with, attach, plan, shape, diag);
}

enum ry_err ry_clos_family_plan(const struct ry_topo_spec *spec, enum ry_attach attach,
                                struct ry_topo_plan *plan, struct ry_diag *diag)
{
    struct ry_clos_shape shape;

    RY_TRY(shape_of(spec, attach, plan, &shape, diag));
    ry_clos_plan(spec, &shape, &switches, plan);
    return RY_OK;
}

enum ry_err ry_clos_family_build(struct ry_graph *graph, const struct ry_build *build,
                                 enum ry_attach attach, struct ry_diag *diag)
{
    struct ry_topo_plan counts = {0};
    struct ry_clos_shape shape;

    RY_TRY(shape_of(build->spec, attach, &counts, &shape, diag));
    return ry_clos_build(graph, build, &shape, &switches, diag);
}
