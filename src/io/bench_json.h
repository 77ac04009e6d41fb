/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Trees of benchmark outputs in JSON and their members, and the readers of those
 * that nccl-tests and rccl-tests write; internal to io/bench_json*.c.
 */
#ifndef RY_IO_BENCH_JSON_H
#define RY_IO_BENCH_JSON_H

#include "io/bench_draft.h"

#include <cjson/cJSON.h>

/** A number, also one that stands in a string; "nan", "N/A" and what is none: NAN. */
double ry_member_number_of(const cJSON *node);

/** The same of the member @p key. */
double ry_member_number(const cJSON *object, const char *key);

/** The text of the member @p key, or NULL. */
const char *ry_member_text(const cJSON *object, const char *key);

/** A copy of a word in the draft; NULL for NULL and "". */
const char *ry_member_kept(struct ry_bench_draft *draft, const char *word);

/** The collective that a word means, or a copy of it where it means none; NULL: NULL. */
const char *ry_member_collective(struct ry_bench_draft *draft, const char *word);

/** The tree of a text that ends early, as far as its values are whole; NULL when there is
 * none.  Freed by cJSON_Delete(). */
cJSON *ry_bench_json_parse_cut(struct ry_slice all);

/** A reader adds runs and rows; it returns false when the tree is not of its kind. */
typedef bool ry_bench_json_reader(struct ry_bench_draft *draft, const cJSON *root);

ry_bench_json_reader ry_bench_json_nccl;  /**< nccl-tests -J, schema versions 1 to 3 */
ry_bench_json_reader ry_bench_json_keyed; /**< sizes as keys */
ry_bench_json_reader ry_bench_json_rccl;  /**< a list of rccl-tests records */

/** rccl-tests with one object a line; the last may be cut off. */
bool ry_bench_json_rccl_lines(struct ry_bench_draft *draft, struct ry_slice all);

#endif
