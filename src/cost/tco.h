/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a cluster costs to own, line by line, and what else that money would rent.
 *
 * Cash is discounted at the cost of capital: capital at the start, running costs at the
 * end of each year, resale at the end.  Rates come in with their source; a rate that is
 * unknown is NAN and its line says so: it is never taken as zero.
 */
#ifndef RY_COST_TCO_H
#define RY_COST_TCO_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/** A number with its range and where it is from. */
struct ry_rated {
    double value;     /**< NAN: unknown */
    double low, high; /**< NAN: as the value */
    const char *source;
};

/** Its bounds; the value itself where it has none. */
double ry_rated_low(const struct ry_rated *rate);
double ry_rated_high(const struct ry_rated *rate);

struct ry_tco_input {
    struct ry_rated hardware_usd; /**< capex of all but the network */
    struct ry_rated network_usd;  /**< switches, NICs, cables, modules */
    struct ry_rated facility_usd; /**< own facility built; value 0: none */
    double facility_life_years;   /**< over which it is written off */
    struct ry_rated install_usd;
    double unpriced; /**< lines of the bill without a price: capital is a lower bound */
    double gpus, nodes;
    double years;
    double discount_frac;
    double utilisation_frac;
    double tax_frac;      /**< sales tax and duty on hardware and network */
    double residual_frac; /**< of hardware and network when they are sold; 0: not sold */
    double refresh_years; /**< hardware is bought and installed anew after so many; 0:
                             never */
    struct ry_rated resale_end_frac; /**< of hardware by its age at the end; value 0: by
                                          residual_frac */
    struct ry_rated resale_refresh_frac; /**< the same of what an upgrade replaces */
    double depreciation_years;
    double energy_w; /**< mean draw of IT at work */
    double pue;
    struct ry_rated usd_per_kwh;
    double power_reserved_w; /**< what colocation bills: nameplate of IT */
    struct ry_rated colocation_usd_per_kw_month; /**< value 0: own facility */
    struct ry_rated maintenance_frac, network_maintenance_frac; /**< of price a year */
    struct ry_rated facility_maintenance_frac;
    struct ry_rated staff_usd_per_year, nodes_per_staff;
    struct ry_rated network_staff_per_1000_gpus; /**< people, by fabric type */
    struct ry_rated software_usd_per_gpu_year;   /**< NAN: not given */
    struct ry_rated kg_co2_per_kwh, litres_per_kwh;
    struct ry_rated rent_usd_per_gpu_hour; /**< of the same GPU; NAN: no price */
};

enum ry_tco_line_kind {
    RY_TCO_CAPITAL, /**< paid at the start */
    RY_TCO_RUNNING, /**< paid every year */
    RY_TCO_LATER,   /**< paid, or got back, in a year between: `at_years` */
    RY_TCO_RETURN,  /**< comes back at the end; negative */
};

struct ry_tco_line {
    enum ry_tco_line_kind kind;
    const char *name;
    double at_years; /**< when a RY_TCO_LATER is due */
    double usd;      /**< at the start, or a year, or at the end; NAN: unknown */
    double low_usd, high_usd;
    double total_usd;   /**< present value over the years */
    const char *source; /**< of the rate, with the formula */
};

enum { RY_TCO_LINES_MOST = 32 };

struct ry_tco {
    size_t n;
    struct ry_tco_line at[RY_TCO_LINES_MOST]; /**< [n] */
    size_t unknown;                           /**< lines without a figure */
    size_t not_given; /**< of what the design may leave open: software */
    double capital_usd, running_usd_per_year;
    double total_usd, low_usd, high_usd; /**< present value */
    double nominal_usd;                  /**< cash, not discounted */
    double annual_usd;                   /**< level payment: total x recovery factor */
    double usd_per_gpu_hour, usd_per_gpu_hour_low, usd_per_gpu_hour_high;
    double financing_usd_per_year; /**< level debt service of the capital */
    double depreciation_usd_per_year, book_value_end_usd;
    double kwh_per_year, kg_co2_per_year, litres_per_year;
    double rent_usd_per_year; /**< the same useful GPU-hours, NAN: no price */
    double break_even_months; /**< upgrades included; INFINITY: never within the years;
                                 NAN */
};

/** Compute; cannot fail on finite input. */
void ry_tco(const struct ry_tco_input *in, struct ry_tco *out);

/** Cost of training @p tokens at @p tokens_per_s of the whole cluster. */
struct ry_training_bill {
    double days, gpu_hours, usd, usd_per_trillion_tokens;
    double usd_low, usd_high, kwh, kg_co2, litres;
};

/** At the TCO's dollars a useful GPU-hour; @p goodput_frac of the time makes progress. */
struct ry_training_bill ry_training_bill(const struct ry_tco_input *in,
                                         const struct ry_tco *tco, double tokens,
                                         double tokens_per_s, double goodput_frac);

#endif
