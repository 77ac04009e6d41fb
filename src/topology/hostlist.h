/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Lists of names, and of hosts as Slurm folds them: "n[01-02,3]".
 *
 * Source: Slurm's manual of hostlists and the lists that scontrol 22.05.8 prints.
 */
#ifndef RY_TOPOLOGY_HOSTLIST_H
#define RY_TOPOLOGY_HOSTLIST_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { RY_HOSTS_MOST = 1 << 21 }; /**< hosts that one list may expand to */

/** Names or lines, owned by an arena. */
struct ry_names {
    size_t n;
    const char **at; /**< [n] */
};

/** No names yet, and room for so many; false when out of memory. */
bool ry_names_create(struct ry_arena *arena, size_t room, struct ry_names *names);

/** One more, where there is room; false for NULL, what ry_strfmt() gives out of
 * memory. */
bool ry_names_add(struct ry_names *names, const char *name);

/**
 * Fold names into a host list, "n[01-02,3]": only trailing digits fold, and the width of
 * padded digits is part of a range.
 * @param sorted by prefix, digit count and number first; otherwise in the given order.
 * @return text owned by @p arena, or NULL when out of memory.
 */
const char *ry_hostlist_fold(struct ry_arena *arena, const char *const names[], size_t n,
                             bool sorted);

/** Expand a host list; brackets left to right, the last one varies fastest. */
RY_MUST_USE enum ry_err ry_hostlist_expand(struct ry_arena *arena, const char *text,
                                           struct ry_names *hosts, struct ry_diag *diag);

#endif
