/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * From a command line to the files that it reads, and from a bundle back to its output.
 */
#ifndef RY_CLI_BUNDLE_PACK_H
#define RY_CLI_BUNDLE_PACK_H

#include "report/bundle.h"

/**
 * Collect a command line's files, with the catalog and models that are installed.
 * @param words  [n] as typed after "railyard".
 * @param bundle set: everything but status and output.
 */
RY_MUST_USE enum ry_err ry_bundle_pack(struct ry_arena *arena, size_t n,
                                       const char *const words[],
                                       struct ry_bundle *bundle, struct ry_diag *diag);

/**
 * Run its command in a folder of its own.
 * @param installed with the catalog and models installed, not those of the bundle.
 * @param status    exit status.
 * @param output    standard output, owned by @p arena.
 */
RY_MUST_USE enum ry_err ry_bundle_run(struct ry_arena *arena,
                                      const struct ry_bundle *bundle, bool installed,
                                      int *status, struct ry_text *output,
                                      struct ry_diag *diag);

#endif
