/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rail-optimised units: NIC i of every node of a unit is on leaf i (NVIDIA SuperPOD). */
#include "topology/clos_family.h"

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    return ry_clos_family_plan(spec, RY_ATTACH_RAILS, out, diag);
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    return ry_clos_family_build(graph, b, RY_ATTACH_RAILS, diag);
}

const struct ry_family ry_family_rail_optimized = {
    .name = "rail_optimized",
    .alias = "rail_optimised",
    .keys = RY_CLOS_KEYS "rails su_nodes ",
    .summary = "scalable units with one leaf for each rail, spines over all of them",
    .example = "rail_optimized:nodes=127,rails=8,radix=64,ufm=4,cage=2",
    .defaults = {.speed_bytes_per_s = 50e9},
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
