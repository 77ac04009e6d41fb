/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/design_file.h"

#include "base/names.h"
#include "io/design_keys.h"
#include "io/design_reader.h"
#include "io/part_file.h"

#include <math.h>
#include <string.h>

/* How the GPUs of a node reach each other, from the catalog's word for it. */
static const struct {
    const char *fabric;
    enum ry_local_link link;
} local_links[] = {
    {"nvswitch", RY_LOCAL_SWITCHED},  {"nvlink-switch-rack", RY_LOCAL_SWITCHED},
    {"nvlink-direct", RY_LOCAL_MESH}, {"xgmi-mesh", RY_LOCAL_MESH},
    {"roce-mesh", RY_LOCAL_MESH},     {"pcie+bridge", RY_LOCAL_BRIDGE},
    {"pcie", RY_LOCAL_PCIE},
};

static void read_local_link(const struct ry_design_reader *r)
{
    const char *fabric = r->design->node->fabric;

    for (size_t i = 0; i < sizeof(local_links) / sizeof(local_links[0]); i++) {
        if (strcmp(local_links[i].fabric, fabric) == 0) {
            r->design->local_link = local_links[i].link;
            return;
        }
    }
    ry_json_problem(ry_json_get(r->at, "node"), RY_ERR_RANGE,
                    "GPUs joined by '%s' are not modelled; nvswitch, nvlink-switch-rack, "
                    "nvlink-direct, xgmi-mesh, pcie+bridge or pcie",
                    fabric);
}

static void read_gpu(const struct ry_design_reader *r)
{
    struct ry_design *design = r->design;
    const struct ry_json own = ry_json_get(r->at, "gpu");
    const struct ry_json cap = ry_json_get(r->at, "gpu_power_cap");

    if (ry_json_type(own) != RY_JSON_ABSENT)
        design->gpu = (const struct ry_gpu *)(const void *)ry_part_read(&r->scope, own,
                                                                        RY_KIND_GPU);
    else {
        design->gpu = ry_find_gpu(r->scope.catalog, design->node->gpu_model);
        if (!design->gpu)
            ry_json_problem(ry_json_get(r->at, "node"), RY_ERR_NOTFOUND,
                            "its GPU '%s' is not in the catalog of gpus",
                            design->node->gpu_model);
    }
    if (!design->gpu)
        return;
    ry_design_note_part(r, "gpu", &design->gpu->part);
    const double most = design->gpu->power_max_w;
    design->gpu_power_cap_w = ry_json_as_quantity(cap, RY_DIM_WATTS, most);
    const struct ry_rate *lowest =
        ry_find_rate(r->scope.catalog, "power:lowest GPU power cap");
    const double least = lowest ? lowest->value * most : 0.0;
    if (ry_json_type(cap) != RY_JSON_ABSENT &&
        !(design->gpu_power_cap_w > 0.0 &&
          design->gpu_power_cap_w >= least * (1.0 - 1e-9) &&
          !(design->gpu_power_cap_w > most)))
        ry_json_problem(
            cap, RY_ERR_RANGE,
            "%g W is not a cap that the board takes: %g W to its own limit of %g W",
            design->gpu_power_cap_w, ceil(least - 1e-9), most);
    if (ry_json_type(cap) != RY_JSON_ABSENT)
        ry_design_note(r, "gpu_power_cap",
                       ry_design_text(r, design->gpu_power_cap_w, "W"),
                       ry_json_where(cap));
}

static void read_node(const struct ry_design_reader *r)
{
    struct ry_design *design = r->design;
    const struct ry_json_bounds counts = {1, RY_DESIGN_NODES_MOST};

    design->node = (const struct ry_node *)(const void *)ry_part_read(
        &r->scope, ry_json_need(r->at, "node"), RY_KIND_NODE);
    (void)ry_json_need(r->at, "nodes");
    design->nodes = ry_json_count(r->at, "nodes", counts, 1);
    ry_design_note(r, "nodes", ry_strfmt(r->arena, "%zu", design->nodes),
                   ry_json_where(ry_json_get(r->at, "nodes")));
    design->spare_nodes = ry_json_count(
        r->at, "spare_nodes", (struct ry_json_bounds){0, RY_DESIGN_NODES_MOST}, 0);
    if (!design->node)
        return;
    ry_design_note_part(r, "node", &design->node->part);
    const struct ry_node *node = design->node;
    if (!(node->gpu_count >= 1.0)) {
        ry_json_problem(ry_json_get(r->at, "node"), RY_ERR_RANGE, "'%s' has no GPU",
                        node->part.name);
        return;
    }
    const double trays = fmin(fmax(node->compute_trays, 1.0), node->gpu_count);
    design->gpus_per_node = (size_t)node->gpu_count;
    design->gpus_per_host = ry_json_count(r->at, "gpus_per_host", counts,
                                          design->gpus_per_node / (size_t)trays);
    design->domain_gpus =
        ry_json_count(r->at, "domain_gpus", counts, design->gpus_per_node);
    const double hosts = (double)design->gpus_per_node / (double)design->gpus_per_host;
    design->host_ram_bytes = node->ram_bytes / hosts;
    read_local_link(r);
    read_gpu(r);
}

static void read_storage(const struct ry_design_reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "storage");

    r->design->storage_write_bytes_per_s = NAN;
    if (ry_json_type(at) == RY_JSON_ABSENT || !ry_json_expect(at, RY_JSON_OBJECT)) {
        ry_design_note(r, "storage", "0 USD", "not given: not counted");
        return;
    }
    ry_json_known_keys(at, ry_design_storage_keys);
    r->design->storage_usd = ry_json_quantity(at, "price", RY_DIM_USD, 0.0);
    r->design->storage_write_bytes_per_s =
        ry_json_quantity(at, "write_rate", RY_DIM_BYTES_PER_S, NAN);
}

static void read_owned(const struct ry_design_reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "owned");

    if (ry_json_type(at) == RY_JSON_ABSENT || !ry_json_expect(at, RY_JSON_LIST))
        return;
    if (ry_json_size(at) > RY_DESIGN_OWNED_MOST) {
        ry_json_problem(at, RY_ERR_RANGE, "%zu owned parts, %d at most", ry_json_size(at),
                        RY_DESIGN_OWNED_MOST);
        return;
    }
    for (size_t i = 0; i < ry_json_size(at); i++) {
        const struct ry_json one = ry_json_at(at, i);
        if (!ry_json_expect(one, RY_JSON_OBJECT))
            continue;
        ry_json_known_keys(one, ry_design_owned_keys);
        const char *part = ry_json_as_text(ry_json_need(one, "part"), "");
        (void)ry_json_need(one, "count");
        r->design->owned[r->design->owned_n++] =
            (struct ry_owned){part, ry_json_quantity(one, "count", RY_DIM_COUNT, 0.0)};
    }
}

enum ry_err ry_design_read(struct ry_arena *arena, struct ry_json at,
                           const struct ry_catalog *catalog, const char *file,
                           struct ry_design *design)
{
    const struct ry_design_reader r = {
        .arena = arena,
        .at = at,
        .scope = {arena, catalog, ry_json_get(at, "parts"), file},
        .design = design,
    };

    *design = (struct ry_design){.name = file, .file = file, .choice = ""};
    design->origins = RY_NEW(arena, struct ry_input_origin, RY_DESIGN_ORIGINS_MOST);
    design->ranges = RY_NEW(arena, struct ry_input_range, RY_DESIGN_RANGES_MOST);
    if (!design->origins || !design->ranges)
        return RY_ERR_NOMEM;
    if (!ry_json_expect(at, RY_JSON_OBJECT))
        return RY_OK;
    ry_json_known_keys(at, ry_design_keys);
    ry_parts_check(&r.scope);
    design->name = ry_json_as_name(ry_json_get(at, "name"), file);
    read_node(&r);
    ry_design_fabric_read(&r);
    ry_design_site_read(&r);
    read_storage(&r);
    read_owned(&r);
    return RY_OK;
}

void ry_design_read_check(struct ry_json at, const struct ry_design *design)
{
    struct ry_diag why;

    if (ry_json_problem_count(at) == 0 && ry_design_check(design, &why) != RY_OK)
        ry_json_problem(at, why.code, "%s", why.text);
}
