/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of cost_tco. */
#include "cost/finance.h"
#include "reference/money.h"
#include "vectors.h"

#include <stdio.h>

static void cluster_capex(struct vec *v)
{
    const struct ry_capex capex = ry_capex(&(struct ry_capex_input){
        .nodes = vec_num(v, "nodes"),
        .gpus_per_node = vec_num(v, "gpus_per_node"),
        .node_usd = vec_num(v, "node_usd"),
        .switches = vec_num(v, "switches"),
        .switch_usd = vec_num(v, "switch_usd"),
        .connector_usd_per_gpu = vec_num(v, "ib_connector_usd_per_gpu"),
        .facility_usd_per_node = vec_num(v, "facility_ops_usd_per_node"),
    });

    vec_put(v, "gpus", capex.gpus);
    vec_put(v, "node_total", capex.node_usd);
    vec_put(v, "switch_total", capex.switch_usd);
    vec_put(v, "connector_total", capex.connector_usd);
    vec_put(v, "facility_total", capex.facility_usd);
    vec_put(v, "total", capex.total_usd);
    vec_put(v, "avg_per_node", capex.per_node_usd);
    vec_put(v, "avg_per_gpu", capex.per_gpu_usd);
    vec_put(v, "network_share", capex.network_share_frac);
}

static void switch_count_fractional_clos(struct vec *v)
{
    vec_put(v, "switches",
            ry_fractional_clos_switches(vec_num(v, "gpus"), vec_num(v, "radix"),
                                        vec_num(v, "tiers")));
}

static void training_cost(struct vec *v)
{
    const double rate = vec_num(v, "usd_per_gpu_hour");
    const cJSON *phase = NULL;
    double hours = 0.0;

    cJSON_ArrayForEach (phase, vec_item(v, "gpu_hours")) {
        char key[80];
        (void)snprintf(key, sizeof(key), "usd_%s", phase->string);
        vec_put(v, key, phase->valuedouble * rate);
        hours += phase->valuedouble;
    }
    vec_put(v, "gpu_hours_total", hours);
    vec_put(v, "usd", hours * rate);
}

static void training_time(struct vec *v)
{
    vec_put(v, "days", ry_training_days(vec_num(v, "gpu_hours"), vec_num(v, "gpus")));
}

static void training_energy(struct vec *v)
{
    vec_put(
        v, "gpu_mwh",
        ry_energy_kwh(vec_num(v, "gpu_w"), vec_num(v, "pue"), vec_num(v, "gpu_hours")) /
            1000.0);
}

static void gpu_hour_cost(struct vec *v)
{
    const struct ry_gpu_hour hour = ry_gpu_hour(&(struct ry_gpu_hour_input){
        .capex_usd = vec_num(v, "capex_usd"),
        .discount_frac = vec_num(v, "discount"),
        .years = vec_num(v, "years"),
        .utilization_frac = vec_num(v, "utilization"),
        .gpus = vec_num(v, "gpus"),
        .watts_per_gpu = vec_num(v, "kw_per_gpu") * 1000.0,
        .pue = vec_num(v, "pue"),
        .usd_per_kwh = vec_num(v, "usd_per_kwh"),
    });

    vec_put(v, "annual_capital", hour.annual_capital_usd);
    vec_put(v, "annual_energy", hour.annual_energy_usd);
    vec_put(v, "usd_per_gpu_hour", hour.usd_per_gpu_hour);
}

static void capital_recovery_factor(struct vec *v)
{
    vec_put(v, "crf",
            ry_capital_recovery_factor(vec_num(v, "rate"), vec_num(v, "years")));
}

static void straight_line_depreciation(struct vec *v)
{
    const struct ry_depreciation d =
        ry_straight_line(vec_num(v, "cost"), vec_num(v, "salvage"),
                         vec_num(v, "life_years"), vec_num(v, "year"));

    vec_put(v, "annual", d.annual_usd);
    vec_put(v, "book_value", d.book_value_usd);
}

static void mfu_check(struct vec *v)
{
    const double flop = ry_training_flop(vec_num(v, "params"), vec_num(v, "tokens"));

    vec_put(v, "flops", flop);
    vec_put(
        v, "mfu",
        ry_training_mfu_frac(flop, vec_num(v, "gpu_hours"), vec_num(v, "peak_flops")));
}

const struct vec_kind vec_cost_kinds[] = {
    {"cluster_capex", cluster_capex},
    {"switch_count_fractional_clos", switch_count_fractional_clos},
    {"training_cost", training_cost},
    {"training_time", training_time},
    {"training_energy", training_energy},
    {"gpu_hour_cost", gpu_hour_cost},
    {"capital_recovery_factor", capital_recovery_factor},
    {"straight_line_depreciation", straight_line_depreciation},
    {"mfu_check", mfu_check},
    {NULL, NULL},
};
