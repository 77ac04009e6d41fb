/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Writing a file so that it is either the old one or the whole new one.
 *
 * The text goes to a temporary file beside it, which is synced and renamed at the end.
 *
 *     RY_TRY(ry_outfile_open(&out, path, diag));
 *     print(out.file);
 *     return ry_outfile_commit(&out, diag);
 */
#ifndef RY_IO_OUTFILE_H
#define RY_IO_OUTFILE_H

#include "base/err.h"

#include <stdio.h>

/** A file being written; owned by the caller until commit or abort. */
struct ry_outfile {
    FILE *file; /**< write here */
    char *path; /**< where it will be; a symbolic link is followed */
    char *temp; /**< the temporary file, or NULL: written in place (stdout, a device) */
};

/**
 * Begin.
 * @param out  set on RY_OK.
 * @param path a file; "-" is standard output; a device or pipe is written directly.
 * @param diag nullable.
 * @return RY_OK, RY_ERR_IO or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_outfile_open(struct ry_outfile *out, const char *path,
                                        struct ry_diag *diag);

/** Finish: the file is on disk and in its place on RY_OK; else the old one is whole. */
RY_MUST_USE enum ry_err ry_outfile_commit(struct ry_outfile *out, struct ry_diag *diag);

/** Give up: the temporary file is removed, the old one stays. */
void ry_outfile_abort(struct ry_outfile *out);

#endif
