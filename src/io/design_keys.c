/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/design_keys.h"

/* Of any network between nodes. */
#define FABRIC_KEYS                                                                      \
    "technology", "family", "leaf", "spine", "tiers", "oversubscription",                \
        "rail_optimised", "adaptive_routing", "in_network_reduction",                    \
        "management_ports", "queue_pairs", "connections_per_nic"

const char *const ry_design_keys[] = {
    "name",        "note",          "node",           "nodes",         "gpu",
    "spare_nodes", "gpu_power_cap", "nics",           "fabric",        "facility",
    "finance",     "storage",       "owned",          "parts",         "gpus_per_host",
    "domain_gpus", "reliability",   "storage_fabric", "inband_fabric", "oob_fabric",
    NULL};
const char *const ry_design_nic_keys[] = {"part", "per_node", "rate", "in_node_price",
                                          NULL};
const char *const ry_design_fabric_keys[] = {FABRIC_KEYS, NULL};
const char *const ry_design_side_keys[] = {FABRIC_KEYS, "nics", NULL};
const char *const ry_design_storage_keys[] = {"price", "write_rate", NULL};
const char *const ry_design_owned_keys[] = {"part", "count", NULL};

const char *const ry_design_facility_keys[] = {"pue",
                                               "colocation_usd_per_kw_month",
                                               "construction_usd_per_w",
                                               "rack_power",
                                               "electricity",
                                               "electricity_price",
                                               "site_power",
                                               "rack_weight",
                                               "racks",
                                               "nodes_per_rack",
                                               "rack",
                                               "cooling",
                                               "inlet",
                                               "altitude",
                                               "room_length",
                                               "room_width",
                                               NULL};
const char *const ry_design_finance_keys[] = {"years",
                                              "discount",
                                              "utilisation",
                                              "maintenance",
                                              "network_maintenance",
                                              "residual",
                                              "install_per_node",
                                              "staff_per_year",
                                              "nodes_per_staff",
                                              "network_staff_per_1000_gpus",
                                              "software_per_gpu_year",
                                              "refresh_years",
                                              NULL};
const char *const ry_design_reliability_keys[] = {"gpu_mtbf", "loss", NULL};

const struct ry_key_table ry_design_key_tables[] = {
    {"", ry_design_keys},
    {"/nics", ry_design_nic_keys},
    {"/fabric", ry_design_fabric_keys},
    {"/storage_fabric", ry_design_side_keys},
    {"/inband_fabric", ry_design_side_keys},
    {"/oob_fabric", ry_design_side_keys},
    {"/storage_fabric/nics", ry_design_nic_keys},
    {"/facility", ry_design_facility_keys},
    {"/finance", ry_design_finance_keys},
    {"/reliability", ry_design_reliability_keys},
    {"/storage", ry_design_storage_keys},
    {"/owned/0", ry_design_owned_keys},
    {NULL, NULL}};
