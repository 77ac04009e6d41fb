/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A topology as commands take it: the text form, or a design file.
 */
#ifndef RY_CLI_TOPO_INPUT_H
#define RY_CLI_TOPO_INPUT_H

#include "cli/catalog_opts.h"
#include "cli/cmd.h"
#include "design/design.h"
#include "io/fabric_import.h"
#include "topology/family.h"
#include "topology/graph.h"

struct ry_topo_input {
    const char *name;                 /**< of the design, or the text form */
    const struct ry_design *design;   /**< NULL for the text form */
    const struct ry_catalog *catalog; /**< of the design's parts, or NULL */
    size_t n_names;
    struct ry_fabric_name
        *names; /**< [n_names] what devices are called where they stand */
    struct ry_topo_specs specs;
    struct ry_graph *graph;
    size_t failed_links; /**< by --fail */
};

/**
 * Read, plan, build, and take out what has failed.
 * @param arena   owns everything.
 * @param arg     the text form ("fat_tree:radix=64,gpus=2048") or the path of a design;
 *                of a family of designs the first one.
 * @param sources --catalog and --prices.
 * @param failed  names of devices ("spine3") and links ("cable:17", with the label
 * C000017) that are down.
 * @param input   set on RY_OK.
 */
RY_MUST_USE enum ry_err ry_topo_input_read(struct ry_arena *arena, const char *arg,
                                           const struct ry_catalog_sources *sources,
                                           const struct ry_strings *failed,
                                           struct ry_topo_input *input,
                                           struct ry_diag *diag);

#endif
