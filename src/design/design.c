/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/design.h"

#include "base/names.h"

#include <math.h>
#include <string.h>

size_t ry_design_gpus(const struct ry_design *design)
{
    return (design->nodes - design->spare_nodes) * design->gpus_per_node;
}

const char *ry_fabric_technology_text(enum ry_fabric_technology technology)
{
    switch (technology) {
    case RY_FABRIC_NONE:
        return "none";
    case RY_FABRIC_INFINIBAND:
        return "InfiniBand";
    case RY_FABRIC_ROCE:
        return "RoCE";
    case RY_FABRIC_TCP:
        return "TCP";
    }
    return "none";
}

const char *ry_local_link_text(enum ry_local_link link)
{
    switch (link) {
    case RY_LOCAL_PCIE:
        return "PCIe";
    case RY_LOCAL_BRIDGE:
        return "NVLink bridge";
    case RY_LOCAL_MESH:
        return "mesh";
    case RY_LOCAL_SWITCHED:
        return "NVSwitch";
    }
    return "PCIe";
}

enum ry_place_kind ry_design_place(const struct ry_design *design)
{
    if (design->facility.colocation_usd_per_kw_month > 0.0)
        return RY_PLACE_COLOCATION;
    return design->facility.construction_usd_per_w > 0.0 ? RY_PLACE_BUILT : RY_PLACE_OWN;
}

struct ry_design ry_design_side(const struct ry_design *design,
                                const struct ry_side_fabric *side)
{
    struct ry_design other = *design;

    other.fabric = side->fabric;
    other.nic = side->nic;
    other.nics_per_node = side->nics_per_node;
    other.nic_bytes_per_s = side->nic_bytes_per_s;
    other.nics_in_node_price = side->nics_in_node_price;
    other.sides_n = 0;
    return other;
}

void ry_design_origin(struct ry_design *design, const char *what, const char *value,
                      const char *from)
{
    if (!design->origins || design->origins_n == RY_DESIGN_ORIGINS_MOST)
        return;
    design->origins[design->origins_n++] =
        (struct ry_input_origin){.what = what, .value = value, .from = from};
}

const char *ry_design_origin_of(const struct ry_design *design, const char *what)
{
    for (size_t i = 0; i < design->origins_n; i++)
        if (strcmp(design->origins[i].what, what) == 0)
            return design->origins[i].from;
    return NULL;
}

const struct ry_side_fabric *ry_design_find_side(const struct ry_design *design,
                                                 const char *name)
{
    for (size_t i = 0; i < design->sides_n; i++)
        if (strcmp(design->sides[i].name, name) == 0)
            return &design->sides[i];
    return NULL;
}

double ry_design_owned(const struct ry_design *design, const char *part)
{
    double count = 0.0;

    for (size_t i = 0; i < design->owned_n; i++)
        if (ry_name_eq(design->owned[i].part, part))
            count += design->owned[i].count;
    return count;
}

static enum ry_err check_counts(const struct ry_design *design, struct ry_diag *diag)
{
    if (design->nodes < 1)
        return ry_fail(diag, RY_ERR_RANGE, design->name, "no nodes; 1 or more");
    if (design->spare_nodes >= design->nodes)
        return ry_fail(diag, RY_ERR_RANGE, design->name,
                       "%zu spare nodes of %zu leave none to work", design->spare_nodes,
                       design->nodes);
    if (design->gpus_per_node < 1)
        return ry_fail(diag, RY_ERR_RANGE, design->name, "the node has no GPU");
    return RY_OK;
}

static enum ry_err check_fabric(const struct ry_design *design, struct ry_diag *diag)
{
    const struct ry_fabric_inputs *fabric = &design->fabric;

    if (fabric->technology == RY_FABRIC_NONE && design->nodes > 1)
        return ry_fail(diag, RY_ERR_RANGE, design->name,
                       "%zu nodes without a fabric; name a technology: infiniband, "
                       "roce or tcp",
                       design->nodes);
    if (fabric->technology != RY_FABRIC_NONE &&
        (design->nics_per_node == 0 || !(design->nic_bytes_per_s > 0.0)))
        return ry_fail(diag, RY_ERR_RANGE, design->name,
                       "a fabric, but the node has no NIC for it; give nics/per_node "
                       "and nics/rate");
    if (!(fabric->oversubscription >= 1.0) && fabric->technology != RY_FABRIC_NONE)
        return ry_fail(diag, RY_ERR_RANGE, design->name, "oversubscription %g is below 1",
                       fabric->oversubscription);
    return RY_OK;
}

enum ry_err ry_design_check(const struct ry_design *design, struct ry_diag *diag)
{
    RY_TRY(check_counts(design, diag));
    RY_TRY(check_fabric(design, diag));
    if (!(design->facility.pue >= 1.0))
        return ry_fail(diag, RY_ERR_RANGE, design->name, "PUE %g is below 1",
                       design->facility.pue);
    if (!(design->finance.utilisation_frac > 0.0 &&
          design->finance.utilisation_frac <= 1.0))
        return ry_fail(diag, RY_ERR_RANGE, design->name,
                       "utilisation %g is not in 0 to 1",
                       design->finance.utilisation_frac);
    if (!(design->finance.years > 0.0))
        return ry_fail(diag, RY_ERR_RANGE, design->name, "%g years; above 0",
                       design->finance.years);
    return RY_OK;
}
