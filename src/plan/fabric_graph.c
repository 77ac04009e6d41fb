/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/fabric_graph.h"

#include "base/order.h"
#include "catalog/parts.h"
#include "plan/machine.h"
#include "plan/network.h"
#include "topology/family.h"

#include <math.h>
#include <string.h>

static size_t count_of(double number, size_t otherwise)
{
    return number >= 1.0 ? (size_t)number : otherwise;
}

static struct ry_topo_spec family_spec(const char *name)
{
    return ry_topo_spec_default(ry_family_find(name));
}

/* One board or rack without a fabric: its local links. */
static struct ry_topo_spec local_spec(const struct ry_design *d)
{
    const size_t links = count_of(d->gpu->scaleup_links, 1);
    const double rate = d->gpu->scaleup_link_bytes_per_s;
    const size_t chips = count_of(d->node->nvswitch_count, 0);
    struct ry_topo_spec spec;

    if (d->local_link == RY_LOCAL_SWITCHED && d->gpus_per_node > 1) {
        spec = family_spec(chips > 0 && links >= chips ? "nvswitch" : "nvlink");
        spec.links = links;
        spec.chips = chips > 0 && links >= chips ? chips : links;
    } else if (d->local_link == RY_LOCAL_MESH && d->gpus_per_node > 1) {
        spec = family_spec("mesh");
    } else {
        spec = family_spec("pcie");
        spec.chips = d->gpus_per_node % 2 == 0 ? 2 : 1;
        spec.gpus = d->gpus_per_node;
        return spec;
    }
    spec.gpus = d->gpus_per_node;
    if (rate > 0.0)
        spec.speed_bytes_per_s = rate;
    return spec;
}

/* Rails that share a leaf where several fit it, as plan/network.c counts them. */
static void set_rails(const struct ry_design *d, const struct ry_network *n,
                      struct ry_topo_spec *spec)
{
    const size_t per_leaf = d->nodes <= n->leaf_down ? n->leaf_down / d->nodes : 1;

    spec->rails = ry_div_up(d->nics_per_node, per_leaf);
    spec->su_nodes = d->nodes <= n->leaf_down ? d->nodes : n->leaf_down;
}

static struct ry_topo_spec fabric_spec(const struct ry_design *d,
                                       const struct ry_network *n)
{
    const bool rail_only = strcmp(d->fabric.family, "rail-only") == 0;
    const bool one = n->tiers == 1 && !rail_only;
    struct ry_topo_spec spec =
        family_spec(rail_only                          ? "rail_only"
                    : one || !d->fabric.rail_optimised ? "fat_tree"
                                                       : "rail_optimized");

    spec.nodes = d->nodes;
    spec.gpus_per_node = d->gpus_per_node;
    spec.nics = d->nics_per_node;
    spec.radix = ry_switch_radix(d->fabric.leaf, d->nic_bytes_per_s);
    spec.spine_radix = ry_switch_radix(d->fabric.spine, d->nic_bytes_per_s);
    spec.speed_bytes_per_s = d->nic_bytes_per_s;
    spec.ufm = d->fabric.management_ports;
    spec.tiers = n->tiers;
    const size_t cages = count_of(d->fabric.leaf->cages, 0);
    spec.cage = cages > 0 && spec.radix % cages == 0 && spec.radix / cages <= 8
                    ? spec.radix / cages
                    : 1;
    if (!one && !rail_only) {
        spec.down = n->leaf_down;
        spec.up = n->leaf_up;
    }
    if (rail_only)
        spec.rails = n->leaves; /* a fabric of one switch each */
    else if (!one && d->fabric.rail_optimised)
        set_rails(d, n, &spec);
    return spec;
}

/* Storage, in-band and out-of-band networks of the same nodes. */
static enum ry_err add_sides(const struct ry_design *design, struct ry_topo_specs *specs,
                             struct ry_diag *diag)
{
    for (size_t i = 0; i < design->sides_n; i++) {
        const struct ry_side_fabric *side = &design->sides[i];
        const struct ry_design as = ry_design_side(design, side);
        struct ry_network network;
        struct ry_diag why = {0};
        const enum ry_err err = ry_design_network(&as, &network, &why);
        if (err != RY_OK)
            return ry_fail(diag, err, why.where, "%s fabric: %s", side->name, why.text);
        if (network.tiers == 0)
            continue;
        struct ry_topo_spec *spec = &specs->at[specs->n++];
        *spec = fabric_spec(&as, &network);
        (void)strncpy(spec->fabric, side->name, sizeof(spec->fabric) - 1);
    }
    return RY_OK;
}

enum ry_err ry_design_topology(const struct ry_design *design,
                               struct ry_topo_specs *specs, struct ry_diag *diag)
{
    struct ry_network network;

    *specs = (struct ry_topo_specs){.n = 1};
    RY_TRY(ry_design_network(design, &network, diag));
    specs->at[0] =
        network.tiers == 0 ? local_spec(design) : fabric_spec(design, &network);
    if (network.tiers == 0 && design->sides_n > 0)
        specs->n = 0; /* the board is one node of what joins them */
    return add_sides(design, specs, diag);
}
