/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of cooling. */
#include "facility/heat.h"
#include "reference/site.h"
#include "vectors.h"

static const double w_per_kw = 1000.0;

static void airflow_cfm(struct vec *v)
{
    const double watts = vec_num(v, "kw") * w_per_kw, rise_f = vec_num(v, "dt_f");
    const double feet = vec_has(v, "altitude_ft") ? vec_num(v, "altitude_ft") : 0.0;
    const double cfm = ry_airflow_at_altitude_cfm(watts, rise_f, feet * RY_M_PER_FOOT);

    vec_put(v, "cfm", cfm);
    vec_put(v, "cfm_rule_of_thumb", ry_airflow_rule_cfm(watts, rise_f));
    vec_put(v, "m3h", cfm * RY_M3_PER_H_PER_CFM);
}

static void airflow_cfm_altitude(struct vec *v)
{
    const double altitude_m = vec_num(v, "altitude_ft") * RY_M_PER_FOOT;

    vec_put(v, "pressure_atm", ry_air_pressure_atm(altitude_m));
    vec_put(v, "cfm",
            ry_airflow_at_altitude_cfm(vec_num(v, "kw") * w_per_kw, vec_num(v, "dt_f"),
                                       altitude_m));
}

static void airflow_rule(struct vec *v)
{
    vec_put(v, "implied_dt_f", ry_airflow_implied_rise_f(vec_num(v, "cfm_per_kw")));
}

static void heat(struct vec *v)
{
    const double watts = vec_num(v, "kw") * w_per_kw;

    vec_put(v, "btu_h", ry_heat_btu_per_h(watts));
    vec_put(v, "tons", ry_heat_tons(watts));
}

static void liquid_flow(struct vec *v)
{
    const struct ry_fluid fluid = {"", vec_num(v, "cp") * 1000.0, vec_num(v, "rho")};
    const double l_min =
        ry_liquid_l_per_min(vec_num(v, "kw") * w_per_kw, &fluid, vec_num(v, "dt_k"));

    vec_put(v, "l_min", l_min);
    vec_put(v, "gpm", l_min / RY_L_PER_GALLON);
}

static void liquid_flow_us(struct vec *v)
{
    vec_put(v, "gpm", ry_water_gpm_us(vec_num(v, "kw") * w_per_kw, vec_num(v, "dt_f")));
}

static void liquid_air_split(struct vec *v)
{
    const struct ry_heat_split split = ry_heat_split(
        vec_num(v, "kw") * w_per_kw, vec_num(v, "liquid_fraction"),
        ry_fluid_find("water"), vec_num(v, "dt_k_liquid"), vec_num(v, "dt_f_air"));

    vec_put(v, "liquid_kw", split.liquid_w / w_per_kw);
    vec_put(v, "air_kw", split.air_w / w_per_kw);
    vec_put(v, "l_min", split.liquid_l_per_min);
    vec_put(v, "cfm", split.air_cfm);
}

static void cdu_count(struct vec *v)
{
    const struct ry_cdu_count count =
        ry_cdu_count(vec_num(v, "liquid_kw") * w_per_kw, vec_num(v, "cdu_kw") * w_per_kw);

    VEC_PUT(v, count, n);
    VEC_PUT(v, count, n_plus_1);
    VEC_PUT(v, count, util_n1_one_lost);
}

static void ashrae_w_class(struct vec *v)
{
    struct ry_ashrae_class found = {0};

    if (!ry_ashrae_find(vec_text(v, "class"), &found))
        vec_fail(v, "unknown class");
    vec_put(v, "max_supply_c", found.allowable_max_c);
    vec_put(v, "min_supply_c", found.allowable_min_c);
}

const struct vec_kind vec_cooling_kinds[] = {
    {"airflow_cfm", airflow_cfm},
    {"airflow_cfm_altitude", airflow_cfm_altitude},
    {"airflow_rule", airflow_rule},
    {"heat", heat},
    {"liquid_flow", liquid_flow},
    {"liquid_flow_us", liquid_flow_us},
    {"liquid_air_split", liquid_air_split},
    {"cdu_count", cdu_count},
    {"ashrae_w_class", ashrae_w_class},
    {NULL, NULL},
};
