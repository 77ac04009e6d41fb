/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * NCCL's constants of one version: models/comm/nccl-VERSION.json.
 */
#ifndef RY_IO_NCCL_CONSTANTS_H
#define RY_IO_NCCL_CONSTANTS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/problems.h"
#include "reference/nccl_tuning.h"

/**
 * Read a constants file.
 * @param arena     scratch.
 * @param path      the file.
 * @param problems  gets every mistake.
 * @param constants set on RY_OK.
 * @return RY_OK or the code of the first mistake.
 */
RY_MUST_USE enum ry_err ry_nccl_constants_read(struct ry_arena *arena, const char *path,
                                               struct ry_problems *problems,
                                               struct ry_nccl_constants *constants);

#endif
