/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * What a buyer should know of a design that is ranked, though it meets every limit.
 */
#ifndef RY_SEARCH_REMARKS_H
#define RY_SEARCH_REMARKS_H

#include "search/rank.h"

enum { RY_REMARKS_BYTES = 320 };

/**
 * Little memory left: less of the usable bytes than the rate "planning:memory of a GPU
 * that should stay free".  One switch that the job stops with: the only spine, or the
 * only leaf, of a network.
 * @param c    evaluated.
 * @param text remarks, joined by "; "; "" for none and for a case without a result.
 */
void ry_case_remarks(const struct ry_case *c, char text[RY_REMARKS_BYTES]);

#endif
