/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Reading JSON files written by people.
 *
 * A file is read, checked and turned into a tree in an arena (cJSON parses; nothing of
 * it remains, so nothing has to be closed).  A cursor (`struct ry_json`, passed by
 * value) points at a value, or at nothing: every getter of an absent or null value
 * returns the fallback, so a chain of gets needs no checks.  A wrong value adds a
 * problem "file:line: /pointer: ..." to the list given at opening and also returns the
 * fallback; the caller looks at the list once, at the end.
 *
 * Refused with one line: files over the limits below, byte order marks, NUL bytes,
 * invalid UTF-8, duplicate keys, NaN, infinity and numbers outside a double, text after
 * the value.  Time is O(n log n), memory about 150 bytes a value.
 */
#ifndef RY_IO_JSON_H
#define RY_IO_JSON_H

#include "base/arena.h"
#include "base/problems.h"
#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>

enum { RY_JSON_NAME_MOST = 255 }; /* bytes, as a file's name */

struct ry_json_limits {
    size_t file_bytes;
    size_t depth;  /**< nested lists and objects, at most 256 */
    size_t values; /**< in the whole file */
};

/** What ry_json_open() allows: 64 MiB, 64 deep, 2 million values. */
extern const struct ry_json_limits ry_json_default_limits;

enum ry_json_type {
    RY_JSON_ABSENT,
    RY_JSON_NULL,
    RY_JSON_BOOL,
    RY_JSON_NUMBER,
    RY_JSON_TEXT,
    RY_JSON_LIST,
    RY_JSON_OBJECT,
};

struct ry_json_node;
struct ry_json_doc;

/** A place in a document; all zero is "absent". */
struct ry_json {
    const struct ry_json_node *node;
    const struct ry_json_doc *doc;
};

/**
 * Read a file.
 * @param arena    owns the tree and everything a getter returns.
 * @param path     the file.
 * @param problems gets every mistake, now and from the getters; must outlive the cursors.
 * @param root     set on RY_OK.
 * @return RY_OK, or the code of the mistake that was added to @p problems.
 */
RY_MUST_USE enum ry_err ry_json_open(struct ry_arena *arena, const char *path,
                                     struct ry_problems *problems, struct ry_json *root);

/** The same with other limits. */
RY_MUST_USE enum ry_err ry_json_open_limited(struct ry_arena *arena, const char *path,
                                             const struct ry_json_limits *limits,
                                             struct ry_problems *problems,
                                             struct ry_json *root);

/** The text of a document in memory. */
struct ry_json_text {
    const char *name; /**< what diagnostics call it */
    const char *data; /**< need not end with NUL */
    size_t bytes;
};

/** The same for text in memory; the text may go once this returns. */
RY_MUST_USE enum ry_err ry_json_parse(struct ry_arena *arena,
                                      const struct ry_json_text *text,
                                      const struct ry_json_limits *limits,
                                      struct ry_problems *problems, struct ry_json *root);

/** What is here. */
enum ry_json_type ry_json_type(struct ry_json at);

/** A member of an object; absent when there is none or @p at is no object. */
struct ry_json ry_json_get(struct ry_json at, const char *key);

/** The same; a problem when it is absent or null. */
struct ry_json ry_json_need(struct ry_json at, const char *key);

/** Whether the member exists and is not null. */
bool ry_json_has(struct ry_json at, const char *key);

/** The i-th value of a list or member of an object, in file order; absent past the
 * end. */
struct ry_json ry_json_at(struct ry_json at, size_t i);

/** How many values a list or object has; 0 for anything else. */
size_t ry_json_size(struct ry_json at);

/** The key of a member of an object, NULL for others. */
const char *ry_json_key(struct ry_json at);

/** "file:line: /pointer" of a value, owned by the arena; "" when out of memory. */
const char *ry_json_where(struct ry_json at);

/** Add a problem at this value. */
void ry_json_problem(struct ry_json at, enum ry_err code, const char *fmt, ...)
    RY_PRINTF(3, 4);

/** How many problems the document's list has so far. */
size_t ry_json_problem_count(struct ry_json at);

/** Whether the value has this type; a problem when it has another.  Absent: false. */
bool ry_json_expect(struct ry_json at, enum ry_json_type type);

/** Bounds of a whole number, both included. */
struct ry_json_bounds {
    size_t least, most;
};

/* This value.  A wrong one is a problem and gives the fallback; so do absent and null. */

/** A number in the SI unit of @p dim, or a string with a unit; never negative. */
double ry_json_as_quantity(struct ry_json at, enum ry_dim dim, double fallback);
/** A number without a unit. */
double ry_json_as_number(struct ry_json at, double fallback);
/** A whole number within bounds. */
size_t ry_json_as_count(struct ry_json at, struct ry_json_bounds bounds, size_t fallback);
/** A string. */
const char *ry_json_as_text(struct ry_json at, const char *fallback);
/** The same for what is printed as a name: a control character is a problem, and
 * length. */
const char *ry_json_as_name(struct ry_json at, const char *fallback);
/** true or false. */
bool ry_json_as_bool(struct ry_json at, bool fallback);
/** One of @p choices (ends with NULL): its index. */
int ry_json_as_choice(struct ry_json at, const char *const choices[], int fallback);

/* The member @p key of the object @p at, in the same way. */

double ry_json_quantity(struct ry_json at, const char *key, enum ry_dim dim,
                        double fallback);
double ry_json_number(struct ry_json at, const char *key, double fallback);
size_t ry_json_count(struct ry_json at, const char *key, struct ry_json_bounds bounds,
                     size_t fallback);
const char *ry_json_text(struct ry_json at, const char *key, const char *fallback);
bool ry_json_bool(struct ry_json at, const char *key, bool fallback);
int ry_json_choice(struct ry_json at, const char *key, const char *const choices[],
                   int fallback);

/** The keys of one object of a file: where it is ("" the whole, "/owned/0" in a list). */
struct ry_key_table {
    const char *pointer;
    const char *const *keys; /**< ends with NULL */
};

/** A problem for each key that is not in @p keys (ends with NULL), naming the nearest. */
void ry_json_known_keys(struct ry_json at, const char *const keys[]);

#endif
