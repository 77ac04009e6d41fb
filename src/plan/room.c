/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/room.h"

#include "facility/facility.h"
#include "facility/pack.h"
#include "plan/machine.h"

#include <math.h>
#include <string.h>

static double known(double value)
{
    return isfinite(value) ? value : 0.0;
}

static double network_units(const struct ry_fabric_inputs *fabric,
                            const struct ry_network *network)
{
    if (network->leaves == 0)
        return 0.0;
    return (double)network->leaves * known(fabric->leaf->rack_units) +
           (double)(network->spines + network->cores) * known(fabric->spine->rack_units);
}

/* Racks for network gear: by height alone, less what the frame keeps. */
static enum ry_err network_racks(const struct ry_design *design,
                                 const struct ry_network *network, size_t *racks,
                                 struct ry_diag *diag)
{
    const double rack_u =
        design->facility.rack ? design->facility.rack->rack_units : RY_USUAL_RACK_UNITS;
    double units = network_units(&design->fabric, network);

    for (size_t i = 0; i < design->sides_n; i++) {
        const struct ry_design as = ry_design_side(design, &design->sides[i]);
        struct ry_network side;
        RY_TRY(ry_design_network(&as, &side, diag));
        units += network_units(&as.fabric, &side);
    }
    *racks = (size_t)ceil(units / (rack_u - 2.0)); /* two units for management switches */
    return RY_OK;
}

static enum ry_err check_room(const struct ry_design *design, const struct ry_room *room,
                              struct ry_diag *diag)
{
    const size_t racks = room->node_racks + room->network_racks;

    if (racks > design->facility.racks_most)
        return ry_fail(diag, RY_ERR_INFEASIBLE, design->name,
                       "%zu racks, the room holds %zu", racks,
                       design->facility.racks_most);
    const struct ry_facility_options options = ry_facility_defaults();
    const struct ry_aisle_rules rules = ry_facility_aisles(design, &options);
    struct ry_aisles aisles;
    RY_TRY(ry_aisles_rows(&rules, &aisles, diag));
    const size_t row =
        aisles.row_racks > 0 && aisles.row_racks < racks ? aisles.row_racks : racks;
    return ry_aisles_plan(&rules, row > 0 ? (racks + row - 1) / row : 0, row, &aisles,
                          diag);
}

static enum ry_err pack_nodes(const struct ry_design *design, struct ry_room *room,
                              struct ry_diag *diag)
{
    const struct ry_facility_inputs *facility = &design->facility;
    const struct ry_node *node = design->node;
    const struct ry_pack_input in = {
        .devices = (double)design->nodes,
        .rack_units = node->rack_units,
        .watts = node->power_max_w,
        .kilograms = node->weight_kg,
        .rack_rack_units = facility->rack ? facility->rack->rack_units : (double)NAN,
        .rack_watts =
            isfinite(facility->rack_power_w) ? facility->rack_power_w : (double)NAN,
        .rack_payload_kg =
            facility->rack ? facility->rack->max_static_load_kg : (double)NAN,
        .rack_outlets = NAN,
        .metres = node->depth_m,
        .rack_metres = facility->rack ? facility->rack->depth_m -
                                            ry_facility_defaults().depth_reserved_m
                                      : (double)NAN,
    };
    const struct ry_pack pack = ry_pack(&in);

    if (pack.per_rack < 1.0)
        return ry_fail(
            diag, RY_ERR_INFEASIBLE, design->name,
            "a node of %g U, %g kW, %g kg, %g m is over the limit of a rack (%g U, "
            "%g kW, %g kg, %g m)",
            node->rack_units, node->power_max_w / 1e3, node->weight_kg, node->depth_m,
            in.rack_rack_units, in.rack_watts / 1e3, in.rack_payload_kg, in.rack_metres);
    room->nodes_per_rack =
        isfinite(pack.per_rack) ? (size_t)pack.per_rack : design->nodes;
    if (facility->nodes_per_rack > 0 && facility->nodes_per_rack < room->nodes_per_rack)
        room->nodes_per_rack = facility->nodes_per_rack;
    for (size_t i = 0; i < RY_RACK_LIMIT_COUNT; i++)
        if (pack.binding[i])
            room->limit = ry_rack_limit_name((enum ry_rack_limit)i);
    return RY_OK;
}

enum ry_err ry_room_count(const struct ry_design *design,
                          const struct ry_network *network, struct ry_room *room,
                          struct ry_diag *diag)
{
    *room = (struct ry_room){.nodes_per_rack = 1, .limit = "a rack each"};
    if (strcmp(design->node->kind, "rack") != 0)
        RY_TRY(pack_nodes(design, room, diag));
    room->node_racks = (design->nodes + room->nodes_per_rack - 1) / room->nodes_per_rack;
    RY_TRY(network_racks(design, network, &room->network_racks, diag));
    return check_room(design, room, diag);
}
