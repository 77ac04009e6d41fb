/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rail-only: every rail is its own fabric; rails meet over NVLink alone. */
#include "topology/clos_family.h"

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    return ry_clos_family_plan(spec, RY_ATTACH_RAIL_ONLY, out, diag);
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    return ry_clos_family_build(graph, b, RY_ATTACH_RAIL_ONLY, diag);
}

const struct ry_family ry_family_rail_only = {
    .name = "rail_only",
    .alias = "rail-only",
    .keys = RY_CLOS_KEYS "rails ",
    .summary = "one fabric for each rail, none between them",
    .example = "rail_only:nodes=128,rails=8,radix=64",
    .defaults = {.speed_bytes_per_s = 50e9},
    .node_kind = RY_DEVICE_NODE,
    .plan = plan,
    .build = build,
};
