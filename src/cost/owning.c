/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/owning.h"

#include "base/names.h"
#include "design/design.h"

#include <math.h>
#include <string.h>

static const double percent = 0.01;

enum { RESALE_YEARS_MOST = 30 };

struct work {
    struct ry_arena *arena;
    const struct ry_owning *in;
    struct ry_owning_input *out;
    bool full; /* out of memory */
};

static void note(struct work *work, const char *text)
{
    if (!text)
        work->full = true;
    else if (work->out->notes_n < RY_OWNING_NOTES_MOST)
        work->out->notes[work->out->notes_n++] = text;
}

struct ry_rated ry_rate_of(struct ry_arena *arena, const struct ry_catalog *catalog,
                           const char *name, double scale)
{
    const struct ry_rate *rate = ry_find_rate(catalog, name);

    if (!rate)
        return (struct ry_rated){(double)NAN, (double)NAN, (double)NAN, "no such rate"};
    const char *source =
        ry_strfmt(arena, "%s (%s, %.0f%s)", name, rate->part.source, rate->year,
                  strcmp(rate->part.verified, "no") == 0 ? ", estimate" : "");
    return (struct ry_rated){rate->value * scale, rate->low * scale, rate->high * scale,
                             source ? source : name};
}

static const char *origin(const struct ry_design *design, const char *what)
{
    const char *from = ry_design_origin_of(design, what);

    return from ? from : what;
}

/* A figure of the design; where it is the rate row's own value, with that row's range. */
static struct ry_rated of_design(const struct work *work, double value, const char *what,
                                 const char *rate, double scale)
{
    const struct ry_rated row =
        rate ? ry_rate_of(work->arena, work->in->catalog, rate, scale)
             : (struct ry_rated){(double)NAN, (double)NAN, (double)NAN, ""};

    if (fabs(row.value - value) <= 1e-12 * fabs(value))
        return row;
    return (struct ry_rated){value, (double)NAN, (double)NAN,
                             origin(work->in->design, what)};
}

static struct ry_rated of_sums(double usd, double low_usd, double high_usd)
{
    return (struct ry_rated){usd, low_usd, high_usd, "bill of materials"};
}

static void set_capital(struct work *work)
{
    const struct ry_bom_sums *bill = work->in->bill;
    struct ry_tco_input *tco = &work->out->tco;
    const double service = bill->by_category_usd[RY_BOM_SERVICE];
    const double apart = service + bill->by_category_usd[RY_BOM_PLANT];
    const double low = bill->low_usd - bill->network_low_usd - service -
                       bill->by_category_low_usd[RY_BOM_PLANT];
    const double high = bill->high_usd - bill->network_high_usd - service -
                        bill->by_category_high_usd[RY_BOM_PLANT];

    tco->hardware_usd = of_sums(bill->usd - bill->network_usd - apart, low, high);
    tco->network_usd =
        of_sums(bill->network_usd, bill->network_low_usd, bill->network_high_usd);
    tco->install_usd = of_design(work, service, "install_per_node", NULL, 1.0);
    tco->install_usd.source = origin(work->in->design, "install_per_node");
    tco->tax_frac = work->in->tax_frac;
    tco->unpriced = (double)bill->without_price;
    if (work->in->tax_frac == 0.0)
        note(work, "sales tax and duty: not given (--tax), not counted");
    if (bill->without_price > 0)
        note(work, ry_strfmt(work->arena,
                             "lines of the bill without a price: %zu: capital is a lower "
                             "bound (railyard bom lists them)",
                             bill->without_price));
}

static void set_facility(struct work *work)
{
    const struct ry_facility_inputs *facility = &work->in->design->facility;
    struct ry_tco_input *tco = &work->out->tco;

    const struct ry_bom_sums *bill = work->in->bill;
    const bool own = ry_design_place(work->in->design) == RY_PLACE_OWN;

    tco->facility_usd =
        own ? of_sums(bill->by_category_usd[RY_BOM_PLANT],
                      bill->by_category_low_usd[RY_BOM_PLANT],
                      bill->by_category_high_usd[RY_BOM_PLANT])
            : (struct ry_rated){facility->construction_usd_per_w *
                                    work->in->facility_max_w,
                                (double)NAN, (double)NAN,
                                origin(work->in->design, "construction_usd_per_w")};
    tco->facility_life_years =
        ry_rate_of(work->arena, work->in->catalog,
                   "depreciation:facility mechanical and electrical", 1.0)
            .value;
    tco->facility_maintenance_frac =
        ry_rate_of(work->arena, work->in->catalog,
                   "maintenance:facility operations and maintenance", percent);
    tco->power_reserved_w = work->in->max_w;
    tco->colocation_usd_per_kw_month = of_design(
        work, facility->colocation_usd_per_kw_month, "colocation_usd_per_kw_month",
        "colocation:wholesale asking rate 250-500 kW primary markets 2024", 1.0);
    if (own)
        note(work,
             "your own room (neither colocation nor construction is given): its plant "
             "is counted as in the bill, land, shell and works are not");
    tco->energy_w = work->in->energy_w;
    tco->pue = facility->pue;
    tco->usd_per_kwh = of_design(work, facility->electricity_usd_per_kwh,
                                 "electricity_price", NULL, 1.0);
}

static const char *network_rate(enum ry_fabric_technology technology)
{
    switch (technology) {
    case RY_FABRIC_NONE:
        return NULL;
    case RY_FABRIC_INFINIBAND:
        return "labor:network operation, InfiniBand";
    case RY_FABRIC_ROCE:
        return "labor:network operation, RoCE";
    case RY_FABRIC_TCP:
        return "labor:network operation, TCP";
    }
    return NULL;
}

static void note_software(struct work *work)
{
    const struct ry_rate *rate =
        ry_find_rate(work->in->catalog, "software:NVIDIA AI Enterprise per GPU");
    const char *known =
        rate ? ry_strfmt(work->arena, "; the catalog has %.0f %s for %s (%s, %.0f)",
                         rate->value, rate->unit, rate->item, rate->part.source,
                         rate->year)
             : "";

    note(work,
         known ? ry_strfmt(work->arena,
                           "software licences: not given (finance/software_per_gpu_year, "
                           "0 for none), not counted%s",
                           known)
               : NULL);
}

/* The published share of the price that is left at an age, between the rows' years; NAN
 * past the last one. */
static struct ry_rated published_share(struct work *work, double age_years)
{
    struct ry_rated before = {1.0, 1.0, 1.0, ""}; /* new */
    double before_years = 0.0;

    for (int year = 1; year <= RESALE_YEARS_MOST; year++) {
        const char *name =
            ry_strfmt(work->arena, "resale:GPU systems, share left after %d year%s", year,
                      year == 1 ? "" : "s");
        if (!name || !ry_find_rate(work->in->catalog, name))
            break;
        const struct ry_rated row =
            ry_rate_of(work->arena, work->in->catalog, name, percent);
        if (age_years <= (double)year) {
            const double part =
                (age_years - before_years) / ((double)year - before_years);
            return (struct ry_rated){before.value + part * (row.value - before.value),
                                     before.low + part * (row.low - before.low),
                                     before.high + part * (row.high - before.high),
                                     row.source};
        }
        before = row;
        before_years = (double)year;
    }
    return (struct ry_rated){(double)NAN, (double)NAN, (double)NAN,
                             "no share is published for that age"};
}

static void set_resale(struct work *work)
{
    const struct ry_finance *finance = &work->in->design->finance;
    struct ry_tco_input *tco = &work->out->tco;
    const double refresh = finance->refresh_years;
    const double sets =
        refresh > 0.0 ? fmax(1.0, ceil(finance->years / refresh - 1e-9)) : 1.0;

    tco->refresh_years = refresh;
    if (!finance->resale_published) {
        if (finance->residual_frac == 0.0)
            note(work, "resale: not given (finance/residual: a share, or \"published\"), "
                       "nothing is sold");
        return;
    }
    tco->resale_end_frac = published_share(work, finance->years - (sets - 1.0) * refresh);
    if (refresh > 0.0)
        tco->resale_refresh_frac = published_share(work, refresh);
    note(work, "resale of network equipment: no published share, it is not sold");
}

static void set_running(struct work *work)
{
    const struct ry_design *design = work->in->design;
    const struct ry_finance *finance = &design->finance;
    struct ry_tco_input *tco = &work->out->tco;
    const char *network = network_rate(design->fabric.technology);

    tco->maintenance_frac =
        of_design(work, finance->maintenance_frac, "maintenance",
                  "maintenance:server hardware support (OEM)", percent);
    tco->network_maintenance_frac =
        of_design(work, finance->network_maintenance_frac, "network_maintenance",
                  "maintenance:network hardware support", percent);
    tco->staff_usd_per_year =
        of_design(work, finance->staff_usd_per_year, "staff_per_year",
                  "labor:data center technician fully loaded", 1.0);
    tco->nodes_per_staff = of_design(work, finance->nodes_per_staff, "nodes_per_staff",
                                     "labor:nodes per technician", 1.0);
    tco->network_staff_per_1000_gpus =
        network ? of_design(work, finance->network_staff_per_1000_gpus,
                            "network_staff_per_1000_gpus", network, 1.0)
                : (struct ry_rated){0.0, (double)NAN, (double)NAN, "no fabric"};
    tco->software_usd_per_gpu_year =
        of_design(work, finance->software_usd_per_gpu_year, "software_per_gpu_year",
                  "software:NVIDIA AI Enterprise per GPU", 1.0);
    if (isnan(finance->software_usd_per_gpu_year)) {
        tco->software_usd_per_gpu_year.source = "not given";
        note_software(work);
    }
    set_resale(work);
}

/* On-demand prices of instances with this GPU: the median, lowest and highest. */
static struct ry_rated cloud_price(const struct work *work)
{
    enum { PRICES_MOST = 64 };
    const char *gpu = work->in->design->gpu->part.name;
    const struct ry_node *node = NULL;
    double usd[PRICES_MOST];
    const struct ry_node *rows[PRICES_MOST];
    size_t n = 0;

    for (size_t i = 0; (node = (const struct ry_node *)(const void *)ry_catalog_at(
                            work->in->catalog, RY_KIND_NODE, i)) != NULL;
         i++) {
        if (!ry_name_eq(node->gpu_model, gpu) || !(node->price_usd_per_h > 0.0) ||
            !(node->gpu_count > 0.0) || n == PRICES_MOST)
            continue;
        size_t at = n++;
        const double each = node->price_usd_per_h / node->gpu_count;
        for (; at > 0 && usd[at - 1] > each; at--) {
            usd[at] = usd[at - 1];
            rows[at] = rows[at - 1];
        }
        usd[at] = each;
        rows[at] = node;
    }
    if (n == 0)
        return (struct ry_rated){(double)NAN, (double)NAN, (double)NAN, "no price"};
    const char *source =
        ry_strfmt(work->arena, "%s, %s %.0f (one of %zu instances in nodes.csv)",
                  rows[n / 2]->part.name, rows[n / 2]->part.price_basis,
                  rows[n / 2]->part.price_year, n);
    return (struct ry_rated){usd[n / 2], usd[0], usd[n - 1], source ? source : ""};
}

static void set_rent(struct work *work)
{
    struct ry_tco_input *tco = &work->out->tco;
    const char *rate =
        ry_strfmt(work->arena, "rent:%s", work->in->design->gpu->part.name);

    if (!isnan(work->in->rent_usd_per_gpu_hour)) {
        tco->rent_usd_per_gpu_hour = (struct ry_rated){
            work->in->rent_usd_per_gpu_hour, (double)NAN, (double)NAN, "--rent"};
        return;
    }
    tco->rent_usd_per_gpu_hour =
        rate ? ry_rate_of(work->arena, work->in->catalog, rate, 1.0) : cloud_price(work);
    if (isnan(tco->rent_usd_per_gpu_hour.value))
        tco->rent_usd_per_gpu_hour = cloud_price(work);
    if (isnan(tco->rent_usd_per_gpu_hour.value))
        note(work, "rent: no price of this GPU in the catalog (--rent)");
}

enum ry_err ry_owning_input(struct ry_arena *arena, const struct ry_owning *in,
                            struct ry_owning_input *out, struct ry_diag *diag)
{
    const struct ry_design *design = in->design;
    struct work work = {.arena = arena, .in = in, .out = out};

    *out = (struct ry_owning_input){
        .tco = {
            .gpus = (double)(design->nodes * design->gpus_per_node),
            .nodes = (double)design->nodes,
            .years = design->finance.years,
            .discount_frac = design->finance.discount_frac,
            .utilisation_frac = design->finance.utilisation_frac,
            .residual_frac = design->finance.residual_frac,
            .depreciation_years =
                ry_rate_of(arena, in->catalog,
                           "depreciation:Amazon servers and network (subset)", 1.0)
                    .value,
            .kg_co2_per_kwh =
                ry_rate_of(arena, in->catalog, "carbon:US grid average intensity", 1.0),
            .litres_per_kwh = ry_rate_of(arena, in->catalog,
                                         "water:evaporative cooling water use", 1.0),
        }};
    set_capital(&work);
    set_facility(&work);
    set_running(&work);
    set_rent(&work);
    return work.full ? ry_fail(diag, RY_ERR_NOMEM, "cost", "its notes") : RY_OK;
}
