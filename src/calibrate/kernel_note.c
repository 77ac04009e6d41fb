/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/kernel_note.h"

#include <math.h>

void ry_kernel_note(const struct ry_kernel_data *data, struct ry_compute_file *file,
                    size_t i, double sigma_rel, const char *from)
{
    file->info[i] = (struct ry_param_info){
        .sigma_rel = sigma_rel,
        .origin = data->published ? RY_ORIGIN_PUBLISHED : RY_ORIGIN_FIT,
        .from = from,
        .untuned = (double)NAN,
    };
}

void ry_kernel_set(const struct ry_kernel_data *data, struct ry_compute_file *file,
                   const char *name, double value, double sigma_rel, const char *from)
{
    const size_t i = ry_param_find(name);
    const struct ry_param param = ry_param_at(i);

    if (i == ry_param_count() || !isfinite(value))
        return;
    ry_param_set(&file->model, i, fmin(fmax(value, param.least), param.most));
    ry_kernel_note(data, file, i, sigma_rel, from);
}
