/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A timeline as a Chrome trace (JSON array format), which Perfetto and chrome://tracing
 * show: a process a pipeline stage, a thread a stream.
 */
#ifndef RY_IO_TRACE_H
#define RY_IO_TRACE_H

#include "base/err.h"
#include "sim/event.h"

/** Write @p timeline to @p path, whole or not at all.  RY_OK, RY_ERR_IO or
 * RY_ERR_NOMEM. */
RY_MUST_USE enum ry_err ry_trace_write(const char *path,
                                       const struct ry_timeline *timeline,
                                       struct ry_diag *diag);

#endif
