/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Communication models: models/comm/NAME.json, read and (by `calibrate fit`) written.
 *
 * A file is about one domain (GPUs that reach each other without a NIC) or one fabric
 * (what joins domains).  Every parameter is a number, or an object that also says where
 * it is from: {"value", "lo90", "hi90", "points", "origin", "from"}.  The description of
 * the format is doc/formats (comm model).
 */
#ifndef RY_IO_COMM_MODEL_H
#define RY_IO_COMM_MODEL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/problems.h"
#include "comm/net_build.h"
#include "io/json.h"

/**
 * Read one model.
 * @param arena    owns the result.
 * @param path     the file.
 * @param problems gets every mistake.
 * @param model    set on RY_OK.
 * @return RY_OK or the code of the first mistake.
 */
RY_MUST_USE enum ry_err ry_comm_model_read(struct ry_arena *arena, const char *path,
                                           struct ry_problems *problems,
                                           struct ry_comm_model *model);

/**
 * Read every model of a folder, in the order of their names.
 * @param arena    owns the result.
 * @param folder   NULL: the models/comm that came with the program.
 * @param problems gets every mistake.
 * @param models   set on RY_OK; more can be put before its first with
 *                 ry_comm_models_prefer().
 * @return RY_OK or the code of the first mistake.
 */
RY_MUST_USE enum ry_err ry_comm_models_read(struct ry_arena *arena, const char *folder,
                                            struct ry_problems *problems,
                                            struct ry_comm_models *models);

/** Add to the problems what is wrong with the outline of a file of facts: schema,
 * keys. */
void ry_comm_facts_check(struct ry_json root);

/** Put a user's model before the others, so that it wins.  A full list drops its last. */
void ry_comm_models_prefer(struct ry_comm_models *models,
                           const struct ry_comm_model *model);

#endif
