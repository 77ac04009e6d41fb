/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/ratios.h"

#include "base/order.h"

#include <math.h>

void ry_ratios_push(struct ry_ratios *ratios, double value)
{
    if (ratios->n < RY_RATIOS_MOST && value > 0.0 && isfinite(value))
        ratios->value[ratios->n++] = value;
}

double ry_ratios_mean_log(const struct ry_ratios *ratios)
{
    double sum = 0.0;

    for (size_t i = 0; i < ratios->n; i++)
        sum += log(ratios->value[i]);
    return ratios->n > 0 ? sum / (double)ratios->n : 0.0;
}

double ry_ratios_error(const struct ry_ratios *ratios)
{
    const double mean = ry_ratios_mean_log(ratios);
    double square = 0.0;

    for (size_t i = 0; i < ratios->n; i++)
        square += (log(ratios->value[i]) - mean) * (log(ratios->value[i]) - mean);
    if (ratios->n < 2)
        return 0.05;
    return fmax(sqrt(square / (double)(ratios->n - 1) / (double)ratios->n), 0.01);
}

double ry_ratios_median(struct ry_ratios *ratios)
{
    return ry_median(ratios->value, ratios->n);
}
