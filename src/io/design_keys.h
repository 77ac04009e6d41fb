/* SPDX-License-Identifier: GPL-3.0-or-later */
/** @file
 * The keys of a design's objects; each list ends with NULL.
 */
#ifndef RY_IO_DESIGN_KEYS_H
#define RY_IO_DESIGN_KEYS_H

#include "io/json.h"

extern const char *const ry_design_keys[]; /**< of the design itself */
extern const char *const ry_design_nic_keys[];
extern const char *const ry_design_fabric_keys[];
extern const char *const ry_design_side_keys[]; /**< of a network beside the fabric */
extern const char *const ry_design_storage_keys[];
extern const char *const ry_design_owned_keys[]; /**< of one owned part */
extern const char *const ry_design_facility_keys[];
extern const char *const ry_design_finance_keys[];
extern const char *const ry_design_reliability_keys[];

/** Every object of a design and its keys, as the reader knows them; ends with a NULL
 * pointer.  share/schema is tested against it. */
extern const struct ry_key_table ry_design_key_tables[];

#endif
