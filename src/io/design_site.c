/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/design_keys.h"
#include "io/design_reader.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { PUE_MOST = 10, YEARS_MOST = 100, REFRESHES_MOST = 6 };

static const struct ry_design_input facility_inputs[] = {
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

static const struct ry_design_input finance_inputs[] = {
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

static const struct ry_design_input reliability_inputs[] = {
    {"gpu_mtbf", RY_DIM_SECONDS, "reliability:GPU-hours between unplanned interruptions",
     3600.0, offsetof(struct ry_design, reliability.gpu_mtbf_s), "s"},
    {"loss", RY_DIM_SECONDS, "reliability:time lost an interruption", 1.0,
     offsetof(struct ry_design, reliability.loss_s), "s"},
};

static void read_electricity(const struct ry_design_reader *r, struct ry_json at)
{
    struct ry_facility_inputs *facility = &r->design->facility;
    const struct ry_json row = ry_json_get(at, "electricity");
    const struct ry_json price = ry_json_get(at, "electricity_price");

    if (ry_json_type(price) != RY_JSON_ABSENT) {
        facility->electricity_usd_per_kwh =
            ry_json_as_quantity(price, RY_DIM_USD_PER_KWH, 0.0);
        facility->region = "";
        ry_design_note(r, "electricity_price",
                       ry_design_text(r, facility->electricity_usd_per_kwh, "USD/kWh"),
                       ry_json_where(price));
        return;
    }
    const char *name = ry_json_as_text(row, "US-Virginia-industrial-2023");
    const struct ry_electricity *found = ry_find_electricity(r->scope.catalog, name);
    if (!found) {
        const char *near =
            ry_catalog_nearest(r->scope.catalog, RY_KIND_ELECTRICITY, name);
        ry_json_problem(
            ry_json_type(row) == RY_JSON_ABSENT ? r->at : row, RY_ERR_NOTFOUND,
            "'%s' is not in the catalog of electricity%s%s%s", name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return;
    }
    facility->electricity_usd_per_kwh = found->price_usd_per_kwh;
    facility->region = found->region;
    ry_design_note(r, "electricity_price",
                   ry_design_text(r, found->price_usd_per_kwh, "USD/kWh"),
                   ry_design_row_text(r, &found->part));
    /* a year's mean of a region: what is paid over the coming years differs */
    const struct ry_rate *years =
        ry_find_rate(r->scope.catalog, "electricity:price of later years");
    if (years)
        ry_design_note_range(r, "electricity_price",
                             offsetof(struct ry_design, facility.electricity_usd_per_kwh),
                             found->price_usd_per_kwh * years->low,
                             found->price_usd_per_kwh * years->high);
}

/* Running a fabric takes people: how many depends on its technology. */
static void read_network_staff(const struct ry_design_reader *r, struct ry_json at)
{
    static const char *const rows[] = {
        [RY_FABRIC_NONE] = NULL,
        [RY_FABRIC_INFINIBAND] = "labor:network operation, InfiniBand",
        [RY_FABRIC_ROCE] = "labor:network operation, RoCE",
        [RY_FABRIC_TCP] = "labor:network operation, TCP",
    };
    const struct ry_design_input input = {
        "network_staff_per_1000_gpus",
        RY_DIM_COUNT,
        rows[r->design->fabric.technology],
        1.0,
        offsetof(struct ry_design, finance.network_staff_per_1000_gpus),
        "people"};

    ry_design_inputs_read(r, at, &input, 1);
}

/* A figure that is read but makes no sense; NAN is a mistake that was told already. */
static void check_range(struct ry_json at, const char *key, double value, double least,
                        double most)
{
    if (ry_json_has(at, key) && (value < least || value > most))
        ry_json_problem(ry_json_get(at, key), RY_ERR_RANGE, "%g is not in %g to %g",
                        value, least, most);
}

/* The same, without the least value itself: of what divides. */
static void check_above(struct ry_json at, const char *key, double value, double most)
{
    if (ry_json_has(at, key) && (value <= 0.0 || value > most))
        ry_json_problem(ry_json_get(at, key), RY_ERR_RANGE,
                        "%g is not above 0 and at most %g", value, most);
}

static double limit(const struct ry_design_reader *r, struct ry_json at, const char *key,
                    enum ry_dim dim)
{
    const struct ry_json value = ry_json_get(at, key);

    if (ry_json_type(value) == RY_JSON_ABSENT)
        return INFINITY;
    const double si = ry_json_as_quantity(value, dim, INFINITY);
    ry_design_note(r, key, ry_design_text(r, si, ""), ry_json_where(value));
    return si;
}

static void read_facility(const struct ry_design_reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "facility");
    struct ry_facility_inputs *facility = &r->design->facility;

    if (ry_json_type(at) != RY_JSON_ABSENT && ry_json_expect(at, RY_JSON_OBJECT))
        ry_json_known_keys(at, ry_design_facility_keys);
    ry_design_inputs_read(r, at, facility_inputs,
                          sizeof(facility_inputs) / sizeof(facility_inputs[0]));
    check_range(at, "pue", facility->pue, 1.0, PUE_MOST);
    read_electricity(r, at);
    facility->site_power_w = limit(r, at, "site_power", RY_DIM_WATTS);
    facility->rack_weight_kg = limit(r, at, "rack_weight", RY_DIM_KILOGRAMS);
    facility->room_length_m = limit(r, at, "room_length", RY_DIM_METRES);
    facility->room_width_m = limit(r, at, "room_width", RY_DIM_METRES);
    facility->racks_most = ry_json_count(
        at, "racks", (struct ry_json_bounds){1, RY_DESIGN_NODES_MOST}, SIZE_MAX);
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
    ry_design_note_part(r, "rack", facility->rack ? &facility->rack->part : NULL);
}

/* "residual": a share of the price, or "published": by age, from rows of rates. */
static void read_resale(const struct ry_design_reader *r, struct ry_json at)
{
    struct ry_finance *finance = &r->design->finance;
    const struct ry_json residual = ry_json_get(at, "residual");
    const struct ry_json refresh = ry_json_get(at, "refresh_years");

    finance->resale_published = ry_json_type(residual) == RY_JSON_TEXT &&
                                strcmp(ry_json_as_text(residual, ""), "published") == 0;
    if (!finance->resale_published) {
        finance->residual_frac = ry_json_quantity(at, "residual", RY_DIM_FRACTION, 0.0);
        check_range(at, "residual", finance->residual_frac, 0.0, 1.0);
    }
    if (ry_json_type(residual) == RY_JSON_ABSENT)
        ry_design_note(r, "residual", "0", "not given: nothing is sold at the end");
    finance->refresh_years = ry_json_number(at, "refresh_years", 0.0);
    if (ry_json_type(refresh) == RY_JSON_ABSENT)
        return;
    if (!(finance->refresh_years >= 1.0))
        ry_json_problem(refresh, RY_ERR_RANGE, "%g is not 1 year or more",
                        finance->refresh_years);
    else if (finance->years / finance->refresh_years > REFRESHES_MOST + 1)
        ry_json_problem(refresh, RY_ERR_RANGE,
                        "%g years are over %d upgrades in %g years",
                        finance->refresh_years, REFRESHES_MOST, finance->years);
    ry_design_note(r, "refresh_years", ry_design_text(r, finance->refresh_years, "years"),
                   ry_json_where(refresh));
}

static void read_finance(const struct ry_design_reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "finance");
    struct ry_finance *finance = &r->design->finance;

    if (ry_json_type(at) != RY_JSON_ABSENT && ry_json_expect(at, RY_JSON_OBJECT))
        ry_json_known_keys(at, ry_design_finance_keys);
    ry_design_inputs_read(r, at, finance_inputs,
                          sizeof(finance_inputs) / sizeof(finance_inputs[0]));
    read_network_staff(r, at);
    finance->years = ry_json_number(at, "years", 4.0);
    ry_design_note(r, "years", ry_design_text(r, finance->years, ""),
                   ry_json_has(at, "years") ? ry_json_where(ry_json_get(at, "years"))
                                            : "default: four years");
    finance->utilisation_frac = ry_json_quantity(at, "utilisation", RY_DIM_FRACTION, 1.0);
    ry_design_note(r, "utilisation", ry_design_text(r, finance->utilisation_frac, ""),
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
        ry_design_note(r, "software_per_gpu_year", "no price", "not given: not counted");
}

static void read_reliability(const struct ry_design_reader *r)
{
    const struct ry_json at = ry_json_get(r->at, "reliability");

    if (ry_json_type(at) != RY_JSON_ABSENT && ry_json_expect(at, RY_JSON_OBJECT))
        ry_json_known_keys(at, ry_design_reliability_keys);
    ry_design_inputs_read(r, at, reliability_inputs,
                          sizeof(reliability_inputs) / sizeof(reliability_inputs[0]));
}

void ry_design_site_read(const struct ry_design_reader *r)
{
    read_facility(r);
    read_finance(r);
    read_reliability(r);
}
