/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The curves of a communication model: what was fitted, merged with those of the facts.
 */
#ifndef RY_REPORT_COMM_CURVES_PUT_H
#define RY_REPORT_COMM_CURVES_PUT_H

#include "report/comm_model_put.h"

/** Print `curves`: by collective and ranks, a fit in place of the fact of the same. */
void ry_comm_curves_put(FILE *out, const struct ry_comm_model_doc *doc);

/** Print `like`: for each collective without a curve, which one it is assumed to be like;
 * nothing when no collective has one. */
void ry_comm_likes_put(FILE *out, const struct ry_comm_model_doc *doc);

#endif
