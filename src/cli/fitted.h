/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What `calibrate fit` says of a model: the parameters that it made, each with where it
 * is from, and notes for people.
 */
#ifndef RY_CLI_FITTED_H
#define RY_CLI_FITTED_H

#include "cli/fit_fabric.h"
#include "report/comm_model_put.h"

enum { RY_FITTED_PARAMETERS_MOST = 16, RY_FITTED_NOTES_MOST = 320 };

struct ry_fitted {
    struct ry_arena *arena; /**< owns texts */
    struct ry_json facts;   /**< what they give stays; absent: none were given */
    size_t parameters;
    struct ry_model_parameter parameter[RY_FITTED_PARAMETERS_MOST];
    size_t notes;
    const char *note[RY_FITTED_NOTES_MOST];
};

/** Add a note, which is kept, not copied; NULL or past the last: nothing. */
void ry_fitted_note(struct ry_fitted *fitted, const char *text);

/** Notes on one fit: what the data cannot say, and where two ways to say it disagree. */
void ry_fitted_check(struct ry_fitted *fitted, const struct ry_coll_fit *fit);

/** Parameters of a domain that no facts gave: what the curves themselves show. */
void ry_fitted_domain(struct ry_fitted *fitted, const struct ry_coll_fits *fits,
                      const struct ry_collective_input *input);

/** Parameters of a fabric: those fitted override those of the facts or the base model. */
void ry_fitted_fabric(struct ry_fitted *fitted, const struct ry_fabric_job *job);

#endif
