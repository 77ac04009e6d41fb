/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Compute models in files: models/compute/GPU.json, and the parts they are made from.
 *
 * A model ("railyard-compute-model/1") has every parameter of kernel/params.def with its
 * value, relative standard deviation, origin and a sentence on where it is from; the
 * files it was fitted to with their SHA-256; and how well it reproduces them.
 *
 * A part ("railyard-compute-part/1", models/compute/parts/) is what a person writes:
 * data-sheet values, a sibling to scale from with the factors and their reasons, values
 * read from published tables, and the measurements to fit.
 */
#ifndef RY_IO_COMPUTE_MODEL_H
#define RY_IO_COMPUTE_MODEL_H

#include "base/arena.h"
#include "base/problems.h"
#include "calibrate/kernel_data.h"
#include "io/json.h"
#include "kernel/params.h"

/**
 * Read a model.
 * @param path     the file.
 * @param problems unknown parameters, values out of bounds, rates above the data sheet.
 * @param file     set on RY_OK; a parameter that the file leaves out has its default,
 *                 origin assumed.
 */
RY_MUST_USE enum ry_err ry_compute_model_read(struct ry_arena *arena, const char *path,
                                              struct ry_problems *problems,
                                              struct ry_compute_file *file);

/**
 * The shipped model of a GPU by its catalog name, case apart.
 * @return RY_OK, or RY_ERR_NOTFOUND with the nearest name in @p problems.
 */
RY_MUST_USE enum ry_err ry_compute_model_load(struct ry_arena *arena, const char *gpu,
                                              struct ry_problems *problems,
                                              struct ry_compute_file *file);

enum { RY_PART_NAMES_MOST = 8 };

struct ry_compute_part {
    struct ry_compute_file start; /**< before any fit */
    size_t names;
    const char *benchmark_names[RY_PART_NAMES_MOST]; /**< what benchmarks call it */
    size_t files;
    const char *measured[RY_KERNEL_SOURCES_MOST]; /**< data files, in the data folder */
    struct ry_json after; /**< parameters that the fit does not decide alone */
};

/** Read a part; its sibling's model is looked up as ry_compute_model_load() does. */
RY_MUST_USE enum ry_err ry_compute_part_read(struct ry_arena *arena, const char *path,
                                             struct ry_problems *problems,
                                             struct ry_compute_part *part);

/** Apply what a part says of its fitted parameters ("after": a factor on them, say). */
void ry_compute_part_finish(struct ry_compute_part *part);

/** The shipped part that a benchmark calls @p name; RY_ERR_NOTFOUND when none does. */
RY_MUST_USE enum ry_err ry_compute_part_find(struct ry_arena *arena, const char *name,
                                             struct ry_problems *problems,
                                             struct ry_compute_part *part);

#endif
