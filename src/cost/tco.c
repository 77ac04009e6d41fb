/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cost/tco.h"

#include "cost/finance.h"

#include <assert.h>
#include <math.h>

static const double months_per_year = 12.0;

double ry_rated_low(const struct ry_rated *rate)
{
    return isnan(rate->low) ? rate->value : rate->low;
}

double ry_rated_high(const struct ry_rated *rate)
{
    return isnan(rate->high) ? rate->value : rate->high;
}

/* Present value of one a year at the end of each year; years may be broken. */
static double annuity(const struct ry_tco_input *in)
{
    return 1.0 / ry_capital_recovery_factor(in->discount_frac, in->years);
}

static double discounted_end(const struct ry_tco_input *in)
{
    return pow(1.0 + in->discount_frac, -in->years);
}

/* What a dollar of a line is worth at the start. */
static double weight_of(const struct ry_tco_input *in, const struct ry_tco_line *line)
{
    switch (line->kind) {
    case RY_TCO_CAPITAL:
        return 1.0;
    case RY_TCO_RUNNING:
        return annuity(in);
    case RY_TCO_LATER:
        return pow(1.0 + in->discount_frac, -line->at_years);
    case RY_TCO_RETURN:
        return discounted_end(in);
    }
    return 1.0;
}

/* A line: a factor times a rate with its range. */
static void add_line(struct ry_tco *out, const struct ry_tco_input *in,
                     struct ry_tco_line line, double factor, const struct ry_rated *rate)
{
    const enum ry_tco_line_kind kind = line.kind;
    const double weight = weight_of(in, &line);

    assert(out->n < RY_TCO_LINES_MOST);
    line.source = rate->source;
    line.usd = factor * rate->value;
    line.low_usd = factor * (factor < 0.0 ? ry_rated_high(rate) : ry_rated_low(rate));
    line.high_usd = factor * (factor < 0.0 ? ry_rated_low(rate) : ry_rated_high(rate));
    line.total_usd = line.usd * weight;
    out->at[out->n++] = line;
    if (isnan(line.usd)) {
        out->unknown++;
        return;
    }
    out->total_usd += line.total_usd;
    out->low_usd += line.low_usd * weight;
    out->high_usd += line.high_usd * weight;
    out->nominal_usd += line.usd * (kind == RY_TCO_RUNNING ? in->years : 1.0);
    if (kind == RY_TCO_CAPITAL)
        out->capital_usd += line.usd;
    if (kind == RY_TCO_RUNNING)
        out->running_usd_per_year += line.usd;
}

static void add(struct ry_tco *out, const struct ry_tco_input *in,
                enum ry_tco_line_kind kind, const char *name, double factor,
                const struct ry_rated *rate)
{
    add_line(out, in, (struct ry_tco_line){.kind = kind, .name = name}, factor, rate);
}

static struct ry_rated both(const struct ry_tco_input *in)
{
    return (struct ry_rated){
        .value = in->hardware_usd.value + in->network_usd.value,
        .low = ry_rated_low(&in->hardware_usd) + ry_rated_low(&in->network_usd),
        .high = ry_rated_high(&in->hardware_usd) + ry_rated_high(&in->network_usd),
        .source = "of hardware and network",
    };
}

static void add_capital(const struct ry_tco_input *in, struct ry_tco *out)
{
    const struct ry_rated bought = both(in);
    const double life = in->facility_life_years;

    add(out, in, RY_TCO_CAPITAL, "hardware", 1.0, &in->hardware_usd);
    add(out, in, RY_TCO_CAPITAL, "network", 1.0, &in->network_usd);
    add(out, in, RY_TCO_CAPITAL, "installation", 1.0, &in->install_usd);
    if (in->tax_frac > 0.0)
        add(out, in, RY_TCO_CAPITAL, "tax and duty", in->tax_frac, &bought);
    if (in->facility_usd.value > 0.0 || isnan(in->facility_usd.value)) {
        add(out, in, RY_TCO_CAPITAL, "facility", 1.0, &in->facility_usd);
        if (life > in->years)
            add(out, in, RY_TCO_RETURN, "facility, value left", -(1.0 - in->years / life),
                &in->facility_usd);
    }
    if (in->resale_end_frac.value != 0.0) /* NAN: asked for, and not published */
        add(out, in, RY_TCO_RETURN, "resale, hardware", -in->hardware_usd.value,
            &in->resale_end_frac);
    else if (in->residual_frac > 0.0)
        add(out, in, RY_TCO_RETURN, "resale", -in->residual_frac, &bought);
}

/* Hardware bought and installed anew, at the same money, and what it replaces sold: after
 * each `refresh_years` but for one that falls on the end. */
static void add_upgrades(const struct ry_tco_input *in, struct ry_tco *out)
{
    const double taxed = 1.0 + in->tax_frac;
    const struct ry_rated anew = {
        .value = in->hardware_usd.value * taxed + in->install_usd.value,
        .low = ry_rated_low(&in->hardware_usd) * taxed + ry_rated_low(&in->install_usd),
        .high =
            ry_rated_high(&in->hardware_usd) * taxed + ry_rated_high(&in->install_usd),
        .source =
            "the same money again for newer hardware, tax and installation included",
    };
    const struct ry_rated sold = {in->residual_frac, (double)NAN, (double)NAN,
                                  "finance/residual"};
    const bool published = in->resale_refresh_frac.value != 0.0;

    if (!(in->refresh_years > 0.0))
        return;
    for (int k = 1; k * in->refresh_years < in->years - 1e-9; k++) {
        const double year = k * in->refresh_years;
        add_line(out, in,
                 (struct ry_tco_line){.kind = RY_TCO_LATER,
                                      .name = "upgrade of hardware",
                                      .at_years = year},
                 1.0, &anew);
        if (published || in->residual_frac > 0.0)
            add_line(out, in,
                     (struct ry_tco_line){.kind = RY_TCO_LATER,
                                          .name = "resale of what it replaces",
                                          .at_years = year},
                     -in->hardware_usd.value,
                     published ? &in->resale_refresh_frac : &sold);
    }
}

static void add_people(const struct ry_tco_input *in, struct ry_tco *out)
{
    const struct ry_rated *per = &in->nodes_per_staff;
    const struct ry_rated technicians = {
        .value = in->staff_usd_per_year.value / per->value,
        .low = ry_rated_low(&in->staff_usd_per_year) / ry_rated_high(per),
        .high = ry_rated_high(&in->staff_usd_per_year) / ry_rated_low(per),
        .source = in->staff_usd_per_year.source,
    };
    const struct ry_rated *people = &in->network_staff_per_1000_gpus;
    const struct ry_rated tuning = {
        .value = people->value * in->staff_usd_per_year.value,
        .low = ry_rated_low(people) * ry_rated_low(&in->staff_usd_per_year),
        .high = ry_rated_high(people) * ry_rated_high(&in->staff_usd_per_year),
        .source = people->source,
    };

    add(out, in, RY_TCO_RUNNING, "staff, nodes", in->nodes, &technicians);
    add(out, in, RY_TCO_RUNNING, "staff, network", in->gpus / 1000.0, &tuning);
}

static void add_running(const struct ry_tco_input *in, struct ry_tco *out)
{
    add(out, in, RY_TCO_RUNNING, "energy", out->kwh_per_year, &in->usd_per_kwh);
    if (in->colocation_usd_per_kw_month.value > 0.0 ||
        isnan(in->colocation_usd_per_kw_month.value))
        add(out, in, RY_TCO_RUNNING, "colocation",
            in->power_reserved_w / 1000.0 * months_per_year,
            &in->colocation_usd_per_kw_month);
    if (in->facility_usd.value > 0.0)
        add(out, in, RY_TCO_RUNNING, "facility upkeep", in->facility_usd.value,
            &in->facility_maintenance_frac);
    add(out, in, RY_TCO_RUNNING, "maintenance, hardware", in->hardware_usd.value,
        &in->maintenance_frac);
    add(out, in, RY_TCO_RUNNING, "maintenance, network", in->network_usd.value,
        &in->network_maintenance_frac);
    add_people(in, out);
    add(out, in, RY_TCO_RUNNING, "software", in->gpus, &in->software_usd_per_gpu_year);
    if (isnan(in->software_usd_per_gpu_year.value)) {
        out->unknown--;
        out->not_given++;
    }
}

/* Months until rent would have cost more than owning, upgrades on their days. */
static double break_even(const struct ry_tco_input *in, const struct ry_tco *out)
{
    const double saved_usd =
        (out->rent_usd_per_year - out->running_usd_per_year) / months_per_year;
    double paid_usd = out->capital_usd;

    for (size_t i = 0; i < out->n; i++) {
        const struct ry_tco_line *line = &out->at[i];
        if (line->kind != RY_TCO_LATER || isnan(line->usd))
            continue;
        const double months = ry_break_even_months(paid_usd, 0.0, saved_usd);
        if (months <= line->at_years * months_per_year)
            return months;
        paid_usd += line->usd;
    }
    const double months = ry_break_even_months(paid_usd, 0.0, saved_usd);
    return in->refresh_years > 0.0 && months > in->years * months_per_year
               ? (double)INFINITY
               : months;
}

static void add_rent(const struct ry_tco_input *in, struct ry_tco *out)
{
    const double hours = in->gpus * RY_HOURS_PER_YEAR * in->utilisation_frac;

    out->rent_usd_per_year = hours * in->rent_usd_per_gpu_hour.value;
    out->break_even_months =
        isnan(out->rent_usd_per_year) ? (double)NAN : break_even(in, out);
}

void ry_tco(const struct ry_tco_input *in, struct ry_tco *out)
{
    const double bought = in->hardware_usd.value + in->network_usd.value;
    const double hours = in->gpus * RY_HOURS_PER_YEAR * in->utilisation_frac;
    const double recovery = ry_capital_recovery_factor(in->discount_frac, in->years);

    *out = (struct ry_tco){0};
    out->kwh_per_year = ry_energy_kwh(in->energy_w, in->pue, RY_HOURS_PER_YEAR);
    add_capital(in, out);
    add_upgrades(in, out);
    add_running(in, out);
    out->annual_usd = out->total_usd * recovery;
    out->usd_per_gpu_hour = out->annual_usd / hours;
    out->usd_per_gpu_hour_low = out->low_usd * recovery / hours;
    out->usd_per_gpu_hour_high = out->high_usd * recovery / hours;
    out->financing_usd_per_year = out->capital_usd * recovery;
    const struct ry_depreciation written = ry_straight_line(
        bought, bought * in->residual_frac, in->depreciation_years, in->years);
    out->depreciation_usd_per_year = written.annual_usd;
    out->book_value_end_usd = fmax(bought * in->residual_frac, written.book_value_usd);
    out->kg_co2_per_year = out->kwh_per_year * in->kg_co2_per_kwh.value;
    out->litres_per_year = ry_energy_kwh(in->energy_w, 1.0, RY_HOURS_PER_YEAR) *
                           in->litres_per_kwh.value; /* per kWh of IT: WUE */
    add_rent(in, out);
}

struct ry_training_bill ry_training_bill(const struct ry_tco_input *in,
                                         const struct ry_tco *tco, double tokens,
                                         double tokens_per_s, double goodput_frac)
{
    const double seconds = tokens / tokens_per_s / goodput_frac;
    struct ry_training_bill bill = {
        .days = seconds / 86400.0,
        .gpu_hours = seconds / 3600.0 * in->gpus,
    };
    const double years = seconds / 3600.0 / RY_HOURS_PER_YEAR;

    bill.usd = bill.gpu_hours * tco->usd_per_gpu_hour;
    bill.usd_low = bill.gpu_hours * tco->usd_per_gpu_hour_low;
    bill.usd_high = bill.gpu_hours * tco->usd_per_gpu_hour_high;
    bill.usd_per_trillion_tokens = bill.usd / (tokens / 1e12);
    bill.kwh = tco->kwh_per_year * years;
    bill.kg_co2 = tco->kg_co2_per_year * years;
    bill.litres = tco->litres_per_year * years;
    return bill;
}
