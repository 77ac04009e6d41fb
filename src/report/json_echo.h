/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Print a value of a JSON document again: numbers exactly, members in their order.
 */
#ifndef RY_REPORT_JSON_ECHO_H
#define RY_REPORT_JSON_ECHO_H

#include "io/json.h"

#include <stdio.h>

/**
 * Print @p at on one line; an absent value prints null.
 *
 * Objects of the outermost @p open levels take a line a member, indented by two spaces
 * more than @p indent.
 */
void ry_json_echo(FILE *out, struct ry_json at, int indent, size_t open);

#endif
