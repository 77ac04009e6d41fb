/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What is checked on JSON text before cJSON sees it (for json.c only): bytes, UTF-8,
 * the form of words, numbers and strings, depth and count; and the line of each value.
 */
#ifndef RY_IO_JSON_SCAN_H
#define RY_IO_JSON_SCAN_H

#include "io/json.h"

enum { RY_JSON_DEPTH_MOST = 256 };

/** The line of each value, in file order. */
struct ry_json_lines {
    size_t n;
    unsigned *line; /**< [n] from 1, owned by the scratch arena */
};

/** Scan the whole text; O(bytes), 4 bytes a value. */
RY_MUST_USE enum ry_err ry_json_scan(struct ry_arena *scratch,
                                     const struct ry_json_text *text,
                                     const struct ry_json_limits *limits,
                                     struct ry_json_lines *lines, struct ry_diag *diag);

/** Write "name:line" of the byte @p at. */
void ry_json_line(const struct ry_json_text *text, size_t at, char *where, size_t room);

#endif
