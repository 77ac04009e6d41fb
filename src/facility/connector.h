/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * Form factors of plugs and cages: which go into each other.
 */
#ifndef RY_FACILITY_CONNECTOR_H
#define RY_FACILITY_CONNECTOR_H

#include <stdbool.h>

/** Whether a plug fits a cage; both texts as in the catalog, "A or B" is either. */
bool ry_connector_fits(const char *plug, const char *cage);

#endif
