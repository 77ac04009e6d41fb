/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel/params.h"

#include <math.h>
#include <string.h>

#define FIELD(field) offsetof(struct ry_compute_model, field)

static const struct ry_param scalars[] = {
#define X(name, field, initial, least, most, sigma)                                      \
    {name, FIELD(field), initial, least, most, sigma},
#include "kernel/params.def"
#undef X
};

static const struct ry_param streams[] = {
#define X(symbol, name, efficiency, note)                                                \
    {"stream." name,                                                                     \
     FIELD(stream_frac) + (size_t)symbol * sizeof(double),                               \
     efficiency,                                                                         \
     0.0,                                                                                \
     1.5,                                                                                \
     0.08},
#include "kernel/streams.def"
#undef X
};

enum { SCALARS = sizeof(scalars) / sizeof(scalars[0]) };

static const char *const origins[RY_ORIGINS] = {
    [RY_ORIGIN_ASSUMED] = "assumed", [RY_ORIGIN_CATALOG] = "catalog",
    [RY_ORIGIN_FIT] = "fit",         [RY_ORIGIN_PUBLISHED] = "published",
    [RY_ORIGIN_SCALED] = "scaled",   [RY_ORIGIN_TUNED] = "tuned_on",
};

const char *ry_origin_name(enum ry_origin origin)
{
    return origins[origin];
}

enum ry_origin ry_origin_find(const char *name)
{
    int i = 0;

    while (i < RY_ORIGINS && strcmp(origins[i], name) != 0)
        i++;
    return (enum ry_origin)i;
}

size_t ry_param_count(void)
{
    return SCALARS + (size_t)RY_STREAMS;
}

struct ry_param ry_param_at(size_t i)
{
    return i < SCALARS ? scalars[i] : streams[i - SCALARS];
}

size_t ry_param_find(const char *name)
{
    size_t i = 0;

    while (i < ry_param_count() && strcmp(ry_param_at(i).name, name) != 0)
        i++;
    return i;
}

double ry_param_get(const struct ry_compute_model *model, size_t i)
{
    double value;

    memcpy(&value, (const char *)model + ry_param_at(i).offset, sizeof(value));
    return value;
}

void ry_param_set(struct ry_compute_model *model, size_t i, double value)
{
    memcpy((char *)model + ry_param_at(i).offset, &value, sizeof(value));
}

struct ry_compute_model ry_compute_model_default(void)
{
    struct ry_compute_model model;

    memset(&model, 0, sizeof(model));
    for (size_t i = 0; i < ry_param_count(); i++)
        ry_param_set(&model, i, ry_param_at(i).initial);
    return model;
}

size_t ry_compute_model_untune(struct ry_compute_file *file)
{
    size_t changed = 0;

    for (size_t i = 0; i < ry_param_count(); i++) {
        struct ry_param_info *info = &file->info[i];

        if (info->origin != RY_ORIGIN_TUNED)
            continue;
        ry_param_set(&file->model, i,
                     isfinite(info->untuned) ? info->untuned : ry_param_at(i).initial);
        info->origin = RY_ORIGIN_ASSUMED;
        changed++;
    }
    return changed;
}
