/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "uncertainty/vary.h"

#include "kernel/params.h"

#include <math.h>

size_t ry_vary_count(void)
{
    return ry_param_count();
}

const char *ry_vary_name(size_t i)
{
    return ry_param_at(i).name;
}

double ry_vary_get(const struct ry_compute_model *model, size_t i)
{
    return ry_param_get(model, i);
}

void ry_vary(struct ry_compute_model *model, size_t i, double factor)
{
    const struct ry_param p = ry_param_at(i);

    ry_param_set(model, i, fmax(p.least, fmin(p.most, ry_param_get(model, i) * factor)));
}
