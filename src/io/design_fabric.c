/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/design_keys.h"
#include "io/design_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const technology_choices[] = {"none", "infiniband", "roce", "tcp",
                                                 NULL};

static const struct ry_design_input hash_inputs[] = {
    {"queue_pairs", RY_DIM_COUNT, "contention:queue pairs of a connection", 1.0,
     offsetof(struct ry_design, fabric.queue_pairs), ""},
    {"connections_per_nic", RY_DIM_COUNT, "contention:connections of a NIC", 1.0,
     offsetof(struct ry_design, fabric.connections_per_nic), ""},
};

static void read_nics(const struct ry_design_reader *r)
{
    struct ry_design *design = r->design;
    const struct ry_node *node = design->node;
    const struct ry_json at = ry_json_get(r->at, "nics");

    if (ry_json_type(at) != RY_JSON_ABSENT && ry_json_expect(at, RY_JSON_OBJECT))
        ry_json_known_keys(at, ry_design_nic_keys);
    design->nic = (const struct ry_nic *)(const void *)ry_part_read(
        &r->scope, ry_json_get(at, "part"), RY_KIND_NIC);
    const size_t built =
        node && node->scaleout_nic_count >= 1.0 ? (size_t)node->scaleout_nic_count : 0;
    design->nics_per_node =
        ry_json_count(at, "per_node", (struct ry_json_bounds){0, 10000}, built);
    const double part_rate = design->nic ? design->nic->total_bytes_per_s : (double)NAN;
    const double node_rate = node ? node->scaleout_nic_bytes_per_s : (double)NAN;
    const struct ry_json rate = ry_json_get(at, "rate");
    design->nic_bytes_per_s = ry_json_as_quantity(
        rate, RY_DIM_BYTES_PER_S, isfinite(part_rate) ? part_rate : node_rate);
    design->nics_in_node_price = ry_json_bool(at, "in_node_price", built > 0);
    if (design->nic && design->nic_bytes_per_s > part_rate * (1.0 + 1e-9))
        ry_json_problem(rate, RY_ERR_RANGE, "above the NIC's %g Gb/s", part_rate * 8e-9);
    if (design->nic)
        ry_design_note_part(r, "nic", &design->nic->part);
    ry_design_note(r, "nic_rate",
                   ry_design_text(r, design->nic_bytes_per_s * 8e-9, "Gb/s"),
                   ry_json_type(rate) != RY_JSON_ABSENT ? ry_json_where(rate)
                   : isfinite(part_rate) ? ry_design_row_text(r, &design->nic->part)
                   : node                ? ry_design_row_text(r, &node->part)
                                         : "");
}

/* A switch speaks the fabric's technology, and has ports at the NIC's rate or faster. */
static void check_switch(const struct ry_design_reader *r, struct ry_json at,
                         const struct ry_switch *part)
{
    const struct ry_design *design = r->design;
    const bool ib = design->fabric.technology == RY_FABRIC_INFINIBAND;

    if (!part || design->fabric.technology == RY_FABRIC_NONE)
        return;
    if (ib != (strcmp(part->technology, "infiniband") == 0))
        ry_json_problem(at, RY_ERR_RANGE, "%s is %s, the fabric is %s", part->part.name,
                        part->technology,
                        ry_fabric_technology_text(design->fabric.technology));
    if (part->port_bytes_per_s < design->nic_bytes_per_s * (1.0 - 1e-9))
        ry_json_problem(at, RY_ERR_RANGE, "%s has ports of %g Gb/s, the NICs have %g",
                        part->part.name, part->port_bytes_per_s * 8e-9,
                        design->nic_bytes_per_s * 8e-9);
}

static void read_switches(const struct ry_design_reader *r, struct ry_json at)
{
    struct ry_fabric_inputs *fabric = &r->design->fabric;
    const struct ry_json leaf = ry_json_need(at, "leaf");
    const struct ry_json spine = ry_json_get(at, "spine");

    fabric->leaf = (const struct ry_switch *)(const void *)ry_part_read(&r->scope, leaf,
                                                                        RY_KIND_SWITCH);
    fabric->spine = ry_json_type(spine) == RY_JSON_ABSENT
                        ? fabric->leaf
                        : (const struct ry_switch *)(const void *)ry_part_read(
                              &r->scope, spine, RY_KIND_SWITCH);
    check_switch(r, leaf, fabric->leaf);
    if (fabric->spine != fabric->leaf)
        check_switch(r, spine, fabric->spine);
    ry_design_note_part(r, "leaf", fabric->leaf ? &fabric->leaf->part : NULL);
    if (fabric->spine && fabric->spine != fabric->leaf)
        ry_design_note_part(r, "spine", &fabric->spine->part);
}

/* 3 or "3:1": what goes down a leaf for each that goes up. */
static double read_oversubscription(struct ry_json at)
{
    const struct ry_json value = ry_json_get(at, "oversubscription");
    double ratio = 1.0;

    if (ry_json_type(value) == RY_JSON_TEXT) {
        char *end = NULL;
        const char *text = ry_json_as_text(value, "");
        const double down = strtod(text, &end);
        const double up = end != text && *end == ':' ? strtod(end + 1, &end) : 0.0;
        ratio = *end == '\0' && up > 0.0 ? down / up : (double)NAN;
        if (isnan(ratio)) {
            ry_json_problem(value, RY_ERR_SYNTAX, "is not a ratio such as 3 or \"3:1\"");
            return 1.0;
        }
    } else {
        ratio = ry_json_as_number(value, 1.0);
    }
    if (ratio >= 1.0 && ratio <= 100.0)
        return ratio;
    ry_json_problem(value, RY_ERR_RANGE, "%g is not in 1 to 100; 3 means 3:1", ratio);
    return 1.0;
}

static void read_fabric(const struct ry_design_reader *r, struct ry_json at,
                        const char *const known[])
{
    static const char *const families[] = {"leaf-spine", "rail-only", NULL};
    struct ry_fabric_inputs *fabric = &r->design->fabric;

    *fabric = (struct ry_fabric_inputs){.family = "none", .oversubscription = 1.0};
    if (ry_json_type(at) == RY_JSON_ABSENT || !ry_json_expect(at, RY_JSON_OBJECT))
        return;
    ry_json_known_keys(at, known);
    (void)ry_json_need(at, "technology");
    fabric->technology = (enum ry_fabric_technology)ry_json_choice(
        at, "technology", technology_choices, RY_FABRIC_NONE);
    if (strcmp(ry_json_text(at, "technology", ""), "none") == 0)
        return;
    fabric->family = families[ry_json_choice(at, "family", families, 0)];
    fabric->tiers = ry_json_count(at, "tiers", (struct ry_json_bounds){1, 3}, 0);
    fabric->oversubscription = read_oversubscription(at);
    const bool ib = fabric->technology == RY_FABRIC_INFINIBAND;
    fabric->rail_optimised = ry_json_bool(at, "rail_optimised", false);
    fabric->adaptive_routing = ry_json_bool(at, "adaptive_routing", ib);
    if (!fabric->adaptive_routing)
        ry_design_inputs_read(r, at, hash_inputs,
                              sizeof(hash_inputs) / sizeof(hash_inputs[0]));
    fabric->in_network_reduction = ry_json_bool(at, "in_network_reduction", false);
    if (fabric->in_network_reduction && !ib)
        ry_json_problem(ry_json_get(at, "in_network_reduction"), RY_ERR_RANGE,
                        "only InfiniBand switches reduce in the network");
    fabric->management_ports =
        ry_json_count(at, "management_ports", (struct ry_json_bounds){0, 10000}, 0);
    read_switches(r, at);
}

/* A network beside the compute fabric: read as that one is, of a design of its own whose
 * origins are not kept; what it is made of is. */
static void read_side(const struct ry_design_reader *r, const char *key, const char *name)
{
    const struct ry_json at = ry_json_get(r->at, key);
    struct ry_design *design = r->design;
    struct ry_design *own = RY_NEW(r->arena, struct ry_design, 1);

    if (ry_json_type(at) == RY_JSON_ABSENT || !ry_json_expect(at, RY_JSON_OBJECT) || !own)
        return;
    struct ry_design_reader side = *r;
    *own = (struct ry_design){.name = design->name, .file = design->file};
    side.design = own;
    const struct ry_json nics = ry_json_get(at, "nics");
    if (ry_json_type(nics) != RY_JSON_ABSENT && ry_json_expect(nics, RY_JSON_OBJECT))
        ry_json_known_keys(nics, ry_design_nic_keys);
    own->nic = (const struct ry_nic *)(const void *)ry_part_read(
        &r->scope, ry_json_get(nics, "part"), RY_KIND_NIC);
    own->nics_per_node =
        ry_json_count(nics, "per_node", (struct ry_json_bounds){1, 64}, 1);
    own->nic_bytes_per_s =
        ry_json_quantity(nics, "rate", RY_DIM_BYTES_PER_S,
                         own->nic ? own->nic->total_bytes_per_s : (double)NAN);
    own->nics_in_node_price = ry_json_bool(nics, "in_node_price", false);
    read_fabric(&side, at, ry_design_side_keys);
    const struct ry_switch *leaf = own->fabric.leaf;
    if (!(own->nic_bytes_per_s > 0.0))
        own->nic_bytes_per_s = leaf ? leaf->port_bytes_per_s : 0.0;
    if (own->fabric.technology == RY_FABRIC_NONE)
        return;
    design->sides[design->sides_n++] = (struct ry_side_fabric){
        .name = name,
        .fabric = own->fabric,
        .nic = own->nic,
        .nics_per_node = own->nics_per_node,
        .nic_bytes_per_s = own->nic_bytes_per_s,
        .nics_in_node_price = own->nics_in_node_price,
    };
    if (leaf)
        ry_design_note(r, key, leaf->part.name, ry_design_row_text(r, &leaf->part));
}

void ry_design_fabric_read(const struct ry_design_reader *r)
{
    read_nics(r);
    read_fabric(r, ry_json_get(r->at, "fabric"), ry_design_fabric_keys);
    read_side(r, "storage_fabric", "storage");
    read_side(r, "inband_fabric", "inband");
    read_side(r, "oob_fabric", "oob");
}
