/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What designs and workloads name: catalog, framework presets, optimizers, model
 * architectures, compute and communication models.  Opened once a command.
 */
#ifndef RY_IO_LIBRARY_H
#define RY_IO_LIBRARY_H

#include "base/arena.h"
#include "base/problems.h"
#include "catalog/parts.h"
#include "io/json.h"

#include <stdint.h>

struct ry_comm_models;
struct ry_compute_model;
struct ry_presets;

enum { RY_LIBRARY_GPUS_MOST = 64 };

/** A compute model as found for a GPU. */
struct ry_found_model {
    const struct ry_gpu *part;
    const struct ry_compute_model *model;
    const char *from;          /**< "models/compute/X.json, measured", ... */
    double sigma_rel;          /**< of a product; 0: unknown */
    const double *param_sigma; /**< [ry_param_count()] relative, of each parameter */
};

struct ry_library {
    struct ry_arena *arena;
    const struct ry_catalog *catalog;
    struct ry_presets *presets;
    struct ry_comm_models *comm;
    struct ry_json optimizers;
    double host_update_s; /**< of a parameter by the CPUs of a node */
    size_t gpus_n;
    struct ry_found_model *gpus[RY_LIBRARY_GPUS_MOST]; /**< [gpus_n] asked for so far */
};

/**
 * Read what is shipped.
 * @param arena    owns it.
 * @param catalog  read already, with the user's own parts.
 * @param problems gets every mistake.
 */
RY_MUST_USE enum ry_err ry_library_open(struct ry_arena *arena,
                                        const struct ry_catalog *catalog,
                                        struct ry_problems *problems,
                                        struct ry_library *library);

/** The compute model of a GPU; NULL when there is none (problems say why). */
const struct ry_found_model *ry_library_compute(struct ry_library *library,
                                                const struct ry_gpu *gpu,
                                                struct ry_problems *problems);

/** Bytes that a named optimizer keeps of a parameter; false: no such name. */
bool ry_library_optimizer(const struct ry_library *library, const char *name,
                          double *state_bytes);

/** "adam, adamw, ...", for a message. */
const char *ry_library_optimizer_names(const struct ry_library *library);

#endif
