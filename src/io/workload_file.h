/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A workload out of its JSON object.
 *
 *     {"name": "llama3-70b-pretrain", "model": "llama3-70b", "task": "pretrain",
 *      "seq": 8192, "global_batch": 1152, "tokens": "15T", "precision": "bf16",
 *      "optimizer": "adam", "preset": "megatron-example",
 *      "strategy": {"tp": 8, "micro_batch": [1, 2], "recompute": ["none", "full"]}}
 *
 * In "strategy" a value is fixed and a list is searched; what is not there is searched
 * within the default bounds of search/space.h.
 */
#ifndef RY_IO_WORKLOAD_FILE_H
#define RY_IO_WORKLOAD_FILE_H

#include "base/arena.h"
#include "io/json.h"
#include "io/library.h"
#include "plan/workload.h"

/** The keys of a workload, ends with NULL. */
extern const char *const ry_workload_keys[];

/** The same of its objects but "strategy" (ry_bounds_key()); ends with a NULL pointer. */
extern const struct ry_key_table ry_workload_key_tables[];

/**
 * Read one workload; mistakes go to the problems.
 * @param library  what it names; its arena owns what the workload points at.
 * @param at       its object, without `any`.
 * @param file     the file it is in: model paths are relative to its folder.
 * @param problems of the document.
 * @param workload set; complete only if no problem was added.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_workload_read(const struct ry_library *library,
                                         struct ry_json at, const char *file,
                                         struct ry_problems *problems,
                                         struct ry_workload *workload);

#endif
