/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The parameters of a compute model as a list: name, default, bounds, uncertainty.
 *
 * Reading, writing, fitting, sampling and testing a model all walk this list, so a new
 * parameter is one line of params.def (or of streams.def) and a use in a formula.
 */
#ifndef RY_KERNEL_PARAMS_H
#define RY_KERNEL_PARAMS_H

#include "kernel/compute_model.h"

/** Where a number comes from.  Only RY_ORIGIN_TUNED saw the time of a whole step. */
enum ry_origin {
    RY_ORIGIN_ASSUMED,   /**< general knowledge, or the default of the list */
    RY_ORIGIN_CATALOG,   /**< a data sheet */
    RY_ORIGIN_FIT,       /**< fitted to kernels measured on this part */
    RY_ORIGIN_PUBLISHED, /**< fitted to, or read from, kernel figures others published */
    RY_ORIGIN_SCALED,    /**< from a sibling part, by a stated rule */
    RY_ORIGIN_TUNED,     /**< fitted to step times: `tuned_on` */
    RY_ORIGINS
};

/** "assumed", "catalog", "fit", "published", "scaled", "tuned_on". */
const char *ry_origin_name(enum ry_origin origin);

/** How far a value can be trusted, and why. */
struct ry_param_info {
    double sigma_rel; /**< relative standard deviation */
    enum ry_origin origin;
    const char *from; /**< a sentence; nullable */
    double untuned;   /**< of RY_ORIGIN_TUNED: the value without step times; else NAN */
};

/** A model with the origin of every number. */
struct ry_compute_file {
    const char *gpu;  /**< as the catalog names it */
    const char *note; /**< nullable */
    struct ry_compute_model model;
    struct ry_param_info *info; /**< [ry_param_count()] */
};

/** The number of parameters. */
size_t ry_param_count(void);

struct ry_param {
    const char *name;
    size_t offset; /**< of its double in struct ry_compute_model */
    double initial, least, most;
    double sigma_rel; /**< assumed relative standard deviation */
};

/** The i-th parameter, i < ry_param_count(). */
struct ry_param ry_param_at(size_t i);

/** Index of the parameter of that name, or ry_param_count(). */
size_t ry_param_find(const char *name);

/** Its value in a model. */
double ry_param_get(const struct ry_compute_model *model, size_t i);
void ry_param_set(struct ry_compute_model *model, size_t i, double value);

/** The origin of that name, or RY_ORIGINS. */
enum ry_origin ry_origin_find(const char *name);

/**
 * Bring every parameter that is tuned_on step times back to the value that it has
 * without them (its default where the file does not say), to see what tuning is worth.
 * @return how many were changed.
 */
size_t ry_compute_model_untune(struct ry_compute_file *file);

/** A model with every parameter at its default. */
struct ry_compute_model ry_compute_model_default(void);

#endif
