/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference/superpod.h"

#include "topology/clos.h"

struct ry_superpod ry_superpod(struct ry_superpod_input in)
{
    const size_t nodes = in.su * in.nodes_per_su - (in.ufm_ports > 0);
    const size_t leaves = in.su * in.rails;
    const size_t up = in.radix / 2;
    const bool three_tiers = leaves > in.radix;
    const size_t least = (leaves * up + in.radix - 1) / in.radix;
    const size_t spines = three_tiers ? leaves : ry_balanced_spines(least, up);
    const size_t cores = three_tiers ? (leaves + 1) / 2 : 0;
    struct ry_superpod s = {.nodes = nodes, .gpus = nodes * in.rails};

    s.leaf = leaves * in.planes;
    s.spine = spines * in.planes;
    s.core = cores * in.planes;
    s.switches = s.leaf + s.spine + s.core;
    s.node_leaf = nodes * in.rails;
    s.node_leaf_plus_ufm = s.node_leaf + in.ufm_ports;
    s.leaf_spine = leaves * up * in.planes / in.links_per_cable;
    s.spine_core = three_tiers ? s.leaf_spine : 0;
    return s;
}

struct ry_cable_bom ry_cable_bom(const struct ry_superpod_input *in, size_t nodes,
                                 size_t ports_per_ufm_cable)
{
    struct ry_cable_bom b = {.node_leaf = nodes * in->rails};

    b.leaf_spine = in->su * in->rails * in->radix / 2;
    b.ndr_cables = b.node_leaf + b.leaf_spine;
    b.ufm_cables = (in->ufm_ports + ports_per_ufm_cable - 1) / ports_per_ufm_cable;
    return b;
}

struct ry_transceiver_bom ry_transceiver_bom(size_t switches, size_t cages_per_switch,
                                             size_t nodes, size_t cages_per_node)
{
    return (struct ry_transceiver_bom){switches * cages_per_switch,
                                       nodes * cages_per_node};
}

struct ry_oob ry_oob(struct ry_oob_input in)
{
    return (struct ry_oob){in.nodes + in.ib_switches + in.mgmt_ufm_nodes +
                               in.inband_switches + in.ufm_back_to_back + in.pdus,
                           in.oob_switches * in.uplinks_per_oob_switch};
}

struct ry_basepod ry_basepod(size_t nodes, size_t links_per_node, size_t links_per_module,
                             double isl_per_compute_link)
{
    const size_t links = nodes * links_per_node;
    const double isl = (double)links * isl_per_compute_link;

    return (struct ry_basepod){links, (double)links / (double)links_per_module, isl,
                               isl / 2.0};
}

struct ry_nvlink ry_nvlink(struct ry_nvlink_input in)
{
    const size_t links = in.gpus * in.links_per_gpu;
    const double chips = (double)in.switch_chips;

    return (struct ry_nvlink){
        .links = links,
        .switch_chips = in.switch_chips,
        .links_per_chip = (double)links / chips,
        .links_per_gpu_per_chip = (double)in.links_per_gpu / chips,
        .compute_trays = (double)in.gpus / (double)in.gpus_per_tray,
        .total_bytes_per_s = (double)in.gpus * in.gpu_bytes_per_s,
    };
}

struct ry_pdu_split ry_pdu_split(size_t compute_racks, size_t pdus_per_compute_rack,
                                 size_t mgmt_racks, size_t pdus_per_mgmt_rack)
{
    const size_t compute = compute_racks * pdus_per_compute_rack;
    const size_t mgmt = mgmt_racks * pdus_per_mgmt_rack;

    return (struct ry_pdu_split){compute_racks + mgmt_racks, compute, mgmt,
                                 compute + mgmt};
}

double ry_power_sum_w(size_t n, double each_w)
{
    return (double)n * each_w;
}

struct ry_rack_profile ry_rack_profile(size_t nodes, double node_w, double cfm_per_kw)
{
    const double rack_w = ry_power_sum_w(nodes, node_w);
    return (struct ry_rack_profile){rack_w, rack_w / 1000.0 * cfm_per_kw};
}

struct ry_power_shelf ry_power_shelf(size_t shelves, size_t psus_per_shelf, double psu_w)
{
    const double shelf_w = ry_power_sum_w(psus_per_shelf, psu_w);
    const double total_w = ry_power_sum_w(shelves, shelf_w);
    return (struct ry_power_shelf){shelf_w, total_w, total_w / 2.0};
}

struct ry_units ry_units_scale(size_t units, size_t racks_per_unit, size_t gpus_per_unit,
                               size_t gpus_per_node)
{
    const size_t gpus = units * gpus_per_unit;
    return (struct ry_units){units, units * racks_per_unit, gpus,
                             gpus_per_node ? gpus / gpus_per_node : 0};
}
