/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Files of designs and workloads, families expanded.
 *
 * A file is a design (it has "node"), a workload (it has "model"), or both:
 * {"design": {...}, "workload": {...}}, which are then meant for each other.
 */
#ifndef RY_IO_PLAN_FILE_H
#define RY_IO_PLAN_FILE_H

#include "design/design.h"
#include "io/library.h"
#include "plan/workload.h"

/** A design and the workloads of its own file, if any. */
struct ry_plan_design {
    struct ry_design *design;
    size_t own_first, own_n; /**< range of workloads; own_n == 0: those of the command */
};

struct ry_plan_files {
    size_t designs_n, designs_room;
    struct ry_plan_design *designs; /**< [designs_n] in the order of the files */
    size_t workloads_n, workloads_room;
    struct ry_workload **workloads; /**< [workloads_n] */
    bool *own;                      /**< [workloads_n] only for designs of its file */
};

/**
 * Add what a file holds.
 * @param library  what it names; its arena owns everything.
 * @param path     the file.
 * @param problems gets every mistake of the file.
 * @param files    added to.
 * @return RY_OK, also with problems; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_plan_file_read(const struct ry_library *library,
                                          const char *path, struct ry_problems *problems,
                                          struct ry_plan_files *files);

#endif
