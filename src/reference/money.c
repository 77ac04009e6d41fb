/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference/money.h"

#include "cost/finance.h"

struct ry_capex ry_capex(const struct ry_capex_input *in)
{
    struct ry_capex out = {
        .gpus = in->nodes * in->gpus_per_node,
        .node_usd = in->nodes * in->node_usd,
        .switch_usd = in->switches * in->switch_usd,
        .connector_usd = in->nodes * in->gpus_per_node * in->connector_usd_per_gpu,
        .facility_usd = in->nodes * in->facility_usd_per_node,
    };

    out.total_usd = out.node_usd + out.switch_usd + out.connector_usd + out.facility_usd;
    out.per_node_usd = out.total_usd / in->nodes;
    out.per_gpu_usd = out.total_usd / out.gpus;
    out.network_share_frac = (out.switch_usd + out.connector_usd) / out.total_usd;
    return out;
}

double ry_fractional_clos_switches(double gpus, double radix, double tiers)
{
    return (2.0 * tiers - 1.0) * gpus / radix;
}

struct ry_gpu_hour ry_gpu_hour(const struct ry_gpu_hour_input *in)
{
    struct ry_gpu_hour out = {
        .annual_capital_usd =
            in->capex_usd * ry_capital_recovery_factor(in->discount_frac, in->years),
        .annual_energy_usd =
            ry_energy_kwh(in->gpus * in->watts_per_gpu, in->pue, RY_HOURS_PER_YEAR) *
            in->usd_per_kwh,
    };

    out.usd_per_gpu_hour = (out.annual_capital_usd + out.annual_energy_usd) /
                           (in->gpus * RY_HOURS_PER_YEAR * in->utilization_frac);
    return out;
}

double ry_training_days(double gpu_hours, double gpus)
{
    return gpu_hours / gpus / 24.0;
}

double ry_training_flop(double params, double tokens)
{
    return 6.0 * params * tokens;
}

double ry_training_mfu_frac(double flop, double gpu_hours, double peak_flop_per_s)
{
    return flop / (gpu_hours * 3600.0 * peak_flop_per_s);
}
