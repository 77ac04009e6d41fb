/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Reading a model: a name of models/llm/, a file of that form, or the config.json of a
 * Hugging Face model as it is.
 */
#ifndef RY_IO_MODEL_FILE_H
#define RY_IO_MODEL_FILE_H

#include "io/json.h"
#include "workload/arch.h"

/** An architecture and what is published about it. */
struct ry_model {
    struct ry_arch arch;     /**< arch.name is the model's name */
    const char *family;      /**< "llama3", or a Hugging Face model_type */
    const char *file;        /**< it was read from */
    const char *source;      /**< of the figures; "" for a Hugging Face config */
    const char *notes;       /**< "" when there are none */
    bool verified;           /**< the source was read for it */
    double published_params; /**< total, without MTP layers; NAN unknown */
    double published_active; /**< NAN unknown */
    bool params_exact;       /**< the published total is exact to half a percent */
    double max_seq;          /**< longest sequence it was made for; NAN unknown */
    const char *ignored;     /**< keys of a Hugging Face config without effect, or "" */
};

/**
 * Load a model.
 * @param arena    owns the result.
 * @param name     "llama3-70b", or a path (with a '/' or ending in ".json").
 * @param problems gets every mistake.
 * @param model    set on RY_OK.
 * @return RY_OK, or the code of the first problem.
 */
RY_MUST_USE enum ry_err ry_model_load(struct ry_arena *arena, const char *name,
                                      struct ry_problems *problems,
                                      struct ry_model *model);

/**
 * Read a model object (this form or a Hugging Face config) that stands in another file.
 * Mistakes are added to the cursor's problems.
 */
void ry_model_read(struct ry_json at, struct ry_arena *arena, struct ry_model *model);

/** The names of models/llm/, sorted; ends the list with NULL.  NULL: see @p problems. */
const char *const *ry_model_names(struct ry_arena *arena, struct ry_problems *problems);

#endif
