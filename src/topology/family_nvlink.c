/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NVLink domains: the links of a GPU are spread over NVSwitch chips, and every chip is a
 * plane of its own.  Racks are joined by a second level of chips for each plane. */
#include "topology/clos_build.h"
#include "topology/clos_plan.h"
#include "topology/family.h"

static const struct ry_clos_style style = {
    .tier = {"nvswitch", "nvspine", "nvcore"},
    .level = {"gpu-nvswitch", "nvswitch-nvspine", "nvspine-nvcore"},
    .kind = RY_DEVICE_NVSWITCH,
    .trunk_media = RY_MEDIA_FIBRE,
};

/* Of a GB200 NVL72, where neither is given. */
static const size_t rack_gpus = 72;

/* As a Clos: planes are chips, a GPU has links / chips ports in each. */
static enum ry_err as_clos(const struct ry_topo_spec *spec, struct ry_topo_spec *clos,
                           struct ry_diag *diag)
{
    const size_t racks = spec->racks ? spec->racks : 1;

    *clos = *spec;
    if (spec->gpus == 0)
        clos->gpus = rack_gpus * racks;
    if (clos->gpus % racks != 0)
        return ry_fail(diag, RY_ERR_RANGE, "racks", "%zu GPUs are not %zu equal racks",
                       clos->gpus, racks);
    if (spec->links % spec->chips != 0)
        return ry_fail(diag, RY_ERR_INFEASIBLE, "links",
                       "%zu links of a GPU do not spread evenly over %zu chips",
                       spec->links, spec->chips);
    clos->gpus_per_node = 1;
    clos->planes = spec->chips;
    clos->nics = spec->links / spec->chips;
    clos->tiers = racks == 1 ? 1 : 2;
    const size_t down = clos->gpus / racks * clos->nics;
    if (clos->radix == 0)
        clos->radix = racks == 1 ? down : 2 * down;
    if (racks > 1) {
        clos->down = down;
        clos->up = spec->up ? spec->up : down;
    }
    return RY_OK;
}

static enum ry_err shape_of(const struct ry_topo_spec *clos, struct ry_topo_plan *plan,
                            struct ry_clos_shape *shape, struct ry_diag *diag)
{
    RY_TRY(ry_plan_nodes(clos, plan, diag));
    return ry_clos_shape(clos, RY_ATTACH_FILL, plan, shape, diag);
}

static enum ry_err plan(const struct ry_topo_spec *spec, struct ry_topo_plan *out,
                        struct ry_diag *diag)
{
    struct ry_topo_spec clos;
    struct ry_clos_shape shape;

    RY_TRY(as_clos(spec, &clos, diag));
    RY_TRY(shape_of(&clos, out, &shape, diag));
    ry_clos_plan(&clos, &shape, &style, out);
    return RY_OK;
}

static enum ry_err build(struct ry_graph *graph, const struct ry_build *b,
                         struct ry_diag *diag)
{
    struct ry_topo_plan counts = {0};
    struct ry_topo_spec *clos = RY_NEW(graph->arena, struct ry_topo_spec, 1);
    struct ry_clos_shape shape;
    struct ry_build with = *b;

    if (!clos) /* the graph keeps the fabric's name, which is in it */
        return ry_topo_no_memory(diag);
    RY_TRY(as_clos(b->spec, clos, diag));
    RY_TRY(shape_of(clos, &counts, &shape, diag));
    with.spec = clos;
    return ry_clos_build(graph, &with, &shape, &style, diag);
}

/* Defaults are GB200 NVL72: 18 links of 50 GB/s a direction, 18 chips (NVIDIA DGX GB200
 * user guide).  One board with chips of unequal shares is family nvswitch. */
const struct ry_family ry_family_nvlink = {
    .name = "nvlink",
    .alias = "nvl72",
    .keys = " gpus links chips racks radix up spine_radix speed up_speed media ",
    .summary = "NVLink domain: GPUs on NVSwitch chips, in one rack or several",
    .example = "nvlink:gpus=72,links=18,chips=18",
    .defaults = {.links = 18,
                 .chips = 18,
                 .speed_bytes_per_s = 50e9,
                 .media = RY_MEDIA_BACKPLANE},
    .node_kind = RY_DEVICE_GPU,
    .plan = plan,
    .build = build,
};
