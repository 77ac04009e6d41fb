/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cables of a site: those of the compute fabric, then of each network beside it. */
#include "facility/facility_work.h"

#include "base/names.h"
#include "design/design.h"
#include "facility/fabric_classes.h"
#include "topology/graph.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double per_cage(const struct ry_switch *part)
{
    return part->cages >= 1.0 ? part->ports / part->cages : 1.0;
}

/* Lines of one fabric after those of the ones before; their levels say which. */
static bool merge_cables(struct ry_facility_work *work, const struct ry_cable_plan *more,
                         const char *fabric)
{
    struct ry_cable_plan *all = &work->out->cables;
    struct ry_cable_line *lines =
        RY_NEW(work->arena, struct ry_cable_line, all->n + more->n + 1);
    const size_t links = all->links + more->links;

    if (!lines)
        return false;
    if (all->n > 0)
        memcpy(lines, all->at, all->n * sizeof(*lines));
    for (size_t i = 0; i < more->n; i++) {
        lines[all->n + i] = more->at[i];
        lines[all->n + i].level =
            ry_strfmt(work->arena, "%s %s", fabric, more->at[i].level);
        if (!lines[all->n + i].level)
            return false;
    }
    all->mean_m =
        links > 0
            ? (all->mean_m * (double)all->links + more->mean_m * (double)more->links) /
                  (double)links
            : 0.0;
    all->at = lines;
    all->n += more->n;
    all->links = links;
    all->uncovered += more->uncovered;
    all->over_reach += more->over_reach;
    all->total_m += more->total_m;
    all->longest_m = fmax(all->longest_m, more->longest_m);
    all->power_w += more->power_w;
    return true;
}

/* Cables of the fabric of that name alone: what the others have is not placed. */
static enum ry_err plan_cables(struct ry_facility_work *work,
                               const struct ry_design *design, const char *fabric,
                               struct ry_cable_plan *plan)
{
    const struct ry_switch *leaf = design->fabric.leaf;
    const struct ry_graph *graph = work->in->graph;
    struct ry_cable_input in = {
        .graph = graph,
        .gear = &work->out->gear,
        .racks = &work->out->racks,
        .room = &work->out->floor.geometry,
    };
    const bool side = design != work->in->design;
    /* The machine's own cages, unless it is given NICs with another plug. */
    const bool own = !design->nic || strncmp(design->nic->connector, "OSFP", 4) == 0;
    const bool twin =
        !side && own && strstr(design->node->scaleout_nic_type, "twin-port") != NULL;
    /* A side NIC without a part: the plug of the switch, where a cage is one port. */
    const struct ry_cable_rules rules = {
        .catalog = work->in->catalog,
        .protocol = design->fabric.technology == RY_FABRIC_INFINIBAND ? "ib" : "eth",
        .node_cage = {twin                           ? "OSFP twin-port"
                      : design->nic                  ? design->nic->connector
                      : side && per_cage(leaf) < 1.5 ? leaf->connector
                                                     : "",
                      design->nic_bytes_per_s * (twin ? 2.0 : 1.0)},
        .switch_cage = {leaf->connector, leaf->port_bytes_per_s * per_cage(leaf)},
        .spare_frac = work->options->cable_spare_frac,
    };

    memcpy(in.of_class, work->out->gear_of_class, sizeof(in.of_class));
    for (size_t c = 0; c < graph->n_classes; c++) {
        const char *of = graph->classes[c].fabric;
        if (of[0] != '\0' && strcmp(of, fabric) != 0)
            in.of_class[c] = SIZE_MAX;
    }
    return ry_cables_plan(work->arena, &in, &rules, plan, work->diag);
}

enum ry_err ry_facility_cables(struct ry_facility_work *work)
{
    const struct ry_design *design = work->in->design;
    const char *compute = work->in->graph && work->in->graph->n_fabrics > 0
                              ? work->in->graph->fabrics[0].name
                              : "";

    if (!work->in->graph)
        return RY_OK;
    if (design->fabric.leaf)
        RY_TRY(plan_cables(work, design, compute, &work->out->cables));
    for (size_t i = 0; i < design->sides_n; i++) {
        const struct ry_design as = ry_design_side(design, &design->sides[i]);
        struct ry_cable_plan plan = {0};
        if (!as.fabric.leaf || ry_is_out_of_band(&as.fabric, design->sides[i].name))
            continue;
        RY_TRY(plan_cables(work, &as, design->sides[i].name, &plan));
        if (!merge_cables(work, &plan, design->sides[i].name))
            return ry_fail(work->diag, RY_ERR_NOMEM, "cables", "out of memory");
    }
    return RY_OK;
}
