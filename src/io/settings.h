/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Settings as rows: what to set, when, and why.
 *
 * A row of share/launch/NAME.csv has the columns for,name,when,value,reason,source.
 * `when` is a list of facts that must all hold, "!" before one that must not: "tp !vpp";
 * empty: always.  `value`, `name` and `reason` may name values in braces: "{tp}".  The
 * facts and values that a row may name are those of its reader (io/launch_facts.h).
 */
#ifndef RY_IO_SETTINGS_H
#define RY_IO_SETTINGS_H

#include "base/arena.h"
#include "base/problems.h"

#include <stdbool.h>
#include <stddef.h>

struct ry_fact {
    const char *name;
    bool holds;
};

struct ry_fact_value {
    const char *name;
    const char *text;
};

struct ry_facts {
    size_t n, values_n;
    const struct ry_fact *at;          /**< [n] */
    const struct ry_fact_value *value; /**< [values_n] */
};

struct ry_setting {
    const char *target; /**< column "for" */
    const char *name, *value, *reason, *source;
};

struct ry_settings {
    size_t n;
    struct ry_setting *at; /**< [n] in the order of the file */
};

/**
 * The rows that hold, with their values put in.
 * @param arena    owns the result.
 * @param path     the file.
 * @param facts    every fact and value that a row may name.
 * @param problems gets unknown facts and values, missing columns, rows without a source.
 * @param settings set on RY_OK.
 * @return RY_OK, also with problems; the error of reading; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_settings_read(struct ry_arena *arena, const char *path,
                                         const struct ry_facts *facts,
                                         struct ry_problems *problems,
                                         struct ry_settings *settings);

#endif
