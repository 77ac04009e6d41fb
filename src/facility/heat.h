/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Heat and how it leaves: air, liquid, coolant distribution units, temperature classes.
 *
 * Airflow: CFM = BTU/h / (1.085 dT_F), with 3,412 BTU/h a kW: 1.085 is 60 min/h times
 * the density of air at sea level (0.075 lb/ft3) times its specific heat (0.241 BTU/lb
 * F). Flow of a liquid: P / (cp rho dT).  Classes: ASHRAE TC 9.9, Thermal Guidelines for
 * Data Processing Environments, 5th edition.
 */
#ifndef RY_FACILITY_HEAT_H
#define RY_FACILITY_HEAT_H

#include <stdbool.h>
#include <stddef.h>

#define RY_BTU_PER_H_PER_W 3.412142       /**< W to BTU/h */
#define RY_W_PER_TON 3516.85              /**< one ton of refrigeration */
#define RY_M3_PER_S_PER_CFM 0.00047194745 /**< as the catalog reads it */
#define RY_M3_PER_H_PER_CFM 1.699011
#define RY_L_PER_GALLON 3.785412 /**< US gallon */
#define RY_M_PER_FOOT 0.3048

/** A coolant: name, specific heat, density. */
struct ry_fluid {
    const char *name;
    double j_per_kg_k;
    double kg_per_l;
};

/** Air or liquid side of a load. */
struct ry_heat_split {
    double liquid_w, air_w;
    double liquid_l_per_min;
    double air_cfm;
};

struct ry_cdu_count {
    double n, n_plus_1;
    double util_n1_one_lost; /**< load of each unit that is left, 0 to 1 */
};

/** A class of ASHRAE TC 9.9. */
struct ry_ashrae_class {
    const char *name;
    double allowable_min_c, allowable_max_c;
    double recommended_min_c, recommended_max_c; /**< equal to allowable for liquid */
    bool liquid;
};

/** Sea-level airflow in cubic feet a minute for a rise of @p rise_f (F). */
double ry_airflow_cfm(double watts, double rise_f);

/** Rise, in F, that a vendor's airflow in CFM a kW implies. */
double ry_airflow_implied_rise_f(double cfm_per_kw);

/** Pressure of the standard atmosphere (ISO 2533, troposphere), in atm. */
double ry_air_pressure_atm(double altitude_m);

/** The units that cooling is bought in: BTU/h, and tons of refrigeration. */
double ry_heat_btu_per_h(double watts);
double ry_heat_tons(double watts);

/** Litres a minute for @p watts and a rise of @p rise_k. */
double ry_liquid_l_per_min(double watts, const struct ry_fluid *fluid, double rise_k);

/** A fluid by name, case apart, or NULL. */
const struct ry_fluid *ry_fluid_find(const char *name);

/** @param liquid_frac share of the heat that the liquid takes, 0 to 1. */
struct ry_heat_split ry_heat_split(double watts, double liquid_frac,
                                   const struct ry_fluid *fluid, double liquid_rise_k,
                                   double air_rise_f);

/** Units of @p unit_w for @p liquid_w; one more for redundancy. */
struct ry_cdu_count ry_cdu_count(double liquid_w, double unit_w);

/** A1 to A4, H1, W+ (no upper limit) and Wnn (up to nn C) by name, case apart; false:
 * none. */
bool ry_ashrae_find(const char *name, struct ry_ashrae_class *out);

#endif
