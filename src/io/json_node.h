/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a JSON cursor points to (for the files that make and walk the tree).
 */
#ifndef RY_IO_JSON_NODE_H
#define RY_IO_JSON_NODE_H

#include "io/json.h"

struct ry_json_node {
    enum ry_json_type type;
    unsigned line;   /**< of its first character, from 1 */
    size_t index;    /**< among its parent's children */
    const char *key; /**< of an object's member, else NULL */
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

#endif
