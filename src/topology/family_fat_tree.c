/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaf-spine and fat trees of two or three tiers, any oversubscription, several planes. */
#include "topology/clos_shape.h"
#include "topology/family.h"

static enum ry_err shape_of(const struct ry_topo_spec *spec, struct ry_topo_plan *plan,
                            struct ry_clos_shape *shape, struct ry_diag *diag)
{
    RY_TRY(ry_plan_nodes(spec, plan, diag));
    return ry_clos_shape(spec, RY_ATTACH_FILL, plan, shape, diag);
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    struct ry_clos_shape shape;

    RY_TRY(shape_of(spec, out, &shape, diag));
    ry_clos_plan(spec, &shape, &ry_clos_switches, out);
    return RY_OK;
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    struct ry_topo_plan counts = {0};
    struct ry_clos_shape shape;

    RY_TRY(shape_of(b->spec, &counts, &shape, diag));
    return ry_clos_build(graph, b, &shape, &ry_clos_switches, diag);
}

const struct ry_family ry_family_fat_tree = {
    .name = "fat_tree",
    .alias = "leaf_spine",
    .keys = " gpus nodes gpus_per_node nics radix spine_radix tiers planes ratio core_ratio "
            "down up spines policy ufm keep grow cage links_per_cable speed up_speed media ",
    .summary = "leaf-spine or fat tree: leaves are filled one after another",
    .example = "fat_tree:radix=64,tiers=2,gpus=2048",
    .defaults = {.speed_bytes_per_s = 50e9},
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
