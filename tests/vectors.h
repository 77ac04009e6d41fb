/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Test vectors: one handler a kind.  A handler reads the input, calls public functions of
 * the library and puts what they return; the driver compares the keys that the vector
 * expects.  To add a kind: a handler and a row in a vectors_*.c file
 * (a new file is also one line of vectors.def and of tests/vectors.mk).
 */
#ifndef RY_TESTS_VECTORS_H
#define RY_TESTS_VECTORS_H

#include "base/arena.h"
#include "topology/direct.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct vec {
    const cJSON *in;        /**< the vector's input object */
    cJSON *out;             /**< what the library answers, key by key */
    struct ry_arena *arena; /**< lives as long as the vector */
    char problem[160];      /**< set when the input lacks something, or a call failed */
};

struct vec_kind {
    const char *kind;
    void (*run)(struct vec *v);
};

/** Tables, each ended by a NULL kind; vectors.def lists them. */
#define X(table) extern const struct vec_kind table[];
#include "vectors.def"
#undef X

/** Reading: a missing key is a problem, and the value is then 0 (or ""). */
bool vec_has(const struct vec *v, const char *key);
double vec_num(struct vec *v, const char *key);
size_t vec_count(struct vec *v, const char *key);
size_t vec_count_or(struct vec *v, const char *key, size_t otherwise);
const char *vec_text(struct vec *v, const char *key);
bool vec_flag(struct vec *v, const char *key);
const cJSON *vec_item(struct vec *v, const char *key);
struct ry_dims vec_dims(struct vec *v, const char *key);

/** Say what went wrong; the vector fails with this text. */
void vec_fail(struct vec *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Putting an answer. */
void vec_put(struct vec *v, const char *key, double value);
void vec_put_flag(struct vec *v, const char *key, bool value);
void vec_put_text(struct vec *v, const char *key, const char *value);
void vec_put_item(struct vec *v, const char *key, cJSON *item);

/** Put the field of a struct under its own name. */
#define VEC_PUT(v, from, field) vec_put((v), #field, (double)(from).field)

#endif
