/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/netbox_types.h"

#include "base/names.h"
#include "catalog/parts.h"

#include <string.h>

static const struct ry_fabric_inputs *fabric_of(const struct ry_design *design,
                                                const struct ry_graph *graph,
                                                const char *name)
{
    if (!design)
        return NULL;
    for (size_t i = 0; i < design->sides_n; i++)
        if (strcmp(design->sides[i].name, name) == 0)
            return &design->sides[i].fabric;
    const bool first = graph->n_fabrics > 0 && strcmp(graph->fabrics[0].name, name) == 0;
    return first ? &design->fabric : NULL;
}

static void set_switch(struct ry_netbox_type *type)
{
    const struct ry_switch *part =
        type->class->tier > 1 ? type->fabric->spine : type->fabric->leaf;

    if (!part)
        return;
    type->part = part;
    type->manufacturer = part->vendor;
    type->model = part->part.name;
    type->unverified = part->part.unverified_fields;
    type->airflow = part->airflow;
    type->rack_units = part->rack_units;
    type->weight_kg = part->weight_kg;
    type->max_w = part->power_max_w;
    type->psus = part->psu_count >= 1.0 ? (size_t)part->psu_count : 0;
    type->psu_w = part->psu_w;
    type->psu_scheme = part->psu_redundancy;
    type->inlet = "C14"; /* as the plan of circuits has it: facility/facility.c */
}

static void set_node(struct ry_netbox_type *type, const struct ry_node *part)
{
    type->part = part;
    type->manufacturer = part->vendor;
    type->model = part->part.name;
    type->unverified = part->part.unverified_fields;
    type->rack_units = part->rack_units;
    type->weight_kg = part->weight_kg;
    type->max_w = part->power_max_w;
    type->psus = part->psu_count >= 1.0 ? (size_t)part->psu_count : 0;
    type->psu_w = part->psu_w;
    type->psu_scheme = part->psu_redundancy;
    type->inlet = part->power_connector;
}

static struct ry_netbox_type unknown(void)
{
    return (struct ry_netbox_type){.manufacturer = "generic",
                                   .model = "",
                                   .airflow = "",
                                   .unverified = "",
                                   .psu_scheme = "",
                                   .inlet = "",
                                   .rack_units = (double)NAN,
                                   .weight_kg = (double)NAN,
                                   .max_w = (double)NAN,
                                   .psu_w = (double)NAN};
}

static bool same_ports(const struct ry_graph *g, uint32_t a, uint32_t b)
{
    const struct ry_device *x = &g->devices[a];
    const struct ry_device *y = &g->devices[b];

    if (x->ports != y->ports ||
        g->classes[x->of].ports_per_cage != g->classes[y->of].ports_per_cage)
        return false;
    for (uint32_t i = 0; i < x->ports; i++) {
        const double rate = g->ports[x->first_port + i].bytes_per_s;
        if (rate < g->ports[y->first_port + i].bytes_per_s ||
            rate > g->ports[y->first_port + i].bytes_per_s)
            return false;
    }
    return true;
}

static bool same_thing(const struct ry_netbox_type *a, const struct ry_netbox_type *b)
{
    return a->part ? a->part == b->part : !b->part && a->class == b->class;
}

static const char *slug_of(struct ry_arena *arena, const char *maker, const char *model)
{
    char *slug = ry_strfmt(arena, "%s-%s", maker, model);

    for (char *c = slug; c && *c != '\0'; c++) {
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
        else if (!(*c >= 'a' && *c <= 'z') && !(*c >= '0' && *c <= '9'))
            *c = '-';
    }
    return slug;
}

/* A second set of ports of the same part needs a name of its own. */
static const char *model_of(const struct ry_export_input *in,
                            const struct ry_netbox_types *types,
                            const struct ry_netbox_type *type)
{
    if (!type->part)
        return ry_strfmt(in->arena, "%s-%u", type->class->name,
                         in->graph->devices[type->device].ports);
    for (const struct ry_netbox_type *t = types->first; t; t = t->next) {
        if (strcmp(t->model, type->model) == 0)
            return ry_strfmt(in->arena, "%s-%s-%u", type->model, type->class->name,
                             in->graph->devices[type->device].ports);
    }
    return type->model;
}

static const struct ry_netbox_type *add(const struct ry_export_input *in,
                                        struct ry_netbox_types *types,
                                        const struct ry_netbox_type *type)
{
    struct ry_netbox_type **end = &types->first;

    for (; *end; end = &(*end)->next)
        if (same_thing(*end, type) && same_ports(in->graph, (*end)->device, type->device))
            return *end;
    struct ry_netbox_type *kept = RY_NEW(in->arena, struct ry_netbox_type, 1);
    if (!kept)
        return NULL;
    *kept = *type;
    kept->model = model_of(in, types, type);
    if (kept->model)
        kept->slug = slug_of(in->arena, kept->manufacturer, kept->model);
    *end = kept;
    return kept->slug ? kept : NULL;
}

static struct ry_netbox_type describe(const struct ry_export_input *in, uint32_t device)
{
    struct ry_netbox_type type = unknown();

    type.class = ry_class_of(in->graph, device);
    type.device = device;
    if (!in->design)
        return type;
    if (type.class->kind == RY_DEVICE_NODE)
        set_node(&type, in->design->node);
    else if (type.class->kind == RY_DEVICE_SWITCH) {
        type.fabric = fabric_of(in->design, in->graph, type.class->fabric);
        if (type.fabric)
            set_switch(&type);
    }
    return type;
}

enum ry_err ry_netbox_types(const struct ry_export_input *in,
                            struct ry_netbox_types *types, struct ry_diag *diag)
{
    const struct ry_graph *g = in->graph;

    *types = (struct ry_netbox_types){
        .of = RY_NEW(in->arena, const struct ry_netbox_type *, g->n_devices + 1)};
    if (!types->of)
        return ry_export_no_memory(diag);
    if (in->design && g->classes[0].kind == RY_DEVICE_GPU) {
        struct ry_netbox_type *node = RY_NEW(in->arena, struct ry_netbox_type, 1);
        if (!node)
            return ry_export_no_memory(diag);
        *node = unknown();
        set_node(node, in->design->node);
        node->slug = slug_of(in->arena, node->manufacturer, node->model);
        types->first = node;
        types->node = node;
        return node->slug ? RY_OK : ry_export_no_memory(diag);
    }
    for (uint32_t d = 0; d < g->n_devices; d++) {
        const bool again =
            d > 0 && g->devices[d].of == g->devices[d - 1].of && same_ports(g, d, d - 1);
        const struct ry_netbox_type type = describe(in, d);
        types->of[d] = again ? types->of[d - 1] : add(in, types, &type);
        if (!types->of[d])
            return ry_export_no_memory(diag);
    }
    return RY_OK;
}
