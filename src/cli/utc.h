/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What time it is.
 */
#ifndef RY_CLI_UTC_H
#define RY_CLI_UTC_H

#include "base/err.h"

#include <time.h>

/**
 * UTC now, or of $SOURCE_DATE_EPOCH where that is set: builds and tests that must repeat
 * do.
 * @return RY_OK, or RY_ERR_RANGE: that is no number of seconds, or no year can hold it.
 */
RY_MUST_USE enum ry_err ry_utc(struct tm *utc, struct ry_diag *diag);

#endif
