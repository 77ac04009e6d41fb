/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * SHA-256 (FIPS 180-4), to name the files a model was made from as `sha256sum` does.
 */
#ifndef RY_IO_SHA256_H
#define RY_IO_SHA256_H

#include <stddef.h>

enum { RY_SHA256_TEXT = 65 };

/** The digest of @p data as 64 hexadecimal digits and a NUL. */
void ry_sha256(const void *data, size_t bytes, char text[RY_SHA256_TEXT]);

#endif
