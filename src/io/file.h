/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Reading a whole file, with a limit, and text that is safe to print.
 */
#ifndef RY_IO_FILE_H
#define RY_IO_FILE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/** Bytes of a file; a NUL follows them, so text readers may treat it as a string. */
struct ry_text {
    const char *data;
    size_t bytes;
};

/**
 * Read all of @p path.
 * @param arena     owns the text.
 * @param path      a file; devices and pipes work up to the limit.
 * @param max_bytes most bytes it may have; checked before anything is read.
 * @param text      set on RY_OK.
 * @param diag      nullable.
 * @return RY_OK; RY_ERR_NOTFOUND (no such file); RY_ERR_SYNTAX (a folder);
 *         RY_ERR_RANGE (too large); RY_ERR_IO; RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_file_read(struct ry_arena *arena, const char *path,
                                     size_t max_bytes, struct ry_text *text,
                                     struct ry_diag *diag);

/** Whether @p path is a file (not a folder) that can be opened. */
bool ry_file_exists(const char *path);

/** Whether @p path is a folder. */
bool ry_folder_exists(const char *path);

/** Bytes of the valid UTF-8 character (RFC 3629) at @p text, which has @p room bytes;
 * 0. */
size_t ry_utf8_bytes(const char *text, size_t room);

/** Whether there is a control character (C0 or delete): in no format a part of a name. */
bool ry_has_control(const char *text);

enum { RY_SHOWN_BYTES = 64 };

/**
 * @p text as it may stand in a one-line message: control characters become '?', a long
 * one ends with "...".  Returns @p shown.
 */
const char *ry_shown(const char *text, char shown[RY_SHOWN_BYTES]);

#endif
