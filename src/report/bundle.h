/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * A decision in one file: the command, every file that it reads (designs, workloads,
 * quotes, catalog, models) and what it printed.
 *
 *     {"schema": "railyard-bundle/1", "version": "0.1.0", "arguments": ["rank", ...],
 *      "status": 0, "output": "...",
 *      "files": [{"path": "in/a.json", "sha256": "...", "text": "..."}, ...]}
 *
 * The same inputs make the same bytes: files are in the order of their paths, and nothing
 * says when or where it was made.  Paths are plain and relative, below "in", "catalog",
 * "models" or "share", so that unpacking cannot write elsewhere.
 */
#ifndef RY_REPORT_BUNDLE_H
#define RY_REPORT_BUNDLE_H

#include "base/arena.h"
#include "base/err.h"
#include "io/file.h"
#include "io/sha256.h"

#include <stdio.h>

enum {
    RY_BUNDLE_FILES_MOST = 4096,
    RY_BUNDLE_ARGUMENTS_MOST = 300,
    RY_BUNDLE_BYTES_MOST = 60 << 20, /* of all texts; the JSON reader takes 64 MiB */
};

struct ry_bundle_file {
    const char *path; /**< "catalog/gpus.csv" */
    struct ry_text text;
    char sha256[RY_SHA256_TEXT];
};

struct ry_bundle {
    const char *version; /**< of the program that made it */
    size_t arguments_n;
    const char *arguments[RY_BUNDLE_ARGUMENTS_MOST]; /**< [arguments_n] command first */
    int status;                                      /**< exit status of the command */
    struct ry_text output;                           /**< its standard output */
    size_t files_n;
    struct ry_bundle_file *files; /**< [files_n] by path */
};

/** Whether a path may stand in a bundle. */
bool ry_bundle_path_ok(const char *path);

/**
 * Add a file's text, which is kept, not copied; sort with ry_bundle_sort() after the
 * last.
 * The `files` of the bundle have room for RY_BUNDLE_FILES_MOST.
 * @return RY_OK; RY_ERR_RANGE: too many files, too many bytes, a path that may not be;
 *         RY_ERR_SYNTAX: not UTF-8, or with a NUL.
 */
RY_MUST_USE enum ry_err ry_bundle_add(struct ry_bundle *bundle, const char *path,
                                      struct ry_text text, struct ry_diag *diag);

/** By path.  RY_ERR_RANGE: a path is there twice. */
RY_MUST_USE enum ry_err ry_bundle_sort(struct ry_bundle *bundle, struct ry_diag *diag);

/** Print it as JSON. */
void ry_bundle_write(const struct ry_bundle *bundle, FILE *out);

/**
 * Read one.
 * @return RY_OK; the error of the file; RY_ERR_RANGE: a path that may not be, a text that
 *         is not that of its sha256.  Mistakes are printed; @p diag has no text then.
 */
RY_MUST_USE enum ry_err ry_bundle_read(struct ry_arena *arena, const char *path,
                                       struct ry_bundle *bundle, struct ry_diag *diag);

/** Write its files below @p folder, which is there. */
RY_MUST_USE enum ry_err ry_bundle_unpack(struct ry_arena *arena,
                                         const struct ry_bundle *bundle,
                                         const char *folder, struct ry_diag *diag);

#endif
