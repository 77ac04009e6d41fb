/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Where the catalog and the models are.
 */
#ifndef RY_IO_DATA_H
#define RY_IO_DATA_H

#include "base/arena.h"
#include "base/err.h"

#include <stddef.h>

/**
 * The path of a data file, such as "catalog/gpus.csv".
 *
 * Data are in $RAILYARD_DATA when that is set; else beside the program's folder (or one
 * further up) when catalog/ and models/ are there, as in a source folder that was built
 * in build/; else where `make install` put them.
 * @return the path, owned by @p arena, whether the file exists or not; NULL: no memory.
 */
const char *ry_data_path(struct ry_arena *arena, const char *name);

/** Names of files in a folder, sorted by bytes. */
struct ry_file_names {
    size_t n;
    const char *const *at; /**< [n] without the folder */
};

/**
 * The files in @p folder that end with @p suffix, hidden ones left out.
 * @return RY_OK, RY_ERR_NOTFOUND, RY_ERR_IO or RY_ERR_NOMEM.
 */
RY_MUST_USE enum ry_err ry_folder_list(struct ry_arena *arena, const char *folder,
                                       const char *suffix, struct ry_file_names *names,
                                       struct ry_diag *diag);

#endif
