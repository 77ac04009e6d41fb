/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Scanned text -> the tree behind a JSON cursor (for json_open.c only).
 */
#ifndef RY_IO_JSON_TREE_H
#define RY_IO_JSON_TREE_H

#include "io/json_node.h"
#include "io/json_scan.h"

struct ry_json_build {
    const struct ry_json_doc *doc;
    struct ry_json_lines *lines;
    const struct ry_json_node *root; /**< set by ry_json_tree() */
};

/** Parse scanned text into a tree in @p arena; duplicate keys go to the doc's
 * problems. */
RY_MUST_USE enum ry_err ry_json_tree(struct ry_arena *arena,
                                     const struct ry_json_text *text,
                                     struct ry_json_build *build, struct ry_diag *diag);

#endif
