/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/reliability.h"

#include "facility/round.h"

#include <math.h>

static const double day_s = 86400.0;

struct ry_failure_rate ry_failure_rate(double window_s, double gpus, double unexpected,
                                       double planned)
{
    const double mtbf_s = window_s / unexpected;

    return (struct ry_failure_rate){
        .interruptions = unexpected + planned,
        .mtbf_s = mtbf_s,
        .per_gpu_mtbf_s = mtbf_s * gpus,
        .per_1000_gpu_days = unexpected * 1000.0 / (gpus * window_s / day_s),
    };
}

double ry_cluster_mtbf_s(double gpus, double per_gpu_mtbf_s)
{
    return per_gpu_mtbf_s / gpus;
}

double ry_goodput_frac(double gpus, double per_gpu_mtbf_s, double loss_s)
{
    const double mtbf_s = ry_cluster_mtbf_s(gpus, per_gpu_mtbf_s);

    return mtbf_s > 0.0 ? mtbf_s / (mtbf_s + loss_s) : 1.0;
}

struct ry_checkpoint_plan ry_checkpoint_plan(const struct ry_checkpoint_times *times)
{
    const double c = times->save_s, m = times->mtbf_s, r = times->restart_s;
    const double young_s = sqrt(2.0 * c * m);
    const double waste = c / young_s + (young_s / 2.0 + r) / m;

    return (struct ry_checkpoint_plan){
        .young_s = young_s,
        .daly_first_order_s = sqrt(2.0 * c * (m + r)),
        .availability_period_s = c + sqrt(2.0 * (m + r) * c + c * c),
        .waste_at_young_frac = waste,
        .goodput_at_young_frac = 1.0 - waste,
    };
}

double ry_expected_down(double failures_per_s, double repair_s)
{
    return failures_per_s * repair_s;
}

double ry_spares_mean(double failures_per_s, double repair_s)
{
    return ry_count_up(ry_expected_down(failures_per_s, repair_s));
}

double ry_spares_for(double failures_per_s, double repair_s, double confidence_frac)
{
    const double mean = ry_expected_down(failures_per_s, repair_s);
    double spares = 0.0;
    double log_term = -mean; /* of the Poisson probability of this many down */
    double sum = exp(log_term);

    while (sum < confidence_frac && spares < 10.0 * mean + 100.0) {
        spares += 1.0;
        log_term += log(mean) - log(spares);
        sum += exp(log_term);
    }
    return spares;
}
