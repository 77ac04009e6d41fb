/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The strategy of a published row: degrees, sharding, recompute and graphs as it says.
 */
#ifndef RY_IO_PUBLISHED_STRATEGY_H
#define RY_IO_PUBLISHED_STRATEGY_H

#include "io/json.h"
#include "io/published.h"

/** Read "parallel" and "recompute" of a row; what it does not say is marked unstated.
 * The architecture and the GPUs of a node of @p r are read before. */
void ry_published_strategy_read(struct ry_json row, struct ry_job *r);

#endif
