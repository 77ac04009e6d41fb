/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Members of rows that other people wrote: a value of a wrong type is read as not stated.
 */
#ifndef RY_IO_STATED_H
#define RY_IO_STATED_H

#include "io/json.h"

double ry_stated_number(struct ry_json at, const char *key, double fallback);

/** A number of 0 to 1e9, rounded; @p fallback where it is none. */
unsigned ry_stated_count(struct ry_json at, const char *key, unsigned fallback);

const char *ry_stated_text(struct ry_json at, const char *key, const char *fallback);

/** true, false, "True", "1"; @p known says whether the row has it. */
bool ry_stated_flag(struct ry_json at, const char *key, bool *known);

/** Whether @p part is in @p text; not in NULL. */
bool ry_has_text(const char *text, const char *part);

#endif
