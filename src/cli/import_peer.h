/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * `railyard import --from`: what another planner says becomes a design and a workload.
 */
#ifndef RY_CLI_IMPORT_PEER_H
#define RY_CLI_IMPORT_PEER_H

#include "cli/catalog_opts.h"
#include "cli/cmd.h"
#include "io/peer.h"

struct ry_import_peer {
    const struct ry_catalog_sources *catalog;
    size_t planner;     /**< index in ry_peer_choices */
    const char *node;   /**< of the catalog; NULL: one that looks like it */
    const char *name;   /**< of the result; NULL: the first file's */
    const char *output; /**< NULL: standard output */
};

/**
 * Read all files, write what they say and print what they say that has no place here.
 * A model goes into a file beside the output, NAME.model.json.
 */
RY_MUST_USE enum ry_err ry_import_peers(struct ry_arena *arena,
                                        const struct ry_import_peer *in,
                                        const struct ry_strings *files,
                                        struct ry_diag *diag);

#endif
