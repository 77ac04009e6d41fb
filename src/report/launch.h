/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The files that start a planned job: environment, scripts, rank map, host lists, options
 * of frameworks, and what a RoCE fabric must have.
 *
 * Names of designs, hosts and devices cannot break out of a script: what is not a plain
 * name stands in comments only, without control characters, or in single quotes.
 */
#ifndef RY_REPORT_LAUNCH_H
#define RY_REPORT_LAUNCH_H

#include "io/launch_facts.h"
#include "plan/rank_map.h"
#include "topology/hostlist.h"

#include <stdio.h>

/** A job with everything that its files say. */
struct ry_launch_plan {
    struct ry_arena *arena;
    struct ry_launch_job job;
    const char *title;        /**< design, workload and strategy, for comments */
    struct ry_names hosts;    /**< [ranks / GPUs of a host], plain names */
    bool hosts_given;         /**< by the user; else placeholders */
    struct ry_names nics;     /**< of a host; n is 0 where they are not known */
    struct ry_names topology; /**< lines of topology.conf; n is 0 for one host */
    struct ry_settings nccl, roce, frameworks;
};

/** A name that scripts may hold bare: letters, digits, ".", "_", "-", ":", "/"; not
 * empty, no leading "-", at most 253 characters. */
bool ry_launch_plain(const char *name);

/**
 * Fill hosts, and the lines of Slurm's topology.conf where there is more than one.
 * @param launch arena and job are set.
 * @param given  a Slurm host list, "n[01-32]"; NULL: placeholders as `railyard export`
 *               names nodes, or trays t1, t2, ... of racks.
 * @return RY_OK; RY_ERR_RANGE: fewer names than hosts, a name twice or not plain; errors
 * of ry_design_topology() and ry_topo_build().
 */
RY_MUST_USE enum ry_err ry_launch_hosts(struct ry_launch_plan *launch, const char *given,
                                        struct ry_diag *diag);

/** Name of the i-th framework of share/launch/frameworks.csv, or NULL past the end. */
const char *ry_launch_framework(size_t i);

/** Why a framework cannot run the strategy, or NULL: it can. */
const char *ry_launch_refusal(const struct ry_launch_plan *launch, const char *framework);

/** The options of a framework: one argument a line, or a JSON file. */
RY_MUST_USE enum ry_err ry_launch_options(const struct ry_launch_plan *launch,
                                          const char *framework, FILE *out,
                                          struct ry_diag *diag);

/** Name of the NIC beside a rank's GPU: as given, or "nic3"; "" without NICs. */
const char *ry_launch_nic(const struct ry_launch_plan *launch,
                          const struct ry_rank *rank);

/**
 * Write all files into @p folder, which is made where it is not there.
 * @return RY_OK, RY_ERR_IO or RY_ERR_NOMEM; a file is whole or not there.
 */
RY_MUST_USE enum ry_err ry_launch_write(const struct ry_launch_plan *launch,
                                        const char *folder, struct ry_diag *diag);

#endif
