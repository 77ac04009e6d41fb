/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The machine that a run was measured on, by the GPU and network that it states.
 */
#ifndef RY_IO_RUN_MACHINE_H
#define RY_IO_RUN_MACHINE_H

#include "io/published.h"
#include "sim/machine.h"

struct ry_run_parts; /* models and catalog, read once */

/** Read what machines are made of. */
RY_MUST_USE enum ry_err ry_run_parts_read(struct ry_arena *arena, bool untuned,
                                          struct ry_problems *problems,
                                          struct ry_run_parts **parts);

/**
 * The machine of a run.
 * @return RY_OK; RY_ERR_NOTFOUND with the reason in @p diag when its GPU has no model.
 */
RY_MUST_USE enum ry_err ry_run_machine(struct ry_arena *arena, struct ry_run_parts *parts,
                                       const struct ry_job *run,
                                       struct ry_machine *machine, struct ry_diag *diag);

#endif
