/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of superpod_reference.  Vectors say kW; the library works in W. */
#include "base/names.h"
#include "facility/circuit.h"
#include "io/catalog_csv.h"
#include "reference/clos_counts.h"
#include "reference/superpod.h"
#include "topology/clos.h"
#include "vectors.h"

#include <string.h>

static const double W_PER_KW = 1e3;

static struct ry_superpod_input pod_input(struct vec *v)
{
    return (struct ry_superpod_input){
        .su = vec_count(v, "su"),
        .nodes_per_su = vec_count_or(v, "nodes_per_su", 0),
        .rails = vec_count(v, "rails"),
        .radix = vec_count(v, "radix"),
        .planes = vec_count_or(v, "planes", 1),
        .links_per_cable = vec_count_or(v, "links_per_cable", 1),
        .ufm_ports =
            vec_has(v, "ufm") ? vec_count(v, "ufm") : vec_count_or(v, "ufm_ports", 0),
    };
}

static void superpod_row(struct vec *v)
{
    const struct ry_superpod t = ry_superpod(pod_input(v));

    VEC_PUT(v, t, nodes);
    VEC_PUT(v, t, gpus);
    VEC_PUT(v, t, leaf);
    VEC_PUT(v, t, spine);
    VEC_PUT(v, t, core);
    VEC_PUT(v, t, switches);
    VEC_PUT(v, t, node_leaf);
    VEC_PUT(v, t, node_leaf_plus_ufm);
    VEC_PUT(v, t, leaf_spine);
    VEC_PUT(v, t, spine_core);
}

static void per_plane_two_tier(struct vec *v)
{
    const size_t planes = vec_count(v, "planes");
    const struct ry_two_tier t =
        ry_two_tier((struct ry_two_tier_input){vec_count(v, "endpoints_per_plane"),
                                               vec_count(v, "radix"),
                                               {1.0, 1.0},
                                               RY_SPINES_BALANCED});

    vec_put(v, "leaf_per_plane", (double)t.leaves);
    vec_put(v, "spine_per_plane", (double)t.spines);
    vec_put(v, "leaf_total", (double)(t.leaves * planes));
    vec_put(v, "spine_total", (double)(t.spines * planes));
}

static void cable_bom(struct vec *v)
{
    const struct ry_superpod_input in = pod_input(v);
    const struct ry_cable_bom t =
        ry_cable_bom(&in, vec_count(v, "nodes"), vec_count(v, "ports_per_ufm_cable"));

    VEC_PUT(v, t, node_leaf);
    VEC_PUT(v, t, leaf_spine);
    VEC_PUT(v, t, ndr_cables);
    VEC_PUT(v, t, ufm_cables);
}

static void cable_bom_sum(struct vec *v)
{
    const double nodes =
        ry_power_sum_w(vec_count(v, "nodes"), vec_num(v, "links_per_node"));
    const cJSON *item = NULL;
    double total = nodes;

    cJSON_ArrayForEach (item, vec_item(v, "other_cables"))
        total += item->valuedouble;
    vec_put(v, "node_cables", nodes);
    vec_put(v, "total", total);
}

static void transceiver_bom(struct vec *v)
{
    const struct ry_transceiver_bom t =
        ry_transceiver_bom(vec_count(v, "leaf") + vec_count(v, "spine"),
                           vec_count(v, "osfp_cages_per_switch"), vec_count(v, "nodes"),
                           vec_count(v, "osfp_cages_per_node"));

    VEC_PUT(v, t, switch_transceivers);
    VEC_PUT(v, t, node_transceivers);
}

static void oob_bom(struct vec *v)
{
    const struct ry_oob t = ry_oob((struct ry_oob_input){
        .nodes = vec_count(v, "nodes"),
        .ib_switches = vec_count(v, "ib_switches"),
        .mgmt_ufm_nodes = vec_count(v, "mgmt_ufm_nodes"),
        .inband_switches = vec_count(v, "inband_switches"),
        .ufm_back_to_back = vec_count(v, "ufm_back_to_back"),
        .pdus = vec_count(v, "pdus"),
        .oob_switches = vec_count(v, "oob_switches"),
        .uplinks_per_oob_switch = vec_count(v, "uplinks_per_oob_switch"),
    });

    VEC_PUT(v, t, cat5e);
    VEC_PUT(v, t, oob_uplinks_100g);
}

static void pdu_split(struct vec *v)
{
    const struct ry_pdu_split t =
        ry_pdu_split(vec_count(v, "compute_racks"), vec_count(v, "pdus_per_compute_rack"),
                     vec_count(v, "mgmt_racks"), vec_count(v, "pdus_per_mgmt_rack"));

    VEC_PUT(v, t, racks);
    VEC_PUT(v, t, compute_rack_pdus);
    VEC_PUT(v, t, mgmt_rack_pdus);
    VEC_PUT(v, t, total);
}

static void basepod_row(struct vec *v)
{
    const struct ry_basepod t =
        ry_basepod(vec_count(v, "nodes"), vec_count(v, "links_per_node"),
                   vec_count(v, "links_per_module"), vec_num(v, "isl_per_compute_link"));

    VEC_PUT(v, t, compute_links);
    VEC_PUT(v, t, node_transceivers);
    VEC_PUT(v, t, isl_links);
    VEC_PUT(v, t, isl_twin_dacs);
}

static void rail_stripes(struct vec *v)
{
    const struct ry_rail_stripes t = ry_rail_stripes((struct ry_rail_stripes_input){
        .nodes = vec_count(v, "nodes"),
        .nodes_per_stripe = vec_count(v, "nodes_per_stripe"),
        .rails = vec_count(v, "rails"),
        .leaf_radix = vec_count(v, "leaf_radix"),
        .spines = vec_count(v, "spines"),
    });

    if (vec_has(v, "spine_radix") && t.spine_ports_used > vec_num(v, "spine_radix"))
        vec_fail(v, "spine over its ports");
    VEC_PUT(v, t, gpus);
    VEC_PUT(v, t, stripes);
    VEC_PUT(v, t, leaf);
    VEC_PUT(v, t, leaf_spine_links);
    VEC_PUT(v, t, links_per_pair);
    VEC_PUT(v, t, spine_ports_used);
}

static void superpod_su_scale(struct vec *v)
{
    const size_t racks_per_su = vec_count(v, "racks_per_su");
    const size_t su = vec_has(v, "su") ? vec_count(v, "su")
                      : racks_per_su   ? vec_count(v, "racks") / racks_per_su
                                       : 0;
    const struct ry_units t =
        ry_units_scale(su, racks_per_su, racks_per_su * vec_count(v, "gpus_per_rack"), 0);

    vec_put(v, "su", (double)t.units);
    VEC_PUT(v, t, racks);
    VEC_PUT(v, t, gpus);
    if (vec_has(v, "tdp_mw_per_su"))
        vec_put(v, "tdp_mw", ry_power_sum_w(su, vec_num(v, "tdp_mw_per_su")));
}

static void nvlink_domain(struct vec *v)
{
    const size_t chips = vec_has(v, "switch_chips") ? vec_count(v, "switch_chips")
                                                    : vec_count(v, "switch_trays") *
                                                          vec_count(v, "chips_per_tray");
    const struct ry_nvlink t = ry_nvlink((struct ry_nvlink_input){
        .gpus = vec_count(v, "gpus"),
        .links_per_gpu = vec_count(v, "links_per_gpu"),
        .switch_chips = chips,
        .gpus_per_tray = vec_count_or(v, "gpus_per_tray", 1),
        .gpu_bytes_per_s =
            vec_has(v, "gb_s_per_gpu") ? vec_num(v, "gb_s_per_gpu") * 1e9 : 0,
    });

    VEC_PUT(v, t, switch_chips);
    VEC_PUT(v, t, links);
    VEC_PUT(v, t, links_per_chip);
    VEC_PUT(v, t, links_per_gpu_per_chip);
    VEC_PUT(v, t, compute_trays);
    vec_put(v, "total_tb_s", t.total_bytes_per_s / 1e12);
}

static void two_tier_node_limit(struct vec *v)
{
    const size_t radix = vec_count(v, "radix");
    const struct ry_two_tier_max t = ry_two_tier_max(radix, (struct ry_ratio){1.0, 1.0});

    vec_put(v, "max_gpus", (double)t.hosts);
    vec_put(v, "max_nodes", ry_floor_div((double)t.hosts, vec_num(v, "rails")));
}

static void cluster_nodes_after_ufm(struct vec *v)
{
    const size_t nodes =
        vec_count(v, "slots") - vec_count(v, "slots_given_to_fabric_manager");
    const struct ry_units t = ry_units_scale(nodes, 0, vec_count(v, "gpus_per_node"), 1);

    vec_put(v, "nodes", (double)t.units);
    VEC_PUT(v, t, gpus);
}

static void node_power_sum(struct vec *v)
{
    vec_put(v, "kw", ry_power_sum_w(vec_count(v, "nodes"), vec_num(v, "kw_per_node")));
}

static void switch_power_sum(struct vec *v)
{
    const size_t n = vec_count(v, "switches");

    if (vec_has(v, "typical_w"))
        vec_put(v, "typical_kw", ry_power_sum_w(n, vec_num(v, "typical_w")) / W_PER_KW);
    if (vec_has(v, "load_w"))
        vec_put(v, "load_kw", ry_power_sum_w(n, vec_num(v, "load_w")) / W_PER_KW);
}

static void rack_power(struct vec *v)
{
    vec_put(v, "kw_per_rack",
            ry_power_sum_w(vec_count(v, "nodes_per_rack"), vec_num(v, "kw_per_node")));
}

static void rack_power_budget(struct vec *v)
{
    vec_put(v, "kw_per_rack_of_su_budget",
            vec_num(v, "su_tdp_mw") * 1000.0 / vec_num(v, "racks"));
}

static void rack_profile(struct vec *v)
{
    const struct ry_rack_profile t =
        ry_rack_profile(vec_count(v, "nodes"), vec_num(v, "kw_per_node") * W_PER_KW,
                        vec_num(v, "cfm_per_kw"));

    vec_put(v, "rack_kw", t.rack_w / W_PER_KW);
    vec_put(v, "cfm", t.airflow_cfm);
}

static void power_shelf(struct vec *v)
{
    const struct ry_power_shelf t =
        ry_power_shelf(vec_count(v, "shelves"), vec_count(v, "psus_per_shelf"),
                       vec_num(v, "psu_kw") * W_PER_KW);

    vec_put(v, "shelf_kw", t.shelf_w / W_PER_KW);
    vec_put(v, "total_kw", t.total_w / W_PER_KW);
    vec_put(v, "half_kw", t.half_w / W_PER_KW);
}

static void busbar_current(struct vec *v)
{
    vec_put(v, "amps", ry_busbar_a(vec_num(v, "kw") * W_PER_KW, vec_num(v, "volts")));
}

static const struct ry_catalog *catalog_of(struct vec *v)
{
    struct ry_catalog *catalog = RY_NEW(v->arena, struct ry_catalog, 1);
    struct ry_problems *problems = RY_NEW(v->arena, struct ry_problems, 1);

    if (ry_catalog_load(v->arena, &(struct ry_catalog_sources){0}, problems, catalog) !=
        RY_OK)
        vec_fail(v, "cannot read the catalog");
    return catalog;
}

/* A vector's "dgx-b300-ac" is the catalog's DGX-B300. */
static const struct ry_node *node_of(struct vec *v, const char *device)
{
    const struct ry_catalog *catalog = catalog_of(v);
    const struct ry_node *node = ry_find_node(catalog, device);
    const size_t n = strlen(device);

    if (!node && n > 3 && strcmp(device + n - 3, "-ac") == 0)
        node = ry_find_node(catalog, ry_strfmt(v->arena, "%.*s", (int)(n - 3), device));
    return node;
}

static void device_catalog(struct vec *v)
{
    const struct ry_node *node = node_of(v, vec_text(v, "device"));

    if (!node) {
        vec_fail(v, "no such node");
        return;
    }
    vec_put(v, "u", node->rack_units);
    vec_put(v, "kg", node->weight_kg);
    vec_put(v, "kw_max", node->power_max_w / W_PER_KW);
    vec_put(v, "psus", node->psu_count);
    vec_put(v, "psu_kw", node->psu_w / W_PER_KW);
    vec_put(v, "psus_needed", ry_ceil_div(node->power_max_w, node->psu_w));
    vec_put(v, "cfm", node->airflow_m3_s / 0.00047194745);
    vec_put(v, "gpus", node->gpu_count);
}

static void switch_catalog(struct vec *v)
{
    const struct ry_switch *sw = ry_find_switch(catalog_of(v), vec_text(v, "device"));

    if (!sw) {
        vec_fail(v, "no such switch");
        return;
    }
    const bool infiniband = strcmp(sw->technology, "infiniband") == 0;
    vec_put(v, "u", sw->rack_units);
    vec_put(v, "kg", sw->weight_kg);
    vec_put(v, "ports", sw->ports);
    vec_put(v, "gbps", sw->port_bytes_per_s * 8e-9);
    vec_put(v, "kw", (infiniband ? sw->power_max_w : sw->power_typ_w) / W_PER_KW);
}

const struct vec_kind vec_superpod_kinds[] = {
    {"superpod_row", superpod_row},
    {"device_catalog", device_catalog},
    {"switch_catalog", switch_catalog},
    {"per_plane_two_tier", per_plane_two_tier},
    {"cable_bom", cable_bom},
    {"cable_bom_sum", cable_bom_sum},
    {"transceiver_bom", transceiver_bom},
    {"oob_bom", oob_bom},
    {"pdu_split", pdu_split},
    {"basepod_row", basepod_row},
    {"rail_stripes", rail_stripes},
    {"superpod_su_scale", superpod_su_scale},
    {"nvlink_domain", nvlink_domain},
    {"two_tier_node_limit", two_tier_node_limit},
    {"cluster_nodes_after_ufm", cluster_nodes_after_ufm},
    {"node_power_sum", node_power_sum},
    {"switch_power_sum", switch_power_sum},
    {"rack_power", rack_power},
    {"rack_power_budget", rack_power_budget},
    {"rack_profile", rack_profile},
    {"power_shelf", power_shelf},
    {"busbar_current", busbar_current},
    {NULL, NULL},
};
