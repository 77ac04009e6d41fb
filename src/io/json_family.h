/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Families of documents: a value `{"any": [a, b, c]}` stands for each of its values in
 * turn, and a document for the product over all such values.
 */
#ifndef RY_IO_JSON_FAMILY_H
#define RY_IO_JSON_FAMILY_H

#include "io/json.h"

#include <stdint.h>

enum { RY_FAMILY_CHOICES_MOST = 32, RY_FAMILY_MEMBERS_MOST = 1000000 };

struct ry_json_family {
    struct ry_json root;
    size_t choices;                                         /**< `any` values found */
    const struct ry_json_node *any[RY_FAMILY_CHOICES_MOST]; /**< [choices] */
    size_t n;                                               /**< members, 1 or more */
    size_t values;                                          /**< of a member, about */
};

/**
 * Find the choices below @p root.
 * @return RY_OK, also for a document without a choice (one member); otherwise the code
 *         of the problem that was added: an empty list, a choice inside a choice, over
 *         RY_FAMILY_MEMBERS_MOST members, more values in all of them than memory holds.
 */
RY_MUST_USE enum ry_err ry_json_family(struct ry_json root,
                                       struct ry_json_family *family);

struct ry_json_member {
    struct ry_json root; /**< a document without choices */
    const char *choice;  /**< "nodes=32, oversubscription=3"; "" without choices */
};

/**
 * The @p i -th member, the last choice of the file fastest.
 * @return RY_OK or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_json_family_at(struct ry_arena *arena,
                                          const struct ry_json_family *family, size_t i,
                                          struct ry_json_member *member);

#endif
