/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Bills of published reference designs, out of their inputs.
 * Published arithmetic: the library offers it and test vectors run it, no plan is made of
 * it. Sources: NVIDIA DGX SuperPOD (H100, B200, B300, GB200) and DGX BasePOD reference
 * architectures; NVLink figures of the DGX GB200 guide.
 */
#ifndef RY_REFERENCE_SUPERPOD_H
#define RY_REFERENCE_SUPERPOD_H

#include <stddef.h>

struct ry_superpod_input {
    size_t su, nodes_per_su, rails, radix, planes, links_per_cable, ufm_ports;
};

struct ry_superpod {
    size_t nodes, gpus, leaf, spine, core, switches;
    size_t node_leaf, node_leaf_plus_ufm, leaf_spine, spine_core; /**< cables */
};

/** One row of a SuperPOD table; ports of the fabric manager cost one node. */
struct ry_superpod ry_superpod(struct ry_superpod_input in);

struct ry_cable_bom {
    size_t node_leaf, leaf_spine, ndr_cables, ufm_cables;
};

/** Cables of @p nodes nodes of that design, and those of its fabric manager. */
struct ry_cable_bom ry_cable_bom(const struct ry_superpod_input *in, size_t nodes,
                                 size_t ports_per_ufm_cable);

struct ry_transceiver_bom {
    size_t switch_transceivers, node_transceivers;
};

/** Every cage of every switch and node filled. */
struct ry_transceiver_bom ry_transceiver_bom(size_t switches, size_t cages_per_switch,
                                             size_t nodes, size_t cages_per_node);

struct ry_oob_input {
    size_t nodes, ib_switches, mgmt_ufm_nodes, inband_switches, ufm_back_to_back, pdus;
    size_t oob_switches, uplinks_per_oob_switch;
};

struct ry_oob {
    size_t cat5e, oob_uplinks_100g;
};

/** Out-of-band management: one port of every managed thing. */
struct ry_oob ry_oob(struct ry_oob_input in);

struct ry_basepod {
    size_t compute_links;
    double node_transceivers, isl_links, isl_twin_dacs;
};

/** A BasePOD: links of nodes, modules of links_per_module each, links between
 * switches. */
struct ry_basepod ry_basepod(size_t nodes, size_t links_per_node, size_t links_per_module,
                             double isl_per_compute_link);

struct ry_nvlink_input {
    size_t gpus, links_per_gpu, switch_chips, gpus_per_tray;
    double gpu_bytes_per_s; /**< both directions together, as NVIDIA states it */
};

struct ry_nvlink {
    size_t links, switch_chips;
    double links_per_chip, links_per_gpu_per_chip, compute_trays, total_bytes_per_s;
};

/** Links of a switched domain, shared evenly by its chips. */
struct ry_nvlink ry_nvlink(struct ry_nvlink_input in);

struct ry_pdu_split {
    size_t racks, compute_rack_pdus, mgmt_rack_pdus, total;
};

/** PDUs of compute and of management racks. */
struct ry_pdu_split ry_pdu_split(size_t compute_racks, size_t pdus_per_compute_rack,
                                 size_t mgmt_racks, size_t pdus_per_mgmt_rack);

/** Power of @p n equal things, a rack of nodes or a room of switches. */
double ry_power_sum_w(size_t n, double each_w);

struct ry_rack_profile {
    double rack_w, airflow_cfm;
};

/** A rack of equal air-cooled nodes, at a site's airflow a kilowatt. */
struct ry_rack_profile ry_rack_profile(size_t nodes, double node_w, double cfm_per_kw);

struct ry_power_shelf {
    double shelf_w, total_w, half_w; /**< half: one of two feeds lost */
};

/** Watts of supplies in shelves, and with half of them. */
struct ry_power_shelf ry_power_shelf(size_t shelves, size_t psus_per_shelf, double psu_w);

struct ry_units {
    size_t units, racks, gpus, nodes;
};

/** Scale-up of whole units: racks and GPUs of @p units, nodes of gpus_per_node GPUs. */
struct ry_units ry_units_scale(size_t units, size_t racks_per_unit, size_t gpus_per_unit,
                               size_t gpus_per_node);

#endif
