/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/heat.h"

#include "base/names.h"
#include "facility/round.h"

#include <math.h>
#include <stdlib.h>

static const double btu_per_h_per_w_air = 3.412; /* as the airflow formula prints it */
static const double btu_per_h_per_cfm_f = 1.085;

/* Water at 20-30 C: the NIST figures that the published 14.4 kW rule rounds.  PG25:
 * 25 % propylene glycol at 30 C needs about 5 % more flow (OCP, cold-plate loops). */
static const struct ry_fluid fluids[] = {
    {"water", 4180.0, 0.997},
    {"pg25", 3930.0, 1.015},
    {"pg55", 3410.0, 1.041},
};

static const struct ry_ashrae_class classes[] = {
    {"A1", 15, 32, 18, 27, false}, {"A2", 10, 35, 18, 27, false},
    {"A3", 5, 40, 18, 27, false},  {"A4", 5, 45, 18, 27, false},
    {"H1", 5, 25, 18, 22, false},  {"W+", 2, (double)INFINITY, 2, (double)INFINITY, true},
};

double ry_airflow_cfm(double watts, double rise_f)
{
    return btu_per_h_per_w_air * watts / (btu_per_h_per_cfm_f * rise_f);
}

double ry_airflow_implied_rise_f(double cfm_per_kw)
{
    return btu_per_h_per_w_air * 1000.0 / (btu_per_h_per_cfm_f * cfm_per_kw);
}

double ry_air_pressure_atm(double altitude_m)
{
    return pow(1.0 - 2.25577e-5 * altitude_m, 5.25588);
}

double ry_heat_btu_per_h(double watts)
{
    return watts * RY_BTU_PER_H_PER_W;
}

double ry_heat_tons(double watts)
{
    return watts / RY_W_PER_TON;
}

double ry_liquid_l_per_min(double watts, const struct ry_fluid *fluid, double rise_k)
{
    return 60.0 * watts / (fluid->j_per_kg_k * fluid->kg_per_l * rise_k);
}

static const struct ry_fluid *fluid_at(size_t i)
{
    return i < sizeof(fluids) / sizeof(fluids[0]) ? &fluids[i] : NULL;
}

const struct ry_fluid *ry_fluid_find(const char *name)
{
    for (size_t i = 0; fluid_at(i); i++)
        if (ry_name_eq(fluid_at(i)->name, name))
            return fluid_at(i);
    return NULL;
}

struct ry_heat_split ry_heat_split(double watts, double liquid_frac,
                                   const struct ry_fluid *fluid, double liquid_rise_k,
                                   double air_rise_f)
{
    struct ry_heat_split split = {.liquid_w = watts * liquid_frac};

    split.air_w = watts - split.liquid_w;
    split.liquid_l_per_min =
        split.liquid_w > 0.0 ? ry_liquid_l_per_min(split.liquid_w, fluid, liquid_rise_k)
                             : 0.0;
    split.air_cfm = split.air_w > 0.0 ? ry_airflow_cfm(split.air_w, air_rise_f) : 0.0;
    return split;
}

struct ry_cdu_count ry_cdu_count(double liquid_w, double unit_w)
{
    const double n = ry_count_up(liquid_w / unit_w);

    return (struct ry_cdu_count){
        .n = n,
        .n_plus_1 = n + 1.0,
        .util_n1_one_lost = n > 0.0 ? liquid_w / (n * unit_w) : 0.0,
    };
}

bool ry_ashrae_find(const char *name, struct ry_ashrae_class *out)
{
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (ry_name_eq(classes[i].name, name)) {
            *out = classes[i];
            return true;
        }
    }
    if (name[0] != 'W' && name[0] != 'w')
        return false;
    char *end = NULL;
    const double most_c = strtod(name + 1, &end);
    if (end == name + 1 || *end != '\0' || !(most_c > 2.0 && most_c < 100.0))
        return false;
    *out = (struct ry_ashrae_class){name, 2.0, most_c, 2.0, most_c, true};
    return true;
}
