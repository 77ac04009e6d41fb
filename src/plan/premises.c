/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/premises.h"

#include "base/hash.h"
#include "base/names.h"
#include "catalog/parts.h"
#include "cost/bill.h"
#include "cost/owning.h"
#include "plan/machine.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static enum ry_err add_tco(struct ry_arena *arena, struct ry_premises *out,
                           struct ry_diag *diag)
{
    struct ry_owning_input owning;

    RY_TRY(ry_owning_input(arena,
                           &(struct ry_owning){
                               .design = out->design,
                               .catalog = out->catalog,
                               .bill = &out->sums,
                               .max_w = out->max_w,
                               .energy_w = (double)NAN,
                               .facility_max_w = out->facility_max_w,
                               .rent_usd_per_gpu_hour = (double)NAN,
                           },
                           &owning, diag));
    out->tco = owning.tco;
    return RY_OK;
}

static void add_power(const struct ry_facility *facility, struct ry_premises *out)
{
    out->other_max_w = facility->other_max_w;
    out->other_typical_w = facility->other_typical_w;
    out->max_w = facility->power.it_max_w;
    out->facility_max_w = facility->power.facility_w;
}

static enum ry_err from_layout(struct ry_arena *arena, const struct ry_catalog *catalog,
                               const struct ry_layout *layout, struct ry_premises *out,
                               struct ry_diag *diag)
{
    struct ry_site_bill bill;
    struct ry_diag why = {0};

    const enum ry_err err = ry_layout_check(arena, layout, &why);
    if (err == RY_ERR_NOMEM)
        return ry_fail(diag, err, out->design->name, "cannot lay it out");
    out->refusal = err != RY_OK ? ry_strdup(arena, why.text) : NULL;
    out->laid_out = true;
    out->racks = (double)layout->facility.racks.racks_n;
    add_power(&layout->facility, out);
    RY_TRY(ry_site_bill(arena, catalog, &layout->facility, &bill, diag));
    out->sums = ry_bom_sums(&bill.bom);
    if (ry_bill_of_bom(arena, &bill.bom, &out->bill) != RY_OK)
        return ry_fail(diag, RY_ERR_NOMEM, out->design->name, "its bill");
    return add_tco(arena, out, diag);
}

static struct ry_money unknown_money(void)
{
    return (struct ry_money){.usd = NAN, .low_usd = NAN, .high_usd = NAN};
}

/* Over the limit of what is laid out: it trains, but nothing is known of its site. */
static enum ry_err without_layout(struct ry_arena *arena, const char *why,
                                  struct ry_premises *out, struct ry_diag *diag)
{
    out->refusal = ry_strdup(arena, why);
    out->bill.line = RY_NEW(arena, struct ry_bill_line, 1);
    if (!out->refusal || !out->bill.line)
        return ry_fail(diag, RY_ERR_NOMEM, out->design->name, "its bill");
    for (size_t g = 0; g < RY_BILL_GROUPS; g++)
        out->bill.group[g] = unknown_money();
    out->bill.total = unknown_money();
    out->racks = out->other_max_w = out->other_typical_w = (double)NAN;
    out->max_w = out->facility_max_w = (double)NAN;
    return add_tco(arena, out, diag);
}

static enum ry_err make(struct ry_arena *arena, const struct ry_catalog *catalog,
                        struct ry_premises *premises, struct ry_diag *diag)
{
    const struct ry_facility_options options = ry_facility_defaults();
    const struct ry_design *design = premises->design;
    struct ry_diag why = {0};

    RY_TRY(ry_design_check(design, diag));
    RY_TRY(ry_design_network(design, &premises->network, diag));
    RY_TRY(ry_contention_make(arena, design, &premises->network, &premises->contention,
                              diag));
    if (ry_layout_limit(catalog, design, &why) != RY_OK)
        return without_layout(arena, why.text, premises, diag);
    struct ry_layout *layout = RY_NEW(arena, struct ry_layout, 1);
    if (!layout)
        return ry_fail(diag, RY_ERR_NOMEM, design->name, "cannot lay it out");
    RY_TRY(ry_layout_make(arena, catalog, design, &options, layout, diag));
    return from_layout(arena, catalog, layout, premises, diag);
}

enum ry_err ry_premises_make(struct ry_arena *arena, const struct ry_catalog *catalog,
                             const struct ry_design *design, struct ry_premises *premises,
                             struct ry_diag *diag)
{
    *premises = (struct ry_premises){.design = design, .catalog = catalog, .made = true};
    premises->err = make(arena, catalog, premises, &premises->why);
    return premises->err == RY_OK ? RY_OK
                                  : ry_fail(diag, premises->err, premises->why.where,
                                            "%s", premises->why.text);
}

/* What only the costs of owning read, and where a design comes from, taken out. */
static struct ry_design physical(const struct ry_design *design)
{
    struct ry_design copy;

    memcpy(&copy, design, sizeof(copy));
    copy.name = copy.file = copy.choice = copy.facility.region = NULL;
    copy.facility.electricity_usd_per_kwh = 0.0;
    copy.facility.colocation_usd_per_kw_month = 0.0;
    copy.facility.construction_usd_per_w = 0.0;
    copy.finance =
        (struct ry_finance){.install_usd_per_node = design->finance.install_usd_per_node};
    copy.reliability = (struct ry_reliability){0};
    copy.origins = NULL;
    copy.ranges = NULL;
    copy.origins_n = copy.ranges_n = 0;
    return copy;
}

bool ry_premises_alike(const struct ry_design *a, const struct ry_design *b)
{
    const struct ry_design x = physical(a);
    const struct ry_design y = physical(b);

    /* Padding that differs only costs a layout.
     * NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    return strcmp(a->name, b->name) == 0 && memcmp(&x, &y, sizeof(x)) == 0;
}

uint64_t ry_premises_key(const struct ry_design *design)
{
    const struct ry_design of = physical(design);

    return ry_hash(RY_HASH_START, &of, sizeof(of));
}

enum ry_err ry_premises_share(struct ry_arena *arena, const struct ry_premises *from,
                              const struct ry_design *design,
                              struct ry_premises *premises, struct ry_diag *diag)
{
    *premises = *from;
    premises->design = design;
    premises->shared = true;
    if (from->err == RY_OK)
        premises->err = ry_design_check(design, &premises->why);
    if (premises->err == RY_OK)
        premises->err = add_tco(arena, premises, &premises->why);
    return premises->err == RY_OK ? RY_OK
                                  : ry_fail(diag, premises->err, premises->why.where,
                                            "%s", premises->why.text);
}

/* Where the texts of the TCO's inputs are. */
static const size_t rated[] = {
#define R(field) offsetof(struct ry_premises, tco.field)
    R(hardware_usd),
    R(network_usd),
    R(facility_usd),
    R(install_usd),
    R(usd_per_kwh),
    R(colocation_usd_per_kw_month),
    R(maintenance_frac),
    R(network_maintenance_frac),
    R(facility_maintenance_frac),
    R(staff_usd_per_year),
    R(nodes_per_staff),
    R(network_staff_per_1000_gpus),
    R(software_usd_per_gpu_year),
    R(kg_co2_per_kwh),
    R(litres_per_kwh),
    R(rent_usd_per_gpu_hour),
    R(resale_end_frac),
    R(resale_refresh_frac),
#undef R
};

static bool keep_bill(struct ry_arena *arena, struct ry_premises *premises)
{
    struct ry_bill *bill = &premises->bill;
    struct ry_bill_line *lines = RY_NEW(arena, struct ry_bill_line, bill->n + 1);
    bool full = !lines;

    for (size_t i = 0; lines && i < bill->n; i++) {
        lines[i] = bill->line[i];
        lines[i].part = ry_strdup(arena, lines[i].part);
        lines[i].use = ry_strdup(arena, lines[i].use);
        full = full || !lines[i].part || !lines[i].use;
    }
    bill->line = lines;
    if (premises->refusal) {
        premises->refusal = ry_strdup(arena, premises->refusal);
        full = full || !premises->refusal;
    }
    return !full;
}

enum ry_err ry_premises_keep(struct ry_arena *arena, struct ry_premises *premises)
{
    bool full = !premises->shared && !keep_bill(arena, premises);

    for (size_t i = 0; i < sizeof(rated) / sizeof(rated[0]); i++) {
        struct ry_rated *one = (struct ry_rated *)(void *)((char *)premises + rated[i]);
        one->source = one->source ? ry_strdup(arena, one->source) : "";
        full = full || !one->source;
    }
    return full ? RY_ERR_NOMEM : RY_OK;
}
