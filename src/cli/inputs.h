/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a result depends on, as one digest: results with the same one may be joined.
 */
#ifndef RY_CLI_INPUTS_H
#define RY_CLI_INPUTS_H

#include "cli/opt_words.h"
#include "cli/plan_cases.h"
#include "io/sha256.h"

struct ry_inputs {
    const char *command;
    const struct ry_words *words; /**< the command line, what does not matter left out */
    const struct ry_catalog_sources *catalog;
    const struct ry_strings *files, *workloads; /**< as given */
    const struct ry_plan_files *read;           /**< what they hold */
};

/**
 * SHA-256 over the program itself, its words, the catalog, all shipped models, the files
 * given and the models they name; not over where these files are, but for the words.
 * @return RY_OK, RY_ERR_IO, RY_ERR_NOMEM; RY_ERR_RANGE: a pipe, which is read only once.
 */
RY_MUST_USE enum ry_err ry_inputs_digest(struct ry_arena *arena,
                                         const struct ry_inputs *inputs,
                                         char sha256[RY_SHA256_TEXT],
                                         struct ry_diag *diag);

#endif
