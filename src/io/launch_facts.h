/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What rows of share/launch may ask of a planned job: facts such as "roce", "vpp" or
 * "recompute-full", and values such as {tp} or {nics}.  launch_facts.c lists them.
 */
#ifndef RY_IO_LAUNCH_FACTS_H
#define RY_IO_LAUNCH_FACTS_H

#include "io/settings.h"
#include "io/topo_m.h"
#include "plan/plan.h"

/** A planned job, and what the site says of its nodes. */
struct ry_launch_job {
    const struct ry_design *design;
    const struct ry_workload *workload;
    const struct ry_strategy *strategy; /**< etp resolved: 1 or more */
    const char *hca; /**< names of the compute NICs, comma between; NULL: not said */
    const char *interface;        /**< IP interface; NULL: not said */
    const struct ry_topo_m *topo; /**< matrix of a node; NULL: not said */
};

/**
 * The facts of a job.
 * @param arena owns them.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_launch_facts(struct ry_arena *arena,
                                        const struct ry_launch_job *job,
                                        struct ry_facts *facts);

/** NICs that are some GPU's nearest in a matrix, comma between; NULL: no memory. */
const char *ry_launch_nearest_nics(struct ry_arena *arena, const struct ry_topo_m *topo);

#endif
