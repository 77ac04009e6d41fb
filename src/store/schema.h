/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What is in a store, and how an older one becomes it.
 */
#ifndef RY_STORE_SCHEMA_H
#define RY_STORE_SCHEMA_H

#include "store/store.h"

/** Script i brings a file from schema i to i + 1.  Never change one that was released. */
extern const char *const ry_store_migrations[RY_STORE_SCHEMA];

#endif
