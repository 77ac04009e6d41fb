/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The tree behind a JSON cursor (for json.c only).
 */
#ifndef RY_IO_JSON_TREE_H
#define RY_IO_JSON_TREE_H

#include "io/json.h"
#include "io/json_scan.h"

struct ry_json_node {
    enum ry_json_type type;
    unsigned line;     /**< of its first character, from 1 */
    size_t index;      /**< among its parent's children */
    const char *key;   /**< of an object's member, else NULL */
    const struct ry_json_node *parent;
    bool truth;
    double number;
    const char *text;
    size_t n;
    struct ry_json_node *children;      /**< [n] in file order */
    const struct ry_json_node **sorted; /**< [n] of an object, by key */
};

struct ry_json_doc {
    struct ry_arena *arena;
    struct ry_problems *problems;
    const char *name;
};

struct ry_json_build {
    const struct ry_json_doc *doc;
    struct ry_json_lines *lines;
    const struct ry_json_node *root; /**< set by ry_json_tree() */
};

/** Parse scanned text into a tree in @p arena; duplicate keys go to the doc's problems. */
RY_MUST_USE enum ry_err ry_json_tree(struct ry_arena *arena,
                                     const struct ry_json_text *text,
                                     struct ry_json_build *build, struct ry_diag *diag);

#endif
