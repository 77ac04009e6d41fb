/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

int ry_by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int ry_by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

double ry_median(double value[], size_t n)
{
    qsort(value, n, sizeof(value[0]), ry_by_value);
    return n % 2 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}
