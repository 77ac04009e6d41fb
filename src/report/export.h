/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Files of other programs, out of a graph.  A format is one function in an export_*.c
 * file and one line of exports.def.
 */
#ifndef RY_REPORT_EXPORT_H
#define RY_REPORT_EXPORT_H

#include "base/arena.h"
#include "base/err.h"
#include "comm/net.h"
#include "design/design.h"
#include "topology/graph.h"
#include "topology/groups.h"
#include "topology/hostlist.h"

#include <stdio.h>

struct ry_export_input {
    struct ry_arena *arena;
    const struct ry_graph *graph;
    const struct ry_design *design; /**< NULL for a text form */
    const char *name;
    const struct ry_net *net; /**< of the design, where the format wants it */
};

struct ry_export {
    const char *name; /**< "slurm-tree" */
    const char *summary;
    bool wants_net;         /**< ry_export_input.net for a design */
    bool leaves_out_failed; /**< links that are down; else nothing may have failed */
    enum ry_err (*write)(const struct ry_export_input *in, FILE *out,
                         struct ry_diag *diag);
};

/** The i-th format, NULL past the end. */
const struct ry_export *ry_export_at(size_t i);

/** By name, or NULL. */
const struct ry_export *ry_export_find(const char *name);

/** Name of a device, kept in the arena; "" when out of memory. */
const char *ry_export_device(const struct ry_export_input *in, uint32_t device);

/** Name of a port, kept in the arena. */
const char *ry_export_port(const struct ry_export_input *in, uint32_t port);

RY_MUST_USE enum ry_err ry_export_no_memory(struct ry_diag *diag);

#endif
