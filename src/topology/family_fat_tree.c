/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaf-spine and fat trees of two or three tiers, any oversubscription, several
 * planes. */
#include "topology/clos_family.h"

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    return ry_clos_family_plan(spec, RY_ATTACH_FILL, out, diag);
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    return ry_clos_family_build(graph, b, RY_ATTACH_FILL, diag);
}

const struct ry_family ry_family_fat_tree = {
    .name = "fat_tree",
    .alias = "leaf_spine",
    .keys = RY_CLOS_KEYS,
    .summary = "leaf-spine or fat tree: leaves are filled one after another",
    .example = "fat_tree:radix=64,tiers=2,gpus=2048",
    .defaults = {.speed_bytes_per_s = 50e9},
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
