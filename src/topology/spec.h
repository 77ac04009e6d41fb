/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What to build, and its text form: "fat_tree:radix=64,tiers=2,gpus=2048".
 *
 * Several fabrics of the same nodes are joined by ';':
 * "rail_optimized:nodes=127,rails=8,radix=64;fat_tree:fabric=storage,nics=2,radix=64".
 */
#ifndef RY_TOPOLOGY_SPEC_H
#define RY_TOPOLOGY_SPEC_H

#include "base/err.h"
#include "topology/clos.h"
#include "topology/direct.h"
#include "topology/graph.h"

#include <stddef.h>

struct ry_family;

enum { RY_FABRIC_NAME_BYTES = 24, RY_SPEC_TEXT_MOST = 4096 };

struct ry_topo_spec {
    const struct ry_family *family;
    char fabric[RY_FABRIC_NAME_BYTES]; /**< "compute" */
#define X(name, most, help) size_t name;
#include "topology/params.def"
#undef X
    struct ry_dims dims;         /**< "dims=16x16x16" */
    struct ry_dims cube;         /**< "cube=4x4x4" */
    struct ry_ratio ratio;       /**< leaf, down to up; "ratio=2:1" */
    struct ry_ratio core_ratio;  /**< spine, down to up */
    enum ry_spine_policy policy; /**< "policy=min" */
    double speed_bytes_per_s;    /**< of a link to a node: "speed=400Gbps" */
    double up_bytes_per_s;       /**< of a link between switches; same unless given */
    enum ry_media media;         /**< "media=copper", of links to nodes */
};

/** Fabrics over the same nodes; the first one says how many nodes there are. */
struct ry_topo_specs {
    size_t n;
    struct ry_topo_spec at[RY_FABRICS_MOST];
};

/** A spec of a family with its defaults. */
struct ry_topo_spec ry_topo_spec_default(const struct ry_family *family);

/** Rate of its links between switches: what was given, else that of links to nodes. */
double ry_topo_up_bytes_per_s(const struct ry_topo_spec *spec);

/**
 * Read the text form.  Every mistake names the key and what would be right.
 * @return RY_OK, RY_ERR_SYNTAX, RY_ERR_RANGE or RY_ERR_NOTFOUND.
 */
RY_MUST_USE enum ry_err ry_topo_parse(const char *text, struct ry_topo_specs *specs,
                                      struct ry_diag *diag);

/** Whether a word looks like the text form: a family's name, then ':' or the end. */
bool ry_topo_is_text(const char *text);

#endif
