/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector kinds of storage_reliability. */
#include "facility/reliability.h"
#include "facility/storage.h"
#include "reference/site.h"
#include "vectors.h"

enum { STATES_MOST = 64 };

static const double day_s = 86400.0, hour_s = 3600.0, hours_per_year = 8760.0;

static void bytes_per_param(struct vec *v)
{
    const cJSON *item = NULL;
    double bytes[STATES_MOST];
    size_t n = 0;

    cJSON_ArrayForEach (item, v->in) {
        if (cJSON_IsNumber(item) && n < STATES_MOST)
            bytes[n++] = item->valuedouble;
    }
    vec_put(v, "bytes", ry_bytes_per_param(n, bytes));
}

static void checkpoint_bytes(struct vec *v)
{
    const double bytes =
        ry_checkpoint_bytes(vec_num(v, "params"), vec_num(v, "bytes_per_param"));

    vec_put(v, "bytes", bytes);
    vec_put(v, "tb", bytes / 1e12);
}

static void checkpoint_write_time(struct vec *v)
{
    vec_put(v, "seconds",
            ry_checkpoint_write_s(vec_num(v, "tb") * 1e12, vec_num(v, "gb_s") * 1e9));
}

static void checkpoint_aggregate(struct vec *v)
{
    const double bytes = vec_num(v, "gpus") * vec_num(v, "gb_per_gpu") * 1e9;

    vec_put(v, "tb", bytes / 1e12);
    vec_put(v, "seconds", ry_checkpoint_write_s(bytes, vec_num(v, "write_tb_s") * 1e12));
}

static void checkpoint_interval(struct vec *v)
{
    const struct ry_checkpoint_times times = {vec_num(v, "save_s"), vec_num(v, "mtbf_s"),
                                              vec_num(v, "restart_s")};
    const struct ry_checkpoint_plan plan = ry_checkpoint_plan(&times);

    vec_put(v, "young_s", plan.young_s);
    vec_put(v, "daly_first_order_s", plan.daly_first_order_s);
    vec_put(v, "availability_optimal_period_s", plan.availability_period_s);
    vec_put(v, "waste_at_young", plan.waste_at_young_frac);
    vec_put(v, "goodput_at_young", plan.goodput_at_young_frac);
}

static void failure_rate(struct vec *v)
{
    const struct ry_failure_rate rate = ry_failure_rate(
        vec_num(v, "days") * day_s, vec_num(v, "gpus"), vec_num(v, "unexpected"),
        vec_has(v, "planned") ? vec_num(v, "planned") : 0.0);

    vec_put(v, "total", rate.interruptions);
    vec_put(v, "mtbi_hours", rate.mtbf_s / hour_s);
    vec_put(v, "per_gpu_mtbf_hours", rate.per_gpu_mtbf_s / hour_s);
    vec_put(v, "per_gpu_mtbf_years", rate.per_gpu_mtbf_s / hour_s / hours_per_year);
    vec_put(v, "failures_per_1000_gpu_days", rate.per_1000_gpu_days);
}

static void failure_breakdown(struct vec *v)
{
    const double unexpected = vec_num(v, "unexpected");
    const cJSON *item = NULL;
    cJSON *shares = cJSON_CreateObject();

    cJSON_ArrayForEach (item, vec_item(v, "counts"))
        cJSON_AddNumberToObject(shares, item->string, item->valuedouble / unexpected);
    vec_put_item(v, "shares", shares);
}

static void failure_scaling(struct vec *v)
{
    const double mtbf_s =
        ry_cluster_mtbf_s(vec_num(v, "gpus"), vec_num(v, "per_gpu_mtbf_hours") * hour_s);

    vec_put(v, "mtbi_hours", mtbf_s / hour_s);
    vec_put(v, "failures_per_day", day_s / mtbf_s);
}

static void spare_nodes(struct vec *v)
{
    const double per_s = vec_num(v, "node_fail_per_day") / day_s;
    const double repair_s = vec_num(v, "repair_days") * day_s;

    vec_put(v, "expected_down", ry_expected_down(per_s, repair_s));
    vec_put(v, "spares_mean_ceil", ry_spares_mean(per_s, repair_s));
}

static void storage_per_node(struct vec *v)
{
    vec_put(v, "gb_s_per_node",
            ry_storage_share(vec_num(v, "aggregate_gb_s"), vec_num(v, "nodes")));
}

static void storage_system(struct vec *v)
{
    const double servers = vec_num(v, "servers");

    vec_put(v, "tb_per_server", ry_storage_share(vec_num(v, "pb") * 1000.0, servers));
    vec_put(v, "sustained_mb_s_per_server",
            ry_storage_share(vec_num(v, "sustained_tb_s") * 1e6, servers));
}

const struct vec_kind vec_storage_kinds[] = {
    {"bytes_per_param", bytes_per_param},
    {"checkpoint_bytes", checkpoint_bytes},
    {"checkpoint_write_time", checkpoint_write_time},
    {"checkpoint_aggregate", checkpoint_aggregate},
    {"checkpoint_interval", checkpoint_interval},
    {"checkpoint_interval_limit", checkpoint_interval},
    {"failure_rate", failure_rate},
    {"failure_breakdown", failure_breakdown},
    {"failure_scaling", failure_scaling},
    {"spare_nodes", spare_nodes},
    {"storage_per_node", storage_per_node},
    {"storage_system", storage_system},
    {NULL, NULL},
};
