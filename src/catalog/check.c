/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalog/parts.h"

#include <stdio.h>
#include <string.h>

/* a times b is c, as far as all three are known. */
struct product {
    enum ry_kind kind;
    size_t a, b, c; /* offsets */
    double unit;    /* of c against a times b */
    double tolerance;
    const char *says;
};

/* The first is at most the second, as far as both are known. */
struct order {
    enum ry_kind kind;
    size_t less, more;
    const char *says;
};

#define AT(type, field) offsetof(struct type, field)

static const struct product products[] = {
    {RY_KIND_GPU, AT(ry_gpu, scaleup_links), AT(ry_gpu, scaleup_link_bytes_per_s),
     AT(ry_gpu, scaleup_bytes_per_s), 1.0, 0.01,
     "scaleup_links x scaleup_link_gbytes_s_per_dir is not "
     "scaleup_total_gbytes_s_per_dir"},
    {RY_KIND_CABLE, AT(ry_cable, shown_lanes), AT(ry_cable, shown_lane_bytes_per_s),
     AT(ry_cable, total_bytes_per_s), 1.0, 0.01,
     "lanes x lane_gbit_s is not total_gbit_s"},
    {RY_KIND_CABLE, AT(ry_cable, ends_b), AT(ry_cable, end_b_bytes_per_s),
     AT(ry_cable, total_bytes_per_s), 1.0, 0.01,
     "ends_b x gbit_s_per_end_b is not total_gbit_s"},
    {RY_KIND_COOLING, AT(ry_cooling, capacity_w), AT(ry_cooling, shown_flow_m3_s_per_w),
     AT(ry_cooling, flow_m3_s), 1.0, 0.03, "capacity_kw x lpm_per_kw is not flow_lpm"},
};

static const struct order orders[] = {
    {RY_KIND_GPU, AT(ry_gpu, hbm_usable_bytes), AT(ry_gpu, hbm_bytes),
     "hbm_usable_gbytes is above hbm_gib"},
    {RY_KIND_GPU, AT(ry_gpu, shown_measured_bf16_flop_per_s), AT(ry_gpu, bf16_flop_per_s),
     "measured_bf16_tflops is above bf16_tflops"},
    {RY_KIND_NODE, AT(ry_node, power_typ_w), AT(ry_node, power_max_w),
     "power_typ_w is above power_max_w"},
    {RY_KIND_SWITCH, AT(ry_switch, power_typ_w), AT(ry_switch, power_max_w),
     "power_typ_w is above power_max_w"},
    {RY_KIND_NIC, AT(ry_nic, shown_power_typ_w), AT(ry_nic, shown_power_max_w),
     "power_typ_w is above power_max_w"},
    {RY_KIND_CABLE, AT(ry_cable, shown_reach_min_m), AT(ry_cable, reach_max_m),
     "reach_min_m is above reach_max_m"},
    {RY_KIND_RACK, AT(ry_rack, shown_max_dynamic_load_kg),
     AT(ry_rack, max_static_load_kg), "max_dynamic_load_kg is above max_static_load_kg"},
    {RY_KIND_COOLING, AT(ry_cooling, shown_power_typical_w),
     AT(ry_cooling, power_nameplate_w), "power_typical_kw is above power_nameplate_kw"},
    {RY_KIND_RATE, AT(ry_rate, low), AT(ry_rate, value), "low is above value"},
    {RY_KIND_RATE, AT(ry_rate, value), AT(ry_rate, high), "value is above high"},
};

static double number_at(const struct ry_part *part, size_t offset)
{
    double number = NAN;

    memcpy(&number, (const char *)part + offset, sizeof(number));
    return number;
}

static void complain(struct ry_problems *problems, const struct ry_part *part,
                     const char *says)
{
    char where[128];

    (void)snprintf(where, sizeof(where), "%s:%u", part->file, part->line);
    ry_problem(problems, RY_ERR_RANGE, where, "%s: %s", part->name, says);
}

static void check_numbers(struct ry_problems *problems, enum ry_kind kind,
                          const struct ry_part *part)
{
    for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
        const struct product *p = &products[i];
        const double want = number_at(part, p->a) * number_at(part, p->b) * p->unit;
        if (p->kind == kind &&
            fabs(want - number_at(part, p->c)) > p->tolerance * fabs(want))
            complain(problems, part, p->says);
    }
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        const struct order *o = &orders[i];
        if (o->kind == kind &&
            number_at(part, o->less) > number_at(part, o->more) * (1.0 + 1e-9))
            complain(problems, part, o->says);
    }
}

static void check_origin(struct ry_problems *problems, const struct ry_part *part)
{
    if (part->source[0] == '\0' && !part->own)
        complain(problems, part, "no source");
    if (part->price_usd == 0.0)
        complain(problems, part,
                 "price_usd 0 is not a price, leave it empty when unknown");
    if (part->price_usd > 0.0 && !part->quoted && isnan(part->price_year))
        complain(problems, part, "a price without price_year");
}

static bool is_column(const struct ry_kind_info *info, const char *name, size_t bytes)
{
    for (size_t i = 0; i < info->n; i++) {
        if (strlen(info->fields[i].column) == bytes &&
            memcmp(info->fields[i].column, name, bytes) == 0)
            return true;
    }
    return bytes == 3 && memcmp(name, "all", 3) == 0;
}

static void check_unverified(struct ry_problems *problems, enum ry_kind kind,
                             const struct ry_part *part)
{
    const char *at = part->unverified_fields;

    while (*at != '\0') {
        const size_t bytes = strcspn(at, ";");
        char says[128];
        (void)snprintf(says, sizeof(says), "unverified_fields names no column: '%.*s'",
                       (int)(bytes < 60 ? bytes : 60), at);
        if (!is_column(ry_kind_info(kind), at, bytes))
            complain(problems, part, says);
        at += bytes + (at[bytes] == ';');
    }
}

/* Names of other parts that a row needs. */
static void check_references(const struct ry_catalog *catalog,
                             struct ry_problems *problems, enum ry_kind kind,
                             const struct ry_part *part)
{
    char says[160];

    if (kind != RY_KIND_NODE)
        return;
    const char *gpu = ((const struct ry_node *)(const void *)part)->gpu_model;
    if (gpu[0] == '\0' || ry_find_gpu(catalog, gpu))
        return;
    const char *near = ry_catalog_nearest(catalog, RY_KIND_GPU, gpu);
    (void)snprintf(says, sizeof(says), "no GPU is called '%.60s'%s%s%s", gpu,
                   near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    complain(problems, part, says);
}

void ry_catalog_check(const struct ry_catalog *catalog, enum ry_kind kind,
                      struct ry_problems *problems)
{
    const struct ry_part *part = NULL;

    for (size_t i = 0; (part = ry_catalog_at(catalog, kind, i)) != NULL; i++) {
        check_numbers(problems, kind, part);
        check_origin(problems, part);
        check_unverified(problems, kind, part);
        check_references(catalog, problems, kind, part);
    }
}
