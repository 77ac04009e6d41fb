/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NetBox: device types as YAML documents, devices and cables as CSV for bulk import
 * (column names of NetBox 4: dcim device and cable import forms; a device names its type
 * by manufacturer and model). */
#include "base/names.h"
#include "catalog/parts.h"
#include "facility/redundancy.h"
#include "report/netbox_types.h"
#include "report/number.h"
#include "report/table.h"

#include <string.h>

/* ------------------------------------------------------------------- devices */

static const char *role_of(enum ry_device_kind kind)
{
    return kind == RY_DEVICE_NODE || kind == RY_DEVICE_GPU ? "gpu-node"
           : kind == RY_DEVICE_MANAGER                     ? "fabric-manager"
                                                           : "network-switch";
}

static const struct ry_column device_columns[] = {
    {.key = "name"},        {.key = "role"},   {.key = "manufacturer"},
    {.key = "device_type"}, {.key = "status"}, {.key = "site"},
};

static void add_device(struct ry_table *table, const char *name, const char *role,
                       const struct ry_netbox_type *type)
{
    ry_table_row(table, (struct ry_cell[]){
                            RY_TEXT(name), RY_TEXT(role), RY_TEXT(type->manufacturer),
                            RY_TEXT(type->model), RY_TEXT("planned"), RY_TEXT("site1")});
}

static enum ry_err write_devices(const struct ry_export_input *in, FILE *out,
                                 struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;
    struct ry_table *table = ry_table_create(in->arena, device_columns, 6);
    struct ry_netbox_types types;

    RY_TRY(ry_netbox_types(in, &types, diag));
    for (size_t n = 0; types.node && n < in->design->nodes; n++)
        add_device(table, ry_strfmt(in->arena, "node%zu", n), "gpu-node", types.node);
    for (uint32_t d = 0; !types.node && d < g->n_devices; d++)
        add_device(table, ry_export_device(in, d), role_of(ry_class_of(g, d)->kind),
                   types.of[d]);
    return ry_table_print(table, out, RY_TABLE_CSV, diag);
}

const struct ry_export ry_export_netbox_devices = {
    .name = "netbox-devices",
    .summary = "devices for NetBox bulk import, CSV",
    .write = write_devices,
};

/* -------------------------------------------------------------------- cables */

/* NetBox cable types, by media; fibre is single- or multimode by its length. */
static const char *cable_type(enum ry_media media)
{
    switch (media) {
    case RY_MEDIA_FIBRE:
        return "";
    case RY_MEDIA_COPPER:
    case RY_MEDIA_BACKPLANE:
        return "dac-passive";
    case RY_MEDIA_CAT6:
        return "cat6";
    }
    return "";
}

/* "P2/1" of "leaf3 P2/1". */
static const char *port_of(const struct ry_export_input *in, uint32_t port)
{
    const char *name = ry_export_port(in, port);
    const char *space = strchr(name, ' ');

    return space ? space + 1 : name;
}

static enum ry_err write_cables(const struct ry_export_input *in, FILE *out,
                                struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;
    struct ry_netbox_types types;

    RY_TRY(ry_netbox_types(in, &types, diag));
    (void)fputs(
        "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,"
        "type,status,label\n",
        out);
    for (size_t l = 0; !types.node && l < g->n_links; l++) {
        const struct ry_level *level = &g->levels[g->links[l].level];
        for (int end = 0; end < 2; end++)
            (void)fprintf(out, "%s,dcim.interface,%s,",
                          ry_export_device(in, ry_link_device(g, l, end)),
                          port_of(in, g->links[l].port[end]));
        (void)fprintf(out, "%s,planned,C%06zu\n", cable_type(level->media), l + 1);
    }
    return RY_OK;
}

const struct ry_export ry_export_netbox_cables = {
    .name = "netbox-cables",
    .summary = "cables for NetBox bulk import, CSV",
    .write = write_cables,
};

/* -------------------------------------------------------------- device types */

static const struct ry_side_fabric *side_of(const struct ry_design *design,
                                            const char *name)
{
    for (size_t i = 0; design && i < design->sides_n; i++)
        if (strcmp(design->sides[i].name, name) == 0)
            return &design->sides[i];
    return NULL;
}

static const char *port_type(double bytes_per_s, const char *connector)
{
    static const struct {
        double gbit_s;
        const char *connector, *slug;
    } known[] = {
#define X(gbit_s, connector, slug) {gbit_s, connector, slug},
#include "report/netbox_ports.def"
#undef X
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (fabs(bytes_per_s * 8e-9 / known[i].gbit_s - 1.0) < 1e-6 &&
            strncmp(connector, known[i].connector, strlen(known[i].connector)) == 0)
            return known[i].slug;
    }
    return "other";
}

/* Of a node: the NIC's plug, where it is named, or that of the machine's own cage. */
static const char *node_connector(const struct ry_design *design,
                                  const struct ry_side_fabric *side)
{
    if (side)
        return side->nic ? side->nic->connector
               : side->fabric.leaf && strcmp(side->fabric.leaf->connector, "RJ45") == 0
                   ? "RJ45"
                   : "";
    return design->nic ? design->nic->connector
           : strstr(design->node->scaleout_nic_type, "twin-port") != NULL ? "OSFP"
                                                                          : "";
}

/* What netbox_ports.def knows the port by. */
static const char *connector_of(const struct ry_export_input *in,
                                const struct ry_netbox_type *type, const char *fabric)
{
    const struct ry_side_fabric *side = side_of(in->design, fabric);

    if (!type->part)
        return "";
    const struct ry_fabric_inputs *inputs = side ? &side->fabric : &in->design->fabric;
    if (inputs->technology == RY_FABRIC_INFINIBAND)
        return "InfiniBand";
    return type->class->kind == RY_DEVICE_SWITCH
               ? ((const struct ry_switch *)type->part)->connector
               : node_connector(in->design, side);
}

static void put_interface(FILE *out, const char *name, const char *slug, bool managing)
{
    (void)fprintf(out, "  - name: %s\n    type: %s\n%s", name, slug,
                  managing ? "    mgmt_only: true\n" : "");
}

/* Ports of the graph, then the one that the device is managed by. */
static void put_interfaces(const struct ry_export_input *in, FILE *out,
                           const struct ry_netbox_type *type, bool managed)
{
    const struct ry_graph *g = in->graph;
    const uint32_t ports = type->class ? g->devices[type->device].ports : 0;
    bool apart = managed;

    if (ports > 0 || managed)
        (void)fputs("interfaces:\n", out);
    for (uint32_t i = 0; i < ports; i++) {
        const uint32_t port = g->devices[type->device].first_port + i;
        const uint32_t cable = g->ports[port].cable;
        const struct ry_level *level =
            cable == RY_NONE ? NULL : &g->levels[g->links[cable].level];
        const char *fabric = level ? level->fabric : type->class->fabric;
        const bool oob =
            type->class->kind == RY_DEVICE_NODE && strcmp(fabric, "oob") == 0;
        const char *plug = level && level->media == RY_MEDIA_CAT6
                               ? "RJ45"
                               : connector_of(in, type, fabric);
        put_interface(out, port_of(in, port), port_type(g->ports[port].bytes_per_s, plug),
                      oob);
        apart = apart && !oob;
    }
    if (apart)
        put_interface(out, "mgmt0", "1000base-t", true);
}

static const char *inlet_slug(const char *inlet)
{
    static const char *const known[][2] = {{"C14", "iec-60320-c14"},
                                           {"C20", "iec-60320-c20"},
                                           {"C22", "iec-60320-c22"},
                                           {"DC busbar", "dc-terminal"},
                                           {"48V", "dc-terminal"}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strncmp(inlet, known[i][0], strlen(known[i][0])) == 0)
            return known[i][1];
    return "other";
}

static void put_draw(FILE *out, const char *key, double watts)
{
    if (watts > 0.0)
        (void)fprintf(out, "    %s: %.0f\n", key, ceil(watts - 1e-9));
}

/* Supplies that must work: by what one gives, else by the scheme ("4+2", "N+N"). */
static double supplies_needed(const struct ry_netbox_type *type)
{
    const double psus = (double)type->psus;
    unsigned needed = 0, spare = 0;

    if (type->psu_w > 0.0 && type->max_w > 0.0)
        return fmin(psus, ry_psu_redundancy(psus, type->psu_w, type->max_w).needed);
    if (strncmp(type->psu_scheme, "N+N", 3) == 0)
        return ceil(psus / 2.0);
    if (sscanf(type->psu_scheme, "%3u+%3u", &needed, &spare) == 2 && needed > 0 &&
        needed + spare == type->psus)
        return needed;
    return psus;
}

/* The most that one supply draws is its share when the spare ones have failed. */
static void put_supplies(FILE *out, const struct ry_netbox_type *type)
{
    if (!type->part || (type->psus == 0 && isnan(type->max_w)))
        return;
    (void)fputs("power-ports:\n", out);
    if (type->psus == 0) {
        (void)fprintf(out, "  - name: PSU\n    type: other\n");
        put_draw(out, "maximum_draw", type->max_w);
        return;
    }
    for (size_t i = 0; i < type->psus; i++) {
        (void)fprintf(out, "  - name: PSU%zu\n    type: %s\n", i + 1,
                      inlet_slug(type->inlet));
        put_draw(out, "maximum_draw", type->max_w / supplies_needed(type));
        put_draw(out, "allocated_draw", type->max_w / (double)type->psus);
    }
}

/* What is assumed, for who reads the type in NetBox. */
static void put_comments(const struct ry_export_input *in, FILE *out,
                         const struct ry_netbox_type *type)
{
    const char *text = ry_strfmt(
        in->arena, "Planned by railyard.%s%s%s%s%s",
        type->part
            ? " Ports are named as in the plan's cable list; depth is assumed."
            : " No part is named: height and depth are assumed, power is not known.",
        type->part && isnan(type->rack_units) ? " Height is not in the catalog: 1 U."
                                              : "",
        type->part && type->psus == 0
            ? " The number of power supplies is not in the catalog: one stands for all."
            : "",
        type->unverified[0] ? " Not verified in the catalog: " : "", type->unverified);

    (void)fputs("comments: ", out);
    ry_json_put_text(out, text ? text : "");
    (void)fputc('\n', out);
}

static const char *airflow_slug(const char *airflow)
{
    static const char *const known[] = {"front-to-rear", "rear-to-front", "left-to-right",
                                        "right-to-left", "side-to-rear",  "passive",
                                        "mixed"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(airflow, known[i]) == 0)
            return known[i];
    return NULL;
}

/* GPUs and chips of a board take no room of a rack. */
static double height_u(const struct ry_netbox_type *type)
{
    const enum ry_device_kind kind = type->class ? type->class->kind : RY_DEVICE_NODE;

    if (kind == RY_DEVICE_GPU || kind == RY_DEVICE_NVSWITCH || kind == RY_DEVICE_PCIE)
        return 0.0;
    return type->rack_units > 0.0 ? ceil(2.0 * type->rack_units) / 2.0 : 1.0;
}

static void put_head(FILE *out, const struct ry_netbox_type *type)
{
    (void)fputs("---\nmanufacturer: ", out);
    ry_json_put_text(out, type->manufacturer);
    (void)fputs("\nmodel: ", out);
    ry_json_put_text(out, type->model);
    (void)fprintf(out, "\nslug: %s\nu_height: %.12g\nis_full_depth: true\n", type->slug,
                  height_u(type));
    if (airflow_slug(type->airflow))
        (void)fprintf(out, "airflow: %s\n", airflow_slug(type->airflow));
    if (type->weight_kg > 0.0)
        (void)fprintf(out, "weight: %.12g\nweight_unit: kg\n",
                      round(100.0 * type->weight_kg) / 100.0);
}

/* A rack of trays has no port of its own, and an unmanaged switch none at all. */
static bool is_managed(const struct ry_export_input *in,
                       const struct ry_netbox_type *type)
{
    if (!type->part)
        return false;
    if (type->part == in->design->node)
        return strcmp(in->design->node->kind, "rack") != 0;
    return strstr(((const struct ry_switch *)type->part)->part.notes, "unmanaged") ==
           NULL;
}

static enum ry_err write_types(const struct ry_export_input *in, FILE *out,
                               struct ry_diag *diag)
{
    struct ry_netbox_types types;

    RY_TRY(ry_netbox_types(in, &types, diag));
    for (const struct ry_netbox_type *type = types.first; type; type = type->next) {
        const bool managed = is_managed(in, type);
        put_head(out, type);
        put_comments(in, out, type);
        if (managed && type->part != in->design->node)
            (void)fputs("console-ports:\n  - name: console\n    type: rj-45\n", out);
        put_supplies(out, type);
        put_interfaces(in, out, type, managed);
    }
    return RY_OK;
}

const struct ry_export ry_export_netbox_types = {
    .name = "netbox-types",
    .summary = "device types for NetBox, YAML documents",
    .write = write_types,
};
