/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Write a communication model (models/comm): what a person knows about the hardware (the
 * facts, copied as they are) and what was fitted, with where each came from.
 */
#ifndef RY_REPORT_COMM_MODEL_PUT_H
#define RY_REPORT_COMM_MODEL_PUT_H

#include "calibrate/collective_fit.h"
#include "comm/net.h"
#include "io/json.h"

#include <stdio.h>

/** A file that went into a fit. */
struct ry_model_source {
    const char *path, *sha256;
    const char *gpu, *nccl; /**< NULL: not said */
    size_t points;
};

/** A number of a model that a fit made, for `parameters`. */
struct ry_model_parameter {
    const char *key;
    struct ry_estimate value;
    size_t points;
    bool known;       /**< false: stays where it was without data */
    const char *from; /**< a sentence */
};

struct ry_comm_model_doc {
    struct ry_json facts; /**< absent: none were given */
    const char *name;
    const char *kind;                /**< "domain", "fabric" */
    const char *date;                /**< of the fit, ISO */
    const struct ry_coll_fits *fits; /**< of a domain; NULL: none */
    const struct ry_net_fabric
        *fabric;            /**< of a fabric: its lines instead of the facts' */
    const char *lines_from; /**< a sentence about those lines */
    const char *transport;  /**< of a fabric without facts */
    const char
        *gpu; /**< of a domain without facts: as the catalog names it; NULL: not said */
    size_t parameters;
    const struct ry_model_parameter *parameter; /**< override those of the facts */
    size_t sources;
    const struct ry_model_source *source;
    size_t notes;
    const char *const *note;
};

/** Print the whole model as JSON. */
void ry_comm_model_put(FILE *out, const struct ry_comm_model_doc *doc);

#endif
