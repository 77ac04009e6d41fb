/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facility/reliability.h"

#include "facility/round.h"

#include <math.h>

double ry_cluster_mtbf_s(double gpus, double per_gpu_mtbf_s)
{
    return per_gpu_mtbf_s / gpus;
}

double ry_goodput_frac(double gpus, double per_gpu_mtbf_s, double loss_s)
{
    const double mtbf_s = ry_cluster_mtbf_s(gpus, per_gpu_mtbf_s);

    return mtbf_s > 0.0 ? mtbf_s / (mtbf_s + loss_s) : 1.0;
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
    double spares = 0.0,
           log_term = -mean; /* of the Poisson probability of this many down */
    double sum = exp(log_term);

    while (sum < confidence_frac && spares < 10.0 * mean + 100.0) {
        spares += 1.0;
        log_term += log(mean) - log(spares);
        sum += exp(log_term);
    }
    return spares;
}
