/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * validate: measured rows of files and folders, and what is predicted of each.
 */
#ifndef RY_CLI_VALIDATE_ROWS_H
#define RY_CLI_VALIDATE_ROWS_H

#include "io/traits_file.h"
#include "report/ablation.h"
#include "report/validate.h"

struct ry_validation; /* models, the files added, and a prediction of each of their rows
                       */

/**
 * Read what predicts.
 * @param arena    owns the validation and all that it reads.
 * @param untuned  without what was set with step times in view.
 * @param problems gets the mistakes of this and of all files added.
 */
RY_MUST_USE enum ry_err ry_validation_open(struct ry_arena *arena, bool untuned,
                                           struct ry_problems *problems,
                                           struct ry_validation **validation);

/**
 * Add a file of measured rows, or those below a folder, whose data_corrections.json say
 * what a table got wrong; links to folders are not followed.
 * @return RY_OK; RY_ERR_NOTFOUND; RY_ERR_SYNTAX: a file without rows, which is left out
 *         without a word when it is in a folder; RY_ERR_RANGE: more than 256 files or
 *         folders; the error of a file, whose mistakes are among the problems.
 */
RY_MUST_USE enum ry_err ry_validation_add(struct ry_validation *validation,
                                          const char *path, struct ry_diag *diag);

/** How many files with rows were added. */
size_t ry_validation_files(const struct ry_validation *validation);

/**
 * Predict every row, in the order of the files.
 * @param ablation what is switched off.
 * @param quiet    no progress on the terminal.
 * @param checks   set; good until the next run.
 * @return RY_OK or RY_ERR_NOMEM; a row that cannot be predicted says why.
 */
RY_MUST_USE enum ry_err ry_validation_run(struct ry_validation *validation,
                                          enum ry_ablation ablation, bool quiet,
                                          struct ry_checks *checks);

/** The presets that it predicts with. */
const struct ry_presets *ry_validation_presets(const struct ry_validation *validation);

#endif
