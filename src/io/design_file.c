/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/design_file.h"

#include "base/names.h"
#include "io/part_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = 10000000, PUE_MOST = 10, YEARS_MOST = 100, REFRESHES_MOST = 6 };

const char *const ry_design_keys[] = {"name",     "note",    "node",          "nodes",
                                   "gpu",      "spare_nodes", "gpu_power_cap", "nics",
                                   "fabric",   "facility", "finance",      "storage",
                                   "owned",    "parts",    "gpus_per_host", "domain_gpus",
                                   "reliability", "storage_fabric", "inband_fabric",
                                   "oob_fabric", NULL};
static const char *const nic_keys[] = {"part", "per_node", "rate", "in_node_price", NULL};
static const char *const fabric_keys[] = {
    "technology",           "family",           "leaf",          "spine",
    "tiers",                "oversubscription", "rail_optimised", "adaptive_routing",
    "in_network_reduction", "management_ports", "cable_length",
    "queue_pairs",          "connections_per_nic", NULL};
static const char *const side_keys[] = {
    "technology",           "family",           "leaf",          "spine",
    "tiers",                "oversubscription", "rail_optimised", "adaptive_routing",
    "in_network_reduction", "management_ports", "cable_length",
    "queue_pairs",          "connections_per_nic", "nics", NULL};
static const char *const storage_keys[] = {"price", "write_rate", NULL};
static const char *const owned_keys[] = {"part", "count", NULL};

static const char *const facility_keys[] = {
    "pue",        "colocation_usd_per_kw_month", "construction_usd_per_w",
    "rack_power", "electricity",  "electricity_price", "site_power",
    "rack_weight", "racks",       "nodes_per_rack",    "rack",
    "cooling",    "inlet",        "altitude",          "room_length",
    "room_width", NULL};
static const char *const finance_keys[] = {
    "years",            "discount",       "utilisation",     "maintenance",
    "network_maintenance", "residual",    "install_per_node", "staff_per_year",
    "nodes_per_staff",  "network_staff_per_1000_gpus", "software_per_gpu_year",
    "refresh_years",    NULL};
static const char *const reliability_keys[] = {"gpu_mtbf", "loss", NULL};

const struct ry_key_table ry_design_key_tables[] = {
    {"", ry_design_keys},           {"/nics", nic_keys},
    {"/fabric", fabric_keys},       {"/storage_fabric", side_keys},
    {"/inband_fabric", side_keys},  {"/oob_fabric", side_keys},
    {"/storage_fabric/nics", nic_keys}, {"/facility", facility_keys},
    {"/finance", finance_keys},     {"/reliability", reliability_keys},
    {"/storage", storage_keys},     {"/owned/0", owned_keys},
    {NULL, NULL}};

static const char *const technology_choices[] = {"none", "infiniband", "roce", "tcp", NULL};

/* What reading one design needs at hand. */
struct reader {
    struct ry_arena *arena;
    struct ry_json at;
    struct ry_part_scope scope;
    struct ry_design *design;
};

static const char *text_of(const struct reader *r, double value, const char *unit)
{
    const char *text = ry_strfmt(r->arena, "%.6g%s%s", value, unit[0] ? " " : "", unit);
    return text ? text : "";
}

static void note(const struct reader *r, const char *what, const char *value,
                 const char *from)
{
    ry_design_origin(r->design, what, value ? value : "", from ? from : "");
}

/* "catalog rates.csv:12: NAME (2024), source" */
static const char *row_text(const struct reader *r, const struct ry_part *part)
{
    return ry_strfmt(r->arena, "%s:%u: %s; %s", part->file, part->line, part->name,
                     part->source);
}

static void note_part(const struct reader *r, const char *what,
                      const struct ry_part *part)
{
    if (part)
        note(r, what, part->name, row_text(r, part));
}

/* A fixed choice of this program, named where it is used. */
static double assumed(const struct reader *r, const char *what, double value,
                      const char *unit, const char *why)
{
    note(r, what, text_of(r, value, unit), why);
    return value;
}

/* A figure that was assumed, by a row that gives its range. */
static void note_range(const struct reader *r, const char *what, size_t offset, double low,
                       double high)
{
    struct ry_design *design = r->design;

    if (design->ranges && design->ranges_n < RY_DESIGN_RANGES_MOST && isfinite(low) &&
        isfinite(high) && low > 0.0 && high > low)
        design->ranges[design->ranges_n++] =
            (struct ry_input_range){what, offset, low, high};
}

/* One figure that the file may give and a row of rates.csv stands in for. */
struct input {
    const char *key;     /* in its object */
    enum ry_dim dim;
    const char *rate;    /* row of the catalog of rates, NULL: no default row */
    double rate_si;      /* value of one unit of that row */
    size_t offset;       /* of the field, in struct ry_design */
    const char *unit;    /* for people */
};

static const struct input facility_inputs[] = {
    {"pue", RY_DIM_COUNT, "pue:modern AI data center assumption", 1.0,
     offsetof(struct ry_design, facility.pue), ""},
    {"colocation_usd_per_kw_month", RY_DIM_COUNT,
     "colocation:wholesale asking rate 250-500 kW primary markets 2024", 1.0,
     offsetof(struct ry_design, facility.colocation_usd_per_kw_month), "USD/kW-month"},
    {"construction_usd_per_w", RY_DIM_COUNT, NULL, 1.0,
     offsetof(struct ry_design, facility.construction_usd_per_w), "USD/W"},
    {"rack_power", RY_DIM_WATTS, "cooling:direct air cooling ceiling per rack", 1e3,
     offsetof(struct ry_design, facility.rack_power_w), "W"},
};

static const struct input finance_inputs[] = {
    {"discount", RY_DIM_FRACTION, "capital:weighted average cost of capital, hyperscaler",
     0.01, offsetof(struct ry_design, finance.discount_frac), "a year"},
    {"maintenance", RY_DIM_FRACTION, "maintenance:server hardware support (OEM)", 0.01,
     offsetof(struct ry_design, finance.maintenance_frac), "of hardware price a year"},
    {"network_maintenance", RY_DIM_FRACTION, "maintenance:network hardware support", 0.01,
     offsetof(struct ry_design, finance.network_maintenance_frac),
     "of network price a year"},
    {"install_per_node", RY_DIM_USD, "labor:rack and stack, cabling", 1.0,
     offsetof(struct ry_design, finance.install_usd_per_node), "USD"},
    {"staff_per_year", RY_DIM_USD, "labor:data center technician fully loaded", 1.0,
     offsetof(struct ry_design, finance.staff_usd_per_year), "USD"},
    {"nodes_per_staff", RY_DIM_COUNT, "labor:nodes per technician", 1.0,
     offsetof(struct ry_design, finance.nodes_per_staff), "nodes"},
};

static const struct input reliability_inputs[] = {
    {"gpu_mtbf", RY_DIM_SECONDS, "reliability:GPU-hours between unplanned interruptions", 3600.0,
     offsetof(struct ry_design, reliability.gpu_mtbf_s), "s"},
    {"loss", RY_DIM_SECONDS, "reliability:time lost an interruption", 1.0,
     offsetof(struct ry_design, reliability.loss_s), "s"},
};

static const struct input hash_inputs[] = {
    {"queue_pairs", RY_DIM_COUNT, "contention:queue pairs of a connection", 1.0,
     offsetof(struct ry_design, fabric.queue_pairs), ""},
    {"connections_per_nic", RY_DIM_COUNT, "contention:connections of a NIC", 1.0,
     offsetof(struct ry_design, fabric.connections_per_nic), ""},
};

static double rate_default(const struct reader *r, const struct input *input)
{
    const struct ry_rate *rate =
        input->rate ? ry_find_rate(r->scope.catalog, input->rate) : NULL;

    if (!rate) {
        if (input->rate)
            ry_json_problem(r->at, RY_ERR_NOTFOUND,
                            "\"%s\" is not given and the catalog of rates lacks '%s'",
                            input->key, input->rate);
        note(r, input->key, "0", "not given: not counted");
        return 0.0;
    }
    const double value = rate->value * input->rate_si;
    note(r, input->key, text_of(r, value, input->unit), row_text(r, &rate->part));
    note_range(r, input->key, input->offset, rate->low * input->rate_si,
               rate->high * input->rate_si);
    return value;
}

static void read_inputs(const struct reader *r, struct ry_json at,
                        const struct input inputs[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *place = (double *)(void *)((char *)r->design + inputs[i].offset);
        const struct ry_json value = ry_json_get(at, inputs[i].key);
        if (ry_json_type(value) == RY_JSON_ABSENT) {
            *place = rate_default(r, &inputs[i]);
            continue;
        }
        *place = ry_json_as_quantity(value, inputs[i].dim, (double)NAN);
        note(r, inputs[i].key, text_of(r, *place, inputs[i].unit), ry_json_where(value));
    }
}

static void read_electricity(const struct reader *r, struct ry_json at)
{
    struct ry_facility_inputs *facility = &r->design->facility;
    const struct ry_json row = ry_json_get(at, "electricity");
    const struct ry_json price = ry_json_get(at, "electricity_price");

    if (ry_json_type(price) != RY_JSON_ABSENT) {
        facility->electricity_usd_per_kwh =
            ry_json_as_quantity(price, RY_DIM_USD_PER_KWH, 0.0);
        facility->region = "";
        note(r, "electricity_price",
             text_of(r, facility->electricity_usd_per_kwh, "USD/kWh"),
             ry_json_where(price));
        return;
    }
    const char *name = ry_json_as_text(row, "US-Virginia-industrial-2023");
    const struct ry_electricity *found = ry_find_electricity(r->scope.catalog, name);
    if (!found) {
        const char *near =
            ry_catalog_nearest(r->scope.catalog, RY_KIND_ELECTRICITY, name);
        ry_json_problem(ry_json_type(row) == RY_JSON_ABSENT ? r->at : row, RY_ERR_NOTFOUND,
                        "'%s' is not in the catalog of electricity%s%s%s", name,
                        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return;
    }
    facility->electricity_usd_per_kwh = found->price_usd_per_kwh;
    facility->region = found->region;
    note(r, "electricity_price", text_of(r, found->price_usd_per_kwh, "USD/kWh"),
         row_text(r, &found->part));
    /* a year's mean of a region: what is paid over the coming years differs */
    const struct ry_rate *years =
        ry_find_rate(r->scope.catalog, "electricity:price of later years");
    if (years)
        note_range(r, "electricity_price",
                   offsetof(struct ry_design, facility.electricity_usd_per_kwh),
                   found->price_usd_per_kwh * years->low,
                   found->price_usd_per_kwh * years->high);
}

/* Running a fabric takes people: how many depends on its technology. */
static void read_network_staff(const struct reader *r, struct ry_json at)
{
    static const char *const rows[] = {
        [RY_FABRIC_NONE] = NULL,
        [RY_FABRIC_INFINIBAND] = "labor:network operation, InfiniBand",
        [RY_FABRIC_ROCE] = "labor:network operation, RoCE",
        [RY_FABRIC_TCP] = "labor:network operation, TCP",
    };
    const struct input input = {
        "network_staff_per_1000_gpus", RY_DIM_COUNT,
        rows[r->design->fabric.technology], 1.0,
        offsetof(struct ry_design, finance.network_staff_per_1000_gpus), "people"};

    read_inputs(r, at, &input, 1);
}

/* A figure that is read but makes no sense; NAN is a mistake that was told already. */
static void check_range(struct ry_json at, const char *key, double value, double least,
                        double most)
{
    if (ry_json_has(at, key) && (value < least || value > most))
        ry_json_problem(ry_json_get(at, key), RY_ERR_RANGE, "%g is not in %g to %g", value,
                        least, most);
}

/* The same, without the least value itself: of what divides. */
static void check_above(struct ry_json at, const char *key, double value, double most)
{
    if (ry_json_has(at, key) && (value <= 0.0 || value > most))
        ry_json_problem(ry_json_get(at, key), RY_ERR_RANGE, "%g is not above 0 and at most %g",
                        value, most);
}

static double limit(const struct reader *r, struct ry_json at, const char *key,
                    enum ry_dim dim)
{
    const struct ry_json value = ry_json_get(at, key);

    if (ry_json_type(value) == RY_JSON_ABSENT)
        return INFINITY;
    const double si = ry_json_as_quantity(value, dim, INFINITY);
    note(r, key, text_of(r, si, ""), ry_json_where(value));
    return si;
}

static void read_facility(const struct reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "facility");
    struct ry_facility_inputs *facility = &r->design->facility;

    if (ry_json_type(at) != RY_JSON_ABSENT && ry_json_expect(at, RY_JSON_OBJECT))
        ry_json_known_keys(at, facility_keys);
    read_inputs(r, at, facility_inputs, sizeof(facility_inputs) / sizeof(facility_inputs[0]));
    check_range(at, "pue", facility->pue, 1.0, PUE_MOST);
    read_electricity(r, at);
    facility->site_power_w = limit(r, at, "site_power", RY_DIM_WATTS);
    facility->rack_weight_kg = limit(r, at, "rack_weight", RY_DIM_KILOGRAMS);
    facility->room_length_m = limit(r, at, "room_length", RY_DIM_METRES);
    facility->room_width_m = limit(r, at, "room_width", RY_DIM_METRES);
    facility->racks_most =
        ry_json_count(at, "racks", (struct ry_json_bounds){1, NODES_MOST}, SIZE_MAX);
    facility->nodes_per_rack =
        ry_json_count(at, "nodes_per_rack", (struct ry_json_bounds){1, 1000}, 0);
    facility->inlet_c = ry_json_quantity(at, "inlet", RY_DIM_CELSIUS, NAN);
    facility->altitude_m = ry_json_quantity(at, "altitude", RY_DIM_METRES, 0.0);
    facility->cooling = (const struct ry_cooling *)(const void *)ry_part_read(
        &r->scope, ry_json_get(at, "cooling"), RY_KIND_COOLING);
    const struct ry_json rack = ry_json_get(at, "rack");
    facility->rack = ry_json_type(rack) == RY_JSON_ABSENT
                         ? ry_find_rack(r->scope.catalog, "Generic-48U-800x1200")
                         : (const struct ry_rack *)(const void *)ry_part_read(
                               &r->scope, rack, RY_KIND_RACK);
    note_part(r, "rack", facility->rack ? &facility->rack->part : NULL);
}

/* "residual": a share of the price, or "published": by age, from rows of rates. */
static void read_resale(const struct reader *r, struct ry_json at)
{
    struct ry_finance *finance = &r->design->finance;
    const struct ry_json residual = ry_json_get(at, "residual");
    const struct ry_json refresh = ry_json_get(at, "refresh_years");

    finance->resale_published =
        ry_json_type(residual) == RY_JSON_TEXT &&
        strcmp(ry_json_as_text(residual, ""), "published") == 0;
    if (!finance->resale_published) {
        finance->residual_frac = ry_json_quantity(at, "residual", RY_DIM_FRACTION, 0.0);
        check_range(at, "residual", finance->residual_frac, 0.0, 1.0);
    }
    if (ry_json_type(residual) == RY_JSON_ABSENT)
        note(r, "residual", "0", "not given: nothing is sold at the end");
    finance->refresh_years = ry_json_number(at, "refresh_years", 0.0);
    if (ry_json_type(refresh) == RY_JSON_ABSENT)
        return;
    if (!(finance->refresh_years >= 1.0))
        ry_json_problem(refresh, RY_ERR_RANGE, "%g is not 1 year or more",
                        finance->refresh_years);
    else if (finance->years / finance->refresh_years > REFRESHES_MOST + 1)
        ry_json_problem(refresh, RY_ERR_RANGE, "%g years are over %d upgrades in %g years",
                        finance->refresh_years, REFRESHES_MOST, finance->years);
    note(r, "refresh_years", text_of(r, finance->refresh_years, "years"),
         ry_json_where(refresh));
}

static void read_finance(const struct reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "finance");
    struct ry_finance *finance = &r->design->finance;

    if (ry_json_type(at) != RY_JSON_ABSENT && ry_json_expect(at, RY_JSON_OBJECT))
        ry_json_known_keys(at, finance_keys);
    read_inputs(r, at, finance_inputs, sizeof(finance_inputs) / sizeof(finance_inputs[0]));
    read_network_staff(r, at);
    finance->years = ry_json_number(at, "years", 4.0);
    note(r, "years", text_of(r, finance->years, ""),
         ry_json_has(at, "years") ? ry_json_where(ry_json_get(at, "years"))
                                  : "default: four years");
    finance->utilisation_frac = ry_json_quantity(at, "utilisation", RY_DIM_FRACTION, 1.0);
    note(r, "utilisation", text_of(r, finance->utilisation_frac, ""),
         ry_json_has(at, "utilisation")
             ? ry_json_where(ry_json_get(at, "utilisation"))
             : "default: the cluster trains all the time");
    read_resale(r, at);
    finance->software_usd_per_gpu_year =
        ry_json_quantity(at, "software_per_gpu_year", RY_DIM_USD, (double)NAN);
    check_above(at, "years", finance->years, YEARS_MOST);
    check_above(at, "utilisation", finance->utilisation_frac, 1.0);
    check_range(at, "discount", finance->discount_frac, 0.0, 1.0);
    if (!ry_json_has(at, "software_per_gpu_year"))
        note(r, "software_per_gpu_year", "no price", "not given: not counted");
}

/* How the GPUs of a node reach each other, from the catalog's word for it. */
static const struct {
    const char *fabric;
    enum ry_local_link link;
} local_links[] = {
    {"nvswitch", RY_LOCAL_SWITCHED},   {"nvlink-switch-rack", RY_LOCAL_SWITCHED},
    {"nvlink-direct", RY_LOCAL_MESH},  {"xgmi-mesh", RY_LOCAL_MESH},
    {"roce-mesh", RY_LOCAL_MESH},      {"pcie+bridge", RY_LOCAL_BRIDGE},
    {"pcie", RY_LOCAL_PCIE},
};

static void read_local_link(const struct reader *r)
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

static void read_gpu(const struct reader *r)
{
    struct ry_design *design = r->design;
    const struct ry_json own = ry_json_get(r->at, "gpu");
    const struct ry_json cap = ry_json_get(r->at, "gpu_power_cap");

    if (ry_json_type(own) != RY_JSON_ABSENT)
        design->gpu =
            (const struct ry_gpu *)(const void *)ry_part_read(&r->scope, own, RY_KIND_GPU);
    else {
        design->gpu = ry_find_gpu(r->scope.catalog, design->node->gpu_model);
        if (!design->gpu)
            ry_json_problem(ry_json_get(r->at, "node"), RY_ERR_NOTFOUND,
                            "its GPU '%s' is not in the catalog of gpus",
                            design->node->gpu_model);
    }
    if (!design->gpu)
        return;
    note_part(r, "gpu", &design->gpu->part);
    const double most = design->gpu->power_max_w;
    design->gpu_power_cap_w = ry_json_as_quantity(cap, RY_DIM_WATTS, most);
    const struct ry_rate *lowest = ry_find_rate(r->scope.catalog, "power:lowest GPU power cap");
    const double least = lowest ? lowest->value * most : 0.0;
    if (ry_json_type(cap) != RY_JSON_ABSENT &&
        !(design->gpu_power_cap_w > 0.0 && design->gpu_power_cap_w >= least * (1.0 - 1e-9) &&
          !(design->gpu_power_cap_w > most)))
        ry_json_problem(cap, RY_ERR_RANGE,
                        "%g W is not a cap that the board takes: %g W to its own limit of %g W",
                        design->gpu_power_cap_w, ceil(least - 1e-9), most);
    if (ry_json_type(cap) != RY_JSON_ABSENT)
        note(r, "gpu_power_cap", text_of(r, design->gpu_power_cap_w, "W"),
             ry_json_where(cap));
}

static void read_node(const struct reader *r)
{
    struct ry_design *design = r->design;
    const struct ry_json_bounds counts = {1, NODES_MOST};

    design->node = (const struct ry_node *)(const void *)ry_part_read(
        &r->scope, ry_json_need(r->at, "node"), RY_KIND_NODE);
    (void)ry_json_need(r->at, "nodes");
    design->nodes = ry_json_count(r->at, "nodes", counts, 1);
    note(r, "nodes", ry_strfmt(r->arena, "%zu", design->nodes),
         ry_json_where(ry_json_get(r->at, "nodes")));
    design->spare_nodes =
        ry_json_count(r->at, "spare_nodes", (struct ry_json_bounds){0, NODES_MOST}, 0);
    if (!design->node)
        return;
    note_part(r, "node", &design->node->part);
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

static void read_nics(const struct reader *r)
{
    struct ry_design *design = r->design;
    const struct ry_node *node = design->node;
    const struct ry_json at = ry_json_get(r->at, "nics");

    if (ry_json_type(at) != RY_JSON_ABSENT && ry_json_expect(at, RY_JSON_OBJECT))
        ry_json_known_keys(at, nic_keys);
    design->nic = (const struct ry_nic *)(const void *)ry_part_read(
        &r->scope, ry_json_get(at, "part"), RY_KIND_NIC);
    const size_t built = node && node->scaleout_nic_count >= 1.0
                             ? (size_t)node->scaleout_nic_count
                             : 0;
    design->nics_per_node =
        ry_json_count(at, "per_node", (struct ry_json_bounds){0, 10000}, built);
    const double part_rate = design->nic ? design->nic->total_bytes_per_s : (double)NAN;
    const double node_rate = node ? node->scaleout_nic_bytes_per_s : (double)NAN;
    const struct ry_json rate = ry_json_get(at, "rate");
    design->nic_bytes_per_s = ry_json_as_quantity(
        rate, RY_DIM_BYTES_PER_S, isfinite(part_rate) ? part_rate : node_rate);
    design->nics_in_node_price =
        ry_json_bool(at, "in_node_price", built > 0);
    if (design->nic && design->nic_bytes_per_s > part_rate * (1.0 + 1e-9))
        ry_json_problem(rate, RY_ERR_RANGE, "above the NIC's %g Gb/s", part_rate * 8e-9);
    if (design->nic)
        note_part(r, "nic", &design->nic->part);
    note(r, "nic_rate", text_of(r, design->nic_bytes_per_s * 8e-9, "Gb/s"),
         ry_json_type(rate) != RY_JSON_ABSENT ? ry_json_where(rate)
         : isfinite(part_rate)                ? row_text(r, &design->nic->part)
         : node                               ? row_text(r, &node->part)
                                              : "");
}

/* A switch speaks the fabric's technology, and has ports at the NIC's rate or faster. */
static void check_switch(const struct reader *r, struct ry_json at,
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

static void read_switches(const struct reader *r, struct ry_json at)
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
    note_part(r, "leaf", fabric->leaf ? &fabric->leaf->part : NULL);
    if (fabric->spine && fabric->spine != fabric->leaf)
        note_part(r, "spine", &fabric->spine->part);
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

static void read_fabric(const struct reader *r, struct ry_json at,
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
        read_inputs(r, at, hash_inputs, sizeof(hash_inputs) / sizeof(hash_inputs[0]));
    fabric->in_network_reduction = ry_json_bool(at, "in_network_reduction", false);
    if (fabric->in_network_reduction && !ib)
        ry_json_problem(ry_json_get(at, "in_network_reduction"), RY_ERR_RANGE,
                        "only InfiniBand switches reduce in the network");
    fabric->management_ports =
        ry_json_count(at, "management_ports", (struct ry_json_bounds){0, 10000}, 0);
    fabric->cable_length_m = ry_json_quantity(at, "cable_length", RY_DIM_METRES, NAN);
    if (isnan(fabric->cable_length_m))
        fabric->cable_length_m =
            assumed(r, "cable_length", 20.0, "m",
                    "assumed mean, only where a design is too large to lay out");
    read_switches(r, at);
}

/* A network beside the compute fabric: read as that one is, of a design of its own whose
 * origins are not kept; what it is made of is. */
static void read_side(const struct reader *r, const char *key, const char *name)
{
    const struct ry_json at = ry_json_get(r->at, key);
    struct ry_design *design = r->design;
    struct ry_design *own = RY_NEW(r->arena, struct ry_design, 1);

    if (ry_json_type(at) == RY_JSON_ABSENT || !ry_json_expect(at, RY_JSON_OBJECT) || !own)
        return;
    struct reader side = *r;
    *own = (struct ry_design){.name = design->name, .file = design->file};
    side.design = own;
    const struct ry_json nics = ry_json_get(at, "nics");
    if (ry_json_type(nics) != RY_JSON_ABSENT && ry_json_expect(nics, RY_JSON_OBJECT))
        ry_json_known_keys(nics, nic_keys);
    own->nic = (const struct ry_nic *)(const void *)ry_part_read(
        &r->scope, ry_json_get(nics, "part"), RY_KIND_NIC);
    own->nics_per_node =
        ry_json_count(nics, "per_node", (struct ry_json_bounds){1, 64}, 1);
    own->nic_bytes_per_s = ry_json_quantity(
        nics, "rate", RY_DIM_BYTES_PER_S,
        own->nic ? own->nic->total_bytes_per_s : (double)NAN);
    own->nics_in_node_price = ry_json_bool(nics, "in_node_price", false);
    read_fabric(&side, at, side_keys);
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
        note(r, key, leaf->part.name, row_text(r, &leaf->part));
}

static void read_reliability(const struct reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "reliability");

    if (ry_json_type(at) != RY_JSON_ABSENT && ry_json_expect(at, RY_JSON_OBJECT))
        ry_json_known_keys(at, reliability_keys);
    read_inputs(r, at, reliability_inputs,
                sizeof(reliability_inputs) / sizeof(reliability_inputs[0]));
}

static void read_storage(const struct reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "storage");

    r->design->storage_write_bytes_per_s = NAN;
    if (ry_json_type(at) == RY_JSON_ABSENT || !ry_json_expect(at, RY_JSON_OBJECT)) {
        note(r, "storage", "0 USD", "not given: not counted");
        return;
    }
    ry_json_known_keys(at, storage_keys);
    r->design->storage_usd = ry_json_quantity(at, "price", RY_DIM_USD, 0.0);
    r->design->storage_write_bytes_per_s =
        ry_json_quantity(at, "write_rate", RY_DIM_BYTES_PER_S, NAN);
}

static void read_owned(const struct reader *r)
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
        ry_json_known_keys(one, owned_keys);
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
    const struct reader r = {
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
    read_nics(&r);
    read_fabric(&r, ry_json_get(at, "fabric"), fabric_keys);
    read_side(&r, "storage_fabric", "storage");
    read_side(&r, "inband_fabric", "inband");
    read_side(&r, "oob_fabric", "oob");
    read_facility(&r);
    read_finance(&r);
    read_reliability(&r);
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
