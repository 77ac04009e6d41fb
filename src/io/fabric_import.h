/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * From a fabric as ibnetdiscover lists it to the plan that it was cabled by: the family,
 * its sizes, and which device of the plan each found one is.
 *
 * Sizes are what most switches and hosts have, so a few cables in wrong ports do not
 * change the plan; fabric_match.h names them then.  Only Clos fabrics are recognised: one
 * switch, leaf-spine and three tiers, rails, rails alone.
 */
#ifndef RY_IO_FABRIC_IMPORT_H
#define RY_IO_FABRIC_IMPORT_H

#include "io/ibnetdiscover.h"
#include "topology/graph.h"

/** A device by both names: "leaf3" or "node7-mlx2", and as it was found. */
struct ry_fabric_name {
    const char *plan, *found;
};

struct ry_fabric_import {
    const char *text;             /**< the plan, in the text form of topology/spec.h */
    struct ry_graph *graph;       /**< of that plan */
    struct ry_ib_fabric fabric;   /**< as found, under the names of the plan */
    size_t hosts, nics;           /**< nics: that most hosts have */
    size_t switches[3];           /**< found: leaves, spines, cores */
    size_t n_names;               /**< 0: it has the plan's names */
    struct ry_fabric_name *names; /**< [n_names] */
};

/**
 * Recognise.
 * @param found   as read.
 * @param import  set on RY_OK, owned by @p arena.
 * @return RY_OK; RY_ERR_INFEASIBLE when it is no Clos: no switches, no hosts, hosts on
 *         every switch; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_fabric_import(struct ry_arena *arena,
                                         const struct ry_ib_fabric *found,
                                         struct ry_fabric_import *import,
                                         struct ry_diag *diag);

/** Give found devices the names of a plan; those without a name keep theirs. */
RY_MUST_USE enum ry_err ry_fabric_rename(struct ry_arena *arena,
                                         struct ry_ib_fabric *fabric,
                                         const struct ry_fabric_name names[], size_t n,
                                         struct ry_diag *diag);

#endif
